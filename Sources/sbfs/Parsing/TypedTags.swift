import StuffBucket

/// Tags as typed for `add`, `new` and `tag`: separated by commas, with or without `#`.
enum TypedTags {
    /// - Throws: `UsageError` for the trash mark, which has commands of its own.
    static func read(_ typed: String, _ invocation: Invocation) throws -> [String] {
        let tags = TagList(TagList(typed: typed).tags.map { $0.hasPrefix("#") ? String($0.dropFirst()) : $0 }).tags
        try refuseTrashcan(tags, invocation)
        return tags
    }

    static func refuseTrashcan(_ tags: [String], _ invocation: Invocation) throws {
        if tags.contains(where: { TagList.areSame($0, TagList.trashcan) }) {
            throw invocation.usage("\"trashcan\" marks the trash; use \"sbfs trash\" or \"sbfs restore\"")
        }
    }
}
