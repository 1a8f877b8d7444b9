internal import Characters
package import Files
internal import JSONFormat
internal import Synchronization
package import Time

/// `.sbfs`: the files that belong to this copy of the library on this device; safe to delete.
///
/// `owner` ties the folder to the machine and to itself (inode and time of birth). If a copy, a restore or an rsync
/// brought the folder along, `owner` does not match: the other files are foreign and are not used. Only the journal
/// is named after the folder in which it was written, so a foreign journal never replaces this folder's own.
package final class DeviceFolder: Sendable {
    package let directory: Directory
    package let staging: Directory
    /// When this copy of the library was first opened here.
    package let adoptedAt: Timestamp
    /// Threads of this process take turns here before they compete with other processes for the lock.
    let turn = Mutex<Void>(())

    private init(directory: consuming Directory, staging: consuming Directory, adoptedAt: Timestamp) {
        self.directory = directory
        self.staging = staging
        self.adoptedAt = adoptedAt
    }

    /// Opens the folder. Makes it if it is missing, and takes it over if it is foreign.
    ///
    /// - Returns: `nil` if the library cannot be written.
    package static func open(in root: borrowing Directory) throws(FileError) -> DeviceFolder? {
        do throws(FileError) {
            return try openWriting(in: root)
        } catch let error where error.isReadOnly {
            return nil
        }
    }

    private static func openWriting(in root: borrowing Directory) throws(FileError) -> DeviceFolder {
        if try root.statusIfPresent(of: Layout.device) == nil {
            try root.makeDirectory(Layout.device, permissions: 0o700)
        }
        let directory = try root.directory(Layout.device)
        directory.makePrivate()
        if let owner = Owner.read(in: directory), try owner.matches(directory) {
            if let staging = try openStaging(in: directory) {
                return DeviceFolder(directory: directory, staging: staging, adoptedAt: owner.adoptedAt)
            }
        }
        return try adopt(directory)
    }

    private static func openStaging(in directory: borrowing Directory) throws(FileError) -> Directory? {
        if try directory.statusIfPresent(of: Layout.staging)?.kind != .directory { return nil }
        return try directory.directory(Layout.staging)
    }

    /// Takes the folder over and removes a foreign owner's files. Journals stay: this program does not read those of other
    /// owners, and a folder that is copied back finds its own again.
    private static func adopt(_ directory: consuming Directory) throws(FileError) -> DeviceFolder {
        guard let lock = try FileLock.acquire(Layout.lock, in: directory, patience: .seconds(10)) else {
            throw FileError(.lock, directory.full(Layout.lock), .busy)
        }
        defer { withExtendedLifetime(lock) {} }
        var adoptedAt = Timestamp.now
        if let owner = Owner.read(in: directory), try owner.matches(directory) {
            // Another process did it while this one waited.
            adoptedAt = owner.adoptedAt
        } else {
            let owner = try Owner(of: directory, adoptedAt: adoptedAt)
            let kept = [Layout.lock, Layout.cacheTag]
            for entry in try directory.entries() {
                guard let name = entry.name.string, !kept.contains(name), !Owner.isJournalName(name) else { continue }
                try directory.removeTree(name)
            }
            if try directory.statusIfPresent(of: Layout.cacheTag) == nil {
                try directory.createFile(Layout.cacheTag, permissions: 0o600).write(Array(cacheTagText.utf8))
            }
            try directory.createFile("owner.new", permissions: 0o600).write(owner.bytes)
            try directory.replace("owner.new", to: directory, as: Layout.owner)
        }
        try directory.makeDirectory(Layout.staging, permissions: 0o700)
        return DeviceFolder(
            directory: directory, staging: try directory.directory(Layout.staging), adoptedAt: adoptedAt)
    }

    /// The folder of the journal. A journal of an earlier program is renamed to the current name.
    ///
    /// - Returns: `nil` if there is none and it must not be made, or if an entry of another kind has its name.
    package func journal(isMade: Bool) throws(FileError) -> Directory? {
        let name = try Owner(of: directory, adoptedAt: adoptedAt).journalName
        if try directory.statusIfPresent(of: name) == nil {
            if try directory.statusIfPresent(of: Layout.earlierLog)?.kind == .directory {
                do throws(FileError) {
                    try directory.move(Layout.earlierLog, to: directory, as: name)
                } catch let error where error.isTaken || error.isAbsent {
                    // Another process did it.
                }
            } else if isMade {
                try directory.makeDirectory(name, permissions: 0o700)
            }
        }
        if !isMade, try directory.statusIfPresent(of: name)?.kind != .directory { return nil }
        return try directory.directory(name)
    }

    /// Identifies this machine: hash16 as in `owner`; empty if it has no id.
    package static var machine: String { Owner.thisMachine }

    /// The Cache Directory Tagging Specification (bford.info/cachedir) fixes the signature.
    private static let cacheTagText = """
        Signature: 8a477f597d28d172789f06886806bc55
        # Everything in this folder is local to this device and can be made again.

        """
}

