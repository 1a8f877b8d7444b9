import Search
import TestSupport
import Testing

struct QueryTests {
    @Test(arguments: [
        ("", false), ("word", false), ("trashcan", true), ("Trashcan", true), ("TRASHCAN", true), ("trashcan*", false),
        ("\"trashcan\"", false), ("trashcans", false), ("is:trashed", true), ("is:pinned", false),
        ("tag:trashcan", true), ("tag:\"TrashCan\"", true), ("tag:trash", false), ("collection:trashcan", false),
        ("a trashcan", true), ("a OR is:trashed", true), ("(a (b tag:trashcan))", true), ("not trashcan", false),
        ("a -is:trashed", false), ("not not is:trashed", false), ("title:trashcan", false),
    ])
    func `the trash is shown only to those who ask for it`(_ text: String, isRevealed: Bool) {
        #expect(QueryReading.parse(text).query.revealsTrash == isRevealed)
    }

    @Test(arguments: [
        ("a tag:b", ["tag:b"]), ("tag:a OR (collection:b tag:c)", ["tag:a", "collection:b", "tag:c"]),
        ("tag:a -tag:b", ["tag:a"]), ("a \"tag:b\" c*", []), ("", []),
    ])
    func `active filters include requested ones, not excluded ones`(_ text: String, filters: [String]) {
        #expect(QueryReading.parse(text).query.activeTags.map { "\($0.key):\($0.value)" } == filters)
    }

    /// A person sees the description as the reading, so it must parse to the same query.
    @Test func `the reading of a query reads the same`() throws {
        var generator = SeededGenerator(seed: 3)
        for _ in 0..<2000 {
            let description = generator.queryText(depth: 4)
            let once = QueryReading.parse(description)
            let twice = QueryReading.parse(once.query.description)
            try #require(twice.query.description == once.query.description, "from \(description)")
            try #require(twice.notices == [], "from \(description)")
        }
    }
}

extension SeededGenerator {
    /// A well-formed query.
    mutating func queryText(depth: Int) -> String {
        let leaves = [
            "word", "Łódź", "pre*", "\"a phrase\"", "“smart one”", "tag:x", "tag:\"two words\"", "tag:\"a|b\"",
            "collection:\"Work (old)/New\"", "is:pinned", "has:text", "created:2024..2025", "updated:>2024",
            "site:example.org",
            "type:link", "status:full", "full-text", "12:30", "tag:sw*", "tag:\"sw*\"", "collection:\"My W\"*",
            "title:soup",
            "title:\"a soup\"", "text:sou*", "author:\"d e\"*", "url:example.org/a?b=c", "lang:en-gb", "after:2024",
            "before:today", "is:untagged", "has:snapshot",
        ]
        func leaf(_ generator: inout SeededGenerator) -> String {
            leaves[Int.random(in: 0..<leaves.count, using: &generator)]
        }
        if depth == 0 { return leaf(&self) }
        switch Int.random(in: 0..<6, using: &self) {
        case 0: return queryText(depth: depth - 1) + " " + queryText(depth: depth - 1)
        case 1: return "(" + queryText(depth: depth - 1) + ")"
        case 2: return "(" + queryText(depth: depth - 1) + " OR " + queryText(depth: depth - 1) + ")"
        case 3: return "not " + leaf(&self)
        case 4: return leaf(&self) + " -" + leaf(&self) + " " + leaf(&self)
        default: return leaf(&self)
        }
    }
}
