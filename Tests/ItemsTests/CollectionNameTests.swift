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
            // A backslash before a backslash is kept with it; the slash after them separates.
            #expect(CollectionName(name)?.levels == [#"a\\"#, "b"])
        } else {
            #expect(CollectionName(name)?.levels == levels)
        }
    }

    @Test func `levels that are put together stay levels, also behind a backslash`() {
        #expect(CollectionName(parts: ["a\\", "b"])?.parts == [#"a\\"#, "b"])
        #expect(CollectionName(parts: [#"a\\"#, "b", "c\\"])?.name == #"a\\/b/c\"#)
        #expect(CollectionName(parts: ["", "a"])?.parts == ["", "a"])
        let nested = CollectionName("A/x")
        #expect(
            nested?.moved(from: CollectionName("A") ?? nested!, to: CollectionName("B\\") ?? nested!).parts
                == [#"B\\"#, "x"])
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

    @Test func `a combining mark right after the colon is kept`() {
        let name = CollectionName(tag: "collection:\u{301}x")?.name
        #expect(name.map { Array($0.unicodeScalars) } == ["\u{301}", "x"])
    }

    @Test func `an item separates collections and tags`() throws {
        var item = Item(id: .make())
        item.tags = ["swift", "collection:Work/AI", "TrashCan", "Collection:Home"]
        #expect(item.collections == ["Work/AI", "Home"])
        #expect(item.plainTags == ["swift"])
        #expect(item.isTrashed)
        #expect(!item.hasBothTrashMarks)
    }

    @Test(arguments: [
        ("Work", "Work", true), ("work", "WORK", true), ("Work/Projects", "work", true), ("Workshop", "Work", false),
        ("Work", "Work/Projects", false), (#"AI\/ML"#, "AI", false), (#"AI\/ML/x"#, #"ai\/ml"#, true),
        ("a//b", "a/", true),
        ("Caf\u{E9}/x", "cafe\u{301}", true),
    ])
    func `a collection is within itself and the ones around it`(_ name: String, _ outer: String, _ isWithin: Bool)
        throws
    {
        let (name, outer) = (try #require(CollectionName(name)), try #require(CollectionName(outer)))
        #expect(name.isWithin(outer) == isWithin)
    }

    @Test(arguments: [
        ("Work/Projects/X", "work", "Job", "Job/Projects/X"), ("Work", "Work", "Home/Work", "Home/Work"),
        ("a/b/c", "a/b", "a", "a/c"), (#"AI\/ML/Papers"#, #"AI\/ML"#, "AI", "AI/Papers"),
    ])
    func `nested collections move with the outer one`(_ name: String, _ old: String, _ new: String, _ moved: String)
        throws
    {
        let (old, new) = (try #require(CollectionName(old)), try #require(CollectionName(new)))
        #expect(try #require(CollectionName(name)).moved(from: old, to: new).name == moved)
    }

    @Test func `the levels as spelt make the name again`() throws {
        for text in ["Work", "a/b/c", #"AI\/ML/x"#, "a//b", "/a", #"a\"#, #"a\\/b"#] {
            let name = try #require(CollectionName(text))
            #expect(CollectionName(parts: name.parts)?.name == text)
            #expect(name.parts.count == name.levels.count)
        }
        #expect(CollectionName("a/b")?.parent?.name == "a")
        #expect(CollectionName("a")?.parent == nil)
    }

    @Test func `a name has at most 32 levels, and the rest belongs to the last`() throws {
        let text = String(repeating: "a/", count: 50_000) + "z"
        let name = try #require(CollectionName(text))
        #expect(name.parts.count == 32)
        #expect(name.levels.count == 32)
        #expect(name.parts.joined(separator: "/") == text)
        #expect(CollectionName(parts: name.parts) == name)
        #expect(name.parent?.parts.count == 31)
        #expect(try #require(CollectionName(String(repeating: "a/", count: 31) + "z")).levels.last == "z")
    }

    @Test(arguments: [
        ("a/\u{301}b", ["a", "\u{301}b"]), ("a\\/\u{301}b", ["a/\u{301}b"]), ("a\\\u{301}/b", ["a\\\u{301}", "b"]),
    ])
    func `a mark that combines with a slash does not hide it`(_ name: String, levels: [String]) throws {
        let name = try #require(CollectionName(name))
        #expect(name.levels.map { Array($0.utf8) } == levels.map { Array($0.utf8) })
        #expect(name.parts.count == levels.count)
    }
}
