import Items
import TestSupport
import Testing
import Time

@testable import StuffBucket

/// What each kind of file becomes.
struct InboxKindTests {
    private let inbox: InboxSample

    init() throws { inbox = try InboxSample() }

    private static let webloc =
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?><!DOCTYPE plist PUBLIC \"-//Apple//DTD PLIST 1.0//EN\" "
        + "\"http://www.apple.com/DTDs/PropertyList-1.0.dtd\"><plist version=\"1.0\"><dict><key>URL</key>"
        + "<string>https://example.org/a?b=1&amp;c=2</string></dict></plist>"

    static let shortcuts: [(String, [UInt8])] = [
        ("Page.url", Array("[InternetShortcut]\r\nURL=https://example.org/a?b=1&c=2\r\nIconIndex=0\r\n".utf8)),
        (
            "Page.URL",
            Array(
                "[{000214A0-0000-0000-C000-000000000046}]\nProp3=19,2\n[InternetShortcut]\nURL=https://example.org/a?b=1&c=2"
                    .utf8)
        ),
        (
            "Page.url",
            [0xFF, 0xFE]
                + Array("[InternetShortcut]\r\nURL=https://example.org/a?b=1&c=2\r\n".utf16).flatMap {
                    [UInt8($0 & 255), UInt8($0 >> 8)]
                }
        ),
        ("Page.webloc", Array(webloc.utf8)),
        ("Page.webloc", BinaryList.bytes(.members([("URL", .text("https://example.org/a?b=1&c=2"))]))),
        ("Page.desktop", Array("[Desktop Entry]\nType=Link\nName=x\nURL=https://example.org/a?b=1&c=2\n".utf8)),
        ("Page.desktop", Array("[Desktop Entry]\nType=Link\nURL[$e]=https://example.org/a?b=1&c=2\n".utf8)),
        ("Page.txt", Array("https://example.org/a?b=1&c=2".utf8)),
        ("Page.md", Array("\u{FEFF}\n  https://example.org/a?b=1&c=2\r\n".utf8)),
    ]

    @Test(arguments: shortcuts)
    func `shortcuts, and texts that are one URL, become links`(name: String, bytes: [UInt8]) throws {
        try inbox.drop(name, bytes)
        let report = try inbox.take()
        #expect(report.lines == ["added \(name)"])
        let stored = try inbox.item()
        #expect(stored.kind == .link && stored.item.linkURL == "https://example.org/a?b=1&c=2")
        #expect(stored.item.title == "Page" && stored.item.source == "inbox" && stored.item.archiveStatus == .pending)
        #expect(!stored.item.isTyped)
        #expect(try inbox.names().isEmpty && report.waiting.isEmpty && report.nextLook == nil)
    }

    @Test(arguments: ["note.txt", "note.md", "note.markdown"])
    func `other texts become snippets with their bytes`(name: String) throws {
        let text = "# Soup\r\n\nhttps://example.org/ has it. Caffè\r\n"
        try inbox.drop(name, text)
        try inbox.take()
        let stored = try inbox.item()
        #expect(stored.kind == .snippet && stored.item.title == "note" && stored.item.linkURL == nil)
        #expect(try inbox.text(stored) == text)
        #expect(stored.document == nil)
    }

    static let documents: [(String, [UInt8])] = [
        ("paper.pdf", Array("%PDF-1.7\n".utf8)), ("cat.png", [0x89, 0x50, 0x4E, 0x47]), ("no-extension", [0, 1, 2]),
        ("latin.txt", [0x63, 0x61, 0x66, 0xE9]), ("binary.md", [0x61, 0, 0x62]),
        ("start.desktop", Array("[Desktop Entry]\nType=Application\nExec=true\n".utf8)),
        ("broken.webloc", Array("<?xml version=\"1.0\"?><plist><dict><key>URL".utf8)),
        ("empty.url", Array("[InternetShortcut]\nURL=\n".utf8)), (".comment.pdf.x", [1]),
    ]

    @Test(arguments: documents.dropLast())
    func `any other file becomes a document`(name: String, bytes: [UInt8]) throws {
        try inbox.drop(name, bytes)
        try inbox.take()
        let stored = try inbox.item()
        #expect(stored.kind == .document && stored.document?.name == name && stored.item.title == nil)
        #expect(inbox.library.displayTitle(of: stored) == name)
        let copy = try inbox.scratch.bytes("library/\(stored.folder)/document/\(name)")
        #expect(copy == bytes)
        #expect(try inbox.names().isEmpty)
    }

