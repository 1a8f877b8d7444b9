public import Items
public import Search

extension Library {
    /// The smart folders whose own query has a filter, also under a "not", with the first such filter. A smart folder that only names
    /// another one with `smart:` is not among them.
    ///
    /// - Parameter isMeant: whether a filter counts.
    /// - Throws: `ItemError`. A file that cannot be read is passed over; `namedFiles(in:)` names it.
    public func smartFolders(with isMeant: (Filter) -> Bool) throws -> [(folder: NamedFile, filter: Filter)] {
        try namedFiles(in: .smart).files.compactMap { folder in
            QueryParser(folder.query ?? "").query.allFilters.first(where: isMeant).map { (folder, $0) }
        }
    }
}
