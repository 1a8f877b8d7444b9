internal import CSystem
internal import Glibc

/// What identifies a file while it exists.
package struct FileIdentity: Hashable, Sendable {
    package let device: UInt64
    package let inode: UInt64
}

extension FileStatus {
    package var identity: FileIdentity { FileIdentity(device: device, inode: inode) }
}

extension Descriptor {
    /// Whether somebody has the file open for writing.
    package enum WriterLook: Sendable {
        case written
        case free
        /// The kernel gives no lease here: the file belongs to somebody else, or its file system has no leases.
        case unknown
    }

    /// Asks for a read lease, which the kernel refuses while anybody, on this machine, can write to the file: through
    /// a descriptor or a shared mapping, in any process. The lease is given back at once.
    package func writerLook() -> WriterLook {
        switch csystem_try_read_lease(number) {
        case 0: .free
        case EAGAIN: .written
        default: .unknown
        }
    }
}

/// The files that processes have open for writing, as far as /proc shows them to this user.
package struct OpenWriters: Sendable {
    /// Those of the wanted files that somebody writes.
    package private(set) var written: Set<FileIdentity> = []

    /// Looks at all processes once. Without /proc, nothing is found.
    ///
    /// - Parameter wanted: the files in question.
    package init(of wanted: Set<FileIdentity>) {
        if wanted.isEmpty { return }
        guard let proc = try? Directory(path: "/proc"), let entries = try? proc.entries() else { return }
        for entry in entries where entry.name.bytes.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) {
            // Processes of others, and those that ended meanwhile, are not shown.
            guard let process = try? proc.directory(named: entry.name),
                let open = try? process.directory(named: FileName("fd")), let numbers = try? open.entries()
            else { continue }
            for number in numbers {
                // Follows the entry to the open file, and opens nothing.
                var raw = stat()
                guard fstatat(open.number, number.name.cString, &raw, 0) == 0 else { continue }
                let identity = FileIdentity(device: UInt64(raw.st_dev), inode: UInt64(raw.st_ino))
                guard wanted.contains(identity), !written.contains(identity) else { continue }
                if Self.isForWriting(number.name, of: process) { written.insert(identity) }
            }
        }
    }

    /// Reads the line `flags:` of fdinfo (proc(5)): octal, with the access mode in its last two bits.
    private static func isForWriting(_ number: FileName, of process: borrowing Directory) -> Bool {
        guard let folder = try? process.directory(named: FileName("fdinfo")),
            let text = try? folder.file(named: number).readChunk(4096)
        else { return false }
        for line in text.split(separator: 0x0A) where line.starts(with: "flags:".utf8) {
            let digits = line.dropFirst(6).filter { $0 > 0x20 }
            guard let flags = Int(String(decoding: digits, as: UTF8.self), radix: 8) else { return false }
            return flags & Int(O_ACCMODE) != Int(O_RDONLY)
        }
        return false
    }
}
