internal import Files

/// How a program uses a library that it opens.
public struct LibraryOptions: Sendable {
    /// The `source` of items that this program adds, as other programs show it: a word of at most 64 bytes. `nil`, the
    /// default, stands for the name of the program's file.
    public var source: String?
    /// How long a change waits while another program writes; then `ItemError.locked` is thrown. Ten seconds unless set;
    /// whole seconds count.
    ///
    /// It concerns changes of items alone. A question never waits for them: it waits up to two seconds for a program that
    /// updates the index, and then answers with a caveat. `reindex` waits up to ten seconds for another one, and views
    /// wait as long for another program that writes the same view.
    public var changePatience = Duration.seconds(10)
    /// Starts a process that calls `Library.sweepInBackground`. Without one, a library of any size is compared with its index
    /// before each answer, since nobody else would find another program's changes: about 5 ms for 1,000 items. With a watch
    /// (`Library.watch`), of this program or of the daemon, nothing is compared.
    public var startSweep: (@Sendable () -> Void)?

    /// Starts a process that calls `Library.takeInBackground`. After a change, a library of at most 64 items is compared with its
    /// index, so that an editor's save is noted before another program overwrites it. With this, a larger one is compared by
    /// that process; without, by the next question.
    public var startTakingIn: (@Sendable () -> Void)?

    /// Makes the default options.
    public init() {}

    /// The name of this program's file, at most 64 bytes of it; `program` if it was removed or renamed since it started.
    static let programName: String = {
        let name = RunningProgram.path?.split(separator: "/").last.map(String.init) ?? "program"
        var bytes = Array(name.utf8.prefix(65))
        if bytes.count > 64 {
            while let last = bytes.popLast(), last & 0xC0 == 0x80 {}
        }
        return String(decoding: bytes, as: UTF8.self)
    }()
}
