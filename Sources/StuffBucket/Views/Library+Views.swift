internal import Files
public import Items

extension Library {
    /// The views of this library on this device, in the order of their ids.
    ///
    /// - Throws: `FileError` if their records cannot be listed.
    public func views() throws -> [LibraryView] {
        guard let folder = try viewsFolder(isMade: false) else { return [] }
        var views: [LibraryView] = []
        for entry in try folder.entries() where entry.kind == .directory {
            guard let name = entry.name.string, let id = ItemID(name) else { continue }
            let directory = try folder.directory(name)
            // One without a record was being made or removed by a process that was killed.
            guard let record = ViewRecord.read(in: directory), record.id == id else { continue }
            views.append(LibraryView(self, record, ViewManifest(directory)))
        }
        return views.sorted { $0.id < $1.id }
    }

    /// The view in a folder, given by the folder that a person chose or by the view's own.
    ///
    /// - Throws: `ViewError.noView` if there is none.
    public func view(at path: String) throws -> LibraryView {
        let real = FilePath.real(path)
        for view in try views() {
            let names = [view.path, view.folder, view.id.description]
            if names.contains(path) || real.map(names.contains) == true { return view }
        }
        throw ViewError.noView(path)
    }

    /// Makes a folder a view, and fills it.
    ///
    /// The same folder again, with the same profile and mode, is no error: the view is then refreshed, and made again if it is
    /// gone. A folder that holds an earlier view of this library and machine is taken over: files in it that have the very
    /// bytes that the view writes count as its own.
    ///
    /// - Parameters:
    ///   - path: the folder that gets a folder `StuffBucket`; made if missing.
    ///   - profile: what the view shows.
    ///   - mode: how its files are made.
    ///   - monitor: is told items done and in all, and cancels; `refresh` goes on from there.
    /// - Throws: `ViewError`, if the folder is in a library or a view, holds other files, or belongs to another machine. If the
    ///   view's folder cannot be made, no view is recorded.
    @discardableResult
    public func addView(
        at path: String, _ profile: ViewProfile = .full, _ mode: ViewMode = .reflink,
        _ monitor: Monitor = Monitor()
    ) throws -> (view: LibraryView, report: ViewReport) {
        let (view, isNew) = try withViewsLock { folder in
            let before = Set(try views().map(\.id))
            let view = try record(path, profile, mode, in: folder)
            return (view, !before.contains(view.id))
        }
        do {
            return (view, try view.refresh(.all, missing: .make, monitor))
        } catch {
            if isNew, (try? view.state()) == .missing {
                _ = try? removeView(view, keepsFiles: true)
                _ = try? Directory(path: view.folder).removeDirectory(ViewRecord.folderName)
            }
            throw error
        }
    }

    private func record(
        _ path: String, _ profile: ViewProfile, _ mode: ViewMode, in folder: borrowing Directory
    ) throws -> LibraryView {
        // What a killed process was making, or removing.
        for entry in try folder.entries() where entry.kind == .directory {
            guard let name = entry.name.string, ItemID(name) != nil,
                try folder.directory(name).statusIfPresent(of: ViewRecord.fileName) == nil
            else { continue }
            try folder.removeTree(name)
        }
        let views = try views()
        try ViewPlace(self, views.map(\.record)).check(FilePath.absolute(path))
        try Directory.make(path: path)
        guard let real = FilePath.real(path) else { throw ViewError.missing(path: path) }
        if let view = views.first(where: { $0.folder == real }) {
            if try view.state() == .foreign { throw ViewError.foreign(path: view.path) }
            if view.profile != profile || view.mode != mode {
                throw ViewError.differs(path: view.path, view.profile, view.mode)
            }
            return view
        }
        let place = try Directory(path: real)
        let kind = try place.statusIfPresent(of: ViewRecord.folderName)?.kind
        var record = ViewRecord(
            id: ItemID.make(), folder: real, profile: profile, mode: mode,
            token: NameTable.hash16("\(UInt64.random(in: .min ... .max)) \(ItemID.make())"), takesOver: false)
        if let kind {
            guard kind == .directory else {
                throw ViewError.notEmpty(path: real, example: ViewRecord.folderName)
            }
            let root = try place.directory(ViewRecord.folderName)
            // The library itself, or one in it, may be named so.
            try ViewPlace.checkOutside(root, self)
            if (try? LibraryFile.read(in: root)) != nil {
                throw ViewError.overlapsLibrary(path: root.path, library: root.path)
            }
            record.takesOver = try takesOver(root, ViewMarker(view: record.id, of: store), views, record)
        }
        try folder.makeDirectory(record.id.description, permissions: 0o700)
        let manifest = ViewManifest(try folder.directory(record.id.description))
        try manifest.write(record)
        try folder.sync()
        let view = LibraryView(self, record, manifest)
        if record.takesOver {
            do throws(FileError) {
                try view.makeFolder()
            } catch {
                try? folder.removeTree(record.id.description)
                throw error
            }
        }
        return view
    }

