public import JSONFormat

/// All records of a step, grouped by item and file. Void records are left out.
public struct StepContents: Sendable {
    /// The step's number in the journal.
    package let number: Int
    /// The step's header.
    package let header: StepHeader
    /// `nil` if the command did not finish.
    public private(set) var end: StepEnd?
    /// Whether a record before the end is damaged. Nothing after it is read.
    package private(set) var isDamaged = false
    /// Items in the order of their first records.
    public private(set) var ids: [ItemID] = []
    /// The changes of each item in `ids`.
    public private(set) var items: [ItemID: ItemChanges] = [:]
    /// Paths of the files beside the items, in the order of their first records.
    public private(set) var paths: [String] = []
    /// The records of each file in `paths`, in order.
    public private(set) var files: [String: [StepReader.Entry]] = [:]
    /// The step's file in the journal, from which texts can be read.
    public let file: StepFile

    /// What a step records of one item.
    public struct ItemChanges: Sendable {
        /// Whether the step made the item.
        public var isAdded = false
        /// The state in which the step made the item (`AddedItem.state`); `nil` if unknown.
        var addedState: String?
        /// Members of its item.json that changed, one pair for each record.
        public var fields: [(old: JSONDocument, new: JSONDocument)] = []
        /// Records about its text.
        public var texts: [StepReader.Entry] = []
        /// Documents removed and added, one pair for each record; `nil` on the side without one.
        public var documents: [(old: JournalRecord.KeptDocument?, new: JournalRecord.NewDocument?)] = []
        /// Files of conflicts that it moved.
        public var moves: [JournalRecord.MovedFile] = []
        /// The last change that cannot be undone; `nil` if there was none.
        public var lasting: JournalRecord.Lasting?
    }

    /// - Returns: `nil` if there is no such step.
    package init?(_ number: Int, in folder: JournalFolder) throws(ItemError) {
        guard var reader = try StepReader(number, in: folder) else { return nil }
        self.number = number
        header = reader.header
        file = reader.file
        var entries: [StepReader.Entry] = []
        var voids: Set<Int> = []
        var end: StepEnd?
        try reader.forEach { entry in
            switch entry.record {
            case .void(let number): voids.insert(number)
            case .end(let found): end = found
            default: entries.append(entry)
            }
        }
        if end == nil {
            // The last record is found from the file's end.
            end = try reader.end()
            isDamaged = end != nil
        }
        self.end = end
        for entry in entries where !voids.contains(entry.number) { take(entry) }
    }

    private mutating func take(_ entry: StepReader.Entry) {
        switch entry.record {
        case .added(let added):
            for item in added {
                change(item.id) {
                    $0.isAdded = true
                    $0.addedState = item.state
                }
            }
        case .fields(let id, let old, let new): change(id) { $0.fields.append((old, new)) }
        case .bytes(.text(let id), _, _): change(id) { $0.texts.append(entry) }
        case .bytes(.file(let path), _, _):
            if files[path] == nil { paths.append(path) }
            files[path, default: []].append(entry)
        case .document(let id, let old, let new): change(id) { $0.documents.append((old, new)) }
        case .moved(let id, let file): change(id) { $0.moves.append(file) }
        case .lasting(let id, let what): change(id) { $0.lasting = what }
        case .void, .end: break
        }
    }

    private mutating func change(_ id: ItemID, _ body: (inout ItemChanges) -> Void) {
        if items[id] == nil { ids.append(id) }
        body(&items[id, default: ItemChanges()])
    }
}

extension Array where Element == StepReader.Entry {
    /// The bytes before and after all records.
    ///
    /// If another program saved between two records, only later records count: undoing must not remove that program's
    /// version.
    public var net: (first: StepReader.Entry, old: JournalRecord.Content?, new: JournalRecord.Content?)? {
        guard let last = self.last, case .bytes(_, _, let new) = last.record else { return nil }
        var first = last
        var old: JournalRecord.Content?
        for entry in reversed() {
            guard case .bytes(_, let before, let after) = entry.record else { continue }
            if entry.number != last.number, after?.hash != old?.hash { break }
            (first, old) = (entry, before)
        }
        return (first, old, new)
    }
}

extension StepContents.ItemChanges {
    /// The change of item.json that reverses all of these.
    ///
    /// - Parameter omitted: a field that stays: the text if the item has a text.md.
    package func reversedEdit(without omitted: ItemField?) -> ItemEdit? {
        var keys: [[UInt8]] = []
        var nets: [[UInt8]: (old: JSON?, new: JSON?)] = [:]
        // `id` always follows the folder; `updatedAt` gets the time of this change; tags go back one by one.
        let passedOver = Set([ItemField.id, .updatedAt, .tags].map { Array($0.key.utf8) })
        for (old, new) in fields {
            let before = old.memberValues, after = new.memberValues
            for key in before.order + after.order.filter({ before.values[$0] == nil }) where !passedOver.contains(key) {
                if let net = nets[key], net.new == before.values[key] {
                    nets[key] = (net.old, after.values[key])
                } else {
                    if nets[key] == nil { keys.append(key) }
                    nets[key] = (before.values[key], after.values[key])
                }
            }
        }
        let base = keys.compactMap { key in
            nets[key]?.new.map { JSON.Member(String(decoding: key, as: UTF8.self), $0) }
        }
        guard let document = JSONDocument(object: base) else { return nil }
        var edit = ItemEdit(base: document)
        for key in keys {
            guard let net = nets[key], net.old != net.new else { continue }
            let name = String(decoding: key, as: UTF8.self)
            if name == omitted?.key { continue }
            if let old = net.old { edit.set(key: name, old) } else { edit.remove(key: name) }
        }
        let tags = fields.map { (old: $0.old.tags, new: $0.new.tags) }
        for (old, new) in tags.reversed() { edit.reverseTags(from: new, to: old) }
        // Last, when the tags are the earlier ones again: their order.
        if let first = tags.first(where: { $0.old != $0.new }) { edit.orderTags(first.old.tags) }
        return edit
    }
}

extension ItemEdit {
    fileprivate mutating func reverseTags(from now: TagList, to before: TagList) {
        for tag in now.tags where !before.contains(tag) { removeTag(tag) }
        let spellings = Dictionary(now.tags.map { (TagList.Key($0), $0) }, uniquingKeysWith: { first, _ in first })
        for tag in before.tags {
            guard let spelling = spellings[TagList.Key(tag)] else {
                addTag(tag)
                continue
            }
            // A spelling that something changed since stays.
            if !spelling.utf8.elementsEqual(tag.utf8) { respellTag(spelling, as: tag) }
        }
    }
}

extension JSONDocument {
    fileprivate var tags: TagList {
        let value = member(ItemField.tags.key, of: root)
        return TagList(value.map { elements($0).compactMap { string($0) } } ?? [])
    }

    /// The members of the root by the bytes of their keys.
    fileprivate var memberValues: (order: [[UInt8]], values: [[UInt8]: JSON]) {
        var order: [[UInt8]] = []
        var values: [[UInt8]: JSON] = [:]
        for (key, value) in members(root) {
            let bytes = Array((string(key) ?? "").utf8)
            order.append(bytes)
            values[bytes] = copy(value)
        }
        return (order, values)
    }
}
