public import Items
internal import Time
internal import URLs

/// The contents of a new item.
public struct Addition: Sendable {
    /// The main content of a new item.
    public enum Content: Sendable {
        /// An http or https URL; any other text is refused.
        case link(String)
        case text([UInt8])
        /// A path outside the library.
        case document(String)
    }

    /// The main content of a new item.
    public var content: Content
    /// The person's title; `nil` for none.
    public var title: String?
    /// The tags, including `collection:` tags.
    public var tags: [String] = []
    /// Where the item comes from, a word of at most 64 bytes as in FORMAT.md § 5.3; `nil` for `Library.source`.
    public var source: String?
    /// Text stored beside a link or document.
    public var text: [UInt8]?
    /// Whether the page of a new link will be saved: its `archiveStatus` is then pending. Adding fetches nothing.
    public var isArchived = true
    /// The path of a file with the link's page as a person saved it. The caller turns it into the archive after
    /// adding the item.
    public var savedFile: String?

    /// Makes an addition without title, tags and text.
    public init(_ content: Content) { self.content = content }
}

/// The outcome of an addition.
public enum AdditionOutcome: Sendable {
    /// A new item.
    case added(NewItem)
    /// The library already has the link. Its item now has the given tags and text.
    case known(Row, isChanged: Bool)
    /// The item with the link is in the trash and stays there.
    case trashed(Row)
    /// The item with the link was in the trash and is no longer there.
    case restored(Row)
    /// Nothing was written: the link is no http or https URL, or the document cannot be copied.
    case refused(name: String, any Error)

    /// The item that was added or changed.
    public var row: Row? {
        switch self {
        case .added(let item): Row(item)
        case .known(let row, _), .restored(let row): row
        case .trashed, .refused: nil
        }
    }
}

extension Library {
    /// What to do with a link that the library already has.
    public enum KnownLinks: Sendable {
        /// Add tags and text to the existing item; leave it in the trash if it is there.
        case join
        /// As `join`, and take the item out of the trash.
        case joinAndRestore
        /// Leave the existing item as it is: the outcome is `known` without a change, or `trashed`.
        case skip
        /// Make a second item.
        case duplicate
    }

    /// Adds items, with one sync for many. They are durable when this returns.
    ///
    /// - Parameters:
    ///   - dryRun: whether to report the outcomes without writing anything.
    ///   - time: the time of the change.
    ///   - additions: the contents of the new items.
    ///   - knownLinks: what to do with a link that the library already has.
    ///   - monitor: is told the number of additions done, and cancels.
    /// - Returns: an outcome for each addition, in order.
    func add(
        _ additions: [Addition], knownLinks: KnownLinks = .join, dryRun: Bool = false, at time: Timestamp = .now,
        _ monitor: Monitor = Monitor()
    ) throws -> [AdditionOutcome] {
        var known = knownLinks == .duplicate ? [:] : try knownRows(additions)
        var outcomes: [AdditionOutcome] = []
        var new: [NewItem] = []
        // The indices of this list's new items in `new` and in `outcomes`.
        var places: [ItemID: (item: Int, outcome: Int)] = [:]
        for (number, addition) in additions.enumerated() {
            try monitor.check()
            if number % 500 == 499 { monitor.show(number + 1, of: additions.count) }
            if case .link(let url) = addition.content {
                guard let key = LinkIdentity(url)?.normalized else {
                    outcomes.append(.refused(name: url, ItemError.refused(.noWebAddress(url))))
                    continue
                }
                if let row = known[key] {
                    if knownLinks == .skip {
                        outcomes.append(row.isTrashed ? .trashed(row) : .known(row, isChanged: false))
                    } else if let place = places[row.id] {
                        outcomes.append(.known(row, isChanged: new[place.item].join(addition)))
                        outcomes[place.outcome] = .added(new[place.item])
                    } else {
                        outcomes.append(joined(addition, row, knownLinks, dryRun, time))
                    }
                    continue
                }
                let item = newItem(addition, at: time)
                // A second addition with the same link finds this one.
                if knownLinks != .duplicate {
                    known[key] = Row(item)
                    places[item.id] = (new.count, outcomes.count)
                }
                new.append(item)
                outcomes.append(.added(item))
            } else {
                let item = newItem(addition, at: time)
                new.append(item)
                outcomes.append(.added(item))
            }
        }
        if dryRun { return try outcomes.map { try refusal(of: $0, isAlone: new.count == 1) ?? $0 } }
        let written = try write(new, outcomes, monitor)
        monitor.show(additions.count, of: additions.count)
        return written
    }

