internal import Glibc

/// A queue of the kernel's events about files and folders: inotify(7).
///
/// One thread uses it.
package struct Inotify: ~Copyable {
    /// What happened.
    package struct Event {
        /// The watch; −1 for an overflow of the queue.
        package let watch: Int32
        package let kinds: Kinds
        /// The name in the watched folder; empty for the folder itself. Valid only while the event is handled.
        package let name: UnsafeBufferPointer<UInt8>
    }

    /// Kinds of events.
    package struct Kinds: OptionSet, Sendable {
        package let rawValue: UInt32

        package init(rawValue: UInt32) { self.rawValue = rawValue }

        package static let modified = Kinds(rawValue: UInt32(IN_MODIFY))
        package static let attributes = Kinds(rawValue: UInt32(IN_ATTRIB))
        package static let closedAfterWriting = Kinds(rawValue: UInt32(IN_CLOSE_WRITE))
        package static let movedFrom = Kinds(rawValue: UInt32(IN_MOVED_FROM))
        package static let movedTo = Kinds(rawValue: UInt32(IN_MOVED_TO))
        package static let created = Kinds(rawValue: UInt32(IN_CREATE))
        package static let deleted = Kinds(rawValue: UInt32(IN_DELETE))
        /// The watched folder itself was removed.
        package static let selfDeleted = Kinds(rawValue: UInt32(IN_DELETE_SELF))
        /// The watched folder itself was renamed.
        package static let selfMoved = Kinds(rawValue: UInt32(IN_MOVE_SELF))
        /// The file system of the watched folder was unmounted.
        package static let unmounted = Kinds(rawValue: UInt32(IN_UNMOUNT))
        /// The kernel dropped events, because the queue was full.
        package static let overflow = Kinds(rawValue: UInt32(IN_Q_OVERFLOW))
        /// The watch no longer exists.
        package static let ended = Kinds(rawValue: UInt32(IN_IGNORED))
        /// The event is about a folder.
        package static let folder = Kinds(rawValue: UInt32(IN_ISDIR))

        /// Names that come, go or change.
        package static let names: Kinds = [.movedFrom, .movedTo, .created, .deleted, .selfDeleted, .selfMoved]
        /// Names and the bytes of files.
        package static let contents: Kinds = [.names, .modified, .closedAfterWriting, .attributes]
    }

    /// The descriptor to wait on.
    package let number: Int32
    private let buffer: UnsafeMutableRawBufferPointer

    /// - Throws: `FileError` if the person has too many queues (fs.inotify.max_user_instances).
    package init() throws(FileError) {
        number = try systemCall(.open, "inotify") { inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC)) }
        buffer = .allocate(byteCount: 1 << 16, alignment: 8)
    }

    deinit {
        Glibc.close(number)
        buffer.deallocate()
    }

    /// Watches a folder. A symbolic link is not followed.
    ///
    /// - Returns: the watch's number. A folder that is watched already keeps its number and gets the new kinds.
    /// - Throws: `FileError`; ENOSPC if there are no more watches (fs.inotify.max_user_watches).
    package func watch(_ path: String, for kinds: Kinds) throws(FileError) -> Int32 {
        let mask = kinds.rawValue | UInt32(IN_ONLYDIR) | UInt32(IN_DONT_FOLLOW)
        return try systemCall(.inspect, path) { inotify_add_watch(number, path, mask) }
    }

    /// Ends a watch; one that has ended already is no error.
    package func end(_ watch: Int32) { _ = inotify_rm_watch(number, watch) }

    /// Hands over events that are queued now, at most about a thousand.
    ///
    /// - Returns: false if there were none.
    package func read(_ body: (Event) -> Void) throws(FileError) -> Bool {
        let count: Int
        do throws(FileError) {
            count = try systemCall(.read, "inotify") { Glibc.read(number, buffer.baseAddress, buffer.count) }
        } catch let error where error.number == EAGAIN {
            return false
        }
        var offset = 0
        let header = MemoryLayout<inotify_event>.size
        while offset + header <= count {
            let event = buffer.load(fromByteOffset: offset, as: inotify_event.self)
            let length = Int(event.len)
            let bytes = UnsafeRawBufferPointer(buffer)[offset + header..<offset + header + length]
            let name = UnsafeRawBufferPointer(rebasing: bytes.prefix { $0 != 0 })
            body(
                Event(
                    watch: event.wd, kinds: Kinds(rawValue: event.mask),
                    name: name.bindMemory(to: UInt8.self)))
            offset += header + length
        }
        return count > 0
    }

    /// The largest number of watches of a person, as the kernel says; `nil` without /proc.
    ///
    /// A container or another user namespace may have a smaller limit of its own: user_namespaces(7).
    package static var watchLimit: Int? {
        ["/proc/sys/fs/inotify/max_user_watches", "/proc/sys/user/max_inotify_watches"].compactMap(number(in:)).min()
    }

    /// The number in a file of the kernel, which is read in one call.
    private static func number(in path: String) -> Int? {
        guard let file = try? Descriptor.open(path: path), let bytes = try? file.readChunk(64) else { return nil }
        return Int(String(decoding: bytes.prefix { $0 >= 0x30 && $0 <= 0x39 }, as: UTF8.self))
    }
}
