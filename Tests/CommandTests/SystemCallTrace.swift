import Foundation
import TestSupport
import Testing

/// One successful system call, as strace(1) prints it with `-y`.
struct TracedCall: CustomStringConvertible {
    let name: String
    let arguments: String

    var description: String { "\(name)(\(arguments))" }

    /// The path of the first argument's descriptor.
    var descriptorPath: String? {
        arguments.firstMatch(of: #/^\d+<([^>]*)>/#).map { String($0.1) }
    }

    /// The absolute paths that the call names.
    var paths: [String] {
        arguments.matches(of: #/(?:(?:AT_FDCWD|\d+)<([^>]*)>, )?"([^"]*)"/#).map { match in
            let name = String(match.2)
            if name.hasPrefix("/") { return name }
            return (match.1.map { $0 + "/" } ?? "") + name
        }
    }

    func has(_ flag: String) -> Bool { arguments.contains(flag) }
}

extension Sandbox {
    /// Whether programs can be traced here; some containers do not allow it.
    static let canTrace: Bool = {
        if Machine.mustRunAll { return true }
        guard Machine.hasProgram("strace"), let sandbox = try? Sandbox(isLibraryMade: false) else { return false }
        return (try? sandbox.shell("strace -f -qq -o trace true", exits: nil))?.status == 0
    }()

    /// Runs a line of shell in which `traced` is `sbfs` under strace(1), and returns its calls in the order of their
    /// ends.
    ///
    /// - Parameter options: of strace, besides those that choose the output.
    @discardableResult
    func trace(_ script: String, options: String = "") throws -> (run: Run, calls: [TracedCall]) {
        let names = """
            open,openat,openat2,write,pwrite64,writev,pwritev,copy_file_range,fsync,fdatasync,syncfs,rename,renameat,\
            renameat2,link,linkat,symlink,symlinkat,mkdir,mkdirat,unlink,unlinkat,rmdir,flock,close,mmap
            """
        let run = try shell(
            """
            traced() { strace -f -qq -y -s 0 -o "$PWD/trace" -e signal=none -e trace=\(names) \(options) sbfs "$@"; }
            \(script)
            """)
        return (run, Self.calls(try scratch.text("desk/trace")))
    }

    private static func calls(_ trace: String) -> [TracedCall] {
        var begun: [Substring: Substring] = [:]
        var calls: [TracedCall] = []
        for line in trace.split(separator: "\n") {
            guard let (thread, rest) = line.firstMatch(of: #/^(\d+) +(.*)$/#).map({ ($0.1, $0.2) }) else { continue }
            var whole = rest
            if let cut = rest.firstRange(of: " <unfinished ...>") {
                begun[thread] = rest[..<cut.lowerBound]
                continue
            }
            if let resumed = rest.firstMatch(of: #/^<\.\.\. \w+ resumed>(.*)$/#) {
                whole = (begun.removeValue(forKey: thread) ?? "") + resumed.1
            }
            guard let call = whole.firstMatch(of: #/^(\w+)\((.*)\) += (.*)$/#), !call.3.hasPrefix("-1") else {
                continue
            }
            calls.append(TracedCall(name: String(call.1), arguments: String(call.2)))
        }
        return calls
    }
}

/// Follows writes and syncs, and reports what a loss of power could destroy.
///
/// A file counts from its last write to its fsync, a folder from a change of its names to its fsync; `.sbfs` may be
/// lost, and so may versions, which are noted again (FORMAT.md § 8.7).
struct SyncOrder {
    let library: String
    private var unsynced: Set<String> = []
    /// Names given to files that were not on the disk yet.
    private(set) var early: [String] = []

    init(library: String) { self.library = library }

    /// Changes that are not durable if the command reports success now.
    var late: [String] { unsynced.filter { !isLocal($0) }.sorted() }

    private func isInside(_ path: String) -> Bool { path == library || path.hasPrefix(library + "/") }
    private func isLocal(_ path: String) -> Bool { path.hasPrefix(library + "/.sbfs") || Self.isVersion(path) }

    /// Whether a path is history/ of an item, or a version in it.
    static func isVersion(_ path: String) -> Bool { path.hasSuffix("/history") || path.contains("/history/") }

    private func parent(_ path: String) -> String {
        path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
    }

    private func below(_ path: String) -> Set<String> { unsynced.filter { $0 == path || $0.hasPrefix(path + "/") } }

    mutating func follow(_ call: TracedCall) {
        switch call.name {
        case "write", "pwrite64", "writev", "pwritev", "copy_file_range":
            if let path = call.descriptorPath, isInside(path) { unsynced.insert(path) }
        case "fsync", "fdatasync":
            if let path = call.descriptorPath { unsynced.remove(path) }
        case "syncfs": unsynced = []
        case "open", "openat", "openat2":
            if call.has("O_CREAT"), let path = call.paths.first { changeNames(parent(path)) }
        case "mkdir", "mkdirat", "symlink", "symlinkat", "link", "linkat":
            if let path = call.paths.last, !Self.isVersion(path) { changeNames(parent(path)) }
        case "unlink", "unlinkat", "rmdir":
            guard let path = call.paths.first else { return }
            unsynced.subtract(below(path))
            changeNames(parent(path))
        case "rename", "renameat", "renameat2": rename(call)
        default: break
        }
    }

    private mutating func changeNames(_ folder: String) {
        if isInside(folder) { unsynced.insert(folder) }
    }

    private mutating func rename(_ call: TracedCall) {
        guard call.paths.count == 2 else { return }
        let (old, new) = (call.paths[0], call.paths[1])
        let moved = below(old)
        unsynced.subtract(moved)
        if isInside(new), !isLocal(new) { early += moved.map { "\($0) as \(new)" } }
        unsynced.formUnion(moved.map { new + $0.dropFirst(old.count) })
        changeNames(parent(old))
        changeNames(parent(new))
    }
}
