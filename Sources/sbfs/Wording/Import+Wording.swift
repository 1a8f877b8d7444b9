import StuffBucket

extension ImportError {
    /// The name of standard input in messages.
    static let standardInput = "standard input"

    /// Why nothing can be read, and what to do with the file.
    ///
    /// - Parameter file: as it was typed.
    func wording(of file: String = "FILE") -> String {
        switch self {
        case .empty, .blank, .unreadable: "\(self)"
        case .foreign(let kind):
            "import does not read it: it looks like \(kind.wording)"
                + (kind.unpacker.map { ": \($0) \(file) | sbfs import -" } ?? "")
                + ". To keep it as a document: sbfs add \(file)"
        case .unknownKeys(let keys):
            "JSON that holds neither bookmarks nor notes that import knows"
                + (keys.isEmpty
                    ? ""
                    : " (it has \(keys.prefix(6).joined(separator: ", "))\(keys.count > 6 ? " and others" : "")). "
                        + "To keep it as a document: sbfs add FILE")
        }
    }
}

extension ForeignFile {
    /// The command that writes to standard output what a compressed file holds; `nil` for other files.
    fileprivate var unpacker: String? {
        switch self {
        case .gzip: "gzip -dc"
        case .zstd: "zstd -dc"
        case .xz: "xz -dc"
        case .bzip2: "bzip2 -dc"
        default: nil
        }
    }

    /// What it is, with its article, and what to do first.
    fileprivate var wording: String {
        switch self {
        case .sqlite: "an SQLite database, as browsers keep their bookmarks in; export them there"
        case .pdf: "a PDF"
        case .zip: "a ZIP file; unpack it first"
        case .gzip: "a gzip file; unpack it first"
        case .zstd: "a zstd file; unpack it first"
        case .xz: "an xz file; unpack it first"
        case .bzip2: "a bzip2 file; unpack it first"
        case .sevenZip: "a 7z file; unpack it first"
        case .png: "a PNG picture"
        case .jpeg: "a JPEG picture"
        case .gif: "a GIF picture"
        case .oldOffice: "an old Office document"
        case .program: "a program"
        case .rtf: "an RTF document"
        case .film: "a film or a sound"
        case .contacts: "contacts (vCard)"
        case .calendar: "a calendar (iCalendar)"
        case .mailbox: "a mailbox"
        case .ris: "references (RIS)"
        case .script: "a script"
        case .bibTeX: "references (BibTeX)"
        case .table: "a table (CSV) without a column of addresses"
        case .evernote: "notes of Evernote (ENEX)"
        case .drawing: "a drawing (SVG)"
        case .page: "a web page; its links: sbfs links FILE"
        case .bareDocument: "a web page"
        case .binary: "a binary file"
        case .xml(let root): root.map { "XML (<\($0)>)" } ?? "XML"
        case .hosts: "a list of host names; as links, each begins with https://"
        case .unknown: "a file of a kind that import does not know"
        }
    }
}

extension ImportReason {
    /// Why, as a sentence without a full stop.
    var wording: String {
        switch self {
        case .fault(let fault): fault.kind.wording
        case .remark(let remark): remark.wording
        case .error(let error): "\(error)"
        case .noURL: "it has no URL"
        case .noContent: "it has neither text nor a link in this file"
        case .emptyURL: "its URL is empty"
        case .longURL(let count): "its URL has \(count) bytes"
        case .firefoxQuery: "a query of Firefox and no page"
        case .otherScheme(let scheme): "\(scheme): is no web address"
        case .badURL: "not a valid http or https URL"
        case .largeFields(let count): "it has \(count) bytes of fields"
        case .deepFields(let limit): "its fields are nested deeper than \(limit) levels"
        case .trashed: "the item is in the trash of this library"
        case .removed: "its item was removed meanwhile"
        case .unreadableItem: "the library has an item with this id that cannot be read"
        case .renamedFolder(let source, let here):
            "its folder \"\(TextWidth.cut(source, to: 200))\" "
                + (here.map { "is \"\(TextWidth.cut($0, to: 200))\" here" } ?? "has no name and is left out")
        case .trashTag(let tag, let renamed): "its tag \"\(tag)\" is \"\(renamed)\" here: that word marks the trash"
        case .futureDate(let date): "its date \(date.rfc3339) has not come yet; it is today's here"
        case .otherTitle(let here):
            "an earlier entry with the same link is titled \"\(TextWidth.cut(here, to: 200))\"; this title is kept beside it, in "
                + "sourceValues"
        case .otherFields(let keys, let isKept):
            "an earlier entry with the same link has another \(keys.joined(separator: ", ")); this entry's "
                + (isKept ? "is kept beside it, in sourceValues" : "was not taken")
        case .otherText: "its text differs from that of an earlier entry with the same link and was not taken"
        case .otherValues:
            "the library has this item with other values, and they stay; an import changes no item by its id, \"sbfs bulk\" changes "
                + "many at once"
        case .changedText: "its text changed at the source and was not taken"
        case .otherLink(let here, let source):
            "its link is \(here ?? "none") here and \(source) at the source; nothing was changed"
        case .changedLink(let here, let source):
            "its link is \(here ?? "none") here, where it was changed, and \(source) at the source; yours stays"
        case .changedTitle(let here, let source):
            "its title is \"\(TextWidth.cut(here, to: 200))\" here, where it was changed, and "
                + "\"\(TextWidth.cut(source, to: 200))\" at the source; yours stays"
        }
    }
}
