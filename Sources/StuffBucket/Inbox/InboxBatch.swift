internal import Characters
internal import Files
internal import Items
internal import JSONFormat
internal import Time
internal import URLs

/// The items of a batch of files: which are new, which the library has, and which an earlier run made.
struct InboxBatch {
    private let taking: InboxTaking
    private let candidates: [InboxCandidate]
    /// Whether items with the same link are looked for.
    private let joins: Bool
    private(set) var unsupported: [InboxCandidate] = []
    /// What became of each file whose item is durable.
    private(set) var outcomes: [(candidate: InboxCandidate, outcome: InboxReport.Outcome)] = []

    private var new: [NewItem] = []
    /// Places in `new`.
    private var newByLink: [String: Int] = [:]
    /// Items that a file of this batch becomes the document of.
    private var attached: Set<ItemID> = []
    private var plans: [(candidate: InboxCandidate, plan: Plan)] = []

    private enum Plan {
        /// A place in `new`.
        case make(Int)
        /// It shares the new item of an earlier file.
        case share(Int)
        case join(Row)
        case attach(Row)
        case same(Row)
    }

    /// From this number on, items in wrong shards are looked for once for all.
    private static let manyCount = 16
    /// More items of one file that were all changed are not looked for.
    private static let numberLimit = 1000

    init(_ candidates: [InboxCandidate], _ taking: InboxTaking, joins: Bool = true) throws {
        self.candidates = candidates
        self.taking = taking
        self.joins = joins
    }

    private var library: Library { taking.library }
    private var store: ItemStore { taking.library.store }
    private var session: WriteSession { taking.library.session }

    /// Makes all items durable.
    mutating func makeItems() throws {
        let known = try knownRows()
        if candidates.count >= Self.manyCount { try session.findMisplaced() }
        for candidate in candidates {
            if case .unsupported = candidate.content {
                unsupported.append(candidate)
            } else {
                plans.append((candidate, try plan(candidate, known)))
            }
        }
        if !new.isEmpty { try session.add(new) }
        for (candidate, plan) in plans {
            do {
                outcomes.append((candidate, try carryOut(plan, candidate)))
            } catch {
                if let error = error as? ItemError, error.concernsTheDisk { throw error }
                taking.note(candidate.entry, .failed(error))
            }
        }
    }

    /// Live items with the links of the batch.
    private func knownRows() throws -> [String: Row] {
        let links = Set(candidates.compactMap { link(of: $0)?.key })
        if links.isEmpty || !joins { return [:] }
        return try library.items(withLinks: links).compactMapValues { rows in rows.first { !$0.isTrashed } }
    }

    private func link(of candidate: InboxCandidate) -> (url: String, key: String)? {
        let url: String? =
            switch candidate.content {
            case .link(let url), .pageOf(let url, _): url
            case .document, .page: candidate.origin
            case .text, .unsupported: nil
            }
        return url.flatMap { url in LinkIdentity(url).map { (url, $0.normalized) } }
    }

    // MARK: Deciding

    private mutating func plan(_ candidate: InboxCandidate, _ known: [String: Row]) throws -> Plan {
        let link = joins ? link(of: candidate) : nil
        guard case .document(let staged) = candidate.content else {
            guard let link else { return try make(candidate, link: nil) }
            if let row = known[link.key] { return .join(row) }
            if let place = newByLink[link.key] {
                share(candidate, place)
                return .share(place)
            }
            return try make(candidate, link: link)
        }
        guard let link else { return try make(candidate, link: nil) }
        if let row = known[link.key] {
            let stored = try library.item(row)
            if stored.document == nil, attached.insert(row.id).inserted { return .attach(row) }
            if stored.item.documentSHA256 == candidate.sha256,
                stored.document?.status.byteCount == candidate.entry.status.byteCount
            {
                return .join(row)
            }
            // Another file with this address: an item of its own, and the link stays with the other one.
            return try make(candidate, link: nil)
        }
        if let place = newByLink[link.key] {
            guard new[place].stagedDocument == nil else { return try make(candidate, link: nil) }
            new[place].stagedDocument = staged
            share(candidate, place)
            return .share(place)
        }
        return try make(candidate, link: link)
    }

    private mutating func share(_ candidate: InboxCandidate, _ place: Int) {
        new[place].tags = TagList(new[place].tags + candidate.tags).tags
        guard let text = candidate.text, !Self.holds(new[place].text ?? [], text) else { return }
        new[place].text = (new[place].text.map { $0 + [0x0A] } ?? []) + text
    }

