import StuffBucket

/// Tells what still has the name of tags or collections that were renamed or deleted: smart folders, and the tags of new items.
struct FormerNames {
    private let isFormer: (Filter) -> Bool
    private let isFormerTag: (String) -> Bool

    init(tags: [String]) {
        let list = TagList(tags)
        isFormerTag = list.contains
        isFormer = { if case .tag(let tag) = $0 { list.contains(tag) } else { false } }
    }

    /// - Parameter collections: each with its nested ones.
    init(collections: [CollectionName]) {
        func isWithin(_ name: CollectionName?) -> Bool {
            guard let name else { return false }
            return collections.contains(where: name.isWithin)
        }
        isFormerTag = { isWithin(CollectionName(tag: $0)) }
        isFormer = { if case .collection(let name) = $0 { isWithin(CollectionName(name)) } else { false } }
    }

    func tell(_ library: Library, _ invocation: Invocation) throws {
        for (folder, filter) in try library.smartFolders(with: isFormer) {
            invocation.talk.say(
                "the smart folder \"\(Printable.line(folder.name))\" still asks for "
                    + "\(Printable.line(filter.key + ":" + filter.value)); \"sbfs smart add NAME QUERY --replace\" gives it "
                    + "another query")
        }
        for tag in library.settings.defaultTags where isFormerTag(tag) {
            invocation.talk.say(
                "new items still get \"\(Printable.line(tag))\"; \"sbfs config defaultTags\" shows and sets their tags")
        }
    }
}
