package import Files
internal import Glibc

/// A folder for one test, removed with its contents when the test releases it.
///
/// It is in `$TMPDIR`, else in the package's `.build/scratch`; never below /tmp, where vim writes in place instead of
/// renaming.
package final class ScratchDirectory: Sendable {
    /// The absolute path.
    package let path: String

    package init() throws {
        let parent = Self.parent
        try Directory.make(path: parent)
        let name = String(UInt64.random(in: .min ... .max), radix: 36)
        path = parent + "/" + name
        try Directory.make(path: path)
    }

    deinit { Self.remove(Array(path.utf8)) }

    /// Removes a tree without following links, with any bytes in its names and any depth.
    private static func remove(_ path: [UInt8]) {
        let cPath = path.map(CChar.init(bitPattern:)) + [0]
        if Glibc.remove(cPath) == 0 { return }
        guard let stream = opendir(cPath) else { return }
        defer { closedir(stream) }
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
            if name != [0x2E], name != [0x2E, 0x2E] { remove(path + [0x2F] + name) }
        }
        rmdir(cPath)
    }

    private static var parent: String {
        if let folder = getenv("TMPDIR").map({ String(cString: $0) }), folder.hasPrefix("/"), !folder.hasPrefix("/tmp")
        {
            return folder
        }
        guard let current = getcwd(nil, 0) else { return ".build/scratch" }
        defer { free(current) }
        return String(cString: current) + "/.build/scratch"
    }

    /// Opens the folder.
    package func directory() throws(FileError) -> Directory { try Directory(path: path) }

    /// The absolute path of an entry in the folder.
    package func full(_ relative: String) -> String { path + "/" + relative }

    // MARK: Changes as by other programs

    /// Writes a file in place and makes the folders above it. Afterwards nobody has it open for writing.
    package func write(_ relative: String, _ bytes: [UInt8]) throws {
        try makeDirectory(relative.split(separator: "/").dropLast().joined(separator: "/"))
        guard let file = fopen(full(relative), "we") else { throw ScratchError(call: "fopen", path: relative) }
        let written = fwrite(bytes, 1, bytes.count, file)
        if fclose(file) != 0 || written != bytes.count { throw ScratchError(call: "fwrite", path: relative) }
        awaitWriters(of: relative)
    }

    /// Waits for processes that other tests started while the file was written: each has this process's open files until it
    /// becomes its own program, and the inbox waits for a file that somebody has open for writing. Waits for 5 s at most.
    private func awaitWriters(of relative: String) {
        for _ in 0..<5_000 {
            guard let file = try? Directory(path: path).file(relative), file.writerLook() == .written else { return }
            usleep(1_000)
        }
    }

    package func write(_ relative: String, _ text: String) throws { try write(relative, Array(text.utf8)) }

    package func makeDirectory(_ relative: String) throws { try Directory.make(path: full(relative)) }

    /// Makes a symbolic link whose content is `target`.
    package func link(_ relative: String, to target: String) throws {
        try check("symlink", relative, symlink(target, full(relative)))
    }

    package func makeFIFO(_ relative: String) throws { try check("mkfifo", relative, mkfifo(full(relative), 0o600)) }

    package func rename(_ relative: String, to other: String) throws {
        try check("rename", relative, Glibc.rename(full(relative), full(other)))
    }

    package func removeFile(_ relative: String) throws { try check("unlink", relative, unlink(full(relative))) }

    package func removeEmptyDirectory(_ relative: String) throws { try check("rmdir", relative, rmdir(full(relative))) }

    /// Sets the time of the last modification, in whole seconds since 1970 UTC.
    package func setModified(_ relative: String, seconds: Int) throws {
        let times = [timespec(tv_sec: seconds, tv_nsec: 0), timespec(tv_sec: seconds, tv_nsec: 0)]
        try check("utimensat", relative, utimensat(AT_FDCWD, full(relative), times, AT_SYMLINK_NOFOLLOW))
    }

    /// Makes a script one that can be run.
    ///
    /// Another process copies it: what another test starts at this moment may have the file of this process open for writing, and
    /// the kernel runs no such file ("Text file busy").
    package func makeProgram(_ relative: String) throws {
        let line = #"cp "$0" "$0.new" && chmod 755 "$0.new" && mv "$0.new" "$0""#
        let child = try ProgramStart(["/bin/sh", "-c", line, full(relative)]).run()
        var status: Int32 = -1
        _ = waitpid(child, &status, 0)
        try check("cp", relative, status)
    }

    // MARK: Reading

    package func bytes(_ relative: String) throws(FileError) -> [UInt8] {
        try Directory(path: path).contents(of: relative, limit: 1 << 30).bytes
    }

    package func text(_ relative: String) throws(FileError) -> String {
        String(decoding: try bytes(relative), as: UTF8.self)
    }

    /// Whether an entry has the name; a link counts itself, whatever its target.
    package func exists(_ relative: String) -> Bool {
        var raw = stat()
        return lstat(full(relative), &raw) == 0
    }

    /// The names in a folder, sorted; invalid UTF-8 replaced.
    package func names(_ relative: String = "") throws(FileError) -> [String] {
        try Directory(path: full(relative)).entries().map(\.name.repaired).sorted()
    }

    private func check(_ call: String, _ path: String, _ result: Int32) throws {
        if result != 0 { throw ScratchError(call: call, path: path) }
    }
}

/// The test's own preparation failed.
package struct ScratchError: Error, CustomStringConvertible {
    package let description: String

    init(call: String, path: String) { description = "\(call) \(path): \(String(cString: strerror(errno)))" }
}
