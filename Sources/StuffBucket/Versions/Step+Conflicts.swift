public import Items
public import JSONFormat
internal import Merge
public import Time

/// What becomes of a conflict.
public enum ConflictResolution: Sendable {
    /// One of the two values: 0 or 1.
    case take(Int)
    /// Both: two paragraphs, a united list, a note twice.
    case both
    /// Another value; null removes the key. For a paragraph: a string.
    case value(JSON)
    /// Another text; `base` is the text that the person saw.
    case text(base: [UInt8]?, new: [UInt8])
}

extension Step {
    /// Resolves a conflict: the field gets its value, then the file in conflicts/ goes. Undoing the step brings both back.
    ///
    /// If the process dies in between, the conflict is still there.
    ///
    /// - Returns: whether the item's field or text was changed (or would be).
    /// - Throws: `ItemError.refused(.conflict)` if it cannot be resolved in this way, `.conflict` if another program
    ///   changed the field since `stored` was read, `.fault` if the field cannot have the value.
    @discardableResult
    public func resolve(
        _ conflict: ItemConflict, in stored: StoredItem, _ resolution: ConflictResolution, at time: Timestamp = .now
    ) throws(ItemError) -> Bool {
        let isChanged: Bool
        switch try library.resolving(conflict, in: stored, resolution) {
        case .none: isChanged = false
        case .fields(let edit): isChanged = try session.update(stored, edit, at: time)
        case .text(let change): isChanged = try session.updateText(stored, change, at: time)
        }
        try session.removeConflict(conflict.file, of: stored)
        resolutions.withLock { $0[stored.id, default: []].append(conflict.path) }
        return isChanged
    }

    /// Redoing a resolution removes its conflict again. The version of the step says so to other devices.
    ///
    /// - Parameters:
    ///   - parts: what was done again.
    ///   - contents: the step whose undoing that is.
    func noteConflictsThatWent(_ parts: [StepPart], _ contents: StepContents) {
        for case .item(let id) in parts {
            for path in contents.items[id]?.moves.map(\.to) ?? [] {
                let place = path.pathComponents.dropFirst(3)
                guard place.count == 2, place.first == Layout.document,
                    Layout.isConflictName(Array((place.last ?? "").utf8)),
                    store.root.isKnownAbsent(path)
                else { continue }
                resolutions.withLock { $0[id, default: []].append(place.joined(separator: "/")) }
            }
        }
        for case .file(let path) in parts {
            guard let id = WriteSession.conflictedItem(path), store.root.isKnownAbsent(path)
            else { continue }
            let place = path.pathComponents.suffix(2).joined(separator: "/")
            resolutions.withLock { $0[id, default: []].append(place) }
        }
    }

    /// The conflicts of an item that the step resolved so far: paths relative to the item's folder, sorted.
    public func resolved(of id: ItemID) -> [String] { resolutions.withLock { ($0[id] ?? []).sorted() } }
}

/// What a resolution changes in the item.
enum ConflictChange {
    case none
    case fields(ItemEdit)
    case text(TextChange)
}

extension Library {
    /// Whether a resolution would change the item's field or text. Writes nothing.
    ///
    /// - Throws: As `Step.resolve`.
    public func wouldChange(
        _ conflict: ItemConflict, in stored: StoredItem, _ resolution: ConflictResolution
    ) throws(ItemError) -> Bool {
        if case .none = try resolving(conflict, in: stored, resolution) { false } else { true }
    }

    func resolving(
        _ conflict: ItemConflict, in stored: StoredItem, _ resolution: ConflictResolution
    ) throws(ItemError) -> ConflictChange {
        do throws(ConflictField.Unsettable) {
            let field = ConflictField(conflict.file)
            if case .text = field.meaning { return try text(conflict, stored, resolution) }
            return try fields(field, stored, resolution)
        } catch {
            if let error = error.error { throw error }
            throw .refused(.conflict(stored.id, field: conflict.field, error.why))
        }
    }

    private func fields(
        _ field: ConflictField, _ stored: StoredItem, _ resolution: ConflictResolution
    ) throws(ConflictField.Unsettable) -> ConflictChange {
        let members = stored.json.exactMembers(stored.json.root)
        let value: JSON
        switch resolution {
        case .take(let place):
            if field.standing(in: members, nil) == place { return .none }
            value = field.file.values[place]
        case .both: return try both(field, stored, members)
        case .value(let given): value = given
        case .text: throw .init(why: .holdsOneValue)
        }
        return try change(field.changes(to: value, in: members), stored)
    }

