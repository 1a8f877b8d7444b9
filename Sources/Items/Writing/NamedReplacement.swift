internal import Files

/// Puts bytes in the place of a file in collections/, tags/ or smart/: the one place where such a file is made, changed or
/// removed after `init`. FORMAT.md § 13.10.
///
/// Editors take no lock: what is displaced is compared with what was read, and goes back if it is something else.
struct NamedReplacement {
    let writer: WriteSession
    let folder: NamedFolder
    /// Name of the file in the folder.
    let file: String
    /// Called when the new bytes are staged and not yet in place: where a test saves as an editor does.
    var isStaged: () -> Void = {}

    /// Makes the change, durable when this returns.
    ///
    /// - Parameters:
    ///   - old: the bytes that were read; `nil` for no file.
    ///   - new: the bytes that are to be there; `nil` for no file.
    /// - Returns: false if the file is not as `old` says any more; then it is left as it is.
    func run(_ old: [UInt8]?, _ new: [UInt8]?) throws(ItemError) -> Bool {
        if old == new { return true }
        let session = try writer.staging()
        let isMade = try files { () throws(FileError) in try writer.store.root.makeDirectory(folder.path) }
        if isMade { try files { () throws(FileError) in try writer.store.root.sync() } }
        let place = try files { () throws(FileError) -> Directory in try writer.store.root.directory(folder.path) }
        if old == nil, try files({ () throws(FileError) in try place.statusIfPresent(of: file) }) != nil {
            return false
        }
        let mark = try writer.journal {
            .bytes(.file(folder.path + "/" + file), old: old.map { .init($0) }, new: new.map { .init($0) })
        }
        var isDone = false
        defer { if !isDone { writer.void(mark) } }
        isDone =
            switch (old, new) {
            case (nil, let new?): try create(new, in: place, session)
            case (let old?, nil): try remove(old, from: place, session)
            case (let old?, let new?): try replace(old, new, in: place, session)
            case (nil, nil): true
            }
        return isDone
    }

    private func create(
        _ new: [UInt8], in place: borrowing Directory, _ session: StagingFolder
    ) throws(ItemError) -> Bool {
        let temporary = session.temporaryName(for: file)
        try files { () throws(FileError) in try session.directory.writeFile(temporary, new) }
        isStaged()
        let isTaken = try writer.locked { () throws(ItemError) -> Bool in
            do throws(FileError) {
                try session.directory.move(temporary, to: place, as: file)
                return false
            } catch {
                try? session.directory.removeFile(temporary)
                if error.isTaken { return true }
                throw .file(error)
            }
        }
        if isTaken { return false }
        try files { () throws(FileError) in try place.sync() }
        return true
    }

    private func replace(
        _ old: [UInt8], _ new: [UInt8], in place: borrowing Directory, _ session: StagingFolder
    ) throws(ItemError) -> Bool {
        let current = try files { () throws(FileError) in
            try place.contentsIfPresent(of: file, limit: Layout.settingsByteLimit)
        }
        guard let current, current.bytes == old else { return false }
        let name = StagedNamedFile(folder: folder, file: file, new: new, base: old)
        let staged = name.name
        try files { () throws(FileError) in
            try session.stage(new, as: name, permissions: current.status.permissions)
        }
        isStaged()
        let isDone = try writer.locked { () throws(ItemError) -> Bool in
            do throws(FileError) {
                guard try session.directory.exchange(staged, with: place, file) else {
                    return try replaceWithoutExchange(staged, current.status, in: place, session)
                }
            } catch {
                try? session.directory.removeFile(staged)
                // Renamed away by an editor in mid-save.
                if error.isAbsent { return false }
                throw .file(error)
            }
            if (try? bytes(of: staged, session)) == old { return true }
            try giveBack(staged, ours: new, to: place, session)
            return false
        }
        try files { () throws(FileError) in try place.sync() }
        try? session.directory.removeFile(staged)
        return isDone
    }

    /// Puts back what another program saved in between; if it saved once more meanwhile, that version stays live, and the
    /// one before it is kept beside it.
    private func giveBack(
        _ staged: String, ours: [UInt8], to place: borrowing Directory, _ session: StagingFolder
    ) throws(ItemError) {
        _ = try files { () throws(FileError) in try session.directory.exchange(staged, with: place, file) }
        let out = try? bytes(of: staged, session)
        if out == ours { return }
        _ = try files { () throws(FileError) in try session.directory.exchange(staged, with: place, file) }
        try writer.keepBeside(staged, file, in: place, session.directory)
    }

    private func remove(
        _ old: [UInt8], from place: borrowing Directory, _ session: StagingFolder
    ) throws(ItemError) -> Bool {
        let staged = StagedNamedFile(folder: folder, file: file, new: nil, base: old).name
        isStaged()
        let isDone = try writer.locked { () throws(ItemError) -> Bool in
            do throws(FileError) {
                try place.move(file, to: session.directory, as: staged)
            } catch {
                if error.isAbsent { return false }
                throw .file(error)
            }
            if (try? bytes(of: staged, session)) == old { return true }
            try writer.giveBackNamed(staged, file, to: place, session.directory)
            return false
        }
        try files { () throws(FileError) in try place.sync() }
        try? session.directory.removeFile(staged)
        return isDone
    }

