internal import Characters
internal import HTML

/// Which tags have a meaning, and names of what a bookmark file holds and no entry takes.
extension NetscapeBookmarks {
    enum Tag { case a, dt, dd, dl, h1, h3, other }

    var tag: Tag {
        let (start, end) = (tokenizer.innerStart, tokenizer.innerEnd)
        let first = bytes[start] | 0x20
        switch (end - start, first) {
        case (1, 0x61): return .a
        case (2, 0x64), (2, 0x6C), (2, 0x75), (2, 0x68):
            switch (first, bytes[start + 1] | 0x20) {
            case (0x64, 0x74), (0x6C, 0x69): return .dt
            case (0x64, 0x64): return .dd
            case (0x64, 0x6C), (0x75, 0x6C): return .dl
            // H3 names a folder; hand-made files also use H2 and H4. H1 is the file's own title.
            case (0x68, 0x31): return .h1
            case (0x68, let level) where level >= 0x32 && level <= 0x36: return .h3
            default: return .other
            }
        default: return .other
        }
    }

    /// A collection has no dates, and its name does not include its place.
    func tellAttributes(of owner: String) throws {
        for attribute in tokenizer.attributes {
            let name = ImportedEntry.cutName(slice(attribute.nameStart, attribute.nameEnd)).lowercased()
            try sink(.untaken("\(owner) \(ImportedEntry.cut(name, 60))"))
        }
    }

    /// Names a title of the file, unless it is one that every file has.
    mutating func tell(heading bytes: UnsafeBufferPointer<UInt8>, _ name: String) throws {
        if bytes.count > 200 { return try sink(.untaken(name)) }
        let heading = ImportText.trimmed(decoded(bytes, in: .text)).lowercased()
        if !heading.isEmpty, !Self.usualHeadings.contains(heading) { try sink(.untaken(name)) }
    }

    private static let usualHeadings: Set<String> = ["bookmarks", "bookmarks menu", "pocket export"]

    /// The name of the current tag.
    var tagName: String {
        ImportedEntry.cut(ImportedEntry.cutName(slice(tokenizer.innerStart, tokenizer.innerEnd)).lowercased(), 60)
    }

    /// Whether the current comment is the browsers' own, which says that they write the file.
    var isUsualComment: Bool {
        let comment = slice(tokenizer.innerStart, tokenizer.innerEnd)
        return comment.count < 200
            && comment.map(\.lowercased).firstRange(ofBytes: "an automatically generated file") != nil
    }

    /// Whether the current tag only describes the file: its encoding, its policy, the program that wrote it.
    var isUsualMeta: Bool {
        guard tokenizer.element == .meta else { return false }
        return tokenizer.attributes.contains { attribute in
            let name = slice(attribute.nameStart, attribute.nameEnd).map(\.lowercased)
            if name.elementsEqual("name".utf8) {
                return slice(attribute.valueStart, attribute.valueEnd).elementsEqual("generator".utf8)
            }
            return name.elementsEqual("http-equiv".utf8) || name.elementsEqual("charset".utf8)
        }
    }
}
