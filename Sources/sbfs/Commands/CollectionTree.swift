import StuffBucket

extension Commands {
    static let collectionNew = Command(
        "collection new", .order, "Make empty collections", arguments: "NAMES…",
        details: """
            A collection exists while it has items. A new one made by this command stays when it is empty. Commas \
            separate names. / nests (Work/Projects); \\/ is a / in a name.
            """,
        options: [Option.dryRun], examples: [.init("sbfs collection new Work/Ideas", "an empty one, in Work")]
    ) { invocation in
        let names = try invocation.positionals.flatMap { try CollectionTree.readAll($0, invocation) }
        if names.isEmpty { throw invocation.usage("which ones?") }
        let library = try invocation.library()
        for name in names {
            if let file = try library.namedFile(.collections, name.name) {
                invocation.talk.say("there is a collection \"\(file.name)\" already")
            } else if invocation.isDryRun {
                invocation.talk.say("would make the collection \"\(name.name)\"")
            } else {
                try invocation.step().addNamed(.collections, name.name)
                invocation.talk.say("made the collection \"\(name.name)\"")
            }
        }
        return .done
    }

    static let collectionRename = Command(
        "collection rename", .order, "Rename a collection and those nested in it", arguments: "OLD NEW",
        details: """
            Renames the collection in all its items, also in the trash, with its colour, icon and order. Nested \
            collections follow: after renaming Work to Job, Work/Projects is Job/Projects. If NEW exists, the two \
            become one. Remotes of this device that are limited to the collection follow. If the command was interrupted, run it again.
            """,
        options: Invocation.libraryOptions,
        examples: [
            .init("sbfs collection rename Work Job", "Work/Projects becomes Job/Projects"),
            .init("sbfs collection rename Work/Projects Projects", "out of Work"),
        ]
    ) { invocation in
        guard invocation.positionals.count == 2 else {
            throw invocation.usage("collection rename needs the old and the new name; a name with spaces needs quotes")
        }
        let old = try CollectionTree.read(invocation.positionals[0], invocation)
        var new = try CollectionTree.read(invocation.positionals[1], invocation, isNew: true)
        // The last level is spelt as typed; the levels around it as they exist.
        if let parent = new.parent, !old.isWithin(parent) {
            let outer = CollectionTree.respelt(parent, try invocation.library(), invocation)
            new = CollectionName(parts: outer.parts + new.parts.suffix(1)) ?? new
        }
        return try CollectionTree.rename(old, to: new, invocation)
    }

    static let collectionMove = Command(
        "collection move", .order, "Put a collection into another one", arguments: "NAME",
        details: "With all its items and what is nested in it.",
        options: [
            Option("into", value: "PARENT", "the collection to nest it in"),
            Option("top", "to the top level"),
        ] + Invocation.libraryOptions,
        examples: [
            .init("sbfs collection move Recipes --into Home", "it is Home/Recipes then"),
            .init("sbfs collection move Home/Recipes --top", "and Recipes again"),
        ]
    ) { invocation in
        guard invocation.positionals.count == 1 else { throw invocation.usage("which collection?") }
        guard invocation.has("top") != invocation.has("into") else {
            throw invocation.usage("where to? Say --into or --top")
        }
        let library = try invocation.library()
        let typed = try CollectionTree.read(invocation.positionals[0], invocation)
        let old = CollectionTree.respelt(typed, library, invocation)
        let parent = try invocation.value("into").map { typed in
            CollectionTree.respelt(try CollectionTree.read(typed, invocation, isNew: true), library, invocation)
        }
        guard let new = CollectionName(parts: (parent?.parts ?? []) + old.parts.suffix(1)) else {
            throw invocation.usage("\"\(old.name)\" has no name to move it by")
        }
        return try CollectionTree.rename(old, to: new, invocation)
    }

