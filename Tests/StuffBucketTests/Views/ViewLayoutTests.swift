import Files
import Foundation
import Glibc
import Items
import JSONFormat
import TestSupport
import Testing

@testable import StuffBucket

struct ViewLayoutTests {
    let sample: ViewSample

    init() throws { sample = try ViewSample() }

    @Test func `documents are under their ids with their original names`() throws {
        let id = try sample.document("Q3: Report?.pdf", "pages", title: "Another title")
        _ = try sample.library.addSnippet("no document")
        try sample.add(.documents)
        #expect(try sample.files() == ["Documents/\(id)/Q3: Report?.pdf"])
        #expect(try sample.text("Documents/\(id)/Q3: Report?.pdf") == "pages")
        #expect(try sample.refresh().writtenCount == 0)
    }

    @Test func `a full view holds each item once in All, and relative links elsewhere`() throws {
        _ = try sample.document("scan.pdf", "pages", title: "Invoice", tags: ["tax", "collection:Work/2026"])
        _ = try sample.library.addSnippet("# Soup\nwater", tags: ["food"])
        let old = try sample.library.addSnippet("gone", title: "Old")
        try sample.library.change("trash") { step in _ = try step.trash(try sample.sample.stored(old)) }
        try sample.add()
        #expect(
            try sample.files() == [
                "All/Invoice.pdf", "All/Old.md", "All/Soup.md",
                "Collections/Work/2026/Invoice.pdf -> ../../../All/Invoice.pdf",
                "Recently Deleted/Old.md -> ../All/Old.md", "Recents/Invoice.pdf -> ../All/Invoice.pdf",
                "Recents/Soup.md -> ../All/Soup.md", "Smart/This Week/Invoice.pdf -> ../../All/Invoice.pdf",
                "Smart/This Week/Soup.md -> ../../All/Soup.md", "Smart/Today/Invoice.pdf -> ../../All/Invoice.pdf",
                "Smart/Today/Soup.md -> ../../All/Soup.md", "Tags/food/Soup.md -> ../../All/Soup.md",
                "Tags/tax/Invoice.pdf -> ../../All/Invoice.pdf",
            ])
        #expect(
            try String(
                contentsOfFile: sample.scratch.full(sample.root + "/Collections/Work/2026/Invoice.pdf"), encoding: .utf8
            ) == "pages")
        #expect(sample.scratch.exists(sample.root + "/Smart/Pinned"))
        // No hard link leads into the library.
        var status = stat()
        stat(sample.scratch.full(sample.root + "/All/Invoice.pdf"), &status)
        #expect(status.st_nlink == 1)
    }

    @Test func `a saved page is a folder with its assets and a file that opens the link`() throws {
        let id = try sample.sample.put(
            1, "A page", [("linkURL", .string("https://example.org/a?b=1&c=%20")), ("type", .string("link"))])
        let folder = sample.sample.folder(id)
        try sample.scratch.write(folder + "/page.html", "<img src=assets/0123456789abcdef.png>")
        try sample.scratch.write(folder + "/reader.html", "<p>article")
        try sample.scratch.write(folder + "/assets/0123456789abcdef.png", "png")
        try sample.add()
        let own = try sample.files().filter { $0.hasPrefix("All/") }
        #expect(
            own == [
                "All/A page/A page.desktop", "All/A page/assets/0123456789abcdef.png", "All/A page/page.html",
                "All/A page/reader.html",
            ])
        #expect(try sample.files().contains("Recents/A page -> ../All/A page"))
        let entry = try sample.text("All/A page/A page.desktop")
        #expect(
            entry
                == "[Desktop Entry]\nVersion=1.5\nType=Link\nName=A page\nURL=https://example.org/a?b=1&c=%20\nIcon=text-html\n"
        )
        var status = stat()
        stat(sample.scratch.full(sample.root + "/All/A page/A page.desktop"), &status)
        #expect(status.st_mode & 0o111 == 0)
    }

    @Test(arguments: [
        "x\nExec=touch /tmp/x", "a\\nExec=b", "\u{202E}b", " leading", "[Desktop Entry]", "\u{1B}]0;x\u{7}",
    ])
    func `a hostile title or link adds nothing to a desktop entry`(_ title: String) throws {
        let bytes = try #require(LinkFile.bytes(url: "https://example.org/\\n", title: title, isDesktopEntry: true))
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count == 7)
        #expect(
            lines.map { $0.prefix { $0 != "=" } } == ["[Desktop Entry]", "Version", "Type", "Name", "URL", "Icon", ""])
        #expect(lines[4] == "URL=https://example.org/\\\\n")
        for url in [
            "https://example.org/\nExec=x", "javascript:alert(1)", "file:///etc/passwd", "https://a/\u{202E}", "x",
        ] {
            #expect(LinkFile.bytes(url: url, title: title, isDesktopEntry: true) == nil)
            #expect(LinkFile.bytes(url: url, title: title, isDesktopEntry: false) == nil)
        }
    }

    @Test func `tags and the link are attributes of the files`() throws {
        let id = try sample.document("a.txt", "text", tags: ["One", "Two words", "collection:C"])
        try sample.change(id) { $0.set(.linkURL, .string("https://example.org/")) }
        try sample.add()
        func attribute(_ name: String) throws -> String? {
            let folder = try Directory(path: sample.scratch.full(sample.root))
            return try folder.file("All/a/a.txt").attribute(name, limit: 4096).map {
                String(decoding: $0, as: UTF8.self)
            }
        }
        try #require(try sample.refresh().hasAttributes, "the scratch folder has no extended attributes")
        #expect(try attribute("user.xdg.tags") == "One,Two words")
        #expect(try attribute("user.xdg.origin.url") == "https://example.org/")
        try sample.change(id) { $0.addTag("Three") }
        let report = try sample.refresh(.items([id]))
        #expect(report.copiedCount == 0)
        #expect(try attribute("user.xdg.tags") == "One,Two words,Three")
        #expect(try sample.refresh().writtenCount == 0)
        // A person's own tags stay.
        _ = try Directory(path: sample.scratch.full(sample.root)).file("All/a/a.txt").setAttribute(
            "user.xdg.tags", Array("mine".utf8))
        try sample.change(id) { $0.addTag("Four") }
        try sample.refresh(.items([id]))
        #expect(try attribute("user.xdg.tags") == "mine")
        #expect(try sample.text("All/a/a.txt") == "text")
    }

    @Test func `in mode symlink the files are links to the library`() throws {
        let id = try sample.document("a.txt", "text", title: "A")
        try sample.add(.full, .symlink)
        #expect(
            try sample.files().contains(
                "All/A.txt -> \(sample.scratch.full("library"))/items/\(id.shard)/\(id)/document/a.txt"))
        #expect(try sample.view.changes().isEmpty)
        #expect(try sample.refresh().writtenCount == 0)
    }

    @Test func `in mode reflink the bytes are the same, and the report says how`() throws {
        _ = try sample.document("a.txt", String(repeating: "text", count: 5000), title: "A")
        let report = try sample.add(.full, .reflink)
        #expect(report.copiedCount + report.sharedCount == 1)
        #expect(try sample.text("All/A.txt").utf8.count == 20000)
        #expect(try sample.refresh().writtenCount == 0)
    }

    @Test func `equal names differ on every system and stay with their items`() throws {
        let first = try sample.library.addSnippet("1", title: "Soup")
        let second = try sample.library.addSnippet("2", title: "SOUP")
        let third = try sample.library.addSnippet("3", title: "soup")
        try sample.add()
        #expect(
            try sample.files().filter { $0.hasPrefix("All/") } == ["All/SOUP (2).md", "All/Soup.md", "All/soup (3).md"])
        // A new equal title, also one that sorts first, renames nothing.
        try sample.sample.put(1, "Soup", text: "0")
        try sample.refresh()
        #expect(try sample.text("All/Soup.md") == "1")
        #expect(try sample.text("All/SOUP (2).md") == "2")
        #expect(try sample.text("All/Soup (4).md") == "0")
        // Nor does one that goes.
        try sample.change(first) { $0.set(.title, .string("Stew")) }
        try sample.refresh(.items([first]))
        #expect(try sample.text("All/Stew.md") == "1")
        #expect(try sample.text("All/soup (3).md") == "3")
        try sample.refresh()
        #expect(try sample.text("All/SOUP (2).md") == "2")
        // The free name is used again.
        try sample.change(third) { $0.set(.title, .string("soup!")) }
        try sample.change(second) { $0.set(.title, .string("Broth")) }
        try sample.refresh(.items([second, third]))
        let new = try sample.library.addSnippet("5", title: "Soup")
        try sample.refresh(.items([new]))
        #expect(try sample.text("All/Soup.md") == "5")
        #expect(try sample.view.changes().isEmpty)
    }

    @Test func `a hundred items with one title all get a name`() throws {
        for number in 0..<100 { try sample.sample.put(UInt16(number + 1), "Same", text: "\(number)") }
        try sample.add()
        let own = try sample.files().filter { $0.hasPrefix("All/") }
        #expect(own.count == 100)
        #expect(Set(try own.map { try sample.text($0) }).count == 100)
        let next = try sample.library.addSnippet("next", title: "same")
        try sample.refresh(.items([next]))
        #expect(try sample.text("All/same (101).md") == "next")
    }

    @Test func `hostile titles stay in the view`() throws {
        let titles = [
            "../../../escape", "/etc/passwd", "..", ".", "", "CON", "a\u{202E}txt.exe", "\u{0}\n\u{1B}[2J",
            String(repeating: "é", count: 4000),
            ".sbfs-view", "All", "trail. ", "a\u{301}" + String(repeating: "\u{301}", count: 3000),
        ]
        for (number, title) in titles.enumerated() {
            try sample.sample.put(
                UInt16(number + 1), title, tags: [title, "collection:" + title + "/../" + title], text: "text \(number)"
            )
        }
        let before = try FileManager.default.subpathsOfDirectory(atPath: sample.scratch.path).filter {
            !$0.hasPrefix("desk/StuffBucket") && !$0.hasPrefix("library/.sbfs")
        }
        let report = try sample.add()
        #expect(report.failures.isEmpty)
        let after = try FileManager.default.subpathsOfDirectory(atPath: sample.scratch.path).filter {
            !$0.hasPrefix("desk/StuffBucket") && !$0.hasPrefix("library/.sbfs")
        }
        #expect(before.sorted() == after.sorted())
        let own = try sample.files().filter { $0.hasPrefix("All/") }
        #expect(own.count == titles.count)
        for path in try sample.files() {
            for name in path.split(separator: " -> ")[0].split(separator: "/") {
                #expect(name.utf8.count <= 210 && Printable.isPlain(String(name)), "\(path)")
            }
        }
        #expect(try sample.refresh().writtenCount == 0)
    }

    @Test func `a document whose name is not UTF-8 is shown under the name that the library gave it`() throws {
        let source = Array(sample.scratch.full("f").utf8) + [0xFF] + Array(".txt".utf8) + [0]
        let number = source.withUnsafeBufferPointer { bytes in
            open(UnsafeRawPointer(bytes.baseAddress!).assumingMemoryBound(to: CChar.self), O_WRONLY | O_CREAT, 0o644)
        }
        #expect(Glibc.write(number, "text", 4) == 4)
        close(number)
        // By hand in document/: a name that is not UTF-8 is no document.
        let id = try sample.sample.put(1, "By hand")
        try sample.scratch.makeDirectory(sample.sample.folder(id) + "/document")
        let target = Array(sample.scratch.full(sample.sample.folder(id) + "/document/g").utf8) + [0xFF, 0]
        _ = source.withUnsafeBufferPointer { from in
            target.withUnsafeBufferPointer { to in
                rename(
                    UnsafeRawPointer(from.baseAddress!).assumingMemoryBound(to: CChar.self),
                    UnsafeRawPointer(to.baseAddress!).assumingMemoryBound(to: CChar.self))
            }
        }
        let report = try sample.add()
        #expect(report.failures.isEmpty && report.faults.isEmpty)
        #expect(try sample.files().contains("All/By hand.md"))
    }

    @Test func `a name of 255 bytes is cut, and the document stays whole`() throws {
        let name = String(repeating: "n", count: 251) + ".txt"
        _ = try sample.document(name, "whole")
        try sample.add()
        let own = try #require(try sample.files().first { $0.hasPrefix("All/") })
        #expect(own.utf8.count <= 204 && own.hasSuffix(".txt"))
        #expect(try sample.text(own) == "whole")
    }

    @Test func `a collection and an item of one name live side by side`() throws {
        _ = try sample.library.addSnippet("1", title: "Projects", tags: ["collection:Work"])
        let id = try sample.sample.put(
            1, "Projects", [("linkURL", .string("https://example.org"))], tags: ["collection:Work"], text: "t")
        _ = try sample.library.addSnippet("2", title: "In", tags: ["collection:Work/Projects", "a:b", "a|b"])
        try sample.add()
        let files = try sample.files()
        #expect(
            files.contains("Collections/Work/Projects/In.md -> ../../../All/In.md")
                || files.contains("Collections/Work/Projects (2)/In.md -> ../../../All/In.md"))
        #expect(files.count { $0.hasPrefix("Collections/Work/") } == 3)
        // Tags whose names are the same as files are told apart.
        #expect(files.contains("Tags/a-b/In.md -> ../../All/In.md"))
        #expect(files.contains("Tags/a-b (2)/In.md -> ../../All/In.md"))
        #expect(try sample.refresh().writtenCount == 0)
        _ = id
    }
}