    @Test func `the item has the file's time, the library's tags, and no archive unless it is wanted`() throws {
        try inbox.sample.set(.defaultTags, .strings(["new"]))
        try inbox.drop("a.url", "[InternetShortcut]\nURL=https://example.org/\n")
        try inbox.scratch.setModified("library/inbox/a.url", seconds: 1_700_000_000)
        var options = inbox.options
        options.isArchived = false
        _ = try inbox.library.takeInbox(using: nil, options)
        let stored = try inbox.item()
        #expect(stored.item.createdAt == Timestamp(milliseconds: 1_700_000_000_000))
        #expect(stored.item.tags == ["new"] && stored.item.archiveStatus == nil)
        // It came today: lists of recent items show it.
        #expect(stored.effectiveUpdatedAt.milliseconds > 1_700_000_100_000)
    }

    // MARK: Comments, collections, attributes

    @Test func `a comment gives tags and text`() throws {
        try inbox.drop("a.url", "[InternetShortcut]\nURL=https://example.org/\n")
        try inbox.drop("a.url.comment", "recipe #soup \"with less salt\" collection:Food")
        try inbox.drop("note.txt", "First.")
        try inbox.drop("note.txt.comment", "“Second.”")
        #expect(try inbox.take().lines == ["added a.url", "added note.txt"])
        let items = try inbox.items()
        try #require(items.count == 2)
        #expect(items[0].item.tags == ["recipe", "soup", "collection:Food"])
        #expect(try inbox.text(items[0]) == "with less salt\n")
        #expect(try inbox.text(items[1]) == "First.\n\nSecond.\n")
        #expect(try inbox.names().isEmpty)
    }

    /// "café two" in windows-1252, and with byte order marks in UTF-8 and UTF-16.
    private static let comments: [[UInt8]] = [
        [0x63, 0x61, 0x66, 0xE9, 0x20, 0x74, 0x77, 0x6F],
        [0xEF, 0xBB, 0xBF, 0x63, 0x61, 0x66, 0xC3, 0xA9, 0x20, 0x74, 0x77, 0x6F],
        [0xFF, 0xFE, 0x63, 0, 0x61, 0, 0x66, 0, 0xE9, 0, 0x20, 0, 0x74, 0, 0x77, 0, 0x6F, 0],
        [0xFE, 0xFF, 0, 0x63, 0, 0x61, 0, 0x66, 0, 0xE9, 0, 0x20, 0, 0x74, 0, 0x77, 0, 0x6F],
    ]

    @Test(arguments: comments)
    func `a comment in another encoding loses no letter`(_ bytes: [UInt8]) throws {
        try inbox.drop("note.txt", "First.")
        try inbox.drop("note.txt.comment", bytes)
        try inbox.take()
        #expect(try inbox.items()[0].item.tags == ["café", "two"])
    }