    static let collectionDelete = Command(
        "collection delete", .order, "Delete collections; their items stay", arguments: "NAME…",
        details: """
            Removes the collections from all items, also in the trash. The items stay. sbfs refuses to delete a \
            collection that has nested ones, unless you add --recursive. "sbfs collection rm" removes some items from \
            a collection.
            """,
        options: [Option("recursive", short: "r", "nested collections too")] + Invocation.libraryOptions,
        examples: [.init("sbfs collection delete Old -r", "with Old/2024 and Old/2025")]
    ) { invocation in
        let names = try invocation.positionals.map { try CollectionTree.read($0, invocation) }
        if names.isEmpty { throw invocation.usage("which ones?") }
        return try CollectionTree.delete(names, invocation)
    }
}

/// A collection with its nested ones, from items and files.
enum CollectionTree {
    /// - Parameter isNew: whether the collection may be new; then each level needs a name.
    /// - Throws: `UsageError` if the text is no name.
    static func read(_ typed: String, _ invocation: Invocation, isNew: Bool = false) throws -> CollectionName {
        let text = CollectionName(tag: typed)?.name ?? typed
        let end = text.hasSuffix("/") && !text.hasSuffix("\\/") ? String(text.dropLast()) : text
        guard let name = CollectionName(end) else { throw invocation.usage("a collection needs a name") }
        if isNew, name.parts.contains(where: { TagList.trimmed($0).isEmpty }) {
            throw invocation.usage(
                "\"\(name.name)\" has a level without a name; a / that is part of a name is written \\/")
        }
        return name
    }

    static func readAll(_ typed: String, _ invocation: Invocation) throws -> [CollectionName] {
        try typed.unicodeScalars.split(separator: ",").map { try read(String($0), invocation, isNew: true) }
    }

    /// The items, files and spelling of an existing collection.
    struct Known {
        /// Items in the collection or in a nested one.
        let selection: Selection
        /// Names with files, of the collection and its nested ones, outermost first.
        let files: [CollectionName]
        /// Nested collections, in their first spelling found.
        let nested: [CollectionName]
        /// The collection itself, in its first spelling found.
        let spelling: CollectionName
    }

    /// - Throws: `CommandFailure` with `nothingFound` if neither an item nor a file has it.
    static func known(
        _ name: CollectionName, _ library: Library, _ invocation: Invocation, isTold: Bool = true
    ) throws -> Known {
        var nested: [String: CollectionName] = [:]
        var spelling: CollectionName?
        func note(_ other: CollectionName) -> Bool {
            guard other.isWithin(name) else { return false }
            if spelling == nil { spelling = CollectionName(parts: other.parts.prefix(name.parts.count)) }
            if !CollectionName.areSame(other, name) { nested[other.name.lowercased(), default: other] = other }
            return true
        }
        let selection = invocation.selection(try library.items(within: [name]), library, isTold: isTold) { item in
            !item.collections.compactMap { CollectionName($0) }.filter(note).isEmpty
        }
        let files = try library.namedFiles(in: .collections).files.compactMap { CollectionName($0.name) }
            .filter(note).sorted { $0.parts.count < $1.parts.count }
        if selection.rows.isEmpty, files.isEmpty {
            let names = try library.facets([.collections])?.collections.prefix(2000).map(\.value) ?? []
            let nearest = try Spelling.nearest(name.name, in: names).map {
                "; did you mean \"\(try library.spellings(of: [$0], in: .collections)[0])\"?"
            }
            throw CommandFailure(.nothingFound, "there is no collection \"\(name.name)\"\(nearest ?? "")")
        }
        return Known(
            selection: selection, files: files,
            nested: nested.values.sorted { $0.name.lowercased() < $1.name.lowercased() }, spelling: spelling ?? name)
    }

    /// An existing collection as it is spelt; else the given name.
    static func respelt(_ name: CollectionName, _ library: Library, _ invocation: Invocation) -> CollectionName {
        (try? known(name, library, invocation, isTold: false))?.spelling ?? name
    }

    // MARK: Changes

