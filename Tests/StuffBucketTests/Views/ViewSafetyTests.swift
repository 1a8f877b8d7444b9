import Files
import Foundation
import Glibc
import Items
import TestSupport
import Testing

@testable import StuffBucket

/// Only what a view wrote is ever changed or removed.
struct ViewSafetyTests {
    let sample: ViewSample

    init() throws { sample = try ViewSample() }

    @Test func `changes of items come through, and what is gone is removed`() throws {
        let id = try sample.library.addSnippet("one", title: "Soup", tags: ["food"])
        let other = try sample.library.addSnippet("two", title: "Stew")
        try sample.add()
        try sample.library.change("edit") { step in
            try step.updateText(sample.sample.stored(id), .replace(base: Array("one".utf8), with: Array("new".utf8)))
        }
        try sample.refresh(.items([id]))
        #expect(try sample.text("All/Soup.md") == "new")
        try sample.change(id) { $0.removeTag("food") }
        try sample.change(id) { $0.set(.title, .string("Broth")) }
        let report = try sample.refresh(.items([id]))
        #expect(report.movedCount == 1 && report.copiedCount == 0)
        #expect(!sample.scratch.exists(sample.root + "/Tags/food"))
        #expect(try sample.files().filter { $0.hasPrefix("All/") } == ["All/Broth.md", "All/Stew.md"])
        sample.scratch.removeItem(sample.sample.folder(other))
        try sample.refresh(.items([other]))
        #expect(try sample.files().allSatisfy { !$0.contains("Stew") })
        #expect(try sample.view.changes().isEmpty)
    }

    @Test func `a single file becomes a folder and comes back`() throws {
        let id = try sample.document("a.txt", "text", title: "A")
        try sample.add()
        try sample.library.change("text") { step in
            try step.updateText(sample.sample.stored(id), .append(Array("note".utf8)))
        }
        try sample.refresh(.items([id]))
        #expect(try sample.files().filter { $0.hasPrefix("All/") } == ["All/A/a.txt", "All/A/text.md"])
        #expect(try sample.files().contains("Recents/A -> ../All/A"))
        try sample.library.change("text") { step in try step.removeText(sample.sample.stored(id)) }
        try sample.refresh(.items([id]))
        #expect(try sample.files().filter { $0.hasPrefix("All/") } == ["All/A.txt"])
        #expect(try sample.view.changes().isEmpty)
    }

