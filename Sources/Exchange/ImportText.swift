internal import Characters
internal import HTML

/// The text of a file in whatever encoding it came.
struct ImportText {
    /// UTF-8, well-formed, without a byte order mark.
    private(set) var utf8: [UInt8]
    private(set) var faults: [ImportFault] = []

    /// Reads a byte order mark, else UTF-16 by its zero bytes, else UTF-8, else what the text declares.
    ///
    /// A file that says it is UTF-8 and is not in some lines (a usual fruit of merging exports by hand) has these lines
    /// read as windows-1252, which is told.
    init(_ bytes: [UInt8], isHTML: Bool = false) {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]), Self.fault(in: bytes, from: 3) == nil {
            utf8 = Array(bytes.dropFirst(3))
            return
        }
        let hasMark = bytes.starts(with: [0xFE, 0xFF]) || bytes.starts(with: [0xFF, 0xFE])
        if hasMark || Self.utf16(bytes) != nil {
            let text = (hasMark ? .utf8 : Self.utf16(bytes) ?? .utf8).decode(bytes)
            utf8 = text.utf8
            if text.hasReplacements {
                faults.append(ImportFault(.offset(0), "parts are no valid UTF-16", isLoss: false))
            }
            return
        }
        guard let fault = Self.fault(in: bytes, from: 0) else {
            utf8 = bytes
            // ISO-2022-JP and the like look as ASCII.
            if isHTML, bytes.contains(0x1B) {
                let encoding = CharacterEncoding.ofPage(bytes, contentType: nil).encoding
                if encoding != .utf8 { utf8 = encoding.decode(bytes).utf8 }
            }
            return
        }
        let declared: (encoding: CharacterEncoding, certainty: EncodingCertainty) =
            isHTML ? CharacterEncoding.ofPage(bytes, contentType: nil) : (.utf8, .guessed)
        if declared.encoding != .utf8, declared.certainty != .guessed {
            let text = declared.encoding.decode(bytes)
            utf8 = text.utf8
            if text.hasReplacements {
                faults.append(ImportFault(.offset(0), "parts are no valid \(declared.encoding)", isLoss: false))
            }
            return
        }
        utf8 = []
        mend(bytes, from: fault)
    }

    /// Lines that are not UTF-8 as windows-1252.
    private mutating func mend(_ bytes: [UInt8], from fault: Int) {
        var start = bytes[..<fault].lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
        var line = bytes[..<start].count { $0 == 0x0A } + 1
        let first = line
        var count = 0
        utf8.reserveCapacity(bytes.count + bytes.count / 16)
        utf8 += bytes[..<start]
        while start < bytes.count {
            let end = bytes[start...].firstIndex(of: 0x0A).map { $0 + 1 } ?? bytes.count
            let piece = Array(bytes[start..<end])
            if Self.fault(in: piece, from: 0) == nil {
                utf8 += piece
            } else {
                count += 1
                // The decoder would take a mark of UTF-16 for one.
                utf8 += CharacterEncoding.windows1252.decode([0x20] + piece).utf8.dropFirst()
            }
            start = end
            line += 1
        }
        if utf8.starts(with: [0xEF, 0xBB, 0xBF]) { utf8.removeFirst(3) }
        faults.append(
            ImportFault(
                .line(first), "not UTF-8: \(count) line\(count == 1 ? "" : "s") read as windows-1252", isLoss: false))
    }

    /// UTF-16 without a mark: of ASCII in it, every second byte is zero.
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

    /// Where UTF-8 ends to be well-formed; `nil` if nowhere.
    static func fault(in bytes: [UInt8], from start: Int) -> Int? {
        bytes.withUnsafeBufferPointer { buffer -> Int? in
            var at = start
            while at < buffer.count {
                // Eight ASCII bytes at a time.
                if at + 8 <= buffer.count,
                    UnsafeRawBufferPointer(buffer).loadUnaligned(fromByteOffset: at, as: UInt64.self)
                        & 0x8080_8080_8080_8080 == 0
                {
                    at += 8
                    continue
                }
                if buffer[at] < 0x80 {
                    at += 1
                    continue
                }
                let length = UTF8Sequence.length(in: bytes, at: at)
                if length == 0 { return at }
                at += length
            }
            return nil
        }
    }
}
