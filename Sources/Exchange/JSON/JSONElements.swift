/// The values of a JSON array at the top of a file, one after the other; only one of them is in memory.
struct JSONElements {
    struct Element {
        let bytes: [UInt8]
        /// The offset of its first byte in the file.
        let offset: Int
        /// The line number, from 1.
        let line: Int
        /// Whether its end was found; if not, it reaches the end of the file.
        let isWhole: Bool
    }

    private var window: InputWindow
    /// The current offset in the window.
    private var at = 0
    private var line = 1
    private var isFirst = true
    private var isOver = false
    /// Why reading ended before the end of the array.
    private(set) var fault: ImportFault?

    /// - Parameter start: the offset of the array's bracket, or of white space before it.
    init(_ input: ImportInput, from start: Int) throws { window = try InputWindow(input, from: start) }

    mutating func next() throws -> Element? {
        if isOver { return nil }
        if isFirst {
            _ = try firstByte()
            at += 1
        }
        guard var byte = try firstByte() else { return end(.endsWithinList) }
        if byte == UInt8(ascii: "]") {
            at += 1
            if let rest = try firstByte() {
                return end(.bytesAfterList(first: rest))
            }
            isOver = true
            return nil
        }
        if !isFirst {
            guard byte == UInt8(ascii: ",") else {
                return end(.noComma(found: byte))
            }
            at += 1
            guard let next = try firstByte() else { return end(.endsWithinList) }
            byte = next
        }
        isFirst = false
        return try element()
    }

    private mutating func end(_ kind: ImportFault.Kind) -> Element? {
        isOver = true
        fault = ImportFault(.line(line), kind)
        return nil
    }

    /// Moves to the next byte that is no white space.
    private mutating func firstByte() throws -> UInt8? {
        while true {
            while at < window.bytes.count {
                let byte = window.bytes[at]
                if byte == 0x0A { line += 1 }
                if byte > 0x20 { return byte }
                at += 1
            }
            if window.isAtEnd { return nil }
            try window.move(by: at)
            at = 0
        }
    }

    /// One value: up to the next comma or bracket outside of strings and inner lists.
    private mutating func element() throws -> Element {
        let firstLine = line
        if at > 0 {
            let start = at
            at = 0
            // Moves only near the end of the window; otherwise each value would copy it.
            if window.bytes.count - start < 1 << 16, !window.isAtEnd { try window.move(by: start) } else { at = start }
        }
        var start = at
        var place = at
        var depth = 0
        var isInString = false
        var isEscaped = false
        while true {
            let found: Int? = window.bytes.withUnsafeBufferPointer { bytes in
                while place < bytes.count {
                    let byte = bytes[place]
                    if isInString {
                        if isEscaped {
                            isEscaped = false
                        } else if byte == 0x5C {
                            isEscaped = true
                        } else if byte == 0x22 {
                            isInString = false
                        }
                    } else {
                        switch byte {
                        case 0x22: isInString = true
                        case 0x7B, 0x5B: depth += 1
                        case 0x7D, 0x5D:
                            if depth == 0 { return place }
                            depth -= 1
                        case 0x2C: if depth == 0 { return place }
                        default: break
                        }
                    }
                    place += 1
                }
                return nil
            }
            if let found {
                let bytes = Array(window.bytes[start..<found])
                line += bytes.count { $0 == 0x0A }
                at = found
                return Element(bytes: bytes, offset: window.start + start, line: firstLine, isWhole: true)
            }
            if window.isAtEnd {
                isOver = true
                let bytes = Array(window.bytes[start...])
                at = window.bytes.count
                return Element(bytes: bytes, offset: window.start + start, line: firstLine, isWhole: false)
            }
            place -= start
            try window.move(by: start)
            start = 0
        }
    }
}
