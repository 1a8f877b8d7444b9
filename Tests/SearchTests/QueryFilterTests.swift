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
    ])
    func `filters take values with and without quotes`(_ reading: QueryReading) { reading.check() }

    @Test(arguments: Filter.State.allCases)
    func `every word behind "is" is known in any casing`(_ state: Filter.State) {
        #expect(QueryReading.parse("is:\(state.rawValue.uppercased())").query == .filter(.state(state)))
        #expect(QueryReading.parse("is:\"\(state.rawValue)\"").query == .filter(.state(state)))
    }

    @Test(arguments: Filter.Part.allCases)
    func `every word behind "has" is known in any casing`(_ part: Filter.Part) {
        #expect(QueryReading.parse("has:\(part.rawValue.uppercased())").query == .filter(.part(part)))
        #expect(QueryReading.parse("HAS:\"\(part.rawValue)\"").query == .filter(.part(part)))
    }

    @Test(arguments: Filter.Status.allCases)
    func `every word behind "status" is known in any casing`(_ status: Filter.Status) {
        #expect(QueryReading.parse("status:\(status.rawValue.uppercased())").query == .filter(.status(status)))
        #expect(QueryReading.parse("Status:\"\(status.rawValue)\"").query == .filter(.status(status)))
    }

    @Test(arguments: [
        QueryReading("word:x", "word:x"),
        QueryReading("https://example.org/a?b=c", "https://example.org/a?b=c"),
        QueryReading("12:30", "12:30"),
        QueryReading("tags:x", "tags:x"),
        QueryReading("note:\"a b\"", "(note: AND \"a b\")"),
        QueryReading(":x", ":x"),
        QueryReading("::", "everything", Note.wordless("::")),
        QueryReading("\"tag\":x", "(\"tag\" AND :x)"),
    ])
    func `an unknown key is text`(_ reading: QueryReading) { reading.check() }

    @Test(arguments: [
        "type", "tag", "collection", "source", "site", "is", "has", "status", "date", "created", "updated",
    ])
    func `a key without a value is text`(_ key: String) {
        QueryReading("\(key):", "\(key):", Note.valueless("\(key):")).check()
        #expect(QueryReading.parse("\(key):").query == .word("\(key):"))
        QueryReading("\(key): x", "(\(key): AND x)", Note.valueless("\(key):")).check()
        #expect(QueryReading.parse("\(key):\"\"").query == .word("\(key):"))
        #expect(QueryReading.parse("\(key):\"\"").notes == [Note.valueless("\(key):")])
        #expect(QueryReading.parse("\(key):\"  \"").query == .word("\(key):"))
    }

    @Test(arguments: [
        QueryReading("type:page", "type:page", Note.noFilter("type:page")),
        QueryReading("type:\"blue link\"", "\"type blue link\"", Note.noFilter("type:blue link")),
        QueryReading("is:red", "is:red", Note.noFilter("is:red")),
        QueryReading("is:\"very pinned\"", "\"is very pinned\"", Note.noFilter("is:very pinned")),
        QueryReading("has:nothing", "has:nothing", Note.noFilter("has:nothing")),
        QueryReading("status:fine", "status:fine", Note.noFilter("status:fine")),
        QueryReading("status:?", "status:?", Note.noFilter("status:?")),
        QueryReading("created:*", "created:*", Note.noFilter("created:*")),
        QueryReading("tag:\"open", "(tag: AND open)", Note.valueless("tag:"), Note.unclosedQuote),
        QueryReading("tag:(a)", "(tag: AND a)", Note.valueless("tag:")),
        QueryReading("a -is:red", "(a AND NOT is:red)", Note.noFilter("is:red")),
    ])
    func `a value that cannot be is text`(_ reading: QueryReading) { reading.check() }

    @Test func `a bad value is a word or a phrase, not a filter`() {
        #expect(QueryReading.parse("type:page").query == .word("type:page"))
        #expect(QueryReading.parse("type:\"blue link\"").query == .phrase("type blue link"))
        #expect(QueryReading.parse("type:page*").query == .prefix("type:page"))
    }
}
