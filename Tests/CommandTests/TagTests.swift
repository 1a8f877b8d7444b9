import Testing

struct TagTests {
    let sandbox: Sandbox
    let id: String

    init() throws {
        sandbox = try Sandbox()
        id = try sandbox.snippet("x", title: "Note", tags: "Swift,food")
    }

    @Test func `tags are added once in any case, and keep the first spelling`() throws {
        #expect(try sandbox.sbfs("tag", "add", "Note", " SWIFT , new,New,, ").err == "sbfs: tagged 1 item\n")
        #expect(try sandbox.tags(id) == ["Swift", "food", "new"])
        #expect(try sandbox.sbfs("tag", "add", id, "swift").err == "sbfs: nothing to change\n")
    }

    @Test func `a hash before a tag is dropped`() throws {
        try sandbox.sbfs("tag", "add", id, "#soup,#food")
        #expect(try sandbox.tags(id) == ["Swift", "food", "soup"])
    }

    @Test func `tags are removed in any case`() throws {
        #expect(try sandbox.sbfs("tag", "rm", id, "swift,absent").err == "sbfs: untagged 1 item\n")
        #expect(try sandbox.tags(id) == ["food"])
        try sandbox.sbfs("tag", "rm", id, "FOOD")
        #expect(try sandbox.item(id)["tags"] == nil)
    }

    @Test func `set gives these tags and no others, and keeps collections`() throws {
        try sandbox.sbfs("collection", "add", id, "Work")
        try sandbox.sbfs("tag", "set", id, "winter, FOOD")
        #expect(Set(try sandbox.tags(id)) == ["food", "winter", "collection:Work"])
        try sandbox.sbfs("tag", "set", id, "")
        #expect(try sandbox.tags(id) == ["collection:Work"])
    }

    @Test func `set keeps the trash`() throws {
        try sandbox.sbfs("trash", id)
        try sandbox.sbfs("tag", "set", id, "only")
        #expect(try sandbox.ids("is:trashed") == [id])
        #expect(Set(try sandbox.tags(id)) == ["trashcan", "only"])
    }

    @Test(arguments: ["add", "rm", "set"])
    func `the mark of the trash is no tag`(verb: String) throws {
        let run = try sandbox.sbfs("tag", verb, id, "a,TrashCan", exits: 2)
        #expect(run.err.contains("\"trashcan\" marks the trash; use \"sbfs trash\" or \"sbfs restore\""))
        #expect(try sandbox.tags(id) == ["Swift", "food"])
    }

    @Test func `tags that are no list of strings are not changed`() throws {
        try sandbox.plant(id, "{\n  \"tags\": \"food\"\n}\n")
        let run = try sandbox.sbfs("tag", "add", id, "new", exits: 1)
        #expect(run.err.contains("item.json:2:11: tags: expected an array of strings, found "))
        #expect(try sandbox.itemText(id) == "{\n  \"tags\": \"food\"\n}\n")
    }

    @Test func `order, unknown keys and spelling stay`() throws {
        try sandbox.plant(id, #"{"mood":"calm","tags":["a"],"servings":1.50e1,"done":null}"#)
        try sandbox.sbfs("tag", "add", id, "b")
        let text = try sandbox.itemText(id)
        #expect(
            text.hasPrefix("{\n  \"mood\": \"calm\",\n  \"tags\": [\n    \"a\",\n    \"b\"\n  ],\n"))
        #expect(text.contains("  \"servings\": 1.50e1,\n  \"done\": null"))
    }

    @Test(arguments: [["add"], ["add", "Note"], ["rm", "Note", ""], ["add", "Note", " , "]])
    func `items and names are both needed`(words: [String]) throws {
        try sandbox.sbfs(words: ["tag"] + words, exits: 2)
        #expect(try sandbox.tags(id) == ["Swift", "food"])
    }
}