    @Test func `a person's files stay and are named, also under names that the view wants`() throws {
        try sample.add()
        try sample.write("All/Soup.md", "mine")
        try sample.write("Tags/food/note.txt", "mine")
        try sample.write("My folder/x.txt", "mine")
        try sample.write("Recents/Soup (2).md", "mine")
        let id = try sample.library.addSnippet("soup", title: "Soup", tags: ["food"])
        let report = try sample.refresh()
        #expect(try sample.text("All/Soup (2).md") == "soup")
        #expect(report.failures.isEmpty)
        #expect(
            try sample.view.changes().map { "\($0.path)" } == [
                "All/Soup.md", "My folder", "Recents/Soup (2).md", "Tags/food",
            ]
                || sample.view.changes().map { "\($0.path)" } == [
                    "All/Soup.md", "My folder", "Recents/Soup (2).md", "Tags/food/note.txt",
                ])
        try sample.library.change("trash") { step in _ = try step.trash(sample.sample.stored(id)) }
        try sample.refresh()
        for path in ["All/Soup.md", "Tags/food/note.txt", "My folder/x.txt", "Recents/Soup (2).md"] {
            #expect(try sample.text(path) == "mine")
        }
        try sample.library.removeView(sample.view)
        #expect(try sample.library.views().isEmpty)
        #expect(try sample.files() == ["All/Soup.md", "My folder/x.txt", "Recents/Soup (2).md", "Tags/food/note.txt"])
    }

    @Test func `an edited copy stays, is named, and is taken over on request, which undo reverts`() throws {
        let id = try sample.document("a.txt", "library's text", title: "A")
        try sample.add()
        try sample.write("All/A.txt", "edited text")
        let report = try sample.refresh()
        #expect(report.changes.map(\.path) == ["All/A.txt"])
        #expect(try sample.text("All/A.txt") == "edited text")
        // The library's document changes, too: the edit stays all the same.
        try sample.scratch.write("other/a.txt", "newer text")
        try sample.library.change("attach") { step in
            try step.attach(sample.scratch.full("other/a.txt"), to: sample.sample.stored(id), .replace)
        }
        try sample.refresh(.items([id]))
        #expect(try sample.text("All/A.txt") == "edited text")
        let change = try #require(try sample.view.changes().first)
        #expect(change.isAdoptable && change.isOutdated)
        let view = try sample.view
        let adopted = try sample.library.change("adopt") { step in try step.adopt(change, from: view) }
        #expect(adopted == id)
        let stored = try sample.sample.stored(id)
        #expect(stored.document?.name == "a.txt")
        #expect(try sample.scratch.text(sample.sample.folder(id) + "/document/a.txt") == "edited text")
        #expect(stored.item.documentSHA256 == SHA256.hex(Array("edited text".utf8)))
        try sample.refresh(.items([id]))
        #expect(try sample.view.changes().isEmpty)
        let history = try #require(try sample.library.history())
        _ = try sample.library.undo([history.undoable[0].number], StepHeader(command: "undo"))
        #expect(try sample.scratch.text(sample.sample.folder(id) + "/document/a.txt") == "newer text")
        try sample.refresh(.items([id]))
        #expect(try sample.text("All/A.txt") == "newer text")
    }

    @Test func `an edited text is taken over, and an edited page is not`() throws {
        let id = try sample.sample.put(1, "Page", [("linkURL", .string("https://example.org"))], text: "note")
        try sample.scratch.write(sample.sample.folder(id) + "/page.html", "<p>page")
        try sample.add()
        try sample.write("All/Page/text.md", "edited note")
        try sample.write("All/Page/page.html", "edited page")
        let changes = try sample.view.changes()
        #expect(changes.map(\.isAdoptable) == [false, true])
        let view = try sample.view
        try sample.library.change("adopt") { step in
            try step.adopt(changes[1], from: view)
            #expect(throws: ViewError.self) { try step.adopt(changes[0], from: view) }
        }
        #expect(try sample.library.text(of: id) == "edited note")
        try sample.refresh()
        #expect(try sample.view.changes().map(\.path) == ["All/Page/page.html"])
        #expect(try sample.text("All/Page/page.html") == "edited page")
    }

    @Test func `an edit of the same size and time is an edit`() throws {
        let id = try sample.document("a.txt", "old", title: "A")
        try sample.add()
        let path = sample.scratch.full(sample.root + "/All/A.txt")
        var status = stat()
        stat(path, &status)
        try sample.write("All/A.txt", "new")
        let times = [status.st_atim, status.st_mtim]
        utimensat(AT_FDCWD, path, times, 0)
        try sample.change(id) { $0.set(.title, .string("B")) }
        try sample.refresh(.items([id]))
        #expect(try sample.text("All/A.txt") == "new")
        #expect(try sample.text("All/B.txt") == "old")
    }

    @Test func `a deleted file is written again, and a view that is gone only on request`() throws {
        let id = try sample.document("a.txt", "text", title: "A")
        try sample.add()
        try sample.scratch.removeFile(sample.root + "/All/A.txt")
        #expect(try sample.view.changes().map(\.path) == ["All/A.txt"])
        try sample.refresh()
        #expect(try sample.text("All/A.txt") == "text")
        sample.scratch.removeItem(sample.root)
        #expect(try sample.refresh().state == .missing)
        #expect(try sample.refresh(.items([id])).state == .missing)
        #expect(try sample.view.state() == .missing)
        #expect(!sample.scratch.exists(sample.root))
        #expect(try sample.library.item(id) != nil)
        #expect(try sample.refresh(missing: .make).state == .present)
        #expect(try sample.text("All/A.txt") == "text")
    }

    @Test func `a symbolic link in the view leads nothing astray`() throws {
        let id = try sample.document("a.txt", "text", title: "A", tags: ["t"])
        try sample.add()
        try sample.scratch.write("outside/keep.txt", "keep")
        let outside = sample.scratch.full("outside")
        for folder in ["All", "Tags/t", "Recents"] {
            sample.scratch.removeItem(sample.root + "/" + folder)
            try sample.scratch.link(sample.root + "/" + folder, to: outside)
        }
        let report = try sample.refresh()
        #expect(!report.failures.isEmpty)
        try sample.change(id) { $0.set(.title, .string("B")) }
        _ = try sample.refresh(.items([id]))
        #expect(try sample.scratch.names("outside") == ["keep.txt"])
        _ = try sample.library.removeView(sample.view)
        #expect(try sample.scratch.text("outside/keep.txt") == "keep")
    }

    @Test func `a link in the place of the view's folder or its marker is not followed`() throws {
        _ = try sample.document("a.txt", "text", title: "A")
        try sample.add()
        try sample.scratch.rename(sample.root, to: "moved")
        try sample.scratch.link(sample.root, to: sample.scratch.full("moved"))
        #expect(try sample.view.state() == .missing)
        #expect(try sample.refresh().state == .missing)
        #expect(throws: (any Error).self) { try sample.refresh(missing: .make) }
    }

    @Test func `a file that was cut off by a loss of power is written again`() throws {
        _ = try sample.document("a.txt", "text", title: "A")
        try sample.add()
        let path = sample.scratch.full(sample.root + "/All/A.txt")
        var status = stat()
        stat(path, &status)
        truncate(path, 0)
        utimensat(AT_FDCWD, path, [status.st_atim, status.st_mtim], 0)
        try sample.refresh()
        #expect(try sample.text("All/A.txt") == "text")
        // Emptied by a person: an edit.
        truncate(path, 0)
        try sample.refresh()
        #expect(try sample.text("All/A.txt") == "")
    }

    @Test func `a link's file that was cut off by a loss of power is written again`() throws {
        _ = try sample.sample.put(1, "Page", [("linkURL", .string("https://example.org/")), ("type", .string("link"))])
        try sample.add()
        let file = "All/Page.desktop", text = try sample.text(file)
        #expect(text.contains("URL=https://example.org/"))
        truncate(sample.scratch.full(sample.root + "/" + file), 0)
        try sample.refresh()
        #expect(try sample.text(file) == text)
    }

    @Test func `after the manifest is lost, files with the view's own bytes are taken over, and no others`() throws {
        _ = try sample.document("a.txt", "text", title: "A", tags: ["t"])
        _ = try sample.document("b.txt", "text of b", title: "B")
        try sample.add()
        try sample.write("All/B.txt", "edited")
        sample.scratch.removeItem("library/.sbfs/views")
        #expect(try sample.library.views().isEmpty)
        let report = try sample.add()
        #expect(report.changes.contains { $0.path == "All/B.txt" })
        try sample.refresh()
        #expect(try sample.text("All/B.txt") == "edited")
        #expect(try sample.text("All/B (2).txt") == "text of b")
        #expect(try sample.text("All/A.txt") == "text")
        #expect(!sample.scratch.exists(sample.root + "/All/A (2).txt"))
    }

    @Test func `many items that vanish at once are told, and their files stay`() throws {
        for number in 1...20 { try sample.sample.put(UInt16(number), "Item \(number)", text: "\(number)") }
        try sample.add()
        for number in 1...10 { sample.scratch.removeItem(sample.sample.folder(try SampleLibrary.id(UInt16(number)))) }
        let report = try sample.refresh()
        #expect(report.withheldCount == 10 && !report.isCurrent)
        #expect(try sample.text("All/Item 3.md") == "3")
        #expect(try sample.view.refresh(removesAll: true).withheldCount == 0)
        #expect(!sample.scratch.exists(sample.root + "/All/Item 3.md"))
        #expect(try sample.text("All/Item 13.md") == "13")
    }

    @Test func `an item that cannot be read keeps what the view shows of it`() throws {
        let id = try sample.sample.put(1, "Item", text: "text")
        try sample.add()
        try sample.scratch.write(sample.sample.folder(id) + "/item.json", "{ broken")
        let report = try sample.refresh()
        #expect(report.faults.count == 1)
        #expect(try sample.text("All/Item.md") == "text")
    }

    @Test func `Recents holds the latest fifty, and smart folders follow their queries`() throws {
        for number in 1...60 {
            try sample.sample.put(
                UInt16(number), "Item \(number)",
                [
                    (
                        "updatedAt",
                        .string("2026-01-02T00:\(number < 10 ? "0" : "")\(number - (number == 60 ? 1 : 0)):00Z")
                    )
                ])
        }
        try sample.library.change("smart") { try $0.addNamed(.smart, "Pins", [("query", .string("is:pinned"))]) }
        try sample.add()
        func recents() throws -> [String] { try sample.scratch.names(sample.root + "/Recents") }
        #expect(try recents().count == 50)
        #expect(try !recents().contains("Item 3.md"))
        let id = try SampleLibrary.id(3)
        try sample.change(id) { $0.set(.isPinned, .bool(true)) }
        try sample.refresh(.items([id]))
        #expect(try recents().count == 50)
        #expect(try recents().contains("Item 3.md"))
        #expect(try sample.scratch.names(sample.root + "/Smart/Pins") == ["Item 3.md"])
        try sample.change(id) { $0.remove(.isPinned) }
        try sample.refresh(.items([id]))
        #expect(try sample.scratch.names(sample.root + "/Smart/Pins").isEmpty)
        try sample.library.change("smart") { try $0.setNamed(.smart, "Pins", [("query", .string("title:3"))]) }
        try sample.refresh(.queries)
        #expect(try !sample.scratch.names(sample.root + "/Smart/Pins").isEmpty)
        try sample.library.change("smart") { _ = try $0.removeNamed(.smart, "Pins") }
        try sample.refresh(.queries)
        #expect(!sample.scratch.exists(sample.root + "/Smart/Pins"))
        #expect(try sample.view.changes().isEmpty)
    }
}

extension ScratchDirectory {
    /// Removes a file or a folder with its contents.
    func removeItem(_ relative: String) { try? FileManager.default.removeItem(atPath: full(relative)) }
}
