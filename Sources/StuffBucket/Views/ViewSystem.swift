internal import Files

/// What the file system of a view can do.
struct ViewSystem: Sendable, Equatable {
    /// Symbolic links.
    var hasLinks = true
    /// Extended attributes of users.
    var hasAttributes = true
    /// Names with characters that Windows refuses.
    var hasAllNames = true

    /// Tries it in a folder that can be written.
    ///
    /// - Parameter name: a free name for a temporary file.
    /// - Throws: `FileError` if nothing can be written there.
    init(of folder: borrowing Directory, temporary name: String) throws(FileError) {
        do {
            let file = try folder.createFile(name, permissions: 0o600)
            hasAttributes = file.setAttribute("user.xdg.tags", Array("a".utf8))
        }
        try folder.removeFile(name)
        do throws(FileError) {
            try folder.makeLink(name, to: "All")
            try folder.removeFile(name)
        } catch let error where !error.isOutOfSpace {
            hasLinks = false
        }
        do throws(FileError) {
            _ = try folder.createFile(name + ":?", permissions: 0o600)
            try folder.removeFile(name + ":?")
        } catch let error where !error.isOutOfSpace {
            hasAllNames = false
        }
    }
}
