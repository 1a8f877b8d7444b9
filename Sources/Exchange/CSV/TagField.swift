internal import Characters
internal import JSONFormat

/// Tags in one field of CSV: between separators, or as a list in brackets whose elements are quoted (Instapaper,
/// Readwise). Quotation marks and brackets within a tag stay.
enum TagField {
    static func read(_ text: String, separator: Unicode.Scalar) -> [String] {
        let tags = json(text) ?? pythonList(text) ?? text.split(ascii: separator)
        return tags.map(ImportText.trimmed).filter { !$0.isEmpty }
    }

    /// - Returns: `nil` for anything else than an array of strings.
    private static func json(_ text: String) -> [String]? {
        guard text.utf8.first == UInt8(ascii: "["), let document = try? JSONDocument(parsing: Array(text.utf8)) else {
            return nil
        }
        let elements = document.elements(document.root)
        let texts = elements.compactMap { document.string($0) }
        return texts.count == elements.count ? texts : nil
    }

    /// A list as Python prints it: elements in single or double quotes, with backslashes before quotes within.
    private static func pythonList(_ text: String) -> [String]? {
        let bytes = Array(text.utf8)
        guard bytes.count > 2, bytes.first == UInt8(ascii: "["), bytes.last == UInt8(ascii: "]") else { return nil }
        var tags: [String] = []
        var at = 1
        while true {
            while bytes[at] == 0x20 { at += 1 }
            let quote = bytes[at]
            guard quote == UInt8(ascii: "'") || quote == UInt8(ascii: "\"") else { return nil }
            at += 1
            var tag: [UInt8] = []
            while at < bytes.count - 1, bytes[at] != quote {
                if bytes[at] == UInt8(ascii: "\\"), at + 2 < bytes.count { at += 1 }
                tag.append(bytes[at])
                at += 1
            }
            guard at < bytes.count - 1 else { return nil }
            tags.append(String(decoding: tag, as: UTF8.self))
            at += 1
            while bytes[at] == 0x20 { at += 1 }
            if at == bytes.count - 1 { return tags }
            guard bytes[at] == UInt8(ascii: ",") else { return nil }
            at += 1
        }
    }
}
