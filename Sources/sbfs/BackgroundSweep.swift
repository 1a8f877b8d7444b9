/// A process of this program that compares the files with the index while nobody waits for it.
enum BackgroundSweep {
    /// Starts it, in a session of its own, without streams; where it cannot be started, the next search tries again.
    static func start(library: String) {
        Program.runSelfDetached(["--library", library, "reindex", "--background"])
    }
}
