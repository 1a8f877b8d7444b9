public import JSONFormat

/// Nothing of a file can be read.
public enum ImportError: Error, Equatable, Sendable {
    /// The file has no bytes.
    case empty
    /// The file has white space alone, as far as it was looked at.
    case blank
    /// The file is of a kind that is not read.
    case foreign(ForeignFile)
    /// JSON that holds neither bookmarks nor notes; its keys, sorted.
    case unknownKeys([String])
    /// The file is damaged, or not what it seems to be.
    case unreadable(Damage)

    /// Why a file that seems to be of a known kind cannot be read. Offsets are in bytes from 0.
    public enum Damage: Equatable, Sendable {
        /// A file of `Step.unpackFullExport` was given to a reader of entries.
        case fullExport
        /// More bytes than can be in memory, for a kind of which all of it must be.
        case tooLarge(byteCount: Int, limit: Int)

        // JSON.
        case invalidJSON(JSONError)
        case neitherListNorObject

        // A browser's compressed backup.
        case endsWithinHead
        /// It claims to unpack to this number of bytes, which it cannot.
        case impossibleSize(Int)

        /// A property list without bookmarks.
        case noBookmarks

        // Tables.
        case noHighlightsColumn
        case noURLColumn

        // A full export. Offsets are those of the unpacked tar file, or of the zip file.
        /// It ends too early; the last files may be missing.
        case packedFileCut(offset: Int)
        /// Bytes that are no tar file follow its end; everything before them was read.
        case packedFileContinues(offset: Int)
        /// It is damaged; the words of libarchive.
        case packedFileDamaged(offset: Int, detail: String)
        /// It unpacks to this number of bytes and more, far above what its size allows.
        case packedFileTooLarge(byteCount: Int)
    }

    package init(_ damage: Damage) { self = .unreadable(damage) }
}

extension ImportError: CustomStringConvertible {
    /// Why nothing can be read, for a person.
    public var description: String {
        switch self {
        case .empty: "the file is empty"
        case .blank: "the file has nothing but white space"
        case .foreign(let kind): "the file is of a kind that is not read (\(kind))"
        case .unknownKeys: "JSON that holds neither bookmarks nor notes"
        case .unreadable(let damage): damage.description
        }
    }
}

extension ImportError.Damage: CustomStringConvertible {
    /// Why the file cannot be read, for a person.
    public var description: String {
        switch self {
        case .fullExport: "a whole library is unpacked, not read"
        case .tooLarge(let count, let limit):
            "it has \(count) bytes; of this kind at most \(limit) can be read, since all of it must be in memory"
        case .invalidJSON(let error): "line \(error.line): expected \(error.expected), found \(error.found)"
        case .neitherListNorObject: "this JSON is neither a list nor an object"
        case .endsWithinHead: "the file ends within its head"
        case .impossibleSize(let size): "byte 8: it claims to be \(size) bytes unpacked, which it cannot be"
        case .noBookmarks: "this property list holds no bookmarks"
        case .noHighlightsColumn: "line 1: there is no column of highlights"
        case .noURLColumn: "line 1: there is no column of URLs"
        case .packedFileCut(offset: 0): "the file ends too early; nothing of it can be read"
        case .packedFileCut(let offset): "byte \(offset): the file ends too early; the last files may be missing"
        case .packedFileContinues(let offset):
            "byte \(offset): the tar file ends here, and what follows is none; everything before was read"
        case .packedFileDamaged(let offset, let detail):
            "byte \(offset): the file is damaged"
                + (detail.isEmpty ? "" : " (\(detail.split(whereSeparator: \.isNewline).joined(separator: " ")))")
        case .packedFileTooLarge(let count): "it unpacks to more than \(count) bytes, which no library of its size does"
        }
    }
}
