import Testing

@testable import Items

struct CollectionNameTests {
    @Test(arguments: [
        ("Work", ["Work"]), ("Work/Projects", ["Work", "Projects"]), (#"AI\/ML"#, ["AI/ML"]),
        (#"Work/AI\/ML/Papers"#, ["Work", "AI/ML", "Papers"]), (#"a\b"#, [#"a\b"#]), (#"a\"#, [#"a\"#]),
        (#"a\\/b"#, [#"a\\/b"#]), ("a//b", ["a", "", "b"]), ("/a", ["", "a"]),
    ])
    func `levels are separated by slashes, and an escaped slash is a letter`(_ name: String, levels: [String]) throws {
        if name == #"a\\/b"# {
            // A backslash before a backslash is kept with it; the slash behind separates.
            #expect(CollectionName(name)?.levels == [#"a\\"#, "b"])
        } else {
            #expect(CollectionName(name)?.levels == levels)
        }
    }

    @Test(arguments: [
        "collection:Work", "Collection:Work", "COLLECTION:Work", "collection: Work ", "collection:\tWork",
    ])
    func `a tag with the prefix in any case names a collection`(_ tag: String) {
        #expect(CollectionName(tag: tag)?.name == "Work")
        #expect(CollectionName(tag: tag)?.tag == "collection:Work")
    }

    @Test(arguments: [
        "", "collection", "collection:", "collection: ", "collections:x", "collection;x", "collectionZx", "x",
    ])
    func `any other tag names none`(_ tag: String) {
        #expect(CollectionName(tag: tag) == nil)
    }

    @Test func `a name is trimmed, and an empty one is none`() {
        #expect(CollectionName("  Work   and  play ")?.name == "Work and play")
        #expect(CollectionName(" \n") == nil)
        #expect(CollectionName("a:b")?.tag == "collection:a:b")
    }

    @Test func `a combining mark right behind the colon is kept`() {
        let name = CollectionName(tag: "collection:\u{301}x")?.name
        #expect(name.map { Array($0.unicodeScalars) } == ["\u{301}", "x"])
    }

    @Test func `an item tells its collections apart from its tags`() throws {
        var item = Item(id: .make())
        item.tags = ["swift", "collection:Work/AI", "TrashCan", "Collection:Home"]
        #expect(item.collections == ["Work/AI", "Home"])
        #expect(item.plainTags == ["swift"])
        #expect(item.isTrashed)
        #expect(!item.hasBothTrashMarks)
    }
}
