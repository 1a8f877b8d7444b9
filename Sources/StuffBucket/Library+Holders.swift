public import Items
internal import Search

extension Library {
    /// Items that may have one of these tags, those in the trash too: all that have, and some whose tags differ in marks.
    public func items(taggedWith tags: [String]) throws -> ItemAnswer { try holders(tags.map(Filter.tag)) }

    /// Items that may be in one of these collections or in one that is nested in it, those in the trash too.
    public func items(within collections: [CollectionName]) throws -> ItemAnswer {
        try holders(collections.map { Filter.collection($0.name) })
    }

    private func holders(_ filters: [Filter]) throws -> ItemAnswer {
        let isTrashed = Query.filter(.state(.trashed))
        // One of both holds for every item, and asks for the trash.
        var request = ItemRequest(.and([.or(filters.map(Query.filter)), .or([isTrashed, .not(isTrashed)])]))
        request.order = .oldest
        request.isFresh = true
        return try find(request)
    }
}
