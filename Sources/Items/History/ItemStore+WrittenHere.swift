internal import Files

extension ItemStore {
    /// Whether a component was written on this device.
    ///
    /// Tools that copy make a new file and give it the modification time of the original. So it was modified before it was
    /// born. A file that was moved here later was not. Where the file system tells no birth, the status of a file from here
    /// changed when it was modified.
    ///
    /// - Parameters:
    ///   - known: the files as they were hashed last. A second name that this device gave one does not count.
    ///   - old: the files of the state before. Only others say who wrote a page: some of its files may have come earlier.
    package func isWrittenHere(
        _ component: Component, of live: LiveState, known: [KnownFile] = [], since old: [Version.File] = []
    ) throws(ItemError) -> Bool {
        let known = known.byPath, old = Set(old)
        let new = live.files.filter { Component(of: $0) == component && !old.contains($0) }.map(\.path)
        for path in new.isEmpty ? live.paths(of: component) : new {
            // A file that is away was looked at before it went.
            guard let status = live.statuses[path], !live.away.contains(path) else { continue }
            let changed = known[path].flatMap { $0.isOf(path, status) ? $0.written : nil } ?? status.changed
            if try !isWrittenHere(live.folder + "/" + path, status, changed: changed) { return false }
        }
        return true
    }

    /// Whether a file that had a status was written on this device.
    ///
    /// - Parameters:
    ///   - path: relative to the library's folder.
    ///   - changed: its time of change, in nanoseconds since 1970, before this device gave it a second name.
    func isWrittenHere(_ path: String, _ status: FileStatus, changed: Int64) throws(ItemError) -> Bool {
        let birth = try files { () throws(FileError) -> Int64 in
            // A program that saves by a rename may have put another file there since, perhaps with the inode of this one: its
            // birth says nothing.
            guard let file = try root.fileIfPresent(path) else { return 0 }
            let now = try file.status()
            return now.inode == status.inode && now.changed == status.changed ? file.birth() : 0
        }
        return Self.isWrittenHere(birth: birth, modified: status.modified, changed: changed)
    }

    /// Whether the times of a file, in nanoseconds since 1970, are those of one that was written on this device.
    ///
    /// - Parameter birth: 0 if the file system does not tell it.
    package static func isWrittenHere(birth: Int64, modified: Int64, changed: Int64) -> Bool {
        if birth > modified || modified > changed + localNanoseconds { return false }
        // A join gives a file the next whole second, and a tool may carry it before that.
        if modified > changed, modified % 1_000_000_000 == 0 { return false }
        return birth != 0 || changed <= modified + localNanoseconds
    }

    /// 50 ms: Documentation/Merge.md § 2, rule 4.
    private static let localNanoseconds: Int64 = 50_000_000
}
