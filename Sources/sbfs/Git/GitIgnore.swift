/// What of a library's folder is not committed.
enum GitIgnore {
    static let lines = [
        // This device's own files, and versions that a merge needs: commits are the versions.
        "/.sbfs/", "/items/*/*/history/",
        // What a merge leaves that was killed: git's files for a driver, and the driver's own.
        "/.merge_file_*", "/..merge_file_*", "/items/*/*/conflicts/.*.new-*",
        // What a killed sbfs leaves while it makes a library's files.
        ".sbfs-new-*", "/..gitattributes.new", "/..gitignore.new",
    ]
}
