package import Files

/// A file that was copied into the library, with the hash of the copied bytes.
package struct CopiedDocument: Sendable {
    package let name: String
    /// The original name's spelling, if it cannot be a file name here.
    package let originalName: String?
    /// 64 lower-case hexadecimal digits.
    package let sha256: String

    /// Copies a person's file into a folder.
    ///
    /// Shares blocks with the original if the file system can. Reads the bytes once for the hash.
    ///
    /// - Parameters:
    ///   - path: given by the person; symbolic links are followed.
    ///   - name: the name in the folder instead of the document's own.
    ///   - limit: the largest size in bytes, checked before and while copying.
    package static func copy(
        _ path: String, into folder: borrowing Directory, as name: String? = nil, limit: Int, isSynced: Bool
    ) throws(ItemError) -> CopiedDocument {
        try copy(
            open(path, limit: limit), named: FileName(lastComponent(of: path)), into: folder, as: name, limit: limit,
            isSynced: isSynced)
    }

    /// Copies a file that is already open.
    ///
    /// - Parameter original: the file's own name.
    package static func copy(
        _ source: borrowing Descriptor, named original: FileName, into folder: borrowing Directory,
        as name: String? = nil, limit: Int, isSynced: Bool
    ) throws(ItemError) -> CopiedDocument {
        let (documentName, spelling) = Layout.documentName(for: original)
        let target = try files { () throws(FileError) -> Descriptor in try folder.createFile(name ?? documentName) }
        let isCloned = target.clone(source)
        var hash = SHA256()
        var byteCount = 0
        while true {
            // With shared blocks, the copy is hashed: the original may change meanwhile.
            let chunk = try files { () throws(FileError) in
                isCloned ? try target.readChunk(1 << 20) : try source.readChunk(1 << 20)
            }
            if chunk.isEmpty { break }
            byteCount += chunk.count
            if byteCount > limit { throw .tooLarge(name: source.path, byteCount: byteCount, limit: limit) }
            hash.update(chunk)
            if !isCloned { try files { () throws(FileError) in try target.write(chunk) } }
        }
        if isSynced {
            try files { () throws(FileError) in
                try target.sync()
                try folder.sync()
            }
        }
        return CopiedDocument(name: documentName, originalName: spelling, sha256: hash.finish())
    }

    /// Opens a person's file and checks its size.
    static func open(_ path: String, limit: Int) throws(ItemError) -> Descriptor {
        let source = try files { () throws(FileError) -> Descriptor in try Descriptor.open(path: path) }
        let status = try files { () throws(FileError) in try source.status() }
        if status.byteCount > limit { throw .tooLarge(name: path, byteCount: status.byteCount, limit: limit) }
        return source
    }

    static func lastComponent(of path: String) -> String {
        // By bytes: a slash with a combining mark after it is one Character, and still a separator.
        path.utf8.split(separator: UInt8(ascii: "/")).last.map { String(Substring($0)) } ?? path
    }
}
