import StuffBucket

extension Commands {
    static let tagRename = Command(
        "tag rename", .order, "Rename a tag in the whole library", arguments: "OLD NEW",
        details: """
            Renames the tag in every item that has it, also in the trash, with its colour. If a tag NEW exists, the \
            two become one. A change of case is a rename too: "sbfs tag rename swift Swift" spells it so everywhere. \
            If the command was interrupted, run it again.
            """,
        options: Invocation.libraryOptions,
        examples: [
            .init("sbfs tag rename recipies recipes", "correct a spelling"),
            .init("sbfs tag rename -n 'to read' later", "show the changes only"),
        ]
    ) { invocation in
        guard invocation.positionals.count == 2 else {
            throw invocation.usage("tag rename needs the old and the new name; a name with spaces needs quotes")
        }
        return try TagRenaming(invocation, [invocation.positionals[0]], to: invocation.positionals[1]).run()
    }

    static let tagMerge = Command(
        "tag merge", .order, "Merge several tags into one", arguments: "TAG… INTO",
        details: """
            Gives every item that has one of the tags the last one instead, also in the trash. INTO may be new; \
            without a colour, it takes that of the first tag that has one.
            """,
        options: Invocation.libraryOptions,
        examples: [.init("sbfs tag merge recipe recipies cooking recipes", "three become recipes")]
    ) { invocation in
        guard let into = invocation.positionals.last, invocation.positionals.count > 1 else {
            throw invocation.usage("tag merge needs tags and the tag to merge them into")
        }
        return try TagRenaming(invocation, Array(invocation.positionals.dropLast()), to: into).run()
    }

    static let tagDelete = Command(
        "tag delete", .order, "Delete tags from all items", arguments: "TAG…",
        details: """
            Removes the tags from all items, also in the trash. The items stay. "sbfs tag rm" removes tags from some \
            items.
            """,
        options: Invocation.libraryOptions,
        examples: [.init("sbfs tag delete draft 'to do'", "two tags")]
    ) { invocation in
        let tags = try invocation.positionals.map { try TagName.read($0, invocation) }
        if tags.isEmpty { throw invocation.usage("which tags?") }
        let library = try invocation.library()
        let known = try TagName.known(tags, library, invocation)
        let list = TagList(known.tags)
        let status = try invocation.change(known.selection, done: "took \(TagName.phrase(known.tags)) off") { stored in
            var edit = ItemEdit(base: stored.json)
            for tag in stored.item.tags where list.contains(tag) { edit.removeTag(tag) }
            return edit
        }
        if invocation.isDryRun { return status }
        for tag in known.tags where try TagName.isUnused(tag, status, library) {
            try invocation.step().removeNamed(.tags, tag)
        }
        if known.selection.rows.isEmpty {
            invocation.talk.say("no item had \(TagName.phrase(known.tags)); its file in tags/ is removed")
        }
        try FormerNames(tags: known.tags).tell(library, invocation)
        invocation.tellUndo()
        return status
    }
}

/// Replaces tags by another tag in all items that have one of them.
struct TagRenaming {
    private let invocation: Invocation
    private let old: [String]
    private let new: String

    init(_ invocation: Invocation, _ old: [String], to new: String) throws {
        self.invocation = invocation
        self.old = TagList(try old.map { try TagName.read($0, invocation) }).tags
        self.new = try TagName.read(new, invocation)
        if self.new.utf8.contains(UInt8(ascii: ",")) {
            throw invocation.usage("a comma separates tags, so none can be named \"\(self.new)\"")
        }
    }

    func run() throws -> ExitStatus {
        let library = try invocation.library()
        let known = try TagName.known(old, library, invocation)
        let isRespelt = known.tags.allSatisfy { TagList.areSame($0, new) }
        if !isRespelt { try tellMerge(library) }
        var copies: [NamedCopy] = []
        if !invocation.isDryRun {
            for tag in known.tags {
                if let copy = try invocation.step().copyNamed(.tags, tag, to: new) { copies.append(copy) }
            }
        }
        let done = "renamed \(TagName.phrase(known.tags)) to \"\(new)\" in"
        let status = try invocation.change(known.selection, done: done) { stored in
            var edit = ItemEdit(base: stored.json)
            for tag in known.tags where TagList(stored.item.tags).contains(tag) { edit.renameTag(tag, to: new) }
            return edit
        }
        if invocation.isDryRun { return status }
        for copy in copies where try TagName.isUnused(copy.file.name, status, library) {
            try invocation.step().removeNamed(copy)
        }
        if known.selection.rows.isEmpty { invocation.talk.say("no item has it; its colour is now that of \"\(new)\"") }
        if !isRespelt {
            try FormerNames(tags: known.tags.filter { !TagList.areSame($0, new) }).tell(library, invocation)
        }
        invocation.tellUndo()
        return status
    }

