import Characters
internal import Characters

/// A file of a kind that import does not read.
public enum ForeignFile: Hashable, Sendable {
    case sqlite, pdf, zip, gzip, zstd, xz, bzip2, sevenZip, png, jpeg, gif, oldOffice, program, rtf, film
    /// No text, of a kind that is not known.
    case binary
    case contacts, calendar, mailbox, ris, script, bibTeX
    /// CSV without a column of addresses.
    case table
    case evernote, drawing
    /// A page with a root element, so that its links can be read.
    case page
    /// A page without one.
    case bareDocument
    /// The name of the root element; `nil` where there is none.
    case xml(root: String?)
    /// Names of hosts, one a line, without a scheme.
    case hosts
    /// Of a kind that is not known.
    case unknown
}

/// Tells what a file is that import does not read.
enum ForeignFormat {
    /// - Returns: `nil` for what may be a person's text.
    static func kind(of bytes: [UInt8]) -> ForeignFile? {
        if let kind = binaryKind(of: bytes) { return kind }
        let head = ImportText(Array(bytes.prefix(ImportFormat.headByteCount))).bytes
        if isNoText(head, bytes) { return .binary }
        guard let first = head.firstIndex(where: { $0 > 0x20 }) else { return nil }
        return text(head[first...])
    }

    static func error(_ bytes: [UInt8]) -> ImportError {
        if bytes.isEmpty { return .empty }
        if let kind = kind(of: bytes) { return .foreign(kind) }
        let text = ImportText(Array(bytes.prefix(ImportFormat.headByteCount))).bytes
        return text.allSatisfy { $0 <= 0x20 } ? .blank : .foreign(.unknown)
    }

    private static let marks: [(mark: [UInt8], offset: Int, kind: ForeignFile)] = [
        (
            Array("SQLite format 3\0".utf8), 0,
            .sqlite
        ),
        (Array("%PDF-".utf8), 0, .pdf), ([0x50, 0x4B, 3, 4], 0, .zip),
        ([0x1F, 0x8B], 0, .gzip),
        ([0x28, 0xB5, 0x2F, 0xFD], 0, .zstd),
        ([0xFD, 0x37, 0x7A, 0x58, 0x5A], 0, .xz),
        (Array("BZh".utf8), 0, .bzip2),
        ([0x37, 0x7A, 0xBC, 0xAF], 0, .sevenZip), ([0x89, 0x50, 0x4E, 0x47], 0, .png),
        ([0xFF, 0xD8, 0xFF], 0, .jpeg), (Array("GIF8".utf8), 0, .gif),
        ([0xD0, 0xCF, 0x11, 0xE0], 0, .oldOffice), ([0x7F, 0x45, 0x4C, 0x46], 0, .program),
        (Array("{\\rtf".utf8), 0, .rtf), (Array("ftyp".utf8), 4, .film),
    ]

    /// The name of a binary format, judged by the first bytes.
    static func binaryKind(of bytes: [UInt8]) -> ForeignFile? {
        marks.first { bytes.dropFirst($0.offset).starts(with: $0.mark) }?.kind
    }

    private static func isNoText(_ head: [UInt8], _ bytes: [UInt8]) -> Bool {
        if head.contains(0) { return true }
        let start = Array(bytes.prefix(ImportFormat.headByteCount))
        // The limit may cut the last character.
        let end = start.count == ImportFormat.headByteCount ? start.count - 4 : start.count
        guard let fault = UTF8Sequence.firstFault(in: start), fault < end else { return false }
        if let fault = UTF8Sequence.firstFault(in: head), fault < head.count - 4 { return true }
        return head.contains(where: isControl)
    }

    /// Whether no text in an encoding of one or two bytes a character has the byte: a control character that neither
    /// ends lines nor begins an escape sequence.
    private static func isControl(_ byte: UInt8) -> Bool {
        byte < 0x20 && !(0x07...0x0F).contains(byte) && byte != 0x1A && byte != 0x1B || byte == 0x7F
    }

