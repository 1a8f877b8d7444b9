package import Files

/// The hash of a file of a page or a document, and the file's status then, so that it need not be read again.
package struct KnownFile: Sendable {
    package let file: Version.File
    /// Nanoseconds since 1970.
    package let modified: Int64
    package private(set) var changed: Int64
    package let inode: UInt64
    /// The time of change before this device gave the file a second name, in nanoseconds since 1970; `nil` if it did not.
    package private(set) var written: Int64?

    package init(file: Version.File, modified: Int64, changed: Int64, inode: UInt64, written: Int64? = nil) {
        self.file = file
        self.modified = modified
        self.changed = changed
        self.inode = inode
        self.written = written
    }

    /// A record of another time or device: it says nothing of the file that is here now, which is always read.
    package init(recorded file: Version.File, modified: Int64) {
        self.init(file: file, modified: modified, changed: 0, inode: 0)
    }

    init(_ file: Version.File, _ status: FileStatus) {
        self.init(file: file, modified: status.modified, changed: status.changed, inode: status.inode)
    }

    /// Notes that this device gave the file a second name.
    ///
    /// - Parameter changed: the file's time of change since.
    package mutating func secondName(_ changed: Int64) {
        written = written ?? self.changed
        self.changed = changed
    }

    /// Whether a file that has other bytes now is damaged: no program that saves a file leaves its time of modification, and a
    /// file that is empty now lost its bytes in a power cut or on a full disk.
    ///
    /// Some file systems know whole seconds alone: a file that was changed in the seconds after such a time may have been saved
    /// twice, and one with another size was.
    package func isDamaged(_ status: FileStatus) -> Bool {
        if status.byteCount == 0 { return file.size > 0 }
        let second: Int64 = 1_000_000_000
        if status.modified % second == 0, abs(status.changed - status.modified) <= 2 * second { return false }
        return !isSaved(status.modified, byteCount: status.byteCount)
    }

    /// Whether a program saved the file since: by its time of modification in nanoseconds since 1970, and where that is a whole
    /// second, by its size.
    package func isSaved(_ modified: Int64, byteCount: Int) -> Bool {
        Self.isSaved((modified, byteCount), since: (self.modified, file.size))
    }

    /// The same of a file of which only time and size are known.
    package static func isSaved(
        _ now: (modified: Int64, byteCount: Int), since then: (modified: Int64, byteCount: Int)
    ) -> Bool {
        now.modified != then.modified || now.byteCount != then.byteCount && now.modified % 1_000_000_000 == 0
    }

    /// Whether no program changed a file since: size, inode and both times are as they were.
    package func isOf(_ path: String, _ status: FileStatus) -> Bool {
        file.isAt(path) && status.byteCount == file.size && status.modified == modified && status.changed == changed
            && status.inode == inode
    }
}

extension [KnownFile] {
    /// Whether a file has the bytes of another one of these: somebody renamed or copied that one over a file of the same time of modification.
    /// An empty file is none: a power cut empties files.
    package func hasElsewhere(_ file: Version.File) -> Bool {
        file.size > 0
            && contains { $0.file.sha256 == file.sha256 && $0.file.size == file.size && !$0.file.isAt(file.path) }
    }

    /// The first of each path.
    package var byPath: [String: KnownFile] {
        Dictionary(map { ($0.file.path, $0) }, uniquingKeysWith: { first, _ in first })
    }
}

extension LiveState {
    /// Whether the document is a file that was known under another name: a program renamed it. One that copies makes a new file.
    package func isDocumentRenamed(since known: [KnownFile]) -> Bool {
        guard let file = files.first(where: { Component(of: $0) == .document }), let status = statuses[file.path] else {
            return false
        }
        return known.contains {
            Component(of: $0.file) == .document && !$0.file.isAt(file.path) && $0.file.sha256 == file.sha256
                && $0.inode == status.inode && $0.modified == status.modified
        }
    }

    /// item.json and text.md with their status.
    package var smallFiles: [KnownFile] {
        var files: [KnownFile] = []
        if let status = statuses[Layout.itemFile] {
            let hash = ContentHash(of: itemBytes)
            files.append(KnownFile(.init(path: Layout.itemFile, sha256: hash, size: itemBytes.count), status))
        }
        if let status = statuses[Layout.textFile], let text, let hash = hashes.text {
            files.append(KnownFile(.init(path: Layout.textFile, sha256: hash, size: text.count), status))
        }
        return files
    }

    /// The files of the page and the document with their status, for `ItemStore.live`.
    ///
    /// - Parameter known: the files as they were hashed before; what is said there of an unchanged one stays.
    package func knownFiles(after known: [KnownFile]) -> [KnownFile] {
        let known = known.byPath
        return files.filter { !away.contains($0.path) }.compactMap { file in
            guard let status = statuses[file.path] else { return nil }
            // It is read each time until it is mended.
            if damaged.contains(file.path) {
                return known[file.path] ?? KnownFile(recorded: file, modified: status.modified)
            }
            if let known = known[file.path], known.isOf(file.path, status) { return known }
            return KnownFile(file, status)
        }
    }
}
