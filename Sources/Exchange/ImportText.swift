internal import Characters
internal import HTML

/// The text of a file, decoded from any encoding.
package struct ImportText {
    /// UTF-8, well-formed unless `isMixed`, without a byte order mark.
    package private(set) var bytes: [UInt8]
    /// Whether some texts of an HTML file that claims to be UTF-8 are not. They stay unchanged, and the reader
    /// decodes them one by one, so that no further copy of the file is needed.
    private(set) var isMixed = false
    private(set) var faults: [ImportFault] = []

    /// Uses a byte order mark, else UTF-16 by its zero bytes, else UTF-8, else the declared encoding.
    ///
    /// If a file claims to be UTF-8 but some places are not (usual after merging exports by hand), these lines are
    /// read as windows-1252 and reported; in HTML, these texts (`isMixed`).
    package init(_ bytes: [UInt8], isHTML: Bool = false) {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]), UTF8Sequence.firstFault(in: bytes, from: 3) == nil {
            self.bytes = Array(bytes.dropFirst(3))
            return
        }
        let hasMark = bytes.starts(with: [0xFE, 0xFF]) || bytes.starts(with: [0xFF, 0xFE])
        if hasMark || Self.utf16(bytes) != nil {
            let text = (hasMark ? .utf8 : Self.utf16(bytes) ?? .utf8).decode(bytes)
            self.bytes = text.utf8
            if text.hasReplacements {
                faults.append(ImportFault(.offset(0), .invalidText(encoding: "UTF-16")))
            }
            return
        }
        guard let fault = UTF8Sequence.firstFault(in: bytes) else {
            self.bytes = bytes
            // ISO-2022-JP and similar encodings look like ASCII.
            if isHTML, bytes.contains(0x1B) {
                let encoding = CharacterEncoding.ofPage(bytes, contentType: nil).encoding
                if encoding != .utf8 { self.bytes = encoding.decode(bytes).utf8 }
            }
            return
        }
        let declared: (encoding: CharacterEncoding, certainty: EncodingCertainty) =
            isHTML ? CharacterEncoding.ofPage(bytes, contentType: nil) : (.utf8, .guessed)
        if declared.encoding != .utf8, declared.certainty != .guessed {
            let text = declared.encoding.decode(bytes)
            self.bytes = text.utf8
            if text.hasReplacements {
                faults.append(ImportFault(.offset(0), .invalidText(encoding: "\(declared.encoding)")))
            }
            return
        }
        if isHTML {
            self.bytes = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
            isMixed = true
            return
        }
        self.bytes = []
        mend(bytes, from: fault)
    }

    /// Decodes lines that are not UTF-8 as windows-1252.
    private mutating func mend(_ bytes: [UInt8], from fault: Int) {
        var start = bytes[..<fault].lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
        var line = bytes[..<start].count { $0 == 0x0A } + 1
        let first = line
        var count = 0
        self.bytes.reserveCapacity(bytes.count + bytes.count / 16)
        self.bytes += bytes[..<start]
        while start < bytes.count {
            let end = bytes[start...].firstIndex(of: 0x0A).map { $0 + 1 } ?? bytes.count
            let piece = Array(bytes[start..<end])
            if UTF8Sequence.firstFault(in: piece) == nil {
                self.bytes += piece
            } else {
                count += 1
                self.bytes += Self.asWindows1252(piece)
            }
            start = end
            line += 1
        }
        if self.bytes.starts(with: [0xEF, 0xBB, 0xBF]) { self.bytes.removeFirst(3) }
        faults.append(
            ImportFault(.line(first), .linesReadAsWindows1252(count)))
    }

    /// Recognises UTF-16 without a byte order mark: in ASCII text, every second byte is zero.
    private static func utf16(_ bytes: [UInt8]) -> CharacterEncoding? {
        let start = bytes.prefix(256)
        if start.count < 8 { return nil }
        var zeros = (even: 0, odd: 0)
        for (index, byte) in start.enumerated() where byte == 0 {
            if index % 2 == 0 { zeros.even += 1 } else { zeros.odd += 1 }
        }
        let many = start.count / 4
        if zeros.odd >= many, zeros.even < many / 4 { return .utf16LittleEndian }
        if zeros.even >= many, zeros.odd < many / 4 { return .utf16BigEndian }
        return nil
    }

    /// Bytes of windows-1252 as UTF-8.
    static func asWindows1252(_ bytes: [UInt8]) -> [UInt8] {
        // The space keeps the decoder from finding a UTF-16 byte order mark.
        Array(CharacterEncoding.windows1252.decode([0x20] + bytes).utf8.dropFirst())
    }
}
