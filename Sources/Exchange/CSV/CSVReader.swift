/// Reads records of comma-separated values (RFC 4180). Quotes surround fields with separators, line ends or quotes,
/// which are doubled inside. Lines may end with CRLF, LF or CR.
struct CSVReader {
    private var window: InputWindow
    private let separator: UInt8
    private var at = 0
    private(set) var line = 1
    private var hasRecovered = false
    private var hadRecovered = false

    struct Record {
        /// The line on which the record starts.
        let line: Int
        var fields: [String] = []
        var fault: ImportFault.Kind?
    }

    /// A quote that is not closed within this many bytes counts as never closed.
    private static let recordByteLimit = 64 << 20

    init(_ input: ImportInput, from start: Int = 0, separator: UInt8 = UInt8(ascii: ",")) throws {
        window = try InputWindow(input, from: start)
        self.separator = separator
    }

    private var bytes: [UInt8] { _read { yield window.bytes } }

    /// The next record that is no empty line.
    ///
    /// A quote that is never closed would include the rest of the file. Its line is then read again as if it were not
    /// quoted, once.
    mutating func next() throws -> Record? {
        while true {
            let (start, startLine) = (at, line)
            let record = whole()
            // A record that touches the end of the window may continue after it.
            if at < bytes.count || window.isAtEnd || bytes.count - start > Self.recordByteLimit { return record }
            (at, line) = (start, startLine)
            hasRecovered = hadRecovered
            try window.move(by: at)
            at = 0
        }
    }

    private mutating func whole() -> Record? {
        hadRecovered = hasRecovered
        while at < bytes.count, isLineEnd(bytes[at]) { skipLineEnd() }
        guard at < bytes.count else { return nil }
        let (start, startLine) = (at, line)
        if let record = record(isQuoting: true) { return record }
        // The rest of the file may close the quote.
        if !window.isAtEnd, bytes.count - start <= Self.recordByteLimit { return nil }
        if hasRecovered {
            at = bytes.count
            return Record(line: startLine, fault: .unclosedQuoteToEnd)
        }
        hasRecovered = true
        (at, line) = (start, startLine)
        var record = record(isQuoting: false)
        record?.fault = .unclosedQuote
        return record
    }

    private func isLineEnd(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }

    private mutating func skipLineEnd() {
        if bytes[at] == 0x0D, at + 1 < bytes.count, bytes[at + 1] == 0x0A { at += 1 }
        at += 1
        line += 1
    }

    /// - Returns: `nil` if a quote is not closed.
    private mutating func record(isQuoting: Bool) -> Record? {
        var record = Record(line: line)
        while true {
            if isQuoting, at < bytes.count, bytes[at] == UInt8(ascii: "\"") {
                guard let field = quoted() else { return nil }
                record.fields.append(field)
            } else {
                let start = at
                while at < bytes.count, bytes[at] != separator, !isLineEnd(bytes[at]) { at += 1 }
                record.fields.append(String(decoding: bytes[start..<at], as: UTF8.self))
            }
            guard at < bytes.count, bytes[at] == separator else { break }
            at += 1
        }
        if at < bytes.count { skipLineEnd() }
        return record
    }

    private mutating func quoted() -> String? {
        at += 1
        var field: [UInt8] = []
        var start = at
        while at < bytes.count {
            let byte = bytes[at]
            if byte == UInt8(ascii: "\"") {
                field += bytes[start..<at]
                at += 1
                if at < bytes.count, bytes[at] == UInt8(ascii: "\"") {
                    // The first of two quotes belongs to the field.
                    start = at
                    at += 1
                    continue
                }
                // Other programs leave text between the quote and the separator; it belongs to the field.
                start = at
                while at < bytes.count, bytes[at] != separator, !isLineEnd(bytes[at]) { at += 1 }
                field += bytes[start..<at]
                return String(decoding: field, as: UTF8.self)
            }
            if byte == 0x0A || (byte == 0x0D && !(at + 1 < bytes.count && bytes[at + 1] == 0x0A)) { line += 1 }
            at += 1
        }
        return nil
    }
}
