import Items
import JSONFormat
import Search
import TestSupport
import Testing
import URLs

@testable import StuffBucket

/// Answers from the index compared with those from reading every file.
struct AnswerAgreementTests {
    private let sample: SampleLibrary

    init() throws { sample = try SampleLibrary() }

    private static let words = [
        "soup", "salt", "saltier", "Łódź", "lodz", "garden", "pepper", "stew", "caffè", "naïve", "2025", "x1", "ab",
        "a",
        "Über", "the",
    ]
    private static let tags = [
        "Swift", "to read", "recipes", "Łódź", "trashcan", "collection:Work", "collection:Work/Projects",
        "collection:AI\\/ML", "customer-service",
    ]
    private static let links = [
        "https://example.org/a", "https://docs.example.org/b/soup", "http://other.example/x?y=salt",
        "https://Example.com:443/%61#top",
    ]

    private func fill(_ count: UInt16, _ random: inout SeededGenerator) throws {
        func text(_ length: Int) -> String {
            (0..<length).map { _ in Self.words.randomElement(using: &random) ?? "" }.joined(separator: " ")
        }
        for number in 0..<count {
            var members: [(String, JSON)] = []
            if Bool.random(using: &random) {
                members.append(("linkURL", .string(Self.links.randomElement(using: &random) ?? "")))
                members.append(("linkTitle", .string(text(2))))
            }
            if Int.random(in: 0..<3, using: &random) == 0 { members.append(("isPinned", .bool(true))) }
            if Int.random(in: 0..<3, using: &random) == 0 { members.append(("isFavorite", .bool(true))) }
            if Int.random(in: 0..<4, using: &random) == 0 { members.append(("description", .string(text(3)))) }
            if Int.random(in: 0..<3, using: &random) == 0 { members.append(("linkAuthor", .string(text(2)))) }
            if Int.random(in: 0..<3, using: &random) == 0 {
                members.append(("linkLanguage", .string(["en", "en-GB", "de_AT"].randomElement(using: &random) ?? "")))
            }
            if Int.random(in: 0..<5, using: &random) == 0 { members.append(("favicon", .string("assets/favicon.png"))) }
            if Int.random(in: 0..<5, using: &random) == 0 {
                members.append(("annotations", .array([.string(text(2))])))
            }
            if Int.random(in: 0..<4, using: &random) == 0 { members.append(("archiveStatus", .string("full"))) }
            if Int.random(in: 0..<6, using: &random) == 0 { members.append(("htmlRelativePath", .string("page.html"))) }
            if Int.random(in: 0..<6, using: &random) == 0 {
                members.append(("documentRelativePath", .string("document/salt notes.txt")))
            }
            if Int.random(in: 0..<4, using: &random) == 0 { members.append(("linkStatus", .string("dead"))) }
            if Int.random(in: 0..<4, using: &random) == 0 { members.append(("source", .string("import"))) }
            if Int.random(in: 0..<3, using: &random) == 0 {
                members.append(("sortOrder", .integer(Int.random(in: 0..<9, using: &random))))
            }
            if Int.random(in: 0..<6, using: &random) == 0 {
                members.append(("trashedAt", .string("2026-01-02T00:00:00Z")))
            }
            let day = Int.random(in: 10...28, using: &random)
            members.append(("createdAt", .string("2025-0\(Int.random(in: 1...9, using: &random))-\(day)T10:00:00Z")))
            members.append(("updatedAt", .string("2026-0\(Int.random(in: 1...9, using: &random))-\(day)T10:00:00Z")))
            let tags = Self.tags.filter { _ in Int.random(in: 0..<5, using: &random) == 0 }
            let id = try sample.put(
                number, Bool.random(using: &random) ? text(2) : nil, members, tags: tags,
                text: Bool.random(using: &random) ? text(12) : nil)
            let folder = sample.folder(id)
            if Int.random(in: 0..<6, using: &random) == 0 {
                let article = text(9)
                try sample.scratch.write(
                    folder + "/page.html", "<nav>\(text(3))</nav><p>\(article)<script>hidden</script></p>\(text(4))")
                if Bool.random(using: &random) { try sample.scratch.write(folder + "/reader.html", "<p>\(article)") }
            }
            if Int.random(in: 0..<6, using: &random) == 0 {
                try sample.scratch.write(folder + "/document/salt notes.txt", text(2))
            }
            if Int.random(in: 0..<6, using: &random) == 0 {
                try sample.scratch.write(folder + "/loose stew.txt", text(2))
            }
            if Int.random(in: 0..<6, using: &random) == 0 {
                try sample.scratch.write(folder + "/reader.html", "<p>\(text(5))</p>")
            }
            if Int.random(in: 0..<6, using: &random) == 0 {
                try sample.scratch.write(folder + "/snapshots/x/page.html", "<p>\(text(5))</p>")
            }
            if Int.random(in: 0..<8, using: &random) == 0 {
                try sample.scratch.write(folder + "/conflicts/x.json", "{}")
            }
        }
    }