    // MARK: Texts

    private static func text(_ head: ArraySlice<UInt8>) -> ForeignFile? {
        let lower = head.map(\.lowercased)
        if lower.first == UInt8(ascii: "<") { return markup(lower) }
        let starts: [(String, ForeignFile)] = [
            ("begin:vcard", .contacts), ("begin:vcalendar", .calendar),
            ("from ", .mailbox), ("ty  - ", .ris), ("#!/", .script),
        ]
        for (mark, kind) in starts where lower.starts(with: mark.utf8) {
            // A letter may start in the same way.
            if mark == "from ", let end = lower.firstIndex(of: 0x0A), !isMessage(Array(lower[(end + 1)...])) {
                continue
            }
            return kind
        }
        if LinkList.isOfHosts(head) { return .hosts }
        if isMessage(lower) { return .mailbox }
        if isBibTeX(lower) { return .bibTeX }
        return isTable(Array(head)) ? .table : nil
    }

    private static func markup(_ lower: [UInt8]) -> ForeignFile? {
        let root = ImportFormat.rootElement(lower) ?? ""
        switch root {
        case "en-export": return .evernote
        case "svg": return .drawing
        case "html", "head", "body": return .page
        default: break
        }
        if lower.starts(with: "<!doctype html".utf8) { return .bareDocument }
        if lower.starts(with: "<?xml".utf8) || lower.starts(with: "<!doctype".utf8) {
            return .xml(root: root.isEmpty ? nil : ImportedEntry.cut(root, 40))
        }
        // Without a declaration: an element with an end tag that is none of HTML, as a person's text may start with one.
        let isName =
            !root.isEmpty && root.utf8.allSatisfy { ($0 | 0x20).isLetter || $0.isDigit || ":-_.".utf8.contains($0) }
        if isName, root.utf8.first.map({ ($0 | 0x20).isLetter }) ?? false, !htmlNames.contains(root),
            lower.firstRange(ofBytes: Array("</\(root)>".utf8)) != nil
        {
            return .xml(root: ImportedEntry.cut(root, 40))
        }
        return nil
    }

    /// Elements of HTML with which a person's text may begin.
    private static let htmlNames: Set<String> = Set(
        """
        a abbr address article aside audio b bdi bdo blockquote button canvas caption center cite code col colgroup data dd del \
        details dfn div dl dt em figcaption figure font footer form h1 h2 h3 h4 h5 h6 header hr i iframe img input ins kbd label \
        legend li main map mark math menu nav object ol optgroup option output p picture pre q rp rt ruby s samp script section \
        select small span strike strong style sub summary sup table tbody td template textarea tfoot th thead time title tr tt u \
        ul var video
        """.split(separator: " ").map(String.init))

    /// Whether a text starts with the header of a mail message (RFC 5322 § 2.2): fields alone up to the first empty line, with
    /// a sender and two more that every message has.
    private static func isMessage(_ lower: [UInt8]) -> Bool {
        let usual = ["from", "to", "subject", "date", "message-id", "received", "mime-version", "return-path"]
        var found: Set<String> = []
        for line in lower.split(separator: 0x0A, maxSplits: 200, omittingEmptySubsequences: false) {
            let line = line.last == 0x0D ? line.dropLast() : line
            guard let first = line.first else { break }
            // A long field goes on in lines that begin with a space.
            if first == 0x20 || first == 0x09, !found.isEmpty { continue }
            let name = line.prefix { $0 > 0x20 && $0 != UInt8(ascii: ":") }
            guard !name.isEmpty, name.count < line.count, line[name.endIndex] == UInt8(ascii: ":") else { return false }
            let text = String(decoding: name, as: UTF8.self)
            if usual.contains(text) { found.insert(text) }
        }
        return found.contains("from") && found.count >= 3
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
