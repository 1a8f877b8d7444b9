internal import CSystem
internal import Glibc

extension Directory {
    /// Moves a folder that cannot be renamed.
    package func moveByCopying(_ name: String, to target: borrowing Directory, as newName: String) throws(FileError) {
        if try target.statusIfPresent(of: newName) != nil {
            throw FileError(.rename, target.full(newName), .system(EEXIST))
        }
        // A name that every listing skips, in case this process dies.
        let temporary = ".moving-\(UInt64.random(in: .min ... .max))"
        do throws(FileError) {
            try copyTree(name, to: target, as: temporary, depth: 0)
            try target.move(temporary, to: target, as: newName, .refuse)
        } catch {
            try? target.removeTree(temporary)
            throw error
        }
        try removeTree(name)
    }

    /// Copies a folder with the regular files and folders in it, their permissions and the files' times; synced.
    ///
    /// - Throws: `FileError`, also for a link, a FIFO or a device, which would be lost.
    package func copyTree(
        _ name: String, to target: borrowing Directory, as newName: String, depth: Int = 0
    ) throws(FileError) {
        let limit = 256
        if depth > limit { throw FileError(.copy, full(name), .tooDeep(limit: limit)) }
        let source = try directory(name)
        try target.makeDirectory(newName, permissions: 0o700)
        let copy = try target.directory(newName)
        for entry in try source.entries() {
            guard let child = entry.name.string else {
                throw FileError(.copy, source.full(entry.name.repaired), .unsafePath)
            }
            switch entry.kind {
            case .directory: try source.copyTree(child, to: copy, as: child, depth: depth + 1)
            case .regular: try source.copyFile(child, to: copy)
            default: throw FileError(.copy, source.full(child), .notRegular(entry.kind))
            }
        }
        fchmod(copy.number, mode_t(try source.status().permissions))
        try copy.sync()
    }

    /// Copies a regular file with its permissions and its time; synced.
    package func copyFile(
        _ name: String, to target: borrowing Directory, as newName: String? = nil
    ) throws(FileError) {
        let source = try file(name)
        let status = try source.status()
        let copy = try target.createFile(newName ?? name, permissions: 0o600)
        if !copy.clone(source) {
            while true {
                let chunk = try source.readChunk(1 << 20)
                if chunk.isEmpty { break }
                try copy.write(chunk)
            }
        }
        try copy.setPermissions(status.permissions)
        try copy.setModified(status.modified)
        try copy.sync()
    }
}
