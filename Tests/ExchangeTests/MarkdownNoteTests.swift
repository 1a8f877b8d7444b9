import Foundation
import TestSupport
import Testing
import Time

@testable import Exchange

struct MarkdownNoteTests {
    @Test func `front matter gives title, tags, link and dates`() throws {
        let reading = try Reading(
            """
            ---
            title: "Soup: \\"hot\\""
            tags: [food, 'winter days']
            collections:
              - Work/Projects
            url: https://example.org/
            created: 2023-11-14T22:13:20Z
            pinned: true
            ---

            # Text
            """)
        #expect(reading.format == .markdown)
        let entry = reading.entries[0]
        #expect(entry.title == "Soup: \"hot\"")
        #expect(entry.tags == ["food", "winter days"])
        #expect(entry.collections == ["Work/Projects"])
        #expect(entry.url == "https://example.org/")
        #expect(entry.createdAt == Timestamp(milliseconds: 1_700_000_000_000))
        #expect(entry.isPinned)
        #expect(entry.text == Array("# Text".utf8))
    }

    static let kept = [
        "---\nmap:\n  a: b\n---\ntext\n", "---\nforeign: 1\n---\ntext\n", "---\n# a comment\n---\ntext\n",
        "---\r\nforeign: 1\r\n---\r\n\r\ntext\r\n",
        "---\ntitle: |\n  block\n---\ntext\n",
        "---\nno end\n", "# Only text\n", "--- no head\n",
    ]

    @Test(arguments: kept)
    func `a head that is not understood stays with the text`(text: String) {
        let entry = MarkdownNote.entry(Array(text.utf8), at: .line(1), path: nil)
        #expect(entry.text == Array(text.utf8))
    }

    @Test(arguments: [
        ("---\ntitle: [a\n  : : b\ntags: x\n---\nbody\n", true), ("---\na: b\nno key\n---\n", true),
        ("---\nforeign: 1\n---\ntext\n", false), ("---\nA text\n---\nwith: rules\n", false), ("---\nno: end\n", false),
    ])
    func `a head that cannot be read is told`(text: String, isTold: Bool) {
        let entry = MarkdownNote.entry(Array(text.utf8), at: .line(1), path: nil)
        #expect((entry.remarks == [.unreadFrontMatter]) == isTold, "\(entry.remarks)")
    }

    @Test func `parts without a field stay as the head of the text, and there is one head again`() throws {
        let text = """
            ---
            title: Soup
            aliases: [broth]
            # a comment
            cssclasses:
              - wide
            map:
              a: b
            tags:
              - food
            date: 2023-11-14
            created: last winter
            source: "[[A friend]]"
            url: https://example.org/
            ---

            # Soup
            """
        let entry = MarkdownNote.entry(Array(text.utf8), at: .line(1), path: nil)
        #expect(entry.title == "Soup" && entry.tags == ["food"] && entry.url == "https://example.org/")
        let kept = """
            ---
            aliases: [broth]
            # a comment
            cssclasses:
              - wide
            map:
              a: b
            created: last winter
            source: "[[A friend]]"
            ---

            # Soup
            """
        #expect(entry.text.map { String(decoding: $0, as: UTF8.self) } == kept)
        var head = MarkdownNote.Head(
            id: "0198aaaa-bbbb-7ccc-8ddd-eeeeeeeeeec4", createdAt: try #require(entry.createdAt),
            updatedAt: Timestamp(milliseconds: 1_700_000_000_001))
        head.title = entry.title
        head.tags = entry.tags
        let written = MarkdownNote.bytes(head, text: entry.text)
        #expect(String(decoding: written, as: UTF8.self).components(separatedBy: "---\n").count == 3)
        let back = MarkdownNote.entry(written, at: .line(1), path: nil)
        #expect(back.text == entry.text && back.tags == entry.tags && back.createdAt == entry.createdAt)
        #expect(MarkdownNote.bytes(head, text: back.text) == written)
    }

    @Test func `a text that begins with a head of known keys comes back as it is`() {
        let head = MarkdownNote.Head(
            id: "0198aaaa-bbbb-7ccc-8ddd-eeeeeeeeeec4", createdAt: Timestamp(milliseconds: 1_700_000_000_000),
            updatedAt: Timestamp(milliseconds: 1_700_000_000_001))
        for text in [
            "---\ntitle: x\n---\ntext\n", "---\ntags: [a]\nforeign: 1\n---\n", "---\n---\n",
            "---\nid: 0198aaaa-bbbb-7ccc-8ddd-eeeeeeeeeec5\n---\n",
        ] {
            let entry = MarkdownNote.entry(MarkdownNote.bytes(head, text: Array(text.utf8)), at: .line(1), path: nil)
            #expect(entry.text == Array(text.utf8), "\(text)")
        }
    }

    @Test func `written values are read back`() {
        var head = MarkdownNote.Head(
            id: "0198aaaa-bbbb-7ccc-8ddd-eeeeeeeeeec4", createdAt: Timestamp(milliseconds: 1_700_000_000_000),
            updatedAt: Timestamp(milliseconds: 1_700_000_000_001))
        head.title = "a \"b\" \\ c: [d], # e\nf"
        head.url = "https://example.org/?a=1#x"
        head.description = "- no list"
        head.tags = ["a, b", "#c", "'d'"]
        head.collections = ["Work/AI\\/ML"]
        head.isFavorite = true
        head.sortOrder = 1.5
        for text in ["---\nrule\n", "\nbegins with an empty line", "x"] {
            let entry = MarkdownNote.entry(MarkdownNote.bytes(head, text: Array(text.utf8)), at: .line(1), path: nil)
            #expect(entry.title == head.title)
            #expect(entry.url == head.url)
            #expect(entry.description == head.description)
            #expect(entry.tags == ["a, b", "c", "'d'"])
            #expect(entry.collections == head.collections)
            #expect(entry.createdAt == head.createdAt)
            #expect(entry.updatedAt == head.updatedAt)
            #expect(entry.isFavorite)
            #expect(entry.sortOrder == 1.5)
            #expect(entry.itemID?.description == head.id)
            #expect(entry.text == Array(text.utf8))
        }
    }

    @Test func `reading ends with any bytes`() {
        var random = SeededGenerator.forFuzzing
        let pieces = ["---\n", "a: b\n", "- x\n", "tags: [a, 'b\n", "\"", "\\", "\n", ":", "  ", "é", "#"]
        for _ in 0..<FuzzSetting.cases(2000) {
            let text = "---\n" + (0..<20).map { _ in pieces.randomElement(using: &random)! }.joined()
            _ = MarkdownNote.entry(Array(text.utf8), at: .line(1), path: nil)
        }
    }
}
