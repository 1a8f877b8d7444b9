public import Items

/// What of an item is not joined yet: the next command that writes joins it, or it waits longer (Documentation/Merge.md § 2).
public struct WaitingJoin: Sendable {
    /// The item.
    public let id: ItemID
    /// The number of versions that wait to be joined; 0 if there is nothing to join.
    public let versionCount: Int
    /// The number of versions that wait for one that they came from, or for their text.
    public let incompleteCount: Int
    /// Whether the fields or the text are those of no version: a program changed or brought them.
    public let isChanged: Bool
    /// Whether bytes that came without a version wait for it. They are live, and then `isChanged` is true, or another program
    /// replaced them since. After a day they count as an edit.
    public let isHeld: Bool
    /// Files that a copying program left because two versions met: their paths, relative to the library's folder. One that
    /// cannot be joined stays until a person removes it.
    public let copies: [String]
    /// Those of `copies` that no command joins: an item.json that does not parse or is of another item, and pages.
    public let copiesForPerson: [String]
    /// Whether another copy purged the item before this one had it in the trash, and it is as the purge saw it. No command removes it
    /// by itself.
    public let isPurgedElsewhere: Bool

    /// Whether nothing waits.
    public var isEmpty: Bool {
        versionCount == 0 && incompleteCount == 0 && !isChanged && !isHeld && copies.isEmpty && !isPurgedElsewhere
    }
}
