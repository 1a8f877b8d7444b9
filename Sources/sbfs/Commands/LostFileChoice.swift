import StuffBucket

/// `sbfs resolve` of a lost document, or of one of the person's own files of which two devices had different ones.
enum LostFileChoice {
    /// The lost file that a word means, relative to the item's folder; `nil` if the word means a field.
    ///
    /// - Parameter word: "document", "file", the file's name or its beginning; `nil` for the only conflict.
    /// - Throws: the names, if there are several, or none that the word means and no field has a conflict.
    static func path(_ word: String?, _ all: ItemConflicts, _ stored: StoredItem) throws -> String? {
        let documents = all.documents.map { String($0.dropFirst(stored.folder.count + 1)) }
        let own = all.ownFiles.map(\.path)
        let found: [String]
        switch word {
        case nil: found = all.conflicts.isEmpty ? documents + own : []
        case "document": found = documents
        case ConflictPrinter.ownFile: found = own
        case let word?:
            if all.conflicts.contains(where: { $0.field == word || $0.name.hasPrefix(word) }) { return nil }
            found = (documents + own).filter { path in
                path == word || (path.split(separator: "/").last ?? "").hasPrefix(word)
            }
        }
        if found.count == 1 { return found[0] }
        let isMissed = word != nil && found.isEmpty && all.conflicts.isEmpty && !(documents + own).isEmpty
        if found.isEmpty, !isMissed { return nil }
        let list = (isMissed ? documents + own : found).prefix(10).map { "  " + Printable.line($0) }.joined(
            separator: "\n")
        if isMissed, let word {
            throw CommandFailure(
                .nothingFound, "\(stored.id.short) has no conflict of \(Printable.line(word)); it has\n" + list)
        }
        throw CommandFailure(
            .failed, "\(stored.id.short) has \(found.count) such conflicts; name the file:\n" + list)
    }

    /// - Parameter choice: `nil` for --edit.
    static func resolve(
        _ path: String, in stored: StoredItem, _ choice: ConflictResolution?, _ invocation: Invocation
    ) throws -> ExitStatus {
        guard let choice else {
            throw CommandFailure(
                .failed,
                "\(Printable.line(path)) is a file: compare it with the one that stands, then give --take 1, 2 or both")
        }
        let name = "\(Printable.line(path)) of \(stored.id.short)"
        if invocation.isDryRun {
            invocation.talk.say("would resolve \(name)")
            return .done
        }
        let outcome = try invocation.step().resolve(lostFile: path, in: stored, choice)
        let what =
            switch outcome {
            case .kept(let kept): "the other file stays; this one is kept for 30 days as \(Printable.line(kept))"
            case .taken(nil): "it is the document now; \"sbfs undo\" brings the former one and the conflict back"
            case .taken(let former?):
                "it has the name now; the former one is kept for 30 days as \(Printable.line(former))"
            case .both(let both): "both stay; it is \(Printable.line(both)) now"
            }
        invocation.talk.say("resolved \(name): \(what)")
        return .done
    }
}
