package import JSONFormat
package import Time

extension WriteSession {
    /// Gives an item the fields, the tags and the text of one of its versions. The result is durable when this returns.
    ///
    /// These stay as they are: `createdAt`, whether the item is in the trash, and the page and the document with their
    /// fields, whose bytes no version holds.
    ///
    /// - Parameter text: the bytes of the version's text; `nil` if it has none.
    /// - Returns: whether anything was written.
    /// - Throws: `ItemError.conflict` if another program changed the same field or the text since `stored` was read.
    @discardableResult
    package func restore(
        _ version: Version, text: [UInt8]?, in stored: StoredItem, at time: Timestamp = .now
    ) throws(ItemError) -> Bool {
        let current = try store.text(of: stored)
        let wanted = text ?? version.textInItem
        let edit = try self.edit(to: version, in: stored)
        var isChanged = edit.isEmpty ? false : try update(stored, edit, at: time)
        if wanted == current { return isChanged }
        if let wanted {
            isChanged = try updateText(stored, .replace(base: current, with: wanted), at: time) || isChanged
        } else {
            // A text that was in item.json is in text.md once item.json was changed.
            try removeText(stored.text == nil ? item(stored.id) ?? stored : stored, at: time)
            isChanged = true
        }
        return isChanged
    }

    /// The change of item.json that `restore` makes.
    private func edit(to version: Version, in stored: StoredItem) throws(ItemError) -> ItemEdit {
        let path = store.root.full(VersionFolder(of: stored.folder, in: store).path(of: version.name))
        let kept = Set(Self.keptFields.map(\.key))
        let now = stored.json.exactMembers(stored.json.root)
        var members = version.item.filter { !kept.contains($0.key) }
        members = members.map { member in
            guard member.key == ItemField.tags.key, case .array(let tags) = member.value else { return member }
            return JSON.Member(member.key, .array(tags.filter { !Self.isTrashMark($0) }))
        }
        members += now.filter { kept.contains($0.key) }
        if let tags = now.first(where: { $0.key == ItemField.tags.key }), case .array(let tags) = tags.value,
            let mark = tags.first(where: Self.isTrashMark)
        {
            let place = members.firstIndex { $0.key == ItemField.tags.key }
            if let place, case .array(let others) = members[place].value {
                members[place] = JSON.Member(ItemField.tags.key, .array(others + [mark]))
            } else if place == nil {
                members.append(JSON.Member(ItemField.tags.key, .array([mark])))
            }
        }
        guard let target = JSONDocument(object: members) else { throw .refused(.noVersion(path: path, .lacks("item"))) }
        do throws(FieldFault) {
            return try ItemEdit(from: stored.json, to: target)
        } catch {
            throw .fault(path: path, error)
        }
    }

    /// The members of item.json that `restore` would make.
    package func preview(of version: Version, in stored: StoredItem) throws(ItemError) -> [JSON.Member] {
        var edit = try edit(to: version, in: stored)
        edit.touch()
        do {
            guard let bytes = try edit.apply(to: stored.json, at: .now) else { return [] }
            let json = try JSONDocument(parsing: bytes)
            return json.exactMembers(json.root)
        } catch {
            throw .refused(.other(error))
        }
    }

    /// Fields that `restore` leaves alone.
    private static let keptFields: [ItemField] = [
        .id, .createdAt, .updatedAt, .trashedAt, .textContent, .archiveStatus, .capturedBy, .archiveReason,
        .archiveAttempts, .archivedAt, .htmlRelativePath, .favicon, .documentRelativePath, .documentName,
        .documentSHA256,
    ]

    private static func isTrashMark(_ tag: JSON) -> Bool {
        if case .string(let tag) = tag { TagList.areSame(tag, TagList.trashcan) } else { false }
    }
}

extension Version {
    /// The text that item.json held when there was no text.md.
    package var textInItem: [UInt8]? {
        guard text == nil, let member = item.first(where: { $0.key == ItemField.textContent.key }),
            case .string(let text) = member.value
        else { return nil }
        return Array(text.utf8)
    }
}