/// `.sbfs/owner`: on which machine, and as which folder, `.sbfs` was made.
///
/// The birth time is used instead of the device number, which may change at every boot.
struct Owner {
    let machine: String
    let inode: UInt64
    /// Nanoseconds since 1970 UTC, or 0.
    let birth: Int64
    let adoptedAt: Timestamp

    /// A hash of the machine's ID, because the ID itself must stay secret (machine-id(5)); empty if there is none.
    static let thisMachine: String = {
        guard let etc = try? Directory(path: "/etc"),
            let id = try? etc.contentsIfPresent(of: "machine-id", limit: 256)
        else { return "" }
        return String(SHA256.hex(Array("sbfs owner ".utf8) + id.bytes).prefix(16))
    }()

    init(machine: String, inode: UInt64, birth: Int64, adoptedAt: Timestamp) {
        self.machine = machine
        self.inode = inode
        self.birth = birth
        self.adoptedAt = adoptedAt
    }

    /// The owner file's contents for this device and a folder.
    init(of directory: borrowing Directory, adoptedAt: Timestamp) throws(FileError) {
        self.init(
            machine: Self.thisMachine, inode: try directory.status().inode, birth: directory.birth(),
            adoptedAt: adoptedAt)
    }

    /// The name of this owner's journal; each folder and machine has another one.
    var journalName: String {
        let hash = SHA256.hex(Array("\(machine) \(inode) \(birth)".utf8))
        return Layout.logPrefix + hash.prefix(16)
    }

    /// Whether a name is that of a journal of any owner.
    static func isJournalName(_ name: String) -> Bool {
        let hash = name.utf8.dropFirst(Layout.logPrefix.utf8.count)
        return name.hasPrefix(Layout.logPrefix) && hash.count == 16
            && hash.allSatisfy { Hexadecimal.value(of: $0) != nil }
    }

    func matches(_ directory: borrowing Directory) throws(FileError) -> Bool {
        let now = try directory.status()
        return machine == Self.thisMachine && inode == now.inode && birth == directory.birth()
    }

    /// - Returns: `nil` if there is no owner file, or it cannot be read as one.
    static func read(in directory: borrowing Directory) -> Owner? {
        guard let contents = try? directory.contentsIfPresent(of: Layout.owner, limit: 4096),
            let json = try? JSONDocument(parsing: contents.bytes)
        else { return nil }
        func text(_ key: String) -> String? { json.member(key, of: json.root).flatMap { json.string($0) } }
        guard let machine = text("machine"), let inode = text("inode").flatMap({ UInt64($0) }),
            let birth = text("birth").flatMap({ Int64($0) }), let adoptedAt = text("adoptedAt").flatMap(Timestamp.init)
        else { return nil }
        return Owner(machine: machine, inode: inode, birth: birth, adoptedAt: adoptedAt)
    }

    /// Numbers are written as strings, because inode numbers may be above 2^53.
    var bytes: [UInt8] {
        JSONWriter.file(
            .members([
                ("machine", .string(machine)), ("inode", .string(String(inode))), ("birth", .string(String(birth))),
                ("adoptedAt", .string(adoptedAt.rfc3339)),
            ]))
    }
}
