internal import Files

/// The assets/ folder of a new archive: files named after their content.
///
/// `<16 hexadecimal digits of the SHA-256>.<extension of the real type>`; equal bytes are one file.
final class AssetFolder {
    private let parent: Directory
    private var isMade = false
    private var written: Set<String> = []
    private(set) var byteCount = 0

    /// - Parameter path: the archive's folder.
    init(in path: String) throws(FileError) { parent = try Directory(path: path) }

    var count: Int { written.count }

    /// Writes a file unless it exists, and returns its name in assets/.
    func add(_ bytes: [UInt8], fileExtension: String) throws(FileError) -> String {
        let name = SHA256.hex(bytes).prefix(16) + "." + fileExtension
        if written.contains(name) { return name }
        let folder = try directory()
        let file = try folder.createFile(name)
        try file.write(bytes)
        written.insert(name)
        byteCount += bytes.count
        return name
    }

    /// The bytes of an added file.
    func contents(of name: String) throws(FileError) -> [UInt8] {
        try directory().contents(of: name, limit: .max).bytes
    }

    private func directory() throws(FileError) -> Directory {
        if !isMade {
            try parent.makeDirectory("assets")
            isMade = true
        }
        return try parent.directory("assets")
    }

    /// Writes page.html, reader.html, page.pdf or page.png.
    func writePage(_ name: String, _ bytes: [UInt8]) throws(FileError) {
        let file = try parent.createFile(name)
        try file.write(bytes)
    }

    /// Writes a document into document/.
    ///
    /// - Returns: its path relative to the archive's folder.
    func writeDocument(_ bytes: [UInt8], named name: String) throws(FileError) -> String {
        try parent.makeDirectory("document")
        let folder = try parent.directory("document")
        let file = try folder.createFile(name)
        try file.write(bytes)
        return "document/" + name
    }
}