    /// Whether a folder is an earlier view whose record is lost.
    private func takesOver(
        _ root: borrowing Directory, _ own: ViewMarker, _ views: [LibraryView], _ record: ViewRecord
    ) throws -> Bool {
        switch try ViewMarker.find(in: root) {
        case .unreadable: throw ViewError.foreign(path: record.path)
        case .marker(let marker):
            guard marker.hasOrigin(of: own) else { throw ViewError.foreign(path: record.path) }
            if let original = views.first(where: { $0.id.description == marker.view }) {
                throw ViewError.copied(path: record.path, of: original.path)
            }
            return true
        case .absent:
            if let example = try root.entries().first {
                throw ViewError.notEmpty(path: record.path, example: example.name.repaired)
            }
            return false
        }
    }

    /// Removes what a view wrote, and the view's folder if nothing else is in it. A person's own files and edits stay.
    ///
    /// - Parameters:
    ///   - view: the view.
    ///   - keepsFiles: whether everything stays, and only the library forgets the view.
    ///   - monitor: is told files done, and cancels; what was removed by then is gone.
    /// - Returns: what stays, and why. With failures, the view stays as well.
    /// - Throws: `ViewError.busy` if another process works on it; `FileError` if the folder cannot be read or written.
    @discardableResult
    public func removeView(
        _ view: LibraryView, keepsFiles: Bool = false, _ monitor: Monitor = Monitor()
    ) throws -> ViewReport {
        try withViewsLock { folder in
            let lock = try view.manifest.lock()
            defer { withExtendedLifetime(lock) {} }
            var report = ViewReport()
            report.state = try view.state()
            if report.state == .present, !keepsFiles { report = try view.removeFiles(monitor) }
            if !report.failures.isEmpty { return report }
            // Without its record, the rest is no view any more.
            try view.manifest.directory.removeFile(ViewRecord.fileName)
            try folder.removeTree(view.id.description)
            return report
        }
    }

    // MARK: Places

    private static let viewsName = "views"

    /// `.sbfs/views`; `nil` if there is none.
    private func viewsFolder(isMade: Bool) throws -> Directory? {
        guard let device = store.device else {
            if isMade { throw ViewError.libraryIsReadOnly(path: path) }
            return nil
        }
        if isMade { try device.directory.makeDirectory(Self.viewsName, permissions: 0o700) }
        guard try device.directory.statusIfPresent(of: Self.viewsName)?.kind == .directory else { return nil }
        return try device.directory.directory(Self.viewsName)
    }

    private func withViewsLock<Result>(_ body: (borrowing Directory) throws -> Result) throws -> Result {
        guard let folder = try viewsFolder(isMade: true) else { throw ViewError.libraryIsReadOnly(path: path) }
        guard let lock = try FileLock.acquire(ViewManifest.lockName, in: folder, patience: .seconds(10)) else {
            throw ViewError.busy(path: folder.path)
        }
        defer { withExtendedLifetime(lock) {} }
        return try body(folder)
    }
}
