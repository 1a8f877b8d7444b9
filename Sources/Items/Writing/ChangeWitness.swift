/// Is told of the changes of items that a session makes, before and after each. Called by several threads.
package protocol ChangeWitness: Sendable {
    /// An item is about to change.
    func willChange(_ id: ItemID)
    /// A file of an item was written, or removed with no bytes.
    func didWrite(_ name: String, of id: ItemID, _ bytes: [UInt8]?)
    /// Whether a sync brought an item without its document, and waits for that.
    func awaitsDocument(of stored: StoredItem) -> Bool
    /// Whether a sync brought an item without its saved page, or with an earlier one, and waits for that.
    func awaitsPage(of stored: StoredItem) -> Bool
}
