extension Descriptor {
    /// The SHA-256 of the file from its beginning, 64 lower-case hexadecimal digits.
    package borrowing func sha256() throws(FileError) -> String {
        var hash = SHA256()
        var offset = 0
        while true {
            let chunk = try read(at: offset, count: 1 << 20)
            if chunk.isEmpty { return hash.finish() }
            hash.update(chunk)
            offset += chunk.count
        }
    }
}
