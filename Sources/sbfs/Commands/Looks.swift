import StuffBucket

extension Commands {
    static let tagColour = Command(
        "tag colour", .order, "Give a tag a colour", arguments: "TAG [COLOUR|none]",
        details: """
            \(colourText) Lists show the colour on a terminal with colours. Without COLOUR, prints the tag's colour. \
            The verb may be spelt color.
            """,
        options: [Option.dryRun],
        examples: [
            .init("sbfs tag colour urgent red", "by name"), .init("sbfs tag colour urgent '#d0021b'", "any colour"),
            .init("sbfs tag colour urgent none", "take it away"),
        ]
    ) { invocation in
        guard let typed = invocation.positionals.first else { throw invocation.usage("which tag?") }
        let tag = try TagName.read(typed, invocation)
        let library = try invocation.library()
        return try look("colour", invocation, .tags, tag, library) { tag in
            try TagName.known([tag], library, invocation).spelling
        } read: { text in
            try colour(text, invocation)
        }
    }

    static let collectionColour = collectionLook(
        "colour", "Give a collection a colour", value: "COLOUR",
        details: "\(colourText) Shown by \"sbfs collections\" and in lists. The verb may be spelt color.",
        examples: [.init("sbfs collection colour Work/Projects teal", "by name")]
    ) { text, invocation in
        try colour(text, invocation)
    }

    static let collectionIcon = collectionLook(
        "icon", "Give a collection an icon", value: "ICON",
        details: """
            An emoji or another single character is shown before the name. Names of icons from bookmark programs \
            (briefcase.fill) are kept for them.
            """,
        examples: [.init("sbfs collection icon Work 💼", "an emoji")]
    ) { text, invocation in
        let icon = Printable.line(text.trimmingSpace)
        if icon.isEmpty || icon.utf8.count > 200 { throw invocation.usage("an icon has 1 to 200 bytes") }
        return .string(icon)
    }

    static let collectionOrder = collectionLook(
        "order", "Set the order of a collection among its siblings", value: "NUMBER",
        details: "The smallest number comes first; collections without one follow, by name.",
        examples: [.init("sbfs collection order Inbox 1", "first among its neighbours")]
    ) { text, invocation in
        guard let number = Double(text), number.isFinite, text.count <= 40 else {
            throw invocation.usage("the order is a number, not \"\(text)\"")
        }
        return .number(ManualRank.text(number))
    }

    private static let colourText =
        "COLOUR is one of \(Colour.Name.allCases.map(\.rawValue).joined(separator: ", ")), or #rrggbb; none removes it."

    private static func colour(_ text: String, _ invocation: Invocation) throws -> JSON {
        guard let colour = Colour(text) else {
            let nearest =
                Spelling.nearest(text, in: Colour.Name.allCases.map(\.rawValue))
                .map { "; did you mean \"\($0)\"?" } ?? ""
            throw invocation.usage("there is no colour \"\(text)\"\(nearest)")
        }
        return .string(colour.text)
    }

    private static func collectionLook(
        _ key: String, _ summary: String, value: String, details: String, examples: [Command.Example],
        read: @escaping @Sendable (String, Invocation) throws -> JSON
    ) -> Command {
        Command(
            "collection " + key, .order, summary, arguments: "NAME [\(value)|none]",
            details: details + " Without \(value) the collection's own is printed.", options: [Option.dryRun],
            examples: examples
        ) { invocation in
            guard let typed = invocation.positionals.first else { throw invocation.usage("which collection?") }
            let name = try CollectionTree.read(typed, invocation)
            let library = try invocation.library()
            return try look(key, invocation, .collections, name.name, library) { _ in
                try CollectionTree.known(name, library, invocation).spelling.name
            } read: { text in
                try read(text, invocation)
            }
        }
    }

    /// Shows, sets or removes one key in the file of a collection or a tag.
    ///
    /// - Parameter check: throws if there is no such collection or tag; returns its spelling.
    private static func look(
        _ key: String, _ invocation: Invocation, _ folder: NamedFolder, _ name: String, _ library: Library,
        check: (String) throws -> String, read: (String) throws -> JSON
    ) throws -> ExitStatus {
        let words = invocation.positionals
        guard words.count <= 2 else {
            throw invocation.usage(
                "\(invocation.command.name) takes a name and a value; a name with spaces needs quotes")
        }
        let file = try library.namedFile(folder, name)
        let spelling = try file?.name ?? check(name)
        if words.count == 1 {
            let order = file?.order.map { ManualRank.text($0) }
            let now = key == "colour" ? file?.colour : key == "icon" ? file?.icon : order
            guard let now else { return .nothingFound }
            try invocation.output.line(Printable.line(now))
            return .done
        }
        let isRemoved = words[1].lowercased() == "none"
        let value = isRemoved ? nil : try read(words[1])
        if isRemoved, file == nil {
            invocation.talk.say("nothing to change")
            return .done
        }
        if invocation.isDryRun {
            invocation.talk.say("would set the \(key) of \"\(spelling)\" to \(words[1])")
            return .done
        }
        // A tag's file without other keys is removed.
        if isRemoved, folder == .tags, try invocation.step().removeNamed(.tags, name, ifOnly: key) { return .done }
        let isChanged = try invocation.step().setNamed(folder, spelling, [(key, value)])
        if !isChanged { invocation.talk.say("nothing to change") }
        return .done
    }
}
