/// The kernel's list of mounts, which can be waited on: proc_pid_mountinfo(5).
///
/// A file system that is unmounted lazily (`umount -l`) makes no event of inotify while files of it are open; its mount goes.
package final class MountTable {
    private let file: Descriptor

    /// - Throws: `FileError`, without /proc.
    package init() throws(FileError) { file = try Descriptor.open(path: "/proc/self/mountinfo") }

    /// To be waited on as `urgent`: it has news once after each change of a mount.
    package var number: Int32 { file.number }
}
