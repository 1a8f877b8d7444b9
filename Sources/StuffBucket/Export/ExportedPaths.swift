internal import Characters
internal import Items
internal import JSONFormat

/// The paths of the files of a full export, as its last entry tells them: FORMAT.md § 16.1.
///
/// The sums of a tar file and of a zip file do not cover long or international names.
struct ExportedPaths {
    /// The path of that entry. No library has its own `.sbfs` in an export.
    static let path = Layout.device + "/export.json"
    /// The entry has at most this many bytes.
    static let byteLimit = 4096

    private var fileCount = 0
    private var hash = ContentHash.zero

    /// Takes the path of a file, relative to the library's folder. Paths that differ in normalisation alone are one: zip files bring names
    /// to NFC.
    mutating func add(_ path: String) {
        fileCount += 1
        hash = hash ^ ContentHash(of: CanonicalComposition.nfcBytes(path))
    }

    /// The contents of the entry.
    var bytes: [UInt8] {
        JSON.members([("files", .integer(fileCount)), ("paths", .string(hash.hex))]).file
    }

    /// Whether as many files were exported, and some had other paths. Of another number of files, somebody else packed them.
    ///
    /// - Parameter bytes: the contents of the entry. Ones that are no object with both keys tell nothing.
    func differ(from bytes: [UInt8]) -> Bool {
        guard let json = try? JSONDocument(parsing: bytes), json.kind(json.root) == .object,
            let files = json.member("files", of: json.root), let paths = json.member("paths", of: json.root),
            let exported = json.string(paths).flatMap({ ContentHash(hex: $0.utf8) })
        else { return false }
        return json.spelling(files).elementsEqual(String(fileCount).utf8) && exported != hash
    }
}
