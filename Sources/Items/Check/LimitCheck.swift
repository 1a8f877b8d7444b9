/// Reports parts of an item above the limits of FORMAT.md § 20. Such parts are kept byte for byte, but search does
/// not cover all of them.
struct LimitCheck {
    let stored: StoredItem

    func run() -> [Finding] {
        let json = stored.json
        let keyCount = json.members(json.root).count
        var kinds: [Finding.Kind] = []
        if keyCount > Layout.keyLimit { kinds.append(.manyKeys(count: keyCount, limit: Layout.keyLimit)) }
        let tags = stored.item.tags
        if tags.count > Layout.searchedTagLimit {
            kinds.append(.manyTags(count: tags.count, limit: Layout.searchedTagLimit))
        }
        let longCount = tags.count { $0.utf8.count > Layout.tagByteLimit }
        if longCount > 0 {
            kinds.append(.longTags(count: longCount, limit: Layout.tagByteLimit))
        }
        let deepCount = tags.count { tag in
            CollectionName(tag: tag).map { $0.parts.last.map(CollectionName.hasBorder) ?? false } ?? false
        }
        if deepCount > 0 {
            kinds.append(.deepCollections(count: deepCount, limit: Layout.levelLimit))
        }
        var findings = kinds.map { Finding(.warning, stored.folder + "/" + Layout.itemFile, $0) }
        if let text = stored.text, text.byteCount > Layout.textByteLimit {
            findings.append(
                Finding(
                    .warning, stored.folder + "/" + Layout.textFile,
                    .largeText(byteCount: text.byteCount, limit: Layout.textByteLimit)))
        }
        return findings
    }
}
