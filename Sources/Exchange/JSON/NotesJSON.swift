internal import Files
internal import JSONFormat

/// Notes as an array of `{title, content, createdAt, modifiedAt}`; dates as seconds since 2001, which is how Swift's encoder
/// writes them, or in ISO 8601.
enum NotesJSON {
    static func isOne(_ object: JSONObject) -> Bool {
        object["content"] != nil && object["title"] != nil && object["url"] == nil
            && (object["createdAt"] != nil || object["modifiedAt"] != nil)
            && object.object("content") == nil
    }

    static func entry(_ object: JSONObject, at place: ImportPlace) -> ImportedEntry {
        var entry = ImportedEntry(at: place)
        var source = TakenObject(object)
        entry.title = source.string("title")
        let text = source.string("content")
        entry.text = text.map { Array($0.utf8) }
        source.date(\.createdAt, "createdAt", expected: .apple, of: &entry)
        source.date(\.updatedAt, "modifiedAt", expected: .apple, of: &entry)
        entry.tags = source.tags("tags")
        entry.isPinned = source.flag("isPinned")
        if let folder = source.string("folder") {
            entry.folder = [folder]
        } else if let folder = object.object("folder"), let name = folder.string("name") {
            entry.folder = [name]
            if folder.keys.count == 1 { source.take("folder") }
        }
        source.rest(to: &entry)
        // A note has no id; its contents at the time of export replace one.
        let key = [entry.title, text, entry.createdAt?.rfc3339].map { $0 ?? "" }.joined(separator: "\0")
        entry.externalID = "note:" + SHA256.hex(Array(key.utf8)).prefix(32)
        return entry
    }
}
