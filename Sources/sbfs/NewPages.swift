import StuffBucket

/// Saves the pages of new links: before the command ends, or in a background process.
struct NewPages {
    /// The largest number of new links whose pages are saved without a request.
    static let backgroundLimit = 20

    /// The origin of the links, which decides the addresses that may be contacted.
    enum Origin: String {
        /// A person typed each link.
        case typed
        /// The links come from a list.
        case listed
        /// Typed, for an item of any origin that may have had another link.
        case attached
    }

    let invocation: Invocation
    let library: Library
    let origin: Origin

    /// - Returns: the outcome; `done` if saving continues in the background or is not wanted.
    func save(_ rows: [Row]) throws -> ExitStatus {
        if rows.isEmpty || invocation.isDryRun || invocation.isOffline || invocation.has("no-archive") { return .done }
        try invocation.output.flush()
        if invocation.has("wait") {
            invocation.settle()
            var options = try invocation.archiveOptions()
            // Nobody typed the URLs of a list one by one.
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
        for flag in ["allow-private", "as-is", "pdf", "screenshot"] where invocation.has(flag) {
            words.append("--" + flag)
        }
        invocation.settle()
        Program.runSelfDetached(words + ["--"] + rows.map(\.id.description))
        return .done
    }
}
