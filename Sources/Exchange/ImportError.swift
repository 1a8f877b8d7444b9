public import JSONFormat

/// Nothing of a file can be read.
public enum ImportError: Error, Equatable, Sendable {
    /// The file has no bytes.
    case empty
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

        // A tar file.
        /// It has no end; the last files may be missing.
        case noTarEnd(offset: Int)
        case noTarHeader(offset: Int)
        /// A header of this many bytes, above the limit.
        case largeTarHeader(offset: Int, byteCount: Int)
        case damagedPaxHeader(offset: Int)
        case endsWithinTarFile(offset: Int)
        case endsWithinTarHeader(offset: Int)
        /// Another tar file follows the end, as after `cat a.tar b.tar`; it was not read.
        case secondTar(offset: Int)
        /// Something else than zeros follows the end; it was not read.
        case bytesAfterTarEnd(offset: Int)
    }

    package init(_ damage: Damage) { self = .unreadable(damage) }
}

extension ImportError: CustomStringConvertible {
    /// Why nothing can be read, for a person.
    public var description: String {
        switch self {
        case .empty: "the file is empty"
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
        case .noTarEnd(let offset): "byte \(offset): the tar file has no end; the last files may be missing"
        case .noTarHeader(let offset): "byte \(offset): no header of a tar file"
        case .largeTarHeader(let offset, let count): "byte \(offset): a header of \(count) bytes"
        case .damagedPaxHeader(let offset): "byte \(offset): a damaged pax header"
        case .endsWithinTarFile(let offset): "byte \(offset): the tar file ends within a file"
        case .endsWithinTarHeader(let offset): "byte \(offset): the tar file ends within a header"
        case .secondTar(let offset): "byte \(offset): a second tar file follows the first; it was not read"
        case .bytesAfterTarEnd(let offset): "byte \(offset): something follows the end of the tar file; it was not read"
        }
    }
}
