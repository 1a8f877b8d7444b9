import StuffBucket

/// Finds the library's folder.
enum LibraryLocation {
    static func find(_ invocation: Invocation) throws -> String {
        if let named = named(invocation) { return named }
        var folder = FilePath.currentFolder
        while true {
            if Library.exists(at: folder) { return folder }
            guard folder != "/", let slash = folder.lastIndex(of: "/") else { break }
            folder = slash == folder.startIndex ? "/" : String(folder[..<slash])
        }
        return try fallback()
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
