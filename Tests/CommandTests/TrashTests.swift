import Testing

struct TrashTests {
    let sandbox: Sandbox
    let id: String

    init() throws {
        sandbox = try Sandbox()
        id = try sandbox.snippet("soup", title: "Note", tags: "food")
    }

    @Test func `trash writes both marks and restore takes both away`() throws {
        #expect(try sandbox.sbfs("trash", "Note").err == "sbfs: trashed 1 item\n")
        #expect(try sandbox.tags(id) == ["food", "trashcan"])
        #expect(try sandbox.item(id)["trashedAt"] is String)
        #expect(try sandbox.sbfs("trash", "Note").err == "sbfs: nothing to change\n")
        #expect(try sandbox.sbfs("restore", "Note").err == "sbfs: restored 1 item\n")
        #expect(try sandbox.tags(id) == ["food"])
        #expect(try sandbox.item(id)["trashedAt"] == nil)
        #expect(try sandbox.sbfs("restore", "Note").err == "sbfs: nothing to change\n")
    }

    @Test func `trash asks nothing, since it can be undone`() throws {
        #expect(try sandbox.ask("trash", id, typing: "n\n").terminal.contains("[y/N]") == false)
        #expect(try sandbox.ids().isEmpty)
    }

    @Test(arguments: [#"{"tags": ["TrashCan"]}"#, #"{"trashedAt": "2026-01-01"}"#])
    func `either mark hides an item, and trash adds the other`(json: String) throws {
        try sandbox.plant(id, json)
        #expect(try sandbox.ids().isEmpty)
        #expect(try sandbox.ids("trashcan") == [id])
        try sandbox.sbfs("trash", id)
        #expect(try sandbox.tags(id).count == 1)
        #expect(try sandbox.item(id)["trashedAt"] is String)
        try sandbox.sbfs("restore", id)
        #expect(try sandbox.ids() == [id])
    }

    @Test func `several are trashed and brought back by queries`() throws {
        let other = try sandbox.snippet("stew", tags: "food")
        #expect(try sandbox.sbfs("trash", "-q", "tag:food").err == "sbfs: trashed 2 items\n")
        #expect(try sandbox.ids("is:trashed") == [id, other])
        #expect(try sandbox.sbfs("restore", "-q", "is:trashed").err == "sbfs: restored 2 items\n")
        #expect(try sandbox.ids() == [id, other])
    }
}
