import StuffBucket

extension Commands {
    static let reindex = Command(
        "reindex", .care, "Make everything derived anew",
        details: """
            Everything that is derived from the items may be deleted at any time and is made anew by this: the folder \
            .sbfs and what is missing of the library's own small files. Reads every item and names those that cannot be \
            read. Items are never changed. Lists and search read the items themselves in this version, so there is no \
            index that could be wrong.
            """,
        examples: [.init("sbfs reindex", "after restoring a backup, say")]
    ) { invocation in
        let library = try invocation.library()
        let listing = try library.catalog.list(ListRequest(library.parse("trashcan OR not trashcan").query))
        for fault in listing.faults { invocation.talk.warn(fault) }
        invocation.talk.say(
            "\(listing.count) items can be read" + (listing.faults.isEmpty ? "" : ", \(listing.faults.count) cannot"))
        return listing.faults.isEmpty ? .done : .partlyDone
    }
}
