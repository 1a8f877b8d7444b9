import StuffBucket

extension Commands {
    static let tagAdd = tagCommand(
        "tag add", "Add tags to items", done: "tagged",
        examples: [
            .init("sbfs tag add @1 @2 recipes,soup", "two tags on two items"),
            .init("sbfs tag add @1 @2 recipes soup", "the same"),
            .init("sbfs tag add -q type:document paper", "a tag on all documents"),
        ]
    ) { edit, _, tags in
        for tag in tags { edit.addTag(tag) }
    }

    static let tagRemove = tagCommand(
        "tag rm", "Remove tags from items", done: "untagged",
        examples: [.init("sbfs tag rm @1 soup", "remove a tag")]
    ) { edit, _, tags in
        for tag in tags { edit.removeTag(tag) }
    }

    static let tagSet = tagCommand(
        "tag set", "Give items these tags and no others", done: "tagged",
        examples: [
            .init("sbfs tag set @1 'recipes, winter'", "collections and the trash stay"),
            .init("sbfs tag set @1 ''", "no tags at all"),
        ]
    ) { edit, item, tags in
        let kept = TagList(tags)
        for tag in item.plainTags where !kept.contains(tag) { edit.removeTag(tag) }
        for tag in tags { edit.addTag(tag) }
    }

    static let collectionAdd = collectionCommand(
        "collection add", "Put items into collections", done: "collected",
        examples: [.init("sbfs collection add @1 Work/Projects", "nested: Projects in Work")]
    ) { edit, _, tags in
        for tag in tags { edit.addTag(tag) }
    }

    static let collectionRemove = collectionCommand(
        "collection rm", "Remove items from collections", done: "taken out",
        examples: [.init("sbfs collection rm -q 'collection:Old' Old", "the items stay in the library")]
    ) { edit, _, tags in
        for tag in tags { edit.removeTag(tag) }
    }

    static let collectionSet = collectionCommand(
        "collection set", "Put items into these collections and no others", done: "collected",
        examples: [.init("sbfs collection set @1 Recipes", "tags stay")]
    ) { edit, item, tags in
        let kept = TagList(tags)
        for tag in item.collections.compactMap({ CollectionName($0)?.tag }) where !kept.contains(tag) {
            edit.removeTag(tag)
        }
        for tag in tags { edit.addTag(tag) }
    }

    private typealias Change = @Sendable (_ edit: inout ItemEdit, _ item: Item, _ tags: [String]) -> Void

    private static func tagCommand(
        _ name: String, _ summary: String, done: String, examples: [Command.Example], change: @escaping Change
    ) -> Command {
        Command(
            name, .change, summary, arguments: "ITEM… TAGS…",
            details: """
                TAGS are tags separated by commas: the last word on the line, or several words \(severalWords) Case \
                does not count; the first spelling stays. The tag trashcan belongs to "sbfs trash".
                """,
            options: Invocation.changeOptions, examples: examples
        ) { invocation in
            try run(invocation, done: done, change: change) { typed in
                try TypedTags.read(typed, invocation)
            }
        }
    }

    private static func collectionCommand(
        _ name: String, _ summary: String, done: String, examples: [Command.Example], change: @escaping Change
    ) -> Command {
        Command(
            name, .change, summary, arguments: "ITEM… NAMES…",
            details: """
                NAMES are collections separated by commas: the last word on the line, or several words \(severalWords) \
                / nests (Work/Projects); \\/ is a / in a name. An item may be in several collections.
                """,
            options: Invocation.changeOptions, examples: examples
        ) { invocation in
            try run(invocation, done: done, change: change) { typed in
                typed.unicodeScalars.split(separator: ",").compactMap { CollectionName(String($0))?.tag }
            }
        }
    }

    private static let severalWords = """
        if each item before them is a row (@3), a whole id, eight or more of its digits, a URL or -, or with --query. After a \
        title, only the last word counts. sbfs refuses a word that could be either, and changes nothing.
        """

    private static func run(
        _ invocation: Invocation, done: String, change: Change, tags read: (String) throws -> [String]
    ) throws -> ExitStatus {
        guard !invocation.positionals.isEmpty, invocation.positionals.count > 1 || invocation.has("query") else {
            let family = invocation.command.name.hasPrefix("tag") ? "tag" : "collection"
            let hint =
                invocation.command.name.hasSuffix("rm") && !invocation.positionals.isEmpty
                ? "; from the whole library: sbfs \(family) delete" : ""
            throw invocation.usage("\(invocation.command.name) needs items and names\(hint)")
        }
        let words = try ItemsAndNames(invocation)
        let tags = try words.names.flatMap(read)
        if tags.isEmpty, !invocation.command.name.hasSuffix("set") { throw invocation.usage("which ones?") }
        let selection = try invocation.items(words.items)
        return try invocation.change(selection, done: done) { stored in
            var edit = ItemEdit(base: stored.json)
            change(&edit, stored.item, tags)
            return edit
        }
    }
}