    private func both(
        _ field: ConflictField, _ stored: StoredItem, _ members: [JSON.Member]
    ) throws(ConflictField.Unsettable) -> ConflictChange {
        let values = try field.both()
        var changes = try field.changes(to: values[0], in: members)
        if values.count == 2, case .object(let note) = values[1], case .array(let notes)? = changes.first?.value {
            // A second note of one id would be taken for the first one, so it goes without.
            let other = JSON.object(note.filter { $0.key != "id" })
            changes = [(ItemField.annotations.key, .array(notes + [other]))]
        }
        return try change(changes, stored)
    }

    private func change(
        _ changes: [(key: String, value: JSON?)], _ stored: StoredItem
    ) throws(ConflictField.Unsettable) -> ConflictChange {
        var edit = ItemEdit(base: stored.json)
        for (key, value) in changes {
            if let value { edit.set(key: key, value) } else { edit.remove(key: key) }
        }
        if edit.isEmpty { return .none }
        // A value of the wrong type would hide a field, or the item.
        let keys = Set(changes.map(\.key))
        if let json = JSONDocument(object: changes.compactMap { key, value in value.map { JSON.Member(key, $0) } }) {
            var faults: [FieldFault] = []
            _ = Item(id: stored.id, json: json, faults: &faults)
            if let fault = faults.first(where: { keys.contains($0.key) }) {
                throw .init(why: .notSettable, error: .fault(path: stored.folder + "/" + Layout.itemFile, fault))
            }
        }
        return .fields(edit)
    }

    private func text(
        _ conflict: ItemConflict, _ stored: StoredItem, _ resolution: ConflictResolution
    ) throws(ConflictField.Unsettable) -> ConflictChange {
        if case .text(let base, let new) = resolution {
            return base == new ? .none : .text(.replace(base: base, with: new))
        }
        let current: [UInt8]?
        do throws(ItemError) { current = try store.text(of: stored) } catch {
            throw .init(why: .paragraphGone, error: error)
        }
        let paragraphs = ConflictParagraphs(of: conflict.values, in: current ?? [])
        if case .both = resolution, Set(paragraphs.found.map(\.value)) == [0, 1] { return .none }
        guard let place = paragraphs.found.first, let current else { throw .init(why: .paragraphGone) }
        if paragraphs.found.count > 1 { throw .init(why: .paragraphRepeated) }
        let new: [UInt8]
        switch resolution {
        case .take(place.value): return .none
        case .take(let other): new = paragraph(conflict.values[other], of: stored)
        case .both:
            let values = conflict.values.map { paragraph($0, of: stored) }
            new = values[0] + paragraphs.border + values[1]
        case .value(let value): new = Self.bytes(value)
        case .text: return .none
        }
        let changed = current[..<place.range.lowerBound] + new + current[place.range.upperBound...]
        return .text(.replace(base: current, with: Array(changed)))
    }

    private static func bytes(_ value: JSON) -> [UInt8] {
        if case .string(let text) = value { Array(text.utf8) } else { [] }
    }

    /// The bytes of a paragraph that is a value of a conflict. Where the conflict has U+FFFD for bytes that are not UTF-8, text.md or a
    /// text in history/ has them.
    ///
    /// - Parameters:
    ///   - value: a string; empty for anything else.
    ///   - stored: the item.
    public func paragraph(_ value: JSON, of stored: StoredItem) -> [UInt8] {
        let bytes = Self.bytes(value)
        guard case .string(let text) = value, text.unicodeScalars.contains("\u{FFFD}") else { return bytes }
        func find(in text: [UInt8]) -> [UInt8]? {
            ConflictParagraphs(of: [value], in: text).found.first.map { Array(text[$0.range]) }
        }
        if let own = ((try? store.text(of: stored)) ?? nil).flatMap(find) { return own }
        let history = VersionFolder(of: stored.folder, in: store)
        for hash in ((try? history.names())?.texts ?? []).sorted() {
            if let old = ((try? history.text(hash)) ?? nil).flatMap(find) { return old }
        }
        return bytes
    }
}
