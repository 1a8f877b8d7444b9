public import Files
public import JSONFormat

/// Why an operation does not fit the state of an item or of the library.
public enum Refusal: Sendable {
    /// The user may not write to the library in this folder.
    case notWritable(path: String)
    /// An item has folders in two shards; neither is changed.
    case inTwoPlaces(ItemID, folders: [String])
    /// The text is no http or https URL.
    case noWebAddress(String)
    /// The item has no document.
    case noDocument(ItemID)
    /// A file beside the document has the name that the new document would get.
    case besideDocument(ItemID, path: String)
    /// The item has no document, or the document is missing on this device.
    case noDocumentHere(ItemID)
    /// A file of the item is away: an exchange holds it, and the change needs it here.
    case away(ItemID, path: String)
    /// A sync brought the item without its document or its saved page, which has not arrived yet.
    case notArrived(ItemID, path: String)
    /// The snapshot has no page.
    case noPage(ItemID, snapshot: String)
    /// The text of a version is not here.
    case versionTextNotHere(ItemID, version: String)
    /// A file of history/ is no version, or no item.
    case noVersion(path: String, VersionFault?)
    /// A conflict cannot be resolved in this way.
    case conflict(ItemID, field: String, ConflictRefusal)
    /// The path is not that of a file in assets/.
    case noAsset(path: String)
    /// An entry of another kind has the name of a part of the item.
    case wrongKind(path: String, FileKind, expected: FileKind)
    /// A folder has no item.json.
    case noItemFile(folder: String)
    /// The item.json of a folder is no object.
    case noObject(folder: String)
    /// The file of a collection, tag or smart folder already exists.
    case taken(path: String)
    /// The file for a name describes another name; `right` is the correct file name for that other name.
    case ofOtherName(path: String, name: String, right: String, wanted: String)
    /// A file of an export's folder belongs to something else.
    case notOurs(path: String)
    /// A value above or below the range of a setting.
    case outOfRange(LibraryFile.Setting, ClosedRange<Int>, found: String)
    /// The value of `weekStart` is neither `monday` nor `sunday`.
    case noFirstDayOfWeek
    /// A step would replace library.json by a file of another format.
    case otherFormat(path: String)
    /// The journal's record of a step is damaged; what it says before the damage was undone.
    case stepDamaged(Int)
    /// The journal no longer has the earlier text.
    case textNotKept(ItemID)
    /// The journal no longer has the earlier document.
    case documentNotKept(name: String, ItemID?)
    /// The journal has the earlier document under a name that no file can have.
    case documentNameUnusable(ItemID)
    /// The journal no longer has the earlier version of a file.
    case fileNotKept(path: String)
    /// The change would make a file larger than the limit for reading it.
    case outgrown(JSONOutgrown)
    /// Another error; `path` is the file or folder, if it is about one.
    case other(any Error, path: String? = nil)
}

extension Refusal: CustomStringConvertible {
    /// The reason, for a person.
    public var description: String {
        switch self {
        case .notWritable(let path): "\(path) cannot be written by you; nothing was changed"
        case .inTwoPlaces(let id, let folders):
            "\(id) is in two places, \(folders.joined(separator: " and ")); neither was changed. Compare them and "
                + "remove one"
        case .noWebAddress(let text): "\(text) is not an http or https URL"
        case .noDocument(let id): "\(id.short) has no document"
        case .besideDocument(let id, let path):
            "\(path) of \(id.short) is there already, beside the document; nothing was changed. Move or rename that file first"
        case .noDocumentHere(let id): "\(id.short) has no document here that could be copied"
        case .notArrived(let id, let path):
            "\(path) of \(id.short) has not arrived on this device yet; nothing was changed"
        case .away(let id, let path):
            "\(path) of \(id.short) is not on this device, an exchange holds it; nothing was changed"
        case .noPage(let id, let snapshot): "the snapshot \(snapshot) of \(id.short) holds no page"
        case .versionTextNotHere(let id, let version):
            "the text of version \(version.prefix(8)) of \(id.short) is not here; nothing was changed"
        case .noVersion(let path, let fault): "\(path) " + (fault.map { "\($0)" } ?? "is not here any more")
        case .conflict(let id, let field, let why): "\(id.short), \(field): \(why); nothing was changed"
        case .noAsset(let path): "\(path) is no asset"
        case .wrongKind(let path, let kind, let expected):
            "\(path) is \(kind.phrase), not \(expected.phrase); nothing was changed. Remove it"
        case .noItemFile(let folder): "\(folder) has no item.json"
        case .noObject(let folder): "\(folder): item.json holds no object"
        case .taken(let path): "\(path) is there already"
        case .ofOtherName(let path, let name, let right, let wanted):
            "\(path) says that it is of \"\(name)\"; rename that file to \(right) to make room for \"\(wanted)\""
        case .notOurs(let path): "\(path) belongs to something else; it was not changed"
        case .outOfRange(let setting, let range, let found):
            "\(setting.rawValue) must be a whole number from \(range.lowerBound) to \(range.upperBound), not \"\(found)\""
        case .noFirstDayOfWeek: "weekStart must be monday or sunday"
        case .otherFormat(let path): "\(path) would get another format, so it stays as it is"
        case .stepDamaged(let number): "step \(number) of the journal is damaged; what it says after the damage is left"
        case .textNotKept(let id): "the text of \(id.short) is not in the journal any more"
        case .documentNotKept(let name, let id):
            "the document \(name)\(id.map { " of \($0.short)" } ?? "") is not kept any more"
        case .documentNameUnusable(let id): "the document of \(id.short) had no name that can be a file's"
        case .fileNotKept(let path): "\(path) as it was is not in the journal any more"
        case .outgrown(let error): "\(error)"
        case .other(let error, let path): path.map { "\($0): \(error)" } ?? "\(error)"
        }
    }
}

/// Why valid JSON is not the required contents of a file.
public enum Unsuitability: Sendable {
    /// library.json: `format` is no whole number of 1 or more.
    case noFormat
    /// library.json: `id` is no UUID.
    case noID
    /// The file is JSON, but no object.
    case noObject(JSONDocument.Kind)
    /// A required key is missing.
    case noKey(String)
    /// The value of a key is no string.
    case noString(key: String, JSONDocument.Kind)
    /// The value of `name` is empty.
    case emptyName
    /// The change would make the file larger than the limit for reading it.
    case outgrown(JSONOutgrown)
}

extension Unsuitability: CustomStringConvertible {
    /// The fault of the file, for a person.
    public var description: String {
        switch self {
        case .noFormat: "\"format\" must be a whole number from 1 on"
        case .noID: "\"id\" must be a UUID"
        case .noObject(let kind): "expected an object, found \(kind.phrase)"
        case .noKey(let key): "has no \"\(key)\""
        case .noString(let key, let kind): "\(key): expected a string, found \(kind.phrase)"
        case .emptyName: "\"name\" is empty"
        case .outgrown(let error): "\(error)"
        }
    }
}