    private func knownRows(_ additions: [Addition]) throws -> [String: Row] {
        let links = additions.compactMap { addition in
            if case .link(let url) = addition.content { LinkIdentity(url)?.normalized } else { nil }
        }
        if links.isEmpty { return [:] }
        return try items(withLinks: Set(links)).compactMapValues { rows in
            rows.first { !$0.isTrashed } ?? rows.first
        }
    }

    private func newItem(_ addition: Addition, at time: Timestamp) -> NewItem {
        var item: NewItem
        switch addition.content {
        case .link(let url):
            item = NewItem(kind: .link, at: time)
            item.linkURL = url
            item.archiveStatus = addition.isArchived ? .pending : nil
            item.text = addition.text
        case .text(let text):
            item = NewItem(kind: .snippet, at: time)
            item.text = text
        case .document(let path):
            item = NewItem(kind: .document, at: time)
            item.documentPath = path
            item.text = addition.text
        }
        item.title = addition.title
        item.source = addition.source ?? source
        item.tags = TagList(store.settings.defaultTags + addition.tags).tags
        return item
    }

    /// The error that writing a new document would give, as far as it can be known before its bytes are read.
    private func refusal(of outcome: AdditionOutcome, isAlone: Bool) throws -> AdditionOutcome? {
        guard case .added(let item) = outcome, let path = item.documentPath else { return nil }
        do {
            try store.checkDocument(at: path)
            return nil
        } catch {
            if isAlone { throw error }
            return .refused(name: path, error)
        }
    }

    private func joined(
        _ addition: Addition, _ row: Row, _ knownLinks: KnownLinks, _ dryRun: Bool, _ time: Timestamp
    ) -> AdditionOutcome {
        if row.isTrashed, knownLinks != .joinAndRestore { return .trashed(row) }
        do {
            guard let stored = try store.item(row.id) else { throw ItemError.noItem(row.id) }
            var edit = ItemEdit(base: stored.json)
            for tag in addition.tags { edit.addTag(tag) }
            if row.isTrashed { edit.restore() }
            if dryRun {
                let isTagged = addition.tags.allSatisfy(TagList(stored.item.tags).contains)
                return row.isTrashed ? .restored(row) : .known(row, isChanged: !isTagged || addition.text != nil)
            }
            var isChanged = try !edit.isEmpty && session.update(stored, edit, at: time)
            if let text = addition.text {
                isChanged = try session.updateText(stored, .append(text), at: time) || isChanged
            }
            return row.isTrashed ? .restored(row) : .known(row, isChanged: isChanged)
        } catch {
            return .refused(name: row.id.description, error)
        }
    }

    /// Writes all items. A bad file does not stop the others.
    private func write(
        _ new: [NewItem], _ outcomes: [AdditionOutcome], _ monitor: Monitor
    ) throws -> [AdditionOutcome] {
        try monitor.check()
        let failures = try session.addEach(new)
        if failures.isEmpty { return outcomes }
        return outcomes.map { outcome in
            guard case .added(let item) = outcome, let error = failures[item.id] else { return outcome }
            return .refused(name: item.documentPath ?? item.linkURL ?? item.id.description, error)
        }
    }
}

extension NewItem {
    /// Adds the tags and the text of another addition with the same link.
    ///
    /// - Returns: whether anything changed.
    fileprivate mutating func join(_ addition: Addition) -> Bool {
        let tagCount = tags.count
        tags = TagList(tags + addition.tags).tags
        // Every link of a list often comes with the same comment.
        guard let added = addition.text, added != text else { return tags.count != tagCount }
        text = (text.map { $0 + ($0.last == 0x0A ? [0x0A] : [0x0A, 0x0A]) } ?? []) + added
        return true
    }
}
