import StuffBucket

/// Saves the pages of links that a command has just kept: before it ends, or in a process that nobody waits for.
struct NewPages {
    /// New links whose pages are saved without being asked for.
    static let backgroundLimit = 20

    /// Where the links came from, which says what may be contacted.
    enum Origin: String {
        /// Each was typed.
        case typed
        /// They stood in a list.
        case listed
        /// Typed, for an item that may have come from anywhere and may have had another link.
        case attached
    }

    let invocation: Invocation
    let library: Library
    let origin: Origin

    /// - Returns: how it went; `done` where it goes on in the background or is not wanted.
    func save(_ rows: [Row]) throws -> ExitStatus {
        if rows.isEmpty || invocation.isDryRun || invocation.isOffline || invocation.has("no-archive") { return .done }
        try invocation.output.flush()
        if invocation.has("wait") {
            invocation.settle()
            var options = try invocation.archiveOptions()
            // The URLs of a list were not typed one by one.
            options.isTyped = origin != .listed
            options.isAttached = origin == .attached
            let run = ArchiveRun(invocation: invocation, library: library, options: options)
            return try run.run(rows, tell: invocation.archiveTeller(library, isJSON: false)).status
        }
        if rows.count > Self.backgroundLimit {
            invocation.talk.say("\(rows.count) pages wait to be saved; \"sbfs archive --pending\" saves them")
            return .done
        }
        var words = ["--library", FileOfPerson.absolute(library.path), "archive", "--background", origin.rawValue]
        for option in ["browser", "cookies", "timeout"] {
            if let value = invocation.value(option) {
                words += ["--" + option, option == "cookies" ? FileOfPerson.absolute(value) : value]
            }
        }
        if invocation.has("allow-private") { words.append("--allow-private") }
        invocation.settle()
        Program.runSelfDetached(words + ["--"] + rows.map(\.id.description))
        return .done
    }
}
