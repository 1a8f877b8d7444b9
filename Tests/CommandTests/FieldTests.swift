import Testing

/// `title` and `set`.
struct FieldTests {
    let sandbox: Sandbox
    let id: String

    init() throws {
        sandbox = try Sandbox()
        id = try sandbox.snippet("first line", title: "Note")
    }

    @Test func `title sets and removes a title`() throws {
        #expect(try sandbox.sbfs("title", "Note", "A 'better' title").err == "sbfs: titled 1 item\n")
        #expect(try sandbox.title(id) == "A 'better' title")
        #expect(try sandbox.sbfs("title", id, "A 'better' title").err == "sbfs: nothing to change\n")
        try sandbox.sbfs("title", id, "")
        #expect(try sandbox.item(id)["title"] == nil)
        #expect(try sandbox.sbfs("show", id).lines.first == "first line")
    }

    @Test func `title needs an item and a title`() throws {
        #expect(try sandbox.sbfs("title", "Note", exits: 2).err.contains("title needs an item and a title"))
        #expect(try sandbox.sbfs("title", exits: 2).err.contains("title needs an item and a title"))
    }

    @Test func `set sets several fields of several items`() throws {
        let other = try sandbox.snippet("y", title: "Other")
        try sandbox.sbfs("set", "Note", "Other", "isFavorite=true", "description=a=b", "sortOrder=1.50")
        for one in [id, other] {
            #expect(try sandbox.item(one)["description"] as? String == "a=b")
            #expect(try sandbox.itemText(one).contains("\"isFavorite\": true"))
            #expect(try sandbox.itemText(one).contains("\"sortOrder\": 1.50"))
        }
        try sandbox.sbfs("set", "Note", "description=")
        #expect(try sandbox.item(id)["description"] == nil)
    }

    @Test func `set moves the time of the change and nothing else`() throws {
        try sandbox.plant(
            id,
            "{\n  \"title\": \"Note\",\n  \"mood\": {\"a\": [1, 2.0]},\n  \"updatedAt\": \"2026-01-01T00:00:00Z\"\n}\n")
        try sandbox.sbfs("set", id, "isPinned=true")
        let item = try sandbox.item(id)
        #expect(Set(item.keys) == ["title", "mood", "isPinned", "updatedAt"])
        #expect(item["updatedAt"] as? String != "2026-01-01T00:00:00Z")
    }

    struct Bad: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let says: String
    }

    static let bad = [
        Bad(testDescription: "isPinned=maybe", says: "isPinned must be true or false, not \"maybe\""),
        Bad(testDescription: "sortOrder=first", says: "sortOrder must be a number, not \"first\""),
        Bad(testDescription: "sortOrder=01", says: "sortOrder must be a number, not \"01\""),
        Bad(
            testDescription: "archiveAttempts=-1", says: "archiveAttempts must be a whole number from 0 on, not \"-1\""),
        Bad(
            testDescription: "createdAt=tomorrow",
            says: "createdAt must be a time such as 2026-11-21T10:15:00Z or 2026-11-21"),
        Bad(testDescription: "type=note", says: "type must be one of snippet, link, document, not \"note\""),
        Bad(testDescription: "linkURL=ftp://a.b", says: "linkURL must be an http or https URL, not \"ftp://a.b\""),
        Bad(testDescription: "titel=x", says: "there is no field \"titel\"; did you mean \"title\"?"),
        Bad(testDescription: "isFavourite=1", says: "there is no field \"isFavourite\"; did you mean \"isFavorite\"?"),
        Bad(testDescription: "qqqq=1", says: "there is no field \"qqqq\"\n"),
        Bad(testDescription: "tags=x", says: "tags is not set by hand; use \"sbfs tag\" or \"sbfs collection\""),
        Bad(
            testDescription: "textContent=x",
            says: "textContent is not set by hand; use \"sbfs edit --text\" or \"sbfs append\""),
        Bad(
            testDescription: "documentName=x",
            says: "documentName is not set by hand; use \"sbfs attach\" or \"sbfs detach\""),
        Bad(
            testDescription: "trashedAt=2026-01-01",
            says: "trashedAt is not set by hand; use \"sbfs trash\" or \"sbfs restore\""),
        Bad(testDescription: "id=x", says: "id is not set by hand; it is kept by sbfs itself"),
    ]

    @Test(arguments: bad)
    func `a value that a field cannot have is a usage error`(_ one: Bad) throws {
        let before = try sandbox.snapshot()
        let run = try sandbox.sbfs("set", id, one.testDescription, exits: 2)
        #expect(run.err.contains(one.says))
        #expect(try sandbox.changes(since: before).isEmpty)
    }

    @Test func `set needs a field and an item`() throws {
        #expect(try sandbox.sbfs("set", id, exits: 2).err.contains("set needs FIELD=VALUE"))
        #expect(try sandbox.sbfs("set", "title=x", exits: 2).err.contains("which items?"))
    }

    @Test func `a URL with an equals sign is an item, not a field`() throws {
        let link = try sandbox.link("https://example.org/?q=1")
        try sandbox.sbfs("set", "https://example.org/?q=1", "title=Query")
        #expect(try sandbox.title(link) == "Query")
    }
}
