import Glibc
import StuffBucket

extension Invocation {
    /// Refuses to overwrite the library's own files with output.
    ///
    /// - Parameter path: as the person named it; it need not exist.
    func refuseOwnFiles(_ path: String, _ library: Library) throws {
        guard let root = FilePath.real(library.path), let target = FilePath.real(path) ?? Self.realParent(path) else {
            return
        }
        guard target.hasPrefix(root + "/"), let first = target.dropFirst(root.count + 1).split(separator: "/").first
        else { return }
        if Layout.ownNames.contains(String(first)) {
            throw usage("\(path) is a part of the library itself; choose another place")
        }
    }

    private static func realParent(_ path: String) -> String? {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        let parent = parts.dropLast().joined(separator: "/")
        return FilePath.real(parent.isEmpty ? (path.hasPrefix("/") ? "/" : ".") : parent).map {
            $0 + "/" + (parts.last ?? "")
        }
    }
}
