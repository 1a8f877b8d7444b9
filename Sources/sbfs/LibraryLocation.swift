import StuffBucket

/// Finds the library's folder.
enum LibraryLocation {
    static func find(_ invocation: Invocation) throws -> String {
        if let named = named(invocation) { return named }
        return try nearest(FilePath.currentFolder) ?? fallback()
    }

    /// The library in whose folder another one would lie; `nil` without one, or if the path is that of a library.
    static func around(_ path: String) -> String? {
        let path = FilePath.resolved(path)
        if Library.exists(at: path) { return nil }
        return parent(of: path).flatMap(nearest)
    }

    /// A folder, or the nearest one above it, that is a library.
    private static func nearest(_ folder: String) -> String? {
        var folder = folder
        while true {
            if Library.exists(at: folder) { return folder }
            guard let parent = parent(of: folder) else { return nil }
            folder = parent
        }
    }

    private static func parent(of folder: String) -> String? {
        guard folder != "/", let slash = folder.lastIndex(of: "/") else { return nil }
        return slash == folder.startIndex ? "/" : String(folder[..<slash])
    }

    /// The folder that `init` uses by default.
    static func forNew(_ invocation: Invocation) throws -> String { try named(invocation) ?? fallback() }

    private static func named(_ invocation: Invocation) -> String? {
        if let path = invocation.value("library") { return expand(path) }
        if let path = Environment["SBFS_LIBRARY"], !path.isEmpty { return expand(path) }
        return nil
    }

    private static func fallback() throws -> String {
        expand(try LocalSettings.read()["library"] ?? "~/StuffBucket")
    }

    /// Replaces a leading `~` by the home folder.
    static func expand(_ path: String) -> String {
        path == "~" || path.hasPrefix("~/") ? Environment.home + path.dropFirst() : path
    }
}
