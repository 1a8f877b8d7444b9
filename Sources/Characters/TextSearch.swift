// Searches strings by their UTF-8 bytes. The standard library's `contains(_:)`, `firstRange(of:)`, `replacing(_:with:)` and
// `split(separator:)` for a string in a string link its parser of regular expressions, one megabyte in each program, and
// compare grapheme clusters: "\r\n" does not contain "\n". Release builds refuse them (see Scripts/common.sh).

extension String {
    /// The text if it is short enough to be a word that a program knows, else an empty one.
    ///
    /// Comparing, hashing and splitting strings normalises them, which takes quadratic time in a run of combining
    /// marks. So text from others is compared with known words only in this form.
    package var word: String { utf8.count <= 100 ? self : "" }

    /// The parts between the occurrences of an ASCII character, without empty ones; linear in the bytes.
    package func split(ascii separator: Unicode.Scalar) -> [String] {
        utf8.split(separator: UInt8(ascii: separator)).map { String(Substring($0)) }
    }
}

extension StringProtocol {
    /// The first occurrence of a text; `nil` if there is none. An empty text occurs at the start.
    package func firstRange(ofText text: String) -> Range<Index>? {
        guard let offset = utf8Offset(of: text) else { return nil }
        let start = utf8.index(startIndex, offsetBy: offset)
        return start..<utf8.index(start, offsetBy: text.utf8.count)
    }

    /// Whether this string contains a text.
    package func contains(text: String) -> Bool { utf8Offset(of: text) != nil }

    /// The string with each occurrence of a text replaced, from the start and without overlaps; linear in the bytes.
    package func replacing(text: String, with other: String) -> String {
        split(text: text).joined(separator: other)
    }

    /// The parts between the occurrences of a text, including empty ones; linear in the bytes. An empty text splits
    /// nothing.
    package func split(text: String) -> [SubSequence] {
        guard !text.isEmpty else { return [self[...]] }
        var parts: [SubSequence] = []
        var rest = self[...]
        while let found = rest.firstRange(ofText: text) {
            parts.append(rest[..<found.lowerBound])
            rest = rest[found.upperBound...]
        }
        return parts + [rest]
    }

    /// The number of UTF-8 bytes before the first occurrence of a text.
    private func utf8Offset(of text: String) -> Int? {
        var text = text
        return text.withUTF8 { pattern in
            utf8.withContiguousStorageIfAvailable { ByteSearch.offset(of: pattern, in: $0) }
                ?? Array(utf8).withUnsafeBufferPointer { ByteSearch.offset(of: pattern, in: $0) }
        }
    }
}
