import Testing

struct CollectionTests {
    let sandbox: Sandbox
    let id: String

    init() throws {
        sandbox = try Sandbox()
        id = try sandbox.snippet("x", title: "Note", tags: "food")
    }

    @Test func `an item may be in several collections`() throws {
        #expect(try sandbox.sbfs("collection", "add", "Note", "Work/Projects, Home").err == "sbfs: collected 1 item\n")
        #expect(try sandbox.tags(id) == ["food", "collection:Work/Projects", "collection:Home"])
        #expect(try sandbox.ids("collection:Work") == [id])
        #expect(try sandbox.ids("collection:work/projects") == [id])
    }

    @Test func `case is kept and compared without`() throws {
        try sandbox.sbfs("collection", "add", id, "Work")
        #expect(try sandbox.sbfs("collection", "add", id, "WORK,work").err == "sbfs: nothing to change\n")
        try sandbox.sbfs("collection", "rm", id, "wORK")
        #expect(try sandbox.tags(id) == ["food"])
    }

    @Test func `a slash in a name is escaped`() throws {
        try sandbox.sbfs("collection", "add", id, #"AI\/ML"#)
        #expect(try sandbox.tags(id) == ["food", #"collection:AI\/ML"#])
        #expect(try sandbox.ids("collection:AI").isEmpty)
    }

    @Test func `set gives these collections and no others, and keeps tags and the trash`() throws {
        try sandbox.sbfs("collection", "add", id, "One,Two")
        try sandbox.sbfs("trash", id)
        try sandbox.sbfs("collection", "set", id, "two,Three")
        #expect(Set(try sandbox.tags(id)) == ["food", "trashcan", "collection:Two", "collection:Three"])
        try sandbox.sbfs("collection", "set", id, "")
        #expect(Set(try sandbox.tags(id)) == ["food", "trashcan"])
    }

    @Test func `a collection tag written by hand is the same collection`() throws {
        try sandbox.plant(id, #"{"tags": ["Collection:  Work"]}"#)
        #expect(try sandbox.ids("collection:work") == [id])
        try sandbox.sbfs("collection", "rm", id, "Work")
        #expect(try sandbox.item(id)["tags"] == nil)
    }

    @Test func `a name is needed`() throws {
        try sandbox.sbfs("collection", "add", id, " , ", exits: 2)
        try sandbox.sbfs("add", "https://example.org", "-c", " ", exits: 2)
        #expect(try sandbox.ids().count == 1)
    }
}
