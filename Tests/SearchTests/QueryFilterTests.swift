import Search
import Testing

struct QueryFilterTests {
    @Test(arguments: [
        QueryReading("type:link", "type:link"),
        QueryReading("type:Snippet", "type:snippet"),
        QueryReading("type:\"document\"", "type:document"),
        QueryReading("tag:swift", "tag:swift"),
        QueryReading("tag:customer-service", "tag:customer-service"),
        QueryReading("tag:Swift/UI#1", "tag:Swift/UI#1"),
        QueryReading("tag:\"swift ui\"", "tag:\"swift ui\""),
        QueryReading("tag:“swift ui”", "tag:\"swift ui\""),
        QueryReading("tag:\"swift\"", "tag:swift"),
        QueryReading("tag:collection:Work", "tag:collection:Work"),
        QueryReading("tag:\"a|b\"", "tag:\"a|b\""),
        QueryReading("collection:Work", "collection:Work"),
        QueryReading("collection:Work/Projects", "collection:Work/Projects"),
        QueryReading("collection:\"My Work\"", "collection:\"My Work\""),
        QueryReading("collection:\"Work (old)\"", "collection:\"Work (old)\""),
        QueryReading("source:import", "source:import"),
        QueryReading("source:\"share_sheet\"", "source:share_sheet"),
        QueryReading("site:Example.ORG", "site:example.org"),
        QueryReading("site:\"example.org\"", "site:example.org"),
        QueryReading("created:2025", "created:2025"),
        QueryReading("date:\"2025-03\"", "created:2025-03"),
        QueryReading("updated:today", "updated:today"),
        QueryReading("TAG:a Is:Pinned CREATED:2025", "(tag:a AND is:pinned AND created:2025)"),
        QueryReading("is:favourite", "is:favorite"),
        QueryReading("status:archived", "status:full"),
        QueryReading("has:\"link\"", "has:link"),
        QueryReading("a tag:b c", "(a AND tag:b AND c)"),
        QueryReading("(tag:a|tag:b)", "(tag:a OR tag:b)"),
        QueryReading("tag:a\"b c\"", "(tag:a AND \"b c\")"),
        QueryReading("tag:sw*", "tag:sw*"),
        QueryReading("tag:\"sw*\"", "tag:\"sw*\""),
        QueryReading("tag:\"swift u\"*", "tag:\"swift u\"*"),
        QueryReading("tag:*", "tag:*"),
        QueryReading("-tag:*", "NOT tag:*"),
        QueryReading("collection:Wo*", "collection:Wo*"),
        QueryReading("title:soup", "title:soup"),
        QueryReading("title:sou*", "title:sou*"),
        QueryReading("title:\"less salt\"", "title:\"less salt\""),
        QueryReading("title:\"less sa\"*", "title:\"less sa\"*"),
        QueryReading("title:\"soup\"", "title:\"soup\""),
        QueryReading("text:soup author:Knuth", "(text:soup AND author:Knuth)"),
        QueryReading("url:example.org/a?b=c", "url:example.org/a?b=c"),
        QueryReading("url:https://example.org/", "url:https://example.org/"),
        QueryReading("lang:EN-gb", "lang:en-gb"),
        QueryReading("after:2025", "created:>2025"),
        QueryReading("before:2025-03-01", "created:<2025-03-01"),
        QueryReading("after:yesterday", "created:>yesterday"),
        QueryReading("is:untagged is:uncategorised", "(is:untagged AND is:uncategorized)"),
        QueryReading("tag：swift", "tag:swift"),
        QueryReading("created:2025…2026", "created:2025…2026"),
    ])
    func `filters take values with and without quotes`(_ reading: QueryReading) { reading.check() }

    @Test(arguments: Filter.State.allCases)
    func `every word after "is" is known in any case`(_ state: Filter.State) {
        #expect(QueryReading.parse("is:\(state.rawValue.uppercased())").query == .filter(.state(state)))
        #expect(QueryReading.parse("is:\"\(state.rawValue)\"").query == .filter(.state(state)))
    }

    @Test(arguments: Filter.Part.allCases)
    func `every word after "has" is known in any case`(_ part: Filter.Part) {
        #expect(QueryReading.parse("has:\(part.rawValue.uppercased())").query == .filter(.part(part)))
        #expect(QueryReading.parse("HAS:\"\(part.rawValue)\"").query == .filter(.part(part)))
    }

    @Test(arguments: Filter.Status.allCases)
    func `every word after "status" is known in any case`(_ status: Filter.Status) {
        #expect(QueryReading.parse("status:\(status.rawValue.uppercased())").query == .filter(.status(status)))
        #expect(QueryReading.parse("Status:\"\(status.rawValue)\"").query == .filter(.status(status)))
    }

