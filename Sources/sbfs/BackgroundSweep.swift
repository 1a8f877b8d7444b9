/// A background process of this program that compares the files with the index.
enum BackgroundSweep {
    /// Starts the process in a new session, without streams. If it cannot be started, the next search tries again.
    static func start(library: String) {
        Program.runSelfDetached(["--library", library, "reindex", "--background"])
    }
}
