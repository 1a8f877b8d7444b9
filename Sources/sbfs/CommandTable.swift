/// Namespace of the commands, one file each.
enum Commands {}

/// All commands, in the order of help.
enum CommandTable {
    static let commands: [Command] = [
        Commands.initialize,
        Commands.add, Commands.new, Commands.append, Commands.attach, Commands.inbox,
        Commands.archive, Commands.favicon, Commands.importCommand,
        Commands.search, Commands.list, Commands.recent, Commands.pick, Commands.tags, Commands.collections,
        Commands.suggest, Commands.show, Commands.preview,
        Commands.read, Commands.open, Commands.links, Commands.path,
        Commands.edit, Commands.title, Commands.set,
        Commands.tagAdd, Commands.tagRemove, Commands.tagSet,
        Commands.collectionAdd, Commands.collectionRemove, Commands.collectionSet,
        Commands.pin, Commands.unpin, Commands.favorite, Commands.unfavorite, Commands.move,
        Commands.tagRename, Commands.tagMerge, Commands.tagDelete, Commands.tagColour,
        Commands.collectionNew, Commands.collectionRename, Commands.collectionMove, Commands.collectionDelete,
        Commands.collectionColour, Commands.collectionIcon, Commands.collectionOrder,
        Commands.suggestTags, Commands.summarize,
        Commands.smartAdd, Commands.smartList, Commands.smartShow, Commands.smartRename, Commands.smartRemove,
        Commands.viewAdd, Commands.viewList, Commands.viewRefresh, Commands.viewChanges, Commands.viewAdopt,
        Commands.viewRemove,
        Commands.bulk, Commands.log, Commands.undo, Commands.redo,
        Commands.trash, Commands.restore, Commands.detach, Commands.purge,
        Commands.snapshots, Commands.restoreSnapshot, Commands.history, Commands.restoreVersion,
        Commands.sync, Commands.remoteAdd, Commands.remoteList, Commands.remoteStatus, Commands.remoteRemove,
        Commands.remoteCheck, Commands.remotePrune, Commands.drop, Commands.keep, Commands.repair, Commands.reset,
        Commands.merge,
        Commands.conflicts, Commands.resolve,
        Commands.checkLinks,
        Commands.watch, Commands.status,
        Commands.check, Commands.reindex, Commands.stats, Commands.export, Commands.config,
        Commands.aiSetup, Commands.aiStatus, Commands.aiForget,
        Commands.serviceInstall, Commands.serviceRemove, Commands.serviceStatus, Commands.servicePause,
        Commands.serviceResume, Commands.gitSetup, Commands.gitRejoin,
        Commands.capture, Commands.extract, Commands.events, Commands.mergeDriver, Commands.gitTextconv,
        Commands.gitCheckStaged,
        Commands.help, Commands.completion, Commands.complete, Commands.version,
    ]

    /// First words that need a second one to name a command.
    static let families = Set(
        commands.compactMap { command in
            let words = command.name.split(separator: " ")
            return words.count == 2 ? String(words[0]) : nil
        })

    /// Other spellings of commands.
    private static let aliases = [
        "favourite": "favorite", "unfavourite": "unfavorite", "tag color": "tag colour",
        "collection color": "collection colour",
    ]

    /// Commands that other programs start, for each file or each key. They are found without the table: making that takes a
    /// tenth of so short a run.
    private static func frequent(_ words: [String]) -> (command: Command, wordCount: Int)? {
        switch words[0] {
        case "merge-driver": (Commands.mergeDriver, 1)
        case "git" where words.count > 1 && words[1] == "textconv": (Commands.gitTextconv, 2)
        case "complete": (Commands.complete, 1)
        default: nil
        }
    }

    static func command(named name: String) -> Command? {
        let name = aliases[name] ?? name
        return commands.first { $0.name == name }
    }

    /// The command at the start of the words, and the number of words that name it.
    ///
    /// - Throws: `UsageError` with a suggestion.
    static func find(_ words: [String]) throws -> (command: Command, wordCount: Int) {
        if let found = frequent(words) { return found }
        let first = words[0]
        if let command = command(named: first) { return (command, 1) }
        if families.contains(first) {
            if words.count > 1, let command = command(named: first + " " + words[1]) { return (command, 2) }
            let verbs = commands.filter { $0.name.hasPrefix(first + " ") }.map { $0.name.dropFirst(first.count + 1) }
            throw UsageError("\"\(first)\" needs a second word: " + verbs.joined(separator: ", "), command: first)
        }
        let names = commands.map(\.name) + families
        let suggestion = Spelling.nearest(first, in: names).map { "; did you mean \"\($0)\"?" } ?? ""
        throw UsageError("there is no command \"\(first)\"\(suggestion)")
    }
}
