/// A background process of this program that compares the files with the index.
enum BackgroundSweep {
    /// Starts the process in a new session, without streams. If it cannot be started, the next search tries again.
    ///
    /// - Parameter takesIn: whether what other programs changed is also noted in history/.
    static func start(library: String, takesIn: Bool = false) {
        Program.runSelfDetached(
            ["--library", library, "reindex", "--background"] + (takesIn ? ["--take-in"] : []))
    }
}
