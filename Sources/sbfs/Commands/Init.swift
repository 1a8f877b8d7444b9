import StuffBucket

extension Commands {
    static let initialize = Command(
        "init", .start, "Make a new library", arguments: "[DIR]",
        details: """
            Makes DIR (else --library, $SBFS_LIBRARY or ~/StuffBucket) a library: a folder of plain files with one \
            folder for each item. Also writes .vscode/settings.json, so that Visual Studio Code checks item.json while \
            you type; the guide shows the same for other editors. On a library, it adds what is missing and changes \
            nothing else.

            --from FOLDER makes the library of an exchange, into which another device syncs ("sbfs remote add"): with the same id, and \
            still without items. "sbfs sync" brings them. FOLDER may be rclone:REMOTE:PATH. With --thin, pages and documents \
            stay in the exchange until they are opened (see "sbfs help remote add").
            """,
        options: [
            Option("name", value: "NAME", "the library's name (the folder's)"),
            Option("from", value: "FOLDER", "make the library that syncs through FOLDER"),
            Option("thin", "with --from: leave pages and documents there until they are opened"),
            Option("force", "make a library beside the files that DIR already holds"), Option.dryRun,
        ],
        examples: [
            .init("sbfs init", "make ~/StuffBucket"),
            .init("sbfs init ~/Archive --name Archive", "make another one"),
            .init("sbfs init --from ~/Nextcloud/StuffBucket && sbfs sync", "on a second device"),
            .init("sbfs init --from ~/Nextcloud/StuffBucket --thin && sbfs sync", "on a laptop with a small disk"),
        ]
    ) { invocation in
        guard invocation.positionals.count <= 1 else { throw invocation.usage("init takes one folder") }
        let path = try invocation.positionals.first ?? LibraryLocation.forNew(invocation)
        if path.isEmpty { throw invocation.usage("the folder's name is empty") }
        let name = invocation.value("name") ?? path.split(separator: "/").last.map(String.init) ?? "StuffBucket"
        let folder: Library.NewFolder = invocation.has("force") ? .any : .empty
        if !invocation.has("force"), let outer = LibraryLocation.around(path) {
            throw CommandFailure(
                .failed,
                "\(Printable.line(path)) lies in the library \(Printable.line(outer)), and would not be part of it; choose another folder"
                    + (invocation.has("from") ? "" : ", or use --force"))
        }
        if let source = invocation.value("from") { return try make(path, from: source, invocation) }
        if invocation.has("thin") { throw invocation.usage("--thin needs --from") }
        if invocation.isDryRun {
            let isNew = try Library.canCreate(at: path, in: folder)
            invocation.talk.say(isNew ? "would make a library in \(path)" : "\(path) is a library already")
            return .done
        }
        if try Library.create(at: path, name: name, in: folder) {
            invocation.talk.say("made the library \(path)")
            invocation.talk.say("next: sbfs add https://example.org   or   sbfs add report.pdf   or   sbfs new")
            for family in BrowserProfiles.Family.allCases {
                guard let profile = BrowserProfiles.find(family).first else { continue }
                invocation.talk.say(
                    "found \(profile.browser)'s bookmarks; take them over: sbfs import --from \(family.rawValue)")
            }
        } else {
            invocation.talk.say("\(path) is a library already; nothing was changed")
        }
        return .done
    }

    /// Makes the library of an exchange, and names the exchange on this device.
    private static func make(_ path: String, from source: String, _ invocation: Invocation) throws -> ExitStatus {
        if invocation.has("name") || invocation.has("force") {
            throw invocation.usage("--from takes the name from the exchange, and needs an empty folder")
        }
        var exchange = RemoteCommands.folder(RemoteCommands.absolute(source))
        exchange.isThin = invocation.has("thin")
        let last = exchange.path.split(whereSeparator: { $0 == "/" || $0 == ":" }).last.map(String.init) ?? ""
        let name = Remotes.isName(last) ? last : "exchange"
        if invocation.isDryRun {
            let isNew = try Library.canCreate(at: path)
            invocation.talk.say(
                isNew
                    ? "would make a library in \(path)"
                    : "\(path) is a library already; name the folder there: sbfs remote add")
            return .done
        }
        do {
            try Library.create(at: path, from: exchange)
        } catch let error as ItemError {
            guard case .notEmpty = error else { throw error }
            throw CommandFailure(
                .failed,
                "\(Printable.line(path)) holds other files; the library of an exchange needs an empty or a missing folder: "
                    + "sbfs init FOLDER --from \(Printable.line(source))")
        }
        invocation.talk.say("made the library \(path)")
        var remotes = try Remotes(of: Invocation.open(path))
        // Another copy of the library on this machine may have named it.
        if let known = remotes.list.first(where: { $0.folder.path == exchange.path }) {
            try remotes.set(known.name, isThin: exchange.isThin)
            invocation.talk.say("another copy on this device named the exchange \(known.name); both use its options")
        } else {
            let free = remotes[name] == nil ? name : name + "-2"
            try remotes.add(Remotes.Remote(name: free, folder: exchange))
            invocation.talk.say("\(exchange.path) is its remote \(free)\(exchange.isThin ? ", thin" : "")")
        }
        invocation.talk.say("next: sbfs sync")
        return .done
    }
}