    private func bytes(of staged: String, _ session: StagingFolder) throws(ItemError) -> [UInt8] {
        try files { () throws(FileError) -> [UInt8] in
            try session.directory.contents(of: staged, limit: Layout.settingsByteLimit).bytes
        }
    }

    /// The window is between the look and the rename: FORMAT.md § 14.
    private func replaceWithoutExchange(
        _ staged: String, _ status: FileStatus, in place: borrowing Directory, _ session: StagingFolder
    ) throws(FileError) -> Bool {
        guard let live = try place.statusIfPresent(of: file), live.isSameVersion(as: status) else {
            try? session.directory.removeFile(staged)
            return false
        }
        try session.directory.replace(staged, to: place, as: file)
        return true
    }
}

/// The name of a staged file of § 9: `<folder>.<file>.<hash16 of the new bytes, or "none">.<hash16 of the replaced ones>`.
struct StagedNamedFile: Equatable {
    let folder: NamedFolder
    let file: String
    let new: String
    let base: String

    /// - Parameter new: `nil` for a file that is to be removed.
    init(folder: NamedFolder, file: String, new: [UInt8]?, base: [UInt8]) {
        self.folder = folder
        self.file = file
        self.new = new.map(StagedName.hash) ?? Self.nothing
        self.base = StagedName.hash(base)
    }

    init?(_ name: String) {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard parts.count >= 4, let folder = NamedFolder(rawValue: parts[0]) else { return nil }
        self.folder = folder
        file = parts[1..<parts.count - 2].joined(separator: ".")
        new = parts[parts.count - 2]
        base = parts[parts.count - 1]
        if file.isEmpty || file.contains("/") { return nil }
    }

    static let nothing = "none"

    var name: String { "\(folder.rawValue).\(file).\(new).\(base)" }
}

extension WriteSession {
    /// Puts a version back that another program saved, unless something is there again: then beside it.
    func giveBackNamed(
        _ staged: String, _ file: String, to place: borrowing Directory, _ session: borrowing Directory
    ) throws(ItemError) {
        do throws(FileError) {
            try session.move(staged, to: place, as: file)
        } catch {
            if !error.isTaken { throw .file(error) }
            try keepBeside(staged, file, in: place, session)
        }
    }

    /// Moves a version for which there is no other place into the folder, as `<file>-<hash8>.json`, which `check` names.
    func keepBeside(
        _ staged: String, _ file: String, in place: borrowing Directory, _ session: borrowing Directory
    ) throws(ItemError) {
        let stem = file.hasSuffix(".json") ? String(file.dropLast(5)) : file
        let bytes = try files { () throws(FileError) in
            try session.contents(of: staged, limit: Layout.settingsByteLimit).bytes
        }
        let kept = stem + "-" + SHA256.hex(bytes).prefix(8) + ".json"
        do throws(FileError) {
            try session.move(staged, to: place, as: kept)
        } catch {
            // The same name is the same bytes.
            if !error.isTaken { throw .file(error) }
        }
        store.tell("a version of \(place.full(file)) that could not be merged is kept beside it, in \(kept)")
    }

    /// Finds a place for a file of § 9 that a process left in staging when it died: DeviceFiles.md § D3.
    func recoverNamed(_ staged: StagedNamedFile, in session: borrowing Directory) {
        guard let bytes = try? session.contents(of: staged.name, limit: Layout.settingsByteLimit).bytes else { return }
        let hash = StagedName.hash(bytes)
        if hash == staged.new || hash == staged.base {
            try? session.removeFile(staged.name)
            return
        }
        // Another program's version, saved in between.
        _ = try? lockedIfFree(patience: 0) { () throws(ItemError) in
            let place = try files { () throws(FileError) -> Directory in try store.root.directory(staged.folder.path) }
            let live = try? place.contentsIfPresent(of: staged.file, limit: Layout.settingsByteLimit)
            if let live = live ?? nil {
                if StagedName.hash(live.bytes) == staged.new {
                    let isSwapped = try files { () throws(FileError) in
                        try session.exchange(staged.name, with: place, staged.file)
                    }
                    let out = try? session.contents(of: staged.name, limit: Layout.settingsByteLimit).bytes
                    if isSwapped, out.map(StagedName.hash) == staged.new { try? session.removeFile(staged.name) }
                } else {
                    try keepBeside(staged.name, staged.file, in: place, session)
                }
            } else {
                try giveBackNamed(staged.name, staged.file, to: place, session)
            }
            try files { () throws(FileError) in try place.sync() }
        }
    }
}
