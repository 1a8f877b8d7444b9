import StuffBucket

/// Finds the library's folder.
enum LibraryLocation {
    static func find(_ invocation: Invocation) throws -> String {
        if let named = named(invocation) { return named }
        var folder = FilePath.currentFolder
        while true {
            if let directory = try? Directory(path: folder),
                (try? directory.statusIfPresent(of: Layout.libraryFile))?.kind == .regular, isLibrary(directory)
            {
                return folder
            }
            guard folder != "/", let slash = folder.lastIndex(of: "/") else { break }
            folder = slash == folder.startIndex ? "/" : String(folder[..<slash])
        }
        return try fallback()
    }

    /// Whether library.json is ours, and not another program's file of the same name.
    ///
    /// A file that is damaged or too new counts if items/ is beside it: opening the library then reports the error.
    /// Skipping it would write into another library.
    private static func isLibrary(_ folder: borrowing Directory) -> Bool {
        (try? LibraryFile.read(in: folder)) != nil
            || (try? folder.statusIfPresent(of: Layout.items))?.kind == .directory
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
