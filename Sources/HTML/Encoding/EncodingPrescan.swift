import Characters

/// Looks for a `meta` that names the encoding, in the beginning of a page: HTML Standard, section 13.2.3.2, "prescan a byte
/// stream to determine its encoding".
struct EncodingPrescan {
    /// How many bytes of a page are read.
    static let byteLimit = 1024

    private let bytes: UnsafeBufferPointer<UInt8>
    private var at = 0

    static func encoding(_ bytes: UnsafeBufferPointer<UInt8>) -> CharacterEncoding? {
        var scan = EncodingPrescan(bytes: bytes)
        return scan.run()
    }

    private init(bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    private mutating func run() -> CharacterEncoding? {
        while at < bytes.count {
            guard bytes[at] == UInt8(ascii: "<") else {
                at += 1
                continue
            }
            if stands("<!--") {
                // `<!-->` is a whole comment.
                var end = at + 2
                while end + 2 < bytes.count, !(bytes[end] == 0x2D && bytes[end + 1] == 0x2D && bytes[end + 2] == 0x3E) {
                    end += 1
                }
                at = end + 3
            } else if stands("<meta"), at + 5 < bytes.count, bytes[at + 5].isHTMLSpace || bytes[at + 5] == 0x2F {
                at += 6
                if let encoding = meta() { return encoding }
            } else if isTag() {
                at += 1
                while at < bytes.count, !bytes[at].isHTMLSpace, bytes[at] != 0x3E { at += 1 }
                while attribute() != nil {}
            } else if at + 1 < bytes.count, bytes[at + 1] == 0x21 || bytes[at + 1] == 0x2F || bytes[at + 1] == 0x3F {
                while at < bytes.count, bytes[at] != 0x3E { at += 1 }
                at += 1
            } else {
                at += 1
            }
        }
        return nil
    }

    private mutating func meta() -> CharacterEncoding? {
        var names: [[UInt8]] = []
        var (hasPragma, needsPragma): (Bool, Bool?) = (false, nil)
        var charset: CharacterEncoding??
        while let attribute = attribute() {
            if names.contains(attribute.name) { continue }
            names.append(attribute.name)
            if attribute.name.elementsEqual("http-equiv".utf8) {
                if attribute.value.elementsEqual("content-type".utf8) { hasPragma = true }
            } else if attribute.name.elementsEqual("content".utf8) {
                if charset == nil, let encoding = Self.charset(inContent: attribute.value) {
                    charset = .some(encoding)
                    needsPragma = true
                }
            } else if attribute.name.elementsEqual("charset".utf8) {
                charset = .some(CharacterEncoding(label: attribute.value[...]))
                needsPragma = false
            }
        }
        guard let needsPragma, !needsPragma || hasPragma, let charset, let charset else { return nil }
        return charset.asDeclaredInASCII
    }

    /// The encoding in a value such as `text/html; charset=x`: "extracting a character encoding from a meta element".
    static func charset(inContent value: [UInt8]) -> CharacterEncoding? {
        let word = Array("charset".utf8)
        var at = 0
        while at + word.count <= value.count {
            guard (0..<word.count).allSatisfy({ value[at + $0] | 0x20 == word[$0] }) else {
                at += 1
                continue
            }
            at += word.count
            while at < value.count, value[at].isHTMLSpace { at += 1 }
            guard at < value.count, value[at] == UInt8(ascii: "=") else { continue }
            at += 1
            while at < value.count, value[at].isHTMLSpace { at += 1 }
            guard at < value.count else { return nil }
            if value[at] == 0x22 || value[at] == 0x27 {
                guard let end = value[(at + 1)...].firstIndex(of: value[at]) else { return nil }
                return CharacterEncoding(label: value[(at + 1)..<end])
            }
            let end = value[at...].firstIndex { $0.isHTMLSpace || $0 == UInt8(ascii: ";") } ?? value.endIndex
            return CharacterEncoding(label: value[at..<end])
        }
        return nil
    }

    // MARK: Bytes

    private func stands(_ text: StaticString) -> Bool {
        guard at + text.utf8CodeUnitCount <= bytes.count else { return false }
        for index in 0..<text.utf8CodeUnitCount where bytes[at + index].lowercased != text.utf8Start[index] {
            return false
        }
        return true
    }

    private func isTag() -> Bool {
        var next = at + 1
        if next < bytes.count, bytes[next] == 0x2F { next += 1 }
        return next < bytes.count && bytes[next].isLetter
    }

    /// "Get an attribute": `nil` at the tag's `>` and at the end. Name and value in lower case.
    private mutating func attribute() -> (name: [UInt8], value: [UInt8])? {
        while at < bytes.count, bytes[at].isHTMLSpace || bytes[at] == 0x2F { at += 1 }
        guard at < bytes.count, bytes[at] != 0x3E else { return nil }
        var (name, value): ([UInt8], [UInt8]) = ([], [])
        while at < bytes.count {
            let byte = bytes[at]
            if byte == 0x3D, !name.isEmpty { break }
            if byte.isHTMLSpace { break }
            if byte == 0x2F || byte == 0x3E { return (name, value) }
            name.append(byte.lowercased)
            at += 1
        }
        while at < bytes.count, bytes[at].isHTMLSpace { at += 1 }
        guard at < bytes.count, bytes[at] == 0x3D else { return at < bytes.count ? (name, value) : nil }
        at += 1
        while at < bytes.count, bytes[at].isHTMLSpace { at += 1 }
        guard at < bytes.count else { return nil }
        if bytes[at] == 0x22 || bytes[at] == 0x27 {
            let quote = bytes[at]
            at += 1
            while at < bytes.count, bytes[at] != quote {
                value.append(bytes[at].lowercased)
                at += 1
            }
            if at == bytes.count { return nil }
            at += 1
            return (name, value)
        }
        while at < bytes.count, !bytes[at].isHTMLSpace, bytes[at] != 0x3E {
            value.append(bytes[at].lowercased)
            at += 1
        }
        return at < bytes.count ? (name, value) : nil
    }
}
