/// Changes of one item's tags, made one after the other in time that is linear in the tags and the changes.
struct TagChanges {
    private var list: TagList
    private let before: [String]
    /// Tags that are to go, until something else is to be done.
    private var going: [String] = []

    /// - Parameter tags: as item.json has them.
    init(_ tags: [String]) {
        list = TagList(tags)
        before = list.tags
    }

    mutating func make(_ change: ItemEdit.Change) {
        if case .removeTag(let tag) = change { return going.append(tag) }
        removeThoseGoing()
        switch change {
        case .addTag(let tag): list.add(tag)
        case .renameTag(let old, let new): list.rename(old, to: new)
        case .orderTags(let order):
            if list.tags.count == order.count, Set(list.tags) == Set(order) { list = TagList(order) }
        case .removeTag, .set, .remove, .drop: break
        }
    }

    private mutating func removeThoseGoing() {
        if going.isEmpty { return }
        list.remove(going)
        going = []
    }

    /// The tags as they are to be written; `nil` if nothing changed.
    var changed: [String]? {
        var done = self
        done.removeThoseGoing()
        // By bytes: String's own equality takes two normal forms for one.
        let isSame = before.elementsEqual(done.list.tags) { $0.utf8.elementsEqual($1.utf8) }
        return isSame ? nil : done.list.tags
    }
}
