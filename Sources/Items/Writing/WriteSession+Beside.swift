internal import Files

/// Tombstones, files in inbox/ and conflicts: a step makes or removes them, and never changes one.
extension WriteSession {
    /// Puts a new file in place unless the name is taken; not synced.
    ///
    /// - Returns: false if the name is taken.
    func placeNew(
        _ staged: String, from session: borrowing Directory, as path: String, _ bytes: [UInt8]
    ) throws(ItemError) -> Bool {
        let (parent, name) = Self.split(path)
        try files { () throws(FileError) in try makeFolders(parent) }
        let folder = try files { () throws(FileError) -> Directory in try store.root.directory(parent) }
        let mark = try journal { .bytes(.file(path), old: nil, new: .init(bytes)) }
        do throws(ItemError) {
            let isPlaced = try locked { () throws(ItemError) -> Bool in
                do throws(FileError) {
                    try session.move(staged, to: folder, as: name)
                    return true
                } catch {
                    if error.isTaken { return false }
                    throw .file(error)
                }
            }
            if !isPlaced { void(mark) }
            return isPlaced
        } catch {
            void(mark)
            throw error
        }
    }

    /// Removes a file, or brings it back, if its bytes are those that were seen. The result is durable when this
    /// returns.
    ///
    /// - Returns: false if they are not.
    func changeBeside(_ path: String, _ seen: [UInt8]?, _ wanted: [UInt8]?) throws(ItemError) -> Bool {
        let (parent, name) = Self.split(path)
        let session = try staging()
        let staged = session.temporaryName(for: "beside")
        switch (seen, wanted) {
        case (nil, let wanted?):
            try files { () throws(FileError) in try session.directory.writeFile(staged, wanted) }
            let isPlaced = try placeNew(staged, from: session.directory, as: path, wanted)
            if !isPlaced { try? session.directory.removeFile(staged) }
            try files { () throws(FileError) in try store.root.directory(parent).sync() }
            if let id = Self.conflictedItem(path) { noteChange(id) }
            return isPlaced
        case (let seen?, nil):
            let folder = try files { () throws(FileError) -> Directory in try store.root.directory(parent) }
            let mark = try journal { .bytes(.file(path), old: .init(seen), new: nil) }
            let isRemoved = try locked { () throws(ItemError) -> Bool in
                try files { () throws(FileError) -> Bool in
                    let there = try folder.contentsIfPresent(of: name, limit: Self.limitBeside(path))?.bytes
                    if there == seen { try folder.removeFile(name) }
                    return there == seen
                }
            }
            if !isRemoved { void(mark) }
            try files { () throws(FileError) in try folder.sync() }
            if let id = Self.conflictedItem(path) { noteChange(id) }
            return isRemoved
        default: return seen == wanted
        }
    }

    private func makeFolders(_ path: String) throws(FileError) {
        var made = ""
        for part in path.pathComponents {
            made += (made.isEmpty ? "" : "/") + part
            try store.root.makeDirectory(made)
        }
    }

    private static func split(_ path: String) -> (parent: String, name: String) {
        let parts = path.pathComponents
        return (parts.dropLast().joined(separator: "/"), parts.last ?? path)
    }
}