    private func tellMerge(_ library: Library) throws {
        let listing = try library.items(taggedWith: [new])
        let count = listing.rows.count { row in
            (try? library.item(row)).map { TagList($0.item.tags).contains(new) } ?? false
        }
        if count > 0, !old.contains(where: { TagList.areSame($0, new) }) {
            invocation.talk.say(
                "\(itemCount(count)) \(count == 1 ? "has" : "have") \"\(new)\" already; they become one tag")
        }
    }
}

/// Reads tags for commands that change the whole library.
enum TagName {
    /// Reads one tag without its `#`.
    ///
    /// - Throws: `UsageError` for an empty name, a collection and the trash mark, which have commands of their own.
    static func read(_ typed: String, _ invocation: Invocation) throws -> String {
        let plain = TagList.trimmed(typed)
        let tag = plain.hasPrefix("#") && plain.utf8.count > 1 ? TagList.trimmed(String(plain.dropFirst())) : plain
        if tag.isEmpty { throw invocation.usage("a tag needs a name") }
        try TypedTags.refuseTrashcan([tag], invocation)
        if let collection = CollectionName(tag: tag) {
            let verb = invocation.command.name.split(separator: " ").last.map(String.init) ?? "rename"
            throw invocation.usage(
                "\"\(tag)\" is a collection; use \"sbfs collection \(verb == "merge" ? "rename" : verb)\" with "
                    + "\"\(collection.name)\"")
        }
        return tag
    }

    /// Tags in an item or a file of tags/.
    struct Known {
        let tags: [String]
        let selection: Selection
        /// The spelling of the first tag in the first item that has it.
        let spelling: String
    }

    /// - Throws: `CommandFailure` with `nothingFound` if one of them does not exist.
    static func known(_ tags: [String], _ library: Library, _ invocation: Invocation) throws -> Known {
        let wanted = TagList(tags)
        var used = TagList([])
        var spelling: String?
        let selection = invocation.selection(try library.items(taggedWith: wanted.tags), library) { item in
            let own = wanted.tags.filter { TagList(item.tags).contains($0) }
            for tag in own { used.add(tag) }
            if spelling == nil { spelling = item.tags.first { TagList.areSame($0, wanted.tags[0]) } }
            return !own.isEmpty
        }
        var known: [String] = []
        var unknown: [String] = []
        for tag in wanted.tags {
            if try used.contains(tag) || library.namedFile(.tags, tag) != nil {
                known.append(tag)
            } else {
                unknown.append(tag)
            }
        }
        let sentences = try unknown.map { try nothing($0, library) }
        if !sentences.isEmpty {
            let end = known.isEmpty ? [] : ["nothing was changed"]
            throw CommandFailure(.nothingFound, (sentences + end).joined(separator: "\n"))
        }
        return Known(tags: known, selection: selection, spelling: spelling ?? known[0])
    }

    private static func nothing(_ tag: String, _ library: Library) throws -> String {
        let tags = try library.facets([.tags])?.tags.map(\.value).filter { !TagList.isReserved($0) } ?? []
        let nearest = try Spelling.nearest(tag, in: Array(tags.prefix(2000))).map { nearest in
            "; did you mean \"\(try library.spellings(of: [nearest], in: .tags)[0])\"?"
        }
        return "no item has the tag \"\(tag)\"\(nearest ?? "")"
    }

    /// Whether no item has the tag any more, after a change with this status.
    static func isUnused(_ tag: String, _ status: ExitStatus, _ library: Library) throws -> Bool {
        if status == .done { return true }
        return try !library.items(taggedWith: [tag]).rows.contains { row in
            (try? library.item(row)).map { TagList($0.item.tags).contains(tag) } ?? true
        }
    }

    static func phrase(_ tags: [String]) -> String { tags.map { "\"\($0)\"" }.joined(separator: ", ") }
}
