import StuffBucket

/// Separates the words of `tag add ITEM… TAGS…` and similar commands.
///
/// With --query all words are names. Otherwise:
/// 1. The last word is a name, never an item.
/// 2. A word that can only be an item (a row, `-`, a whole id, eight or more digits of an existing item, a URL) is
///    one, and so are all words before it.
/// 3. If all items found so are such words, the words after them are names. If one of these, except the last, is the
///    title or digits of an item, it could be either and is refused.
/// 4. Otherwise only the last word is a name, and all others are items.
struct ItemsAndNames {
    let items: [String]
    let names: [String]

    /// - Throws: `UsageError` if a word could be either, or the last word can only be an item.
    init(_ invocation: Invocation) throws {
        let words = invocation.positionals
        if invocation.has("query") {
            (items, names) = ([], words)
            return
        }
        let library = try invocation.library()
        let last = words[words.count - 1]
        if Self.isRow(last) || last == "-" || ItemID(last) != nil {
            throw invocation.usage(
                "\"\(last)\" names items, but the last word must be \(Self.kind(invocation)); nothing was changed")
        }
        let before = words.dropLast()
        let areItems = try before.map { try Self.isItem($0, library) }
        guard let end = areItems.lastIndex(of: true), areItems[...end].allSatisfy({ $0 }) else {
            (items, names) = (Array(before), [last])
            return
        }
        items = Array(words[...end])
        names = Array(words[(end + 1)...])
        let unsure = Array(names.dropLast())
        if unsure.isEmpty { return }
        let found = try library.resolve(unsure)
        let unknown = Set(found.unknown)
        if let name = unsure.first(where: { !unknown.contains($0) }) {
            throw invocation.usage(
                "\"\(name)\" is the name of an item, and could be \(Self.kind(invocation)) as well; nothing was changed. If "
                    + "the item is meant, give its id; if not, join the names by commas: \(names.joined(separator: ","))"
            )
        }
    }

    private static func kind(_ invocation: Invocation) -> String {
        invocation.command.name.hasPrefix("tag") ? "a tag" : "a collection"
    }

    private static func isRow(_ word: String) -> Bool { RowMemory.range(word) != nil }

    /// Whether a word can only mean an item.
    private static func isItem(_ word: String, _ library: Library) throws -> Bool {
        if word == "-" || isRow(word) { return true }
        switch ItemReference(word) {
        case .id, .link: return true
        case .digits(let digits):
            return try digits.count >= 8 && !library.resolve([word]).unknown.contains(word)
        case .title: return false
        }
    }
}