    private func query(_ random: inout SeededGenerator, depth: Int = 0) -> String {
        func word() -> String { Self.words.randomElement(using: &random) ?? "" }
        let filters = [
            "type:link", "type:snippet", "type:document", "tag:swift", "tag:\"to read\"", "tag:lodz", "tag:trashcan",
            "collection:work", "collection:Work/Projects", "source:import", "site:example.org", "site:org", "is:pinned",
            "is:favorite", "is:dead", "is:untitled", "is:conflicted", "is:trashed", "has:text", "has:link",
            "has:document",
            "has:archive", "status:full", "status:partial", "status:unavailable", "stew", "status:live", "status:dead",
            "created:2025-03", "updated:>2026-04",
            "created:<2025-06-01", "trashcan", "is:untagged", "is:uncategorized", "has:note", "has:reader",
            "has:snapshot",
            "has:favicon", "after:2025-03", "before:2025-06-15", "lang:en", "lang:de", "lang:en-gb", "lang:fr", "tag:*",
            "tag:s*", "tag:\"to r\"*", "collection:wo*", "collection:*", "collection:work/*", "url:example",
            "url:y=salt",
            "url:https://docs.example.org/b/soup#top", "url:/a",
        ]
        let fields = ["title", "text", "author"]
        switch Int.random(in: 0..<(depth > 2 ? 6 : 10), using: &random) {
        case 0, 1: return word()
        case 2: return "\"\(word()) \(word())\""
        case 3: return String(word().prefix(3)) + "*"
        case 4: return filters.randomElement(using: &random) ?? ""
        case 5:
            let words = [word(), "\"\(word()) \(word())\"", String(word().prefix(2)) + "*", word() + "-" + word()]
            let minus = Bool.random(using: &random) ? "" : "-"
            return minus + (fields.randomElement(using: &random) ?? "") + ":"
                + (words.randomElement(using: &random) ?? "")
        case 6: return query(&random, depth: depth + 1) + " " + query(&random, depth: depth + 1)
        case 7: return "(" + query(&random, depth: depth + 1) + " OR " + query(&random, depth: depth + 1) + ")"
        case 8: return word() + " -" + (Bool.random(using: &random) ? word() : "tag:swift")
        default: return filters.randomElement(using: &random) ?? ""
        }
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func `both find the same items in the same order`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        try fill(60, &random)
        let store = sample.library.store
        let indexed = sample.library
        let scanning = ItemScan(store)
        for _ in 0..<50 {
            let text = query(&random)
            for order in ItemRequest.Order.ofLists.shuffled(using: &random).prefix(2) {
                var request = ItemRequest(
                    sample.library.parse(text).query, order: order, Bool.random(using: &random) ? .reversed : .forward)
                request.reachesParts = false
                let (found, expected) = (try indexed.find(request), try scanning.find(request))
                #expect(Set(found.rows) == Set(expected.rows), "\(text)")
                #expect(found.rows == expected.rows, "\(text) by \(order)")
                #expect(found.count == expected.count)
                #expect(found.faults == expected.faults)
            }
        }
        for link in Self.links {
            let key = try #require(LinkIdentity(link)?.normalized)
            #expect(
                try indexed.items(withLinks: [key, "https://none.example/"])
                    == scanning.items(withLinks: [key, "https://none.example/"]))
        }
        let titles = Set(
            try scanning.find(ItemRequest(sample.library.parse("trashcan OR not trashcan").query)).rows.map {
                Folding.fold(store.displayTitle(of: try sample.library.item($0)))
            })
        #expect(try indexed.items(withTitles: titles) == scanning.items(withTitles: titles))
    }

    @Test func `both agree while the files are changed by others`() throws {
        var random = SeededGenerator(seed: 4)
        try fill(40, &random)
        let store = sample.library.store
        let indexed = sample.library
        let scanning = ItemScan(store)
        for step in 0..<40 {
            let number = UInt16.random(in: 0..<50, using: &random)
            let id = try SampleLibrary.id(number)
            let folder = sample.folder(id)
            let exists = sample.scratch.exists(folder)
            let (page, loose, document) = (folder + "/page.html", folder + "/loose.txt", folder + "/document/loose.txt")
            switch Int.random(in: 0..<9, using: &random) {
            case 6 where exists:
                if sample.scratch.exists(page) {
                    try sample.scratch.removeFile(page)
                } else {
                    try sample.scratch.write(page, "<p>page")
                }
            case 7 where exists: try sample.scratch.write(loose, "loose\(step)")
            case 8 where exists:
                for path in [loose, document] where sample.scratch.exists(path) { try sample.scratch.removeFile(path) }
            case 0: try sample.put(number, Self.words.randomElement(using: &random), tags: ["step\(step)"])
            case 1 where exists: try sample.scratch.write(folder + "/text.md", "word\(step) \(query(&random))")
            case 2 where exists:
                let moved = "library/items/aside-\(step)"
                try sample.scratch.rename(folder, to: moved)
            case 3 where exists: try sample.scratch.write(folder + "/reader.html", "<p>page\(step)</p>")
            case 4 where exists:
                if let stored = try store.item(id), try sample.library.trash(stored) { break }
            case 5 where exists:
                if let stored = try store.item(id) {
                    var edit = ItemEdit(base: stored.json)
                    edit.addTag("tagged\(step)")
                    try sample.library.session.update(stored, edit)
                }
            default: break
            }
            for text in [
                "", "word\(step)", "page\(step)", "tag:tagged\(step)", "tag:step\(step)", "is:trashed", "soup",
                "status:unavailable", "status:full", "status:partial", "has:archive", "has:document", "loose",
            ] {
                var request = ItemRequest(sample.library.parse(text).query, order: .title)
                request.reachesParts = false
                #expect(try indexed.find(request).rows == scanning.find(request).rows, "\(text) at step \(step)")
            }
        }
    }
}
