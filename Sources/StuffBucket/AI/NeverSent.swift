public import Items
internal import Search

/// Items that are never sent to a model: those that a query of the person names, and those in the trash.
public struct NeverSent: Sendable {
    /// Why an item is not sent.
    public enum Reason: Sendable {
        /// The query names it.
        case query
        /// It is in the trash.
        case trash
    }

    let query: Query?
    private let matcher: ScanningMatcher?

    /// - Parameters:
    ///   - text: the person's query; empty for none.
    ///   - library: its smart folders may be part of the query.
    /// - Throws: `AIError.doubtfulNever` if a part of the query may mean something else: nothing is sent then.
    public init(_ text: String, _ library: Library) throws(AIError) {
        if text.allSatisfy(\.isWhitespace) {
            query = nil
            matcher = nil
            return
        }
        let parsed = library.parse(text)
        if parsed.query == .everything || parsed.notices.contains(where: \.stopsChanges) {
            throw .doubtfulNever(text)
        }
        query = parsed.query
        matcher = ScanningMatcher(parsed.query)
    }

    /// Why an item is not sent, by its files as they are now; `nil` if it may be.
    public func reason(_ stored: StoredItem, _ library: Library) -> Reason? {
        if stored.item.isTrashed { return .trash }
        return matcher?.matches(SearchableItem(stored, library.store)) == true ? .query : nil
    }
}
