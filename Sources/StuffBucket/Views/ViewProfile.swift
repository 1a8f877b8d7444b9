/// What a view shows.
public enum ViewProfile: String, CaseIterable, Sendable {
    /// The documents, each as `Documents/<id>/<original file name>`.
    case documents
    /// All items under human names, and links to them by collection, tag, smart folder and time.
    case full
}

/// How the files of a view are made.
public enum ViewMode: String, CaseIterable, Sendable {
    /// Copies of the library's files.
    case copy
    /// Copies that share their blocks with the library's files, where the file system can; plain copies elsewhere.
    case reflink
    /// Symbolic links to the library's files: an edit changes the library. Copies where there are no symbolic links.
    case symlink
}

/// Whether a view's folder can be used.
public enum ViewState: String, Sendable {
    /// The folder is there.
    case present
    /// The folder, or the marker in it, is gone.
    case missing
    /// The marker in the folder is that of another view, library or machine.
    case foreign
}
