internal import JSONFormat

/// A JSON text of another program, or the whole part of a damaged one.
///
/// A damaged or truncated text is read up to the last value that ended before the fault. Lists and objects that are
/// open there are closed. The fault is reported with its line.
struct SalvagedJSON {
    let document: JSONDocument
    let fault: ImportFault?

    /// Firefox and Chromium nest a folder in two levels; recursive parsing needs some stack for each.
    private static let limits = JSONDocument.Limits(byteCount: 1 << 30, depth: 256)

    /// - Throws: `ImportError` if nothing can be read.
    init(_ bytes: [UInt8]) throws(ImportError) {
        do {
            document = try JSONDocument(parsing: bytes, limits: Self.limits)
            fault = nil
        } catch {
            let whole = Self.closed(bytes, upTo: error.offset)
            guard !whole.isEmpty, let document = try? JSONDocument(parsing: whole, limits: Self.limits) else {
                throw ImportError(.invalidJSON(error))
            }
            self.document = document
            fault = ImportFault(.line(error.line), .invalidJSON(error))
        }
    }

    /// The bytes up to the last comma or closing bracket before a fault, with brackets that close all open lists and
    /// objects.
    private static func closed(_ bytes: [UInt8], upTo end: Int) -> [UInt8] {
        guard let cut = walk(bytes[..<min(end, bytes.count)]).cut else { return [] }
        return Array(bytes[..<cut]) + walk(bytes[..<cut]).open.reversed()
    }

    /// The last place at which a text can be cut, and the brackets that are open there.
    private static func walk(_ bytes: ArraySlice<UInt8>) -> (cut: Int?, open: [UInt8]) {
        var open: [UInt8] = []
        var cut: Int?
        var isInString = false
        var isEscaped = false
        for index in bytes.indices {
            let byte = bytes[index]
            if isInString {
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == UInt8(ascii: "\"") {
                    isInString = false
                }
                continue
            }
            switch byte {
            case UInt8(ascii: "\""): isInString = true
            // For both kinds, the closing bracket is two after the opening one in ASCII.
            case UInt8(ascii: "{"), UInt8(ascii: "["): open.append(byte + 2)
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                if open.popLast() != byte { return (cut, open) }
                cut = index + 1
            case UInt8(ascii: ","): cut = index
            default: break
            }
        }
        return (cut, open)
    }
}
