internal import Items
internal import Search

/// Which items get watches of the kernel, decided from the index: all, or those that changed last if there are too few watches.
///
/// An item needs one watch for its folder, one more if it has a document, and one more if it has versions.
struct WatchPlan {
    /// The items that are watched; `nil` for all.
    let chosen: Set<ItemID>?
    /// The items that have a document, as far as the index knows.
    let documents: Set<ItemID>
    /// The items that have versions, as far as the index knows.
    let histories: Set<ItemID>

    /// - Parameters:
    ///   - count: the number of items that exist. Those that the index does not know may have a document.
    ///   - room: the number of watches.
    init(_ snapshot: IndexSnapshot, for count: Int, room: Int) throws {
        var documents: Set<ItemID> = [], histories: Set<ItemID> = []
        try snapshot.forEachDocument { key, bytes in
            let record = ItemRecordView(bytes)
            if record.map({ $0.mark(of: .document) != nil }) ?? true { documents.insert(ItemID(key)) }
            if record.map({ $0.mark(of: .history) != nil }) ?? true { histories.insert(ItemID(key)) }
        }
        self.documents = documents
        self.histories = histories
        let unknown = max(0, count - snapshot.documentCount)
        if count + documents.count + histories.count + unknown <= room {
            chosen = nil
            return
        }
        var request = SearchRequest(.or([.filter(.state(.trashed)), .not(.filter(.state(.trashed)))]))
        request.order = .recent
        request.limit = max(0, room)
        var chosen: Set<ItemID> = []
        var left = room
        for hit in try Searcher(snapshot).search(request).hits {
            let id = ItemID(hit.key)
            left -= 1 + (documents.contains(id) ? 1 : 0) + (histories.contains(id) ? 1 : 0)
            if left < 0 { break }
            chosen.insert(id)
        }
        self.chosen = chosen
    }
}