    static func rename(
        _ old: CollectionName, to new: CollectionName, _ invocation: Invocation
    ) throws -> ExitStatus {
        if new.isWithin(old), !CollectionName.areSame(old, new) {
            throw CommandFailure(.failed, "\"\(old.name)\" cannot be put into itself")
        }
        let library = try invocation.library()
        let known = try known(old, library, invocation)
        if !CollectionName.areSame(old, new), (try? self.known(new, library, invocation, isTold: false)) != nil {
            invocation.talk.say("there is a collection \"\(new.name)\" already; the two become one")
        }
        // Outermost first: if a name moves to one that another leaves, that one has already moved.
        let names = known.files
        let isCrossing = names.contains { $0.moved(from: old, to: new).isWithin(old) }
        var copies: [NamedCopy] = []
        if !invocation.isDryRun {
            for name in names {
                let copy = try invocation.step().copyNamed(
                    .collections, name.name, to: name.moved(from: old, to: new).name)
                guard let copy else { continue }
                if isCrossing { try invocation.step().removeNamed(copy) } else { copies.append(copy) }
            }
        }
        let done = "renamed \"\(old.name)\" to \"\(new.name)\" in"
        let status = try invocation.change(known.selection, done: done) { stored in
            var edit = ItemEdit(base: stored.json)
            let own = stored.item.collections.compactMap { CollectionName($0) }.filter { $0.isWithin(old) }
            for name in own.sorted(by: { $0.parts.count < $1.parts.count }) {
                edit.renameTag(name.tag, to: name.moved(from: old, to: new).tag)
            }
            return edit
        }
        if invocation.isDryRun { return status }
        // Items that could not be changed are still in the old one.
        if status == .done || status == .partlyDone && known.selection.missingCount > 0 {
            for copy in copies { try invocation.step().removeNamed(copy) }
        }
        if status == .done {
            var remotes = try Remotes(of: library)
            for name in try remotes.rename(old, to: new, in: invocation.step().begunAt) {
                invocation.talk.say("the remote \(name) was limited to it, and is limited to the new name")
            }
        }
        if known.selection.rows.isEmpty {
            invocation.talk.say("renamed \"\(old.name)\" to \"\(new.name)\"; nothing is in it")
        }
        if !CollectionName.areSame(old, new) { try FormerNames(collections: [old]).tell(library, invocation) }
        invocation.tellUndo()
        return status
    }

    static func delete(_ names: [CollectionName], _ invocation: Invocation) throws -> ExitStatus {
        let library = try invocation.library()
        // Checks all names before changing one.
        let all = try names.map { name in
            let known = try known(name, library, invocation)
            if !known.nested.isEmpty, !invocation.has("recursive") {
                let shown = known.nested.prefix(5).map { "\"\($0.name)\"" }.joined(separator: ", ")
                let more = known.nested.count > 5 ? " and \(known.nested.count - 5) more" : ""
                throw CommandFailure(
                    .failed,
                    "\"\(name.name)\" has \(shown)\(more) in it; --recursive deletes the nested ones too; or take it "
                        + "out first: sbfs collection move")
            }
            return (name, known)
        }
        var worst = ExitStatus.done
        for (name, known) in all {
            let status = try invocation.change(known.selection, done: "deleted \"\(name.name)\", taken off") { stored in
                var edit = ItemEdit(base: stored.json)
                for own in stored.item.collections.compactMap({ CollectionName($0) }) where own.isWithin(name) {
                    edit.removeTag(own.tag)
                }
                return edit
            }
            if status != .done { worst = status }
            if invocation.isDryRun { continue }
            for file in known.files { try invocation.step().removeNamed(.collections, file.name) }
            if known.selection.rows.isEmpty { invocation.talk.say("deleted \"\(name.name)\"; nothing was in it") }
        }
        if !invocation.isDryRun { try FormerNames(collections: names).tell(library, invocation) }
        invocation.tellUndo()
        return worst
    }
}