    @Test(arguments: [
        QueryReading("word:x", "word:x", .unknownFilter(key: "word", suggestion: nil)),
        QueryReading("tga:x", "tga:x", .unknownFilter(key: "tga", suggestion: "tag")),
        QueryReading("In:x", "In:x", .unknownFilter(key: "In", suggestion: "collection")),
        QueryReading("tags:x", "tags:x", .unknownFilter(key: "tags", suggestion: "tag")),
        QueryReading("craeted:2025", "craeted:2025", .unknownFilter(key: "craeted", suggestion: "created")),
        QueryReading("-tga:x", "NOT tga:x", .unknownFilter(key: "tga", suggestion: "tag")),
        QueryReading("intitle:x", "intitle:x", .unknownFilter(key: "intitle", suggestion: "title")),
        QueryReading("tga：x", "tga：x", .unknownFilter(key: "tga", suggestion: "tag")),
        QueryReading("note:\"a b\"", "(note: AND \"a b\")", .unknownFilter(key: "note", suggestion: nil)),
        QueryReading("https://example.org/a?b=c", "https://example.org/a?b=c"),
        QueryReading("12:30", "12:30"),
        QueryReading("10:30pm", "10:30pm"),
        QueryReading("localhost:8080", "localhost:8080"),
        QueryReading("John:3", "John:3"),
        QueryReading("C:\\x", "C:\\x"),
        QueryReading("c:/x", "c:/x"),
        QueryReading("std::vector", "std::vector"),
        QueryReading("mailto:a@b.c", "mailto:a@b.c"),
        QueryReading("main.swift:x", "main.swift:x"),
        QueryReading("Note: x", "(Note: AND x)"),
        QueryReading(":x", ":x"),
        QueryReading("::", "everything", .wordless("::")),
        QueryReading("\"tag\":x", "(\"tag\" AND :x)"),
    ])
    func `an unknown key is text`(_ reading: QueryReading) { reading.check() }

    @Test(arguments: [
        "type", "tag", "collection", "source", "site", "is", "has", "status", "date", "created", "updated", "title",
        "text", "url", "author", "lang", "after", "before", "smart",
    ])
    func `a key without a value is text`(_ key: String) {
        QueryReading("\(key):", "\(key):", .valueless("\(key):")).check()
        #expect(QueryReading.parse("\(key):").query == .word("\(key):"))
        QueryReading("\(key): x", "(\(key): AND x)", .valueless("\(key):")).check()
        #expect(QueryReading.parse("\(key):\"\"").query == .word("\(key):"))
        #expect(QueryReading.parse("\(key):\"\"").notices == [.valueless("\(key):")])
        #expect(QueryReading.parse("\(key):\"  \"").query == .word("\(key):"))
    }

    @Test(arguments: [
        QueryReading("type:page", "type:page", .unknownValue(key: "type", value: "page")),
        QueryReading("type:\"blue link\"", "\"type blue link\"", .unknownValue(key: "type", value: "blue link")),
        QueryReading("is:red", "is:red", .unknownValue(key: "is", value: "red")),
        QueryReading("is:\"very pinned\"", "\"is very pinned\"", .unknownValue(key: "is", value: "very pinned")),
        QueryReading("has:nothing", "has:nothing", .unknownValue(key: "has", value: "nothing")),
        QueryReading("status:fine", "status:fine", .unknownValue(key: "status", value: "fine")),
        QueryReading("status:?", "status:?", .unknownValue(key: "status", value: "?")),
        QueryReading("title:!", "title:!", .unknownValue(key: "title", value: "!")),
        QueryReading("title:*", "title:*", .unknownValue(key: "title", value: "*")),
        QueryReading(
            "site:*.example.org", "site:*.example.org", .innerStar("site:*.example.org"),
            .unknownValue(key: "site", value: "*.example.org")),
        QueryReading(
            "site:https://example.org", "site:https://example.org",
            .unknownValue(key: "site", value: "https://example.org")),
        QueryReading("after:2024..2025", "after:2024..2025", .unknownValue(key: "after", value: "2024..2025")),
        QueryReading("before:>2024", "before:>2024", .unknownValue(key: "before", value: ">2024")),
        QueryReading("tag:s*t", "tag:s*t", .innerStar("tag:s*t")),
        QueryReading("url:#top", "url:#top", .unknownValue(key: "url", value: "#top")),
        QueryReading("created:*", "created:*", .unknownValue(key: "created", value: "*")),
        QueryReading("tag:\"open", "(tag: AND open)", .valueless("tag:"), .unclosedQuote),
        QueryReading("tag:(a)", "(tag: AND a)", .valueless("tag:")),
        QueryReading("a -is:red", "(a AND NOT is:red)", .unknownValue(key: "is", value: "red")),
    ])
    func `a value that cannot be is text`(_ reading: QueryReading) { reading.check() }

    @Test func `a bad value is a word or a phrase, not a filter`() {
        #expect(QueryReading.parse("type:page").query == .word("type:page"))
        #expect(QueryReading.parse("type:\"blue link\"").query == .phrase("type blue link"))
        #expect(QueryReading.parse("type:page*").query == .prefix("type:page"))
    }
}
