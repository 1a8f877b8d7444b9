import Files
import Glibc

/// A file of the person that gets its name when it is whole.
final class FileOutput {
    private let folder: Directory
    private let file: Descriptor
    private let name: String
    private let temporary: String
    private var buffer: [UInt8] = []
    private var isPlaced = false

    /// - Parameters:
    ///   - path: replaced if it is there.
    ///   - isPrivate: whether nobody else may read it.
    init(_ path: String, isPrivate: Bool = false) throws {
        let full = FileOfPerson.absolute(path)
        guard let slash = full.lastIndex(of: "/"), slash != full.index(before: full.endIndex) else {
            throw CommandFailure(.failed, "\(path) is no name of a file")
        }
        folder = try Directory(path: slash == full.startIndex ? "/" : String(full[..<slash]))
        name = String(full[full.index(after: slash)...])
        if let status = try folder.statusIfPresent(of: name), status.kind == .directory {
            throw CommandFailure(.failed, "\(path) is a folder")
        }
        temporary = ".\(name.prefix(40))-\(UInt32.random(in: 1...UInt32.max)).part"
        file = try folder.createFile(temporary, permissions: isPrivate ? 0o600 : 0o666)
    }

    deinit {
        if !isPlaced { try? folder.removeFile(temporary) }
    }

    func write(_ bytes: [UInt8]) throws {
        buffer += bytes
        if buffer.count >= 1 << 18 { try flush() }
    }

    private func flush() throws {
        try file.write(buffer)
        buffer.removeAll(keepingCapacity: true)
    }

    /// Puts the whole file in place, durably.
    func finish() throws {
        try flush()
        try file.sync()
        try folder.replace(temporary, to: folder, as: name)
        isPlaced = true
        try folder.sync()
    }
}
