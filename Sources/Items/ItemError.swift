public import Files
public import JSONFormat

/// An error about an item or a library.
public enum ItemError: Error, Sendable {
    case file(FileError)
    /// item.json, library.json or another JSON file does not parse.
    case malformed(path: String, JSONError)
    /// A file is valid JSON with the wrong content.
    case unsuitable(path: String, Unsuitability)
    /// The path holds no library.
    case noLibrary(path: String)
    /// library.json requires a newer program: one of the format `needed`.
    case tooNew(path: String, format: Int, needed: Int, supported: Int)
    /// This version may read the library but not write it; a program of the format `needed` may.
    case readOnlyFormat(path: String, format: Int, needed: Int, supported: Int)
    /// The folder for a new library is not empty.
    case notEmpty(path: String, example: String)
    /// No item with this id.
    case noItem(ItemID)
    /// Another program changed the same field or file; `kept` is the path of our version.
    case conflict(id: ItemID, what: String, kept: String?)
    /// Another program saved library.json or a file of collections/, tags/ or smart/ meanwhile. Its version stays.
    case overtaken(path: String)
    /// The change to undo was itself changed later.
    case changedSince(ItemID, what: String)
    case fileChangedSince(String)
    /// The item cannot be purged: it has one trash mark or none.
    case notInTrash(ItemID, hasOneMark: Bool)
    /// What another device brought of the item was not joined yet, and is now: nobody saw it before the purge.
    case joinedBeforePurge(ItemID)
    /// The item has a document already, and the caller did not allow replacing it.
    case hasDocument(ItemID, name: String)
    /// This change of the step cannot be undone.
    case lasting(ItemID, JournalRecord.Lasting)
    /// A step cannot begin while another one is open.
    case stepIsOpen
    /// Another program holds the lock of the library, and did so for `seconds`.
    case locked(path: String, seconds: Int)
    /// A document or text above its limit.
    case tooLarge(name: String, byteCount: Int, limit: Int)
    /// A value of item.json is wrong that this operation needs.
    case fault(path: String, FieldFault)
    /// A `Monitor` cancelled the call; what was completed before stays.
    case cancelled
    /// The operation does not fit the item's state.
    case refused(Refusal)
}

extension ItemError: CustomStringConvertible {
    /// The error as a sentence for a person, with the path or the item.
    public var description: String {
        switch self {
        case .file(let error): error.description
        case .malformed(let path, let error): "\(path):\(error)"
        case .unsuitable(let path, let why): "\(path): \(why)"
        case .noLibrary(let path):
            "\(path) is not a library (it has no library.json)"
        case .tooNew(let path, let format, let needed, let supported):
            "\(path): the library has format \(format)"
                + (needed == format ? "" : " and is only for programs that read format \(needed)")
                + ", this program reads up to \(supported)"
        case .readOnlyFormat(let path, let format, let needed, let supported) where needed == format:
            "\(path): the library has format \(format), which this program (format \(supported)) may only read"
        case .readOnlyFormat(let path, let format, let needed, let supported):
            "\(path): the library has format \(format), and only programs that write format "
                + "\(needed) may change it; this program (format \(supported)) may only read it"
        case .notEmpty(let path, let example):
            "\(path) already holds other files (\(example)); choose an empty folder"
        case .noItem(let id): "no item \(id)"
        case .conflict(let id, let what, let kept):
            "\(id.short): \(what) was changed by another program at the same time and is left as that program wrote it"
                + (kept.map { "; your version is kept in \($0)" } ?? "")
        case .overtaken(let path):
            "\(path) was changed by another program at the same time, and is left as that program wrote it"
        case .changedSince(let id, let what): "\(id.short): \(what) was changed since; the item is left as it is"
        case .fileChangedSince(let path): "\(path) was changed since and is left as it is"
        case .notInTrash(let id, let hasOneMark):
            hasOneMark
                ? "\(id.short) has only one of the two marks of the trash (the tag trashcan, and trashedAt)"
                : "\(id.short) is not in the trash"
        case .joinedBeforePurge(let id):
            "\(id.short) had changes of another copy that were not joined yet, and has them now; it stays in the trash"
        case .hasDocument(let id, let name): "\(id.short) already has the document \(name)"
        case .lasting(let id, .purge): "\(id.short) was purged, and returns only from another copy of the library"
        case .lasting(let id, .archive): "the page of \(id.short) was captured, and undo does not take that back"
        case .lasting(let id, .repair): "\(id.short) was repaired; a repair is not undone"
        case .stepIsOpen: "another step of changes is still open; end it first"
        case .locked(let path, let seconds):
            "\(path): another program has been writing for \(seconds) s; try again when it is done"
        case .tooLarge(let name, let byteCount, let limit):
            "\(name): \(ByteCount.text(byteCount)) is more than the limit of \(ByteCount.text(limit)); nothing was "
                + "written"
        case .fault(let path, let fault): "\(path):\(fault)"
        case .cancelled: "the call was cancelled; what was completed before stays"
        case .refused(let why): why.description
        }
    }
}

/// Runs file operations and wraps their errors.
func files<Result: ~Copyable>(_ body: () throws(FileError) -> Result) throws(ItemError) -> Result {
    do throws(FileError) {
        return try body()
    } catch {
        throw .file(error)
    }
}

/// Sizes for people.
public enum ByteCount: Sendable {
    /// `512 MB`, `1.4 GB`, `837 bytes`: powers of 1,024, as the limits are.
    public static func text(_ count: Int) -> String {
        if count < 1024 { return "\(count) byte\(count == 1 ? "" : "s")" }
        var value = Double(count) / 1024
        var unit = 0
        let units = ["KB", "MB", "GB", "TB", "PB", "EB"]
        while value >= 1023.95, unit < units.count - 1 {
            value /= 1024
            unit += 1
        }
        let tenths = Int((value * 10).rounded())
        return (tenths % 10 == 0 || tenths >= 1000 ? "\((tenths + 5) / 10)" : "\(tenths / 10).\(tenths % 10)")
            + " " + units[unit]
    }
}