    @Test func `sub-folders are collections`() throws {
        try inbox.drop("Work/Projects/plan.txt", "plan")
        try inbox.drop("C:\\/tail.txt", "tail")
        try inbox.drop("back\\/slash/deep.txt", "deep")
        try inbox.drop("trashcan/kept.txt", "kept")
        try inbox.take()
        let found = try inbox.items().map { "\($0.item.title ?? ""): \($0.item.collections)" }
        #expect(
            found == [
                "deep: [\"back\\\\\\\\/slash\"]", "kept: [\"trashcan\"]", "plan: [\"Work/Projects\"]",
                "tail: [\"C:\\\\\\\\\"]",
            ])
        #expect(try inbox.items().allSatisfy { !$0.item.isTrashed })
        // The folders stay: a person drops the next file there.
        #expect(try inbox.names("Work/Projects").isEmpty)
    }

    @Test func `tags come from the attribute, and the word trashcan hides nothing`() throws {
        try inbox.drop("a.txt", "text")
        try inbox.scratch.setAttribute("library/inbox/a.txt", "user.xdg.tags", "one, two words,Trashcan")
        try inbox.drop("a.txt.comment", "TRASHCAN three")
        try inbox.take()
        let stored = try inbox.item()
        #expect(stored.item.tags == ["one", "two words", "imported-trashcan", "three"])
        #expect(!stored.item.isTrashed)
    }

    @Test func `a file from the address of a link that the library has becomes that item's document`() throws {
        let url = "https://example.org/paper.pdf"
        let id = try inbox.sample.put(1, "Mine", [("linkURL", .string(url)), ("archiveStatus", .string("failed"))])
        try inbox.drop("Work/paper.pdf", "%PDF")
        try inbox.scratch.setAttribute("library/inbox/Work/paper.pdf", "user.xdg.origin.url", url + "#page=2")
        try inbox.drop("Work/paper.pdf.comment", "read 'at last'")
        for _ in 0..<2 {
            #expect(try inbox.take().lines == ["joined Work/paper.pdf"])
            let stored = try inbox.item()
            #expect(stored.id == id && stored.document?.name == "paper.pdf" && stored.item.title == "Mine")
            #expect(stored.item.archiveStatus == .full && stored.item.tags == ["read", "collection:Work"])
            #expect(try inbox.text(stored) == "at last\n")
            // The same file again changes nothing.
            try inbox.drop("Work/paper.pdf", "%PDF")
            try inbox.scratch.setAttribute("library/inbox/Work/paper.pdf", "user.xdg.origin.url", url)
            try inbox.drop("Work/paper.pdf.comment", "read 'at last'")
        }
        // Another file from there is an item of its own.
        try inbox.drop("Work/paper.pdf", "%PDF of today")
        try inbox.scratch.setAttribute("library/inbox/Work/paper.pdf", "user.xdg.origin.url", url)
        #expect(try inbox.take().lines == ["added Work/paper.pdf"])
        #expect(try inbox.items().compactMap(\.item.linkURL) == [url])
    }

    @Test func `a file from an address that the library does not have keeps the address`() throws {
        try inbox.drop("paper.pdf", "%PDF")
        try inbox.scratch.setAttribute("library/inbox/paper.pdf", "user.xdg.origin.url", "https://example.org/p")
        try inbox.drop("other.pdf", "%PDF 2")
        try inbox.scratch.setAttribute("library/inbox/other.pdf", "user.xdg.origin.url", "file:///etc/passwd")
        try inbox.take()
        let items = try inbox.items()
        #expect(items.map(\.item.linkURL) == [nil, "https://example.org/p"])
        #expect(items.allSatisfy { $0.kind == .document && $0.item.archiveStatus == nil })
    }

    @Test func `a known link gets tags, collections and comment, once`() throws {
        let id = try inbox.sample.put(
            1, "Mine", [("linkURL", .string("https://example.org/a"))], tags: ["Old"], text: "first\n")
        for _ in 0..<2 {
            try inbox.drop("Shelf/a.url", "[InternetShortcut]\nURL=https://EXAMPLE.org/a#x\n")
            try inbox.drop("Shelf/a.url.comment", "old new \"second\"")
            #expect(try inbox.take().lines == ["joined Shelf/a.url"])
            let stored = try inbox.item()
            #expect(stored.id == id && stored.item.tags == ["Old", "new", "collection:Shelf"])
            #expect(try inbox.text(stored) == "first\n\nsecond\n")
            #expect(stored.item.title == "Mine")
        }
    }

    @Test func `two files with one link become one item`() throws {
        try inbox.drop("a.url", "[InternetShortcut]\nURL=https://example.org/\n")
        try inbox.drop("a.url.comment", "one 'first'")
        try inbox.drop("b.txt", "https://example.org")
        try inbox.drop("b.txt.comment", "two 'second'")
        try inbox.drop("c.pdf", "%PDF")
        try inbox.scratch.setAttribute("library/inbox/c.pdf", "user.xdg.origin.url", "https://example.org/#c")
        #expect(try inbox.take().lines == ["added a.url", "joined b.txt", "joined c.pdf"])
        let stored = try inbox.item()
        #expect(stored.item.tags == ["one", "two"] && stored.document?.name == "c.pdf" && stored.item.title == "a")
        #expect(try inbox.text(stored) == "first\n\nsecond\n")
    }

    @Test func `a link in the trash stays there, and the file becomes a new item`() throws {
        let old = try inbox.sample.putTrashed(1, "Gone", [("linkURL", .string("https://example.org/a"))])
        try inbox.drop("a.txt", "https://example.org/a")
        #expect(try inbox.take().lines == ["added a.txt"])
        #expect(try inbox.items().count == 2)
        #expect(try inbox.sample.stored(old).item.isTrashed)
    }
}
