import StuffBucket

extension Commands {
    static let pin = markCommand(
        "pin", "Pin items: lists show them first", done: "pinned", .isPinned, isOn: true,
        details: "\"sbfs list is:pinned\" shows them, and so does the smart folder Pinned.",
        examples: [.init("sbfs pin @1 @4", "two items")])

    static let unpin = markCommand(
        "unpin", "Unpin items", done: "unpinned", .isPinned, isOn: false,
        details: "\"sbfs pin\" is the opposite.",
        examples: [.init("sbfs unpin -q is:pinned", "all of them")])

    static let favorite = markCommand(
        "favorite", "Add items to the favourites", done: "marked", .isFavorite, isOn: true,
        details: "\"sbfs list is:favorite\" shows them. The verb may be spelt favourite.",
        examples: [.init("sbfs favorite @2", "one item")])

    static let unfavorite = markCommand(
        "unfavorite", "Remove items from the favourites", done: "unmarked", .isFavorite, isOn: false,
        details: "\"sbfs favorite\" is the opposite. The verb may be spelt unfavourite.",
        examples: [.init("sbfs unfavorite @2", "one item")])

    private static func markCommand(
        _ name: String, _ summary: String, done: String, _ field: ItemField, isOn: Bool, details: String,
        examples: [Command.Example]
    ) -> Command {
        Command(
            name, .order, summary, arguments: "ITEM…", details: details, options: Invocation.changeOptions,
            examples: examples
        ) { invocation in
            let selection = try invocation.items(invocation.positionals)
            return try invocation.change(selection, done: done) { stored in
                let isMarked = field == .isPinned ? stored.item.isPinned : stored.item.isFavorite
                if isMarked == isOn { return nil }
                var edit = ItemEdit(base: stored.json)
                if isOn { edit.set(field, .bool(true)) } else { edit.remove(field) }
                return edit
            }
        }
    }
}