    private mutating func make(_ candidate: InboxCandidate, link: (url: String, key: String)?) throws -> Plan {
        for number in 0..<Self.numberLimit {
            let id = InboxID.make(
                library: store.settings.id, path: candidate.entry.version.path, sha256: candidate.sha256,
                number: number)
            if try store.tombstone(of: id) != nil { continue }
            let folders = try session.folders(of: id)
            if folders.isEmpty { return make(newItem(candidate, id, link?.url), link?.key) }
            if let stored = (try? store.item(id, in: folders[0])) ?? nil, try isAsTaken(stored, candidate) {
                return .same(Row(stored))
            }
        }
        return make(newItem(candidate, .make(), link?.url), link?.key)
    }

    private mutating func make(_ item: NewItem, _ key: String?) -> Plan {
        if let key { newByLink[key] = newByLink[key] ?? new.count }
        new.append(item)
        return .make(new.count - 1)
    }

    private func newItem(_ candidate: InboxCandidate, _ id: ItemID, _ url: String?) -> NewItem {
        var item = NewItem(kind: .snippet, id: id, at: candidate.createdAt)
        switch candidate.content {
        case .link(let url), .pageOf(let url, _):
            item.kind = .link
            item.linkURL = url
            if case .pageOf = candidate.content {
                item.archiveStatus = .pending
            } else {
                item.archiveStatus = taking.options.isArchived ? .pending : nil
            }
        case .document(let staged), .page(let staged):
            item.kind = .document
            item.stagedDocument = staged
            item.linkURL = url
        case .text, .unsupported: break
        }
        item.title = candidate.title
        item.text = candidate.wholeText
        item.tags = TagList(store.settings.defaultTags + candidate.tags).tags
        item.source = "inbox"
        return item
    }

    /// Whether an item is still as taking in the file made it: FORMAT.md § 11.3. What captures and checks add does not
    /// count.
    private func isAsTaken(_ stored: StoredItem, _ candidate: InboxCandidate) throws -> Bool {
        let fresh = newItem(candidate, stored.id, nil)
        guard !stored.item.isTrashed, stored.item.source == fresh.source, stored.item.title == fresh.title,
            TagList(stored.item.tags) == TagList(fresh.tags), stored.hasText == (fresh.text != nil)
        else { return false }
        if case .document = candidate.content {
            guard stored.item.documentSHA256 == candidate.sha256,
                stored.document.map({ $0.status.byteCount == candidate.entry.status.byteCount }) ?? false
            else { return false }
        } else if stored.item.linkURL != fresh.linkURL {
            return false
        }
        return try fresh.text == nil || store.text(of: stored) == fresh.text
    }

    // MARK: Doing

    private func carryOut(_ plan: Plan, _ candidate: InboxCandidate) throws -> InboxReport.Outcome {
        switch plan {
        case .make(let place): return .added(Row(new[place]))
        case .share(let place): return .joined(Row(new[place]))
        case .same(let row): return .known(row)
        case .join(let row):
            try join(candidate, row)
            return .joined(row)
        case .attach(let row):
            try attach(candidate, row)
            try join(candidate, row)
            return .joined(row)
        }
    }

    /// Adds tags, collections and comment to an item. A second time, nothing changes.
    private func join(_ candidate: InboxCandidate, _ row: Row) throws {
        let stored = try library.item(row)
        let there = TagList(stored.item.tags)
        let added = candidate.tags.filter { !there.contains($0) }
        if !added.isEmpty {
            var edit = ItemEdit(base: stored.json)
            for tag in added { edit.addTag(tag) }
            try session.update(stored, edit, at: taking.now)
        }
        guard let text = candidate.text else { return }
        let now = try library.item(row)
        if Self.holds(try store.text(of: now) ?? [], text) { return }
        try session.updateText(now, .append(text), at: taking.now)
    }

    /// Whether a text has the lines of a comment already.
    private static func holds(_ text: [UInt8], _ comment: [UInt8]) -> Bool {
        let lines = comment.last == 0x0A ? Array(comment.dropLast()) : comment
        var rest = text[...]
        while let found = rest.firstRange(ofBytes: lines) {
            let begins = found.lowerBound == 0 || text[found.lowerBound - 1] == 0x0A
            let ends = found.upperBound == text.count || text[found.upperBound] == 0x0A
            if begins, ends { return true }
            rest = text[(found.lowerBound + 1)...]
        }
        return false
    }

    /// Makes the file the document of the item with its link.
    private func attach(_ candidate: InboxCandidate, _ row: Row) throws {
        guard let staged = candidate.staged else { return }
        try session.attach(staged: staged, to: try library.item(row), at: taking.now)
        let stored = try library.item(row)
        // The link leads to this file, unless its page was saved.
        if stored.parts.contains(.page) || stored.parts.contains(.reader) { return }
        var edit = ItemEdit(base: stored.json)
        edit.set(.archiveStatus, .string(Item.ArchiveStatus.full.rawValue))
        edit.set(.capturedBy, .string("user"))
        edit.set(.archivedAt, .string(taking.now.rfc3339))
        edit.remove(.archiveReason)
        try session.update(stored, edit, at: taking.now)
    }
}
