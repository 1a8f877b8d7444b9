internal import Files
internal import Items

/// Whether a folder may become a view: it must not be in a library or another view, nor a library in it.
///
/// Folders are compared by device and inode, so that neither symbolic links nor bind mounts hide what they are.
struct ViewPlace {
    private let library: Library
    /// The views of the library with their folders.
    private let views: [ViewRecord]

    init(_ library: Library, _ views: [ViewRecord]) {
        self.library = library
        self.views = views
    }

    /// Checks the deepest folder of a path that exists.
    func check(_ path: String) throws {
        var existing = path
        while FilePath.real(existing) == nil, let slash = existing.utf8.lastIndex(of: UInt8(ascii: "/")) {
            existing = slash == existing.utf8.startIndex ? "/" : String(Substring(existing.utf8[..<slash]))
        }
        try check(Directory(path: existing), path)
    }

    /// - Parameter path: for messages.
    private func check(_ folder: borrowing Directory, _ path: String) throws {
        let above = try folder.ancestors()
        let store = library.store
        var own = [try store.root.status()]
        // A part of the library may be mounted elsewhere by itself.
        for name in Layout.ownNames.union([Layout.inbox]) {
            if let status = try? store.root.statusIfPresent(of: name), status.kind == .directory { own.append(status) }
        }
        if above.contains(where: { status in own.contains { $0.isSameFile(as: status) } }) {
            throw ViewError.overlapsLibrary(path: path, library: library.path)
        }
        for view in views {
            guard let status = try? Directory(path: view.path).status() else { continue }
            if above.contains(where: { $0.isSameFile(as: status) }) {
                throw ViewError.insideView(path: path, view: view.path)
            }
        }
        // Views and libraries that this library knows nothing of.
        var current = folder.path
        while true {
            if let directory = try? Directory(path: current) {
                if let found = try? ViewMarker.find(in: directory), found != .absent {
                    throw ViewError.insideView(path: path, view: current)
                }
                if (try? LibraryFile.read(in: directory)) != nil {
                    throw ViewError.overlapsLibrary(path: path, library: current)
                }
            }
            let next = FilePath.real(current + "/..") ?? "/"
            if next == current || current == "/" { return }
            current = next
        }
    }

    /// - Throws: `ViewError.overlapsLibrary` if the library is in the view's folder.
    static func checkOutside(_ view: borrowing Directory, _ library: Library) throws {
        let status = try view.status()
        if try library.store.root.ancestors().contains(where: { $0.isSameFile(as: status) }) {
            throw ViewError.overlapsLibrary(path: view.path, library: library.path)
        }
    }
}
