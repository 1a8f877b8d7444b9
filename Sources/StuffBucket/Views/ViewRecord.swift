internal import Files
internal import Items
internal import JSONFormat

/// `view.json` in a view's device folder: what a library knows of one of its views. DeviceFiles.md § D8.
struct ViewRecord: Sendable {
    /// The view's id: the name of its device folder.
    let id: ItemID
    /// The folder that the person chose, without symbolic links; the view is `StuffBucket` in it.
    let folder: String
    let profile: ViewProfile
    let mode: ViewMode
    /// In the names of temporary files, so that none of somebody else's is taken for one of ours.
    let token: String
    /// Whether files that are there already, with the very bytes that the view would write, count as its own: the view was
    /// added where an earlier record was lost.
    var takesOver: Bool

    static let fileName = "view.json"
    /// The name of a view's own folder.
    static let folderName = "StuffBucket"

    /// The view's own folder.
    var path: String { (folder == "/" ? "" : folder) + "/" + Self.folderName }

    var bytes: [UInt8] {
        JSONWriter.file(
            .members([
                ("id", .string(id.description)), ("folder", .string(folder)), ("profile", .string(profile.rawValue)),
                ("mode", .string(mode.rawValue)), ("token", .string(token)),
                ("takesOver", takesOver ? .bool(true) : nil),
            ]))
    }

    /// - Returns: `nil` if there is no usable record.
    static func read(in directory: borrowing Directory) -> ViewRecord? {
        guard let contents = try? directory.contentsIfPresent(of: fileName, limit: 65536),
            let json = try? JSONDocument(parsing: contents.bytes)
        else { return nil }
        func text(_ key: String) -> String? { json.member(key, of: json.root).flatMap { json.string($0) } }
        guard let id = text("id").flatMap({ ItemID($0) }), let folder = text("folder"), folder.hasPrefix("/"),
            let profile = text("profile").flatMap({ ViewProfile(rawValue: $0) }),
            let mode = text("mode").flatMap({ ViewMode(rawValue: $0) }), let token = text("token"),
            token.utf8.count == 16, token.allSatisfy(\.isHexDigit)
        else { return nil }
        let takesOver = json.member("takesOver", of: json.root).map { json.kind($0) == .true } ?? false
        return ViewRecord(
            id: id, folder: folder, profile: profile, mode: mode, token: token, takesOver: takesOver)
    }
}

/// `.sbfs-view` in a view's folder: which view, library and machine made it.
struct ViewMarker: Equatable {
    let view: String
    let library: String
    let machine: String

    static let fileName = ".sbfs-view"

    init(view: ItemID, of store: ItemStore) {
        self.view = view.description
        library = store.settings.id.description
        machine = DeviceFolder.machine
    }

    private init(view: String, library: String, machine: String) {
        self.view = view
        self.library = library
        self.machine = machine
    }

    var bytes: [UInt8] {
        JSONWriter.file(
            .members([
                ("view", .string(view)), ("library", .string(library)), ("machine", .string(machine)),
                ("note", .string("made by sbfs: copies of a library's items. See: sbfs help view list")),
            ]))
    }

    /// The marker of a folder.
    enum Found: Equatable {
        case absent
        case unreadable
        case marker(ViewMarker)
    }

    static func find(in directory: borrowing Directory) throws(FileError) -> Found {
        do throws(FileError) {
            guard let contents = try directory.contentsIfPresent(of: fileName, limit: 65536) else { return .absent }
            guard let json = try? JSONDocument(parsing: contents.bytes) else { return .unreadable }
            func text(_ key: String) -> String? { json.member(key, of: json.root).flatMap { json.string($0) } }
            guard let view = text("view"), let library = text("library"), let machine = text("machine") else {
                return .unreadable
            }
            return .marker(ViewMarker(view: view, library: library, machine: machine))
        } catch let error where error.isNoFile || error.isEscape {
            return .unreadable
        }
    }

    /// Whether the same library on the same machine made both.
    func hasOrigin(of other: ViewMarker) -> Bool { library == other.library && machine == other.machine }
}
