public import Items
internal import Search

extension Library {
    /// Items that may have one of these tags, including those in the trash: all that have one, and some whose tags
    /// differ only in diacritics.
    ///
    /// - Throws: `ItemError`, and `FileError` if a file of the index cannot be read.
    public func items(taggedWith tags: [String]) throws -> ItemAnswer { try holders(tags.map(Filter.tag)) }

    /// Items that may be in one of these collections or in one nested in it, including those in the trash.
    ///
    /// - Throws: `ItemError`, and `FileError` if a file of the index cannot be read.
    public func items(within collections: [CollectionName]) throws -> ItemAnswer {
        try holders(collections.map { Filter.collection($0.name) })
    }

    private func holders(_ filters: [Filter]) throws -> ItemAnswer {
        let isTrashed = Query.filter(.state(.trashed))
        // Every item matches one of the two, and naming the state includes the trash.
        var request = ItemRequest(.and([.or(filters.map(Query.filter)), .or([isTrashed, .not(isTrashed)])]))
        request.order = .oldest
        request.isFresh = true
        return try find(request)
    }
}
