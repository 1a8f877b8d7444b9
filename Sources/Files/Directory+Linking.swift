internal import Glibc

extension Directory {
    /// Gives a file a second name in another folder, where it must be free. Without hard links, copies the file and
    /// shares its blocks if possible.
    package func keep(_ name: String, in target: borrowing Directory, as newName: String) throws(FileError) {
        do throws(FileError) {
            _ = try systemCall(.copy, full(name)) { linkat(number, name, target.number, newName, 0) }
            return
        } catch let error where [EPERM, EOPNOTSUPP, ENOSYS, EMLINK, EXDEV, EACCES, EINVAL].contains(error.number) {}
        let source = try file(name)
        let copy = try target.createFile(newName)
        do throws(FileError) {
            if copy.clone(source) { return }
            while true {
                let chunk = try source.readChunk(1 << 20)
                if chunk.isEmpty { return }
                try copy.write(chunk)
            }
        } catch {
            try? target.removeFile(newName)
            throw error
        }
    }
}
