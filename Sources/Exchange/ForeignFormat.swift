internal import Characters

/// Formats that import does not read, for a message that names them.
enum ForeignFormat {
    /// - Returns: `nil` for bytes that may be a person's text.
    static func name(of bytes: [UInt8]) -> String? {
        if let name = binaryName(of: bytes) { return name }
        let head = ImportText(Array(bytes.prefix(ImportFormat.headByteCount))).bytes
        if isNoText(head, bytes) { return "a binary file" }
        guard let first = head.firstIndex(where: { $0 > 0x20 }) else { return nil }
        return text(head[first...])
    }

    /// The advice for such a file.
    static func refusal(of bytes: [UInt8], name file: String) -> String {
        if bytes.isEmpty { return "the file is empty" }
        let what = name(of: bytes) ?? "a file of a kind that import does not know"
        return "import does not read it: it looks like \(what). To keep it as a document: sbfs add \(file)"
    }

    /// A hint from the keys of an unknown JSON file.
    static func keyHint(_ keys: Set<String>) -> String {
        keys.isEmpty ? "" : " (it has \(keyList(keys))). To keep it as a document: sbfs add FILE"
    }

    /// The first of an object's keys.
    static func keyList(_ keys: Set<String>) -> String {
        let shown = keys.sorted().prefix(6).map { ImportedEntry.cut($0, 40) }.joined(separator: ", ")
        return shown + (keys.count > 6 ? " and others" : "")
    }

    private static let marks: [(mark: [UInt8], offset: Int, name: String)] = [
        (
            Array("SQLite format 3\0".utf8), 0,
            "an SQLite database, as browsers keep their bookmarks in; export them there"
        ),
        (Array("%PDF-".utf8), 0, "a PDF"), ([0x50, 0x4B, 3, 4], 0, "a ZIP archive; unpack it first"),
        ([0x1F, 0x8B], 0, "a gzip file; unpack it first"),
        ([0x28, 0xB5, 0x2F, 0xFD], 0, "a zstd file; unpack it first"),
        ([0xFD, 0x37, 0x7A, 0x58, 0x5A], 0, "an xz file; unpack it first"),
        (Array("BZh".utf8), 0, "a bzip2 file; unpack it first"),
        ([0x37, 0x7A, 0xBC, 0xAF], 0, "a 7z archive; unpack it first"), ([0x89, 0x50, 0x4E, 0x47], 0, "a PNG picture"),
        ([0xFF, 0xD8, 0xFF], 0, "a JPEG picture"), (Array("GIF8".utf8), 0, "a GIF picture"),
        ([0xD0, 0xCF, 0x11, 0xE0], 0, "an old Office document"), ([0x7F, 0x45, 0x4C, 0x46], 0, "a program"),
        (Array("{\\rtf".utf8), 0, "an RTF document"), (Array("ftyp".utf8), 4, "a film or a sound"),
    ]

    /// The name of a binary format, judged by the first bytes.
    static func binaryName(of bytes: [UInt8]) -> String? {
        marks.first { bytes.dropFirst($0.offset).starts(with: $0.mark) }?.name
    }

    private static func isNoText(_ head: [UInt8], _ bytes: [UInt8]) -> Bool {
        if head.contains(0) { return true }
        let start = Array(bytes.prefix(ImportFormat.headByteCount))
        // The limit may cut the last character.
        return UTF8Sequence.firstFault(in: head).map { $0 < head.count - 4 } ?? false
            && UTF8Sequence.firstFault(in: start) != nil
    }

    // MARK: Texts

    private static func text(_ head: ArraySlice<UInt8>) -> String? {
        let lower = head.map { $0 >= 0x41 && $0 <= 0x5A ? $0 | 0x20 : $0 }
        if lower.first == UInt8(ascii: "<") { return markup(lower) }
        let starts: [(String, String)] = [
            ("begin:vcard", "contacts (vCard)"), ("begin:vcalendar", "a calendar (iCalendar)"),
            ("from ", "a mailbox"), ("ty  - ", "references (RIS)"), ("#!/", "a script"),
        ]
        for (mark, name) in starts where lower.starts(with: mark.utf8) {
            // A letter may start in the same way.
            if mark == "from ", lower.firstRange(ofBytes: "\nreceived:") == nil,
                lower.firstRange(ofBytes: "\nmessage-id:") == nil
            {
                continue
            }
            return name
        }
        if isBibTeX(lower) { return "references (BibTeX)" }
        return isTable(Array(head)) ? "a table (CSV) without a column of addresses" : nil
    }

    private static func markup(_ lower: [UInt8]) -> String? {
        let root = ImportFormat.rootElement(lower) ?? ""
        switch root {
        case "en-export": return "notes of Evernote (ENEX)"
        case "svg": return "a drawing (SVG)"
        case "html", "head", "body": return "a web page; its links: sbfs links FILE"
        default: break
        }
        if lower.starts(with: "<!doctype html".utf8) { return "a web page" }
        if lower.starts(with: "<?xml".utf8) || lower.starts(with: "<!doctype".utf8) {
            return root.isEmpty ? "XML" : "XML (<\(ImportedEntry.cut(root, 40))>)"
        }
        return nil
    }

    /// Whether a line starts with `@article{name,` and fields follow.
    private static func isBibTeX(_ lower: [UInt8]) -> Bool {
        for line in lower.split(separator: 0x0A, maxSplits: 200) {
            guard line.first == UInt8(ascii: "@"), let brace = line.firstIndex(where: { $0 == 0x7B || $0 == 0x28 })
            else { continue }
            let kind = line[line.index(after: line.startIndex)..<brace]
            if kind.count >= 4, kind.allSatisfy({ $0 >= 0x61 && $0 <= 0x7A }), lower.firstRange(ofBytes: "=") != nil {
                return true
            }
        }
        return false
    }

    /// Whether all of the first lines have the same number of fields, at least three.
    private static func isTable(_ head: [UInt8]) -> Bool {
        for separator in [UInt8(ascii: ","), UInt8(ascii: ";"), 0x09] {
            guard var reader = try? CSVReader(ImportInput(head), separator: separator) else { continue }
            var counts: [Int] = []
            while counts.count < 20, let record = try? reader.next() { counts.append(record.fields.count) }
            // The last line may be cut off.
            let whole = counts.count > 3 ? counts.dropLast() : counts[...]
            if whole.count >= 2, let first = whole.first, first >= 3, whole.allSatisfy({ $0 == first }) { return true }
        }
        return false
    }
}
