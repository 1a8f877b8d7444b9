package import Files

extension WriteSession {
    /// Puts a file with the right bytes in the place of a damaged or missing one, durably. The damaged bytes stay with the step
    /// in the journal.
    ///
    /// - Parameters:
    ///   - path: relative to the item's folder, and to the staged one.
    ///   - staged: a folder of this session that has the file. It is gone from there afterwards.
    ///   - id: the item; `nil` for a tombstone, and for a file of a collection, a tag or a smart folder.
    ///   - folder: the item's, or the file's, relative to the library's.
    ///   - seen: the damaged file as it was read; `nil` for a missing one.
    /// - Returns: false if another program changed the file since; then it stays.
    package func mend(
        _ path: String, from staged: StagedArchive, of id: ItemID?, in folder: String, seen: FileStatus?
    ) throws(ItemError) -> Bool {
        let session = try staging()
        if let id { _ = try self.journal { .lasting(id, .repair) } }
        let journal = try openJournal()
        let isMended = try locked { () throws(ItemError) in
            try files { () throws(FileError) -> Bool in
                let parts = path.pathComponents
                let name = parts[parts.count - 1]
                var parent = folder
                if id == nil { try store.root.makeDirectory(folder) }
                for part in parts.dropLast() {
                    parent += "/" + part
                    try store.root.makeDirectory(parent)
                }
                let source = try session.directory.directory(
                    ([staged.name] + parts.dropLast()).joined(separator: "/"))
                let target = try store.root.directory(parent)
                try source.file(name).sync()
                guard let seen else {
                    do throws(FileError) {
                        try source.move(name, to: target, as: name)
                    } catch {
                        if error.isTaken { return false }
                        throw error
                    }
                    try target.sync()
                    return true
                }
                guard try target.statusIfPresent(of: name)?.isSameVersion(as: seen) == true,
                    !isWritten(FileName(name), in: target)
                else { return false }
                if let journal { _ = try journal.keep(name, of: target) }
                if try !source.swap(name, with: target, name) {
                    try source.replace(name, to: target, as: name)
                } else if try source.statusIfPresent(of: name)?.isSameVersion(as: seen) != true {
                    // An editor saved it meanwhile: that goes back.
                    _ = try source.swap(name, with: target, name)
                    return false
                }
                try target.sync()
                return true
            }
        }
        if isMended, let id { noteChange(id) }
        return isMended
    }
}
