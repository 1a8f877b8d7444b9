internal import Items

/// What the files of a copy tell of an editor that saved within the moment in which sbfs wrote the item: Documentation/Merge.md § 4.
struct EditTraces {
    private let id: ItemID
    private let live: LiveState
    private let store: ItemStore
    private let known: KnownBytes?
    /// Whether the files tell nothing of when they were written.
    private let isSilent: Bool

    init(_ id: ItemID, _ live: LiveState, in store: ItemStore, _ known: KnownBytes?, isSilent: Bool = false) {
        self.id = id
        self.live = live
        self.store = store
        self.known = known
        self.isSilent = isSilent
    }

    /// Whether no editor saved a file since it came to this copy, or sbfs wrote it here.
    ///
    /// A copying program gave it its time. If it was written here, so was the other one of item.json and the text, and sbfs read these
    /// bytes here before the item had a version.
    func isUntouched(_ component: Component) throws(ItemError) -> Bool {
        if isSilent || live.status(of: component) == nil { return true }
        if try !store.isWrittenHere(component, of: live) { return true }
        let sibling = component == .item ? Component.text : .item
        if live.status(of: sibling) != nil, try !store.isWrittenHere(sibling, of: live) { return false }
        guard let last = known?.last(id) else { return false }
        return component == .item ? last.item == live.itemBytes : last.text == live.text
    }
}

extension VersionSweep {
    /// Of the item here.
    var traces: EditTraces { EditTraces(id, live, in: store, bytes) }

    func traces(of other: OtherState) -> EditTraces {
        EditTraces(
            id, other.live, in: other.copy.store, KnownBytes(ofCopy: other.copy.store), isSilent: other.isFromExchange)
    }
}
