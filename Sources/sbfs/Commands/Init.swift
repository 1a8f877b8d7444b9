import StuffBucket

extension Commands {
    static let initialize = Command(
        "init", .start, "Make a new library", arguments: "[DIR]",
        details: """
            Makes DIR (else --library, $SBFS_LIBRARY or ~/StuffBucket) a library: a folder of plain files with one \
            folder for each item. Also writes .vscode/settings.json, so that Visual Studio Code checks item.json while \
            you type; the guide shows the same for other editors. On a library, it adds what is missing and changes \
            nothing else.
            """,
        options: [
            Option("name", value: "NAME", "the library's name (the folder's)"),
            Option("force", "make a library beside the files that DIR already holds"), Option.dryRun,
        ],
        examples: [
            .init("sbfs init", "make ~/StuffBucket"),
            .init("sbfs init ~/Archive --name Archive", "make another one"),
        ]
    ) { invocation in
        guard invocation.positionals.count <= 1 else { throw invocation.usage("init takes one folder") }
        let path = try invocation.positionals.first ?? LibraryLocation.forNew(invocation)
        if path.isEmpty { throw invocation.usage("the folder's name is empty") }
        let name = invocation.value("name") ?? path.split(separator: "/").last.map(String.init) ?? "StuffBucket"
        let folder: Library.NewFolder = invocation.has("force") ? .any : .empty
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
}
