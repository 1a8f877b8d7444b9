internal import Characters
internal import JSONFormat

extension ImportedEntry {
    /// Takes an attribute of a bookmark's tag.
    ///
    /// The first of two attributes with one name counts, as in HTML.
    mutating func take(bookmarkAttribute name: String, _ text: String) {
        switch name {
        case "href": url = url ?? ImportText.trimmed(text)
        case "add_date", "time_added": setDate(\.createdAt, text, name: name)
        case "last_modified": setDate(\.updatedAt, text, name: name)
        case "tags":
            tags += text.split(ascii: ",").map(ImportText.trimmed).filter { !$0.isEmpty }
        case "shortcuturl": if !text.isEmpty { tags.append("keyword-" + ImportText.trimmed(text)) }
        // In HTML an attribute without a value is set.
        case "toread": if text.isEmpty || text.word == "1" { tags.append("toread") }
        case "private": if text.isEmpty || text.word == "1" { tags.append("private") }
        case "description": description = description ?? (text.isEmpty ? nil : text)
        // A picture in the file, which the site has too.
        case "icon": untaken.append(name)
        case "last_visit", "last_visited": if !ImportDate.isNone(text) { keep(name, .string(text)) }
        default: keep(name, .string(text))
        }
    }

    /// Sets the description from the text after `<DD>`. linkding's notes in it become the text; a second description follows
    /// the first.
    mutating func take(bookmarkDescription described: String) {
        var rest = described
        if described.utf8.contains(UInt8(ascii: "[")), let start = described.firstRange(ofText: "[linkding-notes]"),
            let end = described[start.upperBound...].firstRange(ofText: "[/linkding-notes]")
        {
            let notes = ImportText.trimmed(String(described[start.upperBound..<end.lowerBound]))
            if !notes.isEmpty { text = Array(notes.utf8) }
            rest = ImportText.trimmed(String(described[..<start.lowerBound] + described[end.upperBound...]))
        }
        if rest.isEmpty { return }
        if let earlier = description, earlier != rest {
            description = earlier + "\n" + rest
        } else {
            description = rest
        }
    }
}
