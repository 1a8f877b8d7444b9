/// Applies changes to one item's tags in order, in time linear in the tags and the changes.
struct TagChanges {
    private var list: TagList
    private let before: TagList
    /// Tags to remove together, before the next change of another kind.
    private var going: [String] = []

    /// - Parameter tags: the tags of item.json.
    init(_ tags: [String]) {
        list = TagList(tags)
        before = list
    }

    mutating func make(_ change: ItemEdit.Change) {
        if case .removeTag(let tag) = change { return going.append(tag) }
        removeThoseGoing()
        switch change {
        case .addTag(let tag): list.add(tag)
        case .renameTag(let old, let new): list.rename(old, to: new)
        case .respellTag(let old, let new): list.respell(old, as: new)
        case .orderTags(let order): list.order(as: order)
        case .removeTag, .set, .remove, .drop: break
        }
    }

    private mutating func removeThoseGoing() {
        if going.isEmpty { return }
        list.remove(going)
        going = []
    }

    /// The tags to write; `nil` if nothing changed.
    var changed: [String]? {
        var done = self
        done.removeThoseGoing()
        return done.list == before ? nil : done.list.tags
    }
}
