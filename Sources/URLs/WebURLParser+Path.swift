/// Path, query and fragment.
extension WebURLParser {
    /// Removes the last segment, but no drive letter.
    mutating func shorten() {
        let start = Int(parts.pathStart)
        guard let slash = output[start...].lastIndex(of: UInt8(ascii: "/")) else { return }
        if parts.scheme == .file, slash == start, output.count == start + 3,
            Self.isDrive(output[start + 1], output[start + 2]), output[start + 2] == UInt8(ascii: ":")
        {
            return
        }
        output.removeSubrange(slash...)
    }

    /// Parses a list of segments, then query and fragment. The path so far, each segment after its slash, starts at
    /// `start`.
    mutating func path(from start: Int32) {
        parts.pathStart = start
        if isSlash(byte()) {
            at += 1
            segments()
        } else if parts.scheme.isSpecial || !isPathEnd(byte()) {
            segments()
        }
        // A path must not be read as an authority.
        if parts.host == .none, output.count > Int(start) + 1, output[Int(start)] == UInt8(ascii: "/"),
            output[Int(start) + 1] == UInt8(ascii: "/")
        {
            output.insert(contentsOf: "/.".utf8, at: Int(start))
            parts.pathStart += 2
        }
        parts.queryStart = place
        parts.fragmentStart = place
        queryAndFragment()
    }

    private mutating func segments() {
        while true {
            let start = at
            while at < input.count, !isSlash(input[at]), !isPathEnd(input[at]) { at += 1 }
            let hasMore = at < input.count && isSlash(input[at])
            switch dots(start, at) {
            case 2:
                shorten()
                if !hasMore { output.append(UInt8(ascii: "/")) }
            case 1:
                if !hasMore { output.append(UInt8(ascii: "/")) }
            default:
                let isFirst = output.count == Int(parts.pathStart)
                output.append(UInt8(ascii: "/"))
                if parts.scheme == .file, isFirst, at - start == 2, Self.isDrive(input[start], input[start + 1]) {
                    output.append(input[start])
                    output.append(UInt8(ascii: ":"))
                } else {
                    for index in start..<at {
                        PercentEncoding.append(input[index], encoding: PercentEncoding.path, to: &output)
                    }
                }
            }
            if !hasMore { return }
            at += 1
        }
    }

    /// 1 or 2 for a segment of one or two dots, each of which may be `%2e`; 0 for others.
    private func dots(_ start: Int, _ end: Int) -> Int {
        if end == start || end - start > 6 { return 0 }
        var (index, count) = (start, 0)
        while index < end {
            if input[index] == UInt8(ascii: ".") {
                index += 1
            } else if input[index] == UInt8(ascii: "%"), index + 2 < end, input[index + 1] == UInt8(ascii: "2"),
                input[index + 2] | 0x20 == UInt8(ascii: "e")
            {
                index += 3
            } else {
                return 0
            }
            count += 1
        }
        return count <= 2 ? count : 0
    }

    mutating func opaquePath() {
        parts.pathStart = place
        parts.hasOpaquePath = true
        while !isPathEnd(byte()) {
            if input[at] == 0x20 {
                // A last space would be lost if the text is parsed again.
                let next = byte(1)
                if next == UInt8(ascii: "?") || next == UInt8(ascii: "#") {
                    output += "%20".utf8
                } else {
                    output.append(0x20)
                }
            } else {
                PercentEncoding.append(input[at], encoding: PercentEncoding.control, to: &output)
            }
            at += 1
        }
        parts.queryStart = place
        parts.fragmentStart = place
        queryAndFragment()
    }

    // MARK: Query and fragment

    mutating func queryAndFragment() {
        if byte() == UInt8(ascii: "?") {
            parts.queryStart = place
            output.append(UInt8(ascii: "?"))
            at += 1
            let set = parts.scheme.isSpecial ? PercentEncoding.specialQuery : PercentEncoding.query
            while at < input.count, input[at] != UInt8(ascii: "#") {
                PercentEncoding.append(input[at], encoding: set, to: &output)
                at += 1
            }
            parts.fragmentStart = place
        }
        fragment()
    }

    mutating func fragment() {
        guard byte() == UInt8(ascii: "#") else { return }
        parts.fragmentStart = place
        output.append(UInt8(ascii: "#"))
        at += 1
        while at < input.count {
            PercentEncoding.append(input[at], encoding: PercentEncoding.fragment, to: &output)
            at += 1
        }
    }
}
