/// Reports parts of an item above the limits of FORMAT.md § 20. Such parts are kept byte for byte, but search does
/// not cover all of them.
struct LimitCheck {
    let stored: StoredItem

    func run() -> [Finding] {
        let json = stored.json
        let keyCount = json.members(json.root).count
        var messages: [String] = []
        if keyCount > Layout.keyLimit { messages.append("has \(keyCount) keys, more than \(Layout.keyLimit)") }
        let tags = stored.item.tags
        if tags.count > Layout.searchedTagLimit {
            messages.append(
                "has \(tags.count) tags; the first \(Layout.searchedTagLimit) are searched, all of them are kept")
        }
        let longCount = tags.count { $0.utf8.count > Layout.tagByteLimit }
        if longCount > 0 {
            messages.append(
                "has \(longCount) tag\(longCount == 1 ? "" : "s") longer than \(Layout.tagByteLimit) bytes; "
                    + "filters compare the beginning")
        }
        let deepCount = tags.count { tag in
            CollectionName(tag: tag).map { $0.parts.last.map(CollectionName.hasBorder) ?? false } ?? false
        }
        if deepCount > 0 {
            messages.append(
                "has \(deepCount) collection\(deepCount == 1 ? "" : "s") of more than \(Layout.levelLimit) levels; "
                    + "the rest after the last border is one level")
        }
        var findings = messages.map { Finding(.warning, stored.folder + "/" + Layout.itemFile, $0) }
        if let text = stored.text, text.byteCount > Layout.textByteLimit {
            findings.append(
                Finding(
                    .warning, stored.folder + "/" + Layout.textFile,
                    "has \(text.byteCount) bytes, more than \(Layout.textByteLimit): sbfs keeps it and does not read it as text"
                ))
        }
        return findings
    }
}
