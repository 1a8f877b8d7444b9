import Items
import StuffBucket

/// What is said of how far a page is there.
enum ArchiveWords {
    /// Of a file that item.json promises and that is not there.
    static let unavailable = "unavailable: deleted, or not here yet"

    /// One line on the page of an item; `nil` for an item without a link of which nothing was saved.
    static func sentence(_ stored: StoredItem, _ library: Library) -> String? {
        let missing = stored.hasPage ? (try? library.store.assetReferences(of: stored))?.missing.count ?? 0 : 0
        let incomplete = missing == 0 ? "" : ", but " + self.missing(missing)
        let earlier = stored.hasPage ? "; a page is saved locally" : ""
        switch stored.archiveState {
        case .full, .partial:
            let state = stored.archiveState == .full ? "archived" : "partial"
            let what = stored.isArchivedAsDocument ? "its document is" : "this page is"
            return "\(state): \(what) saved locally" + incomplete
        case .unavailable: return unavailable
        case .pending: return "pending" + earlier
        case .failed: return "failed" + earlier
        case .live: return "live only"
        case nil: return nil
        }
    }

    /// That files of assets/ are not there.
    static func missing(_ count: Int) -> String {
        "\(count) of its files \(count == 1 ? "is" : "are") not here (\"sbfs check\" names \(count == 1 ? "it" : "them"))"
    }
}
