import Glibc

/// The programs of this package, as they were built with the tests.
public enum BuiltProgram {
    /// The path of a program beside `$SBFS_BINARY`, else beside the test bundle.
    public static func path(_ name: String) -> String { folder + "/" + name }

    private static let folder: String = {
        if let path = getenv("SBFS_BINARY").map({ String(cString: $0) }), !path.isEmpty { return parent(path) }
        var buffer = [CChar](repeating: 0, count: 4096)
        let count = readlink("/proc/self/exe", &buffer, buffer.count)
        return parent(String(decoding: buffer[..<max(0, count)].map { UInt8(bitPattern: $0) }, as: UTF8.self))
    }()

    private static func parent(_ path: String) -> String {
        path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[..<$0]) } ?? "."
    }
}
