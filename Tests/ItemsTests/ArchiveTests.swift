import Files
import JSONFormat
import TestSupport
import Testing
import Time

@testable import Items

/// Saved pages: installed, kept and restored.
struct ArchiveTests {
    let library: TestLibrary

    init() throws { library = try TestLibrary() }

    private let red = String(repeating: "a", count: 16) + ".png"
    private let blue = String(repeating: "b", count: 16) + ".png"

    private func staged(page: String?, reader: String? = nil, assets: [String: String] = [:]) throws -> StagedArchive {
        let archive = try library.session.stageArchive()
        let folder = try Directory(path: archive.path)
        if let page { try folder.writeFile("page.html", Array(page.utf8)) }
        if let reader { try folder.writeFile("reader.html", Array(reader.utf8)) }
        if !assets.isEmpty { try folder.makeDirectory("assets") }
        for (name, text) in assets { try folder.directory("assets").writeFile(name, Array(text.utf8)) }
        return archive
    }

    @discardableResult
    private func install(
        _ archive: StagedArchive, _ stored: StoredItem, status: String = "full", at time: Timestamp = .now
    ) throws -> Snapshot? {
        var edit = ItemEdit(base: stored.json)
        edit.set(.archiveStatus, .string(status))
        edit.set(.archivedAt, .string(time.rfc3339))
        return try library.session.install(archive, in: stored, edit, at: time)
    }

    @Test func `a first archive is put in place and leaves nothing in staging`() throws {
        let stored = try library.add()
        let kept = try install(try staged(page: "one", reader: "r", assets: [red: "red"]), stored)
        #expect(kept == nil)
        let item = try library.item(stored.id)
        #expect(item.item.archiveStatus == .full)
        #expect(try library.text(item, "page.html") == "one")
        #expect(try library.text(item, "reader.html") == "r")
        #expect(try library.text(item, "assets/" + red) == "red")
        #expect(try library.leftovers().isEmpty)
        #expect(try library.store.snapshots(of: item).isEmpty)
    }

    @Test func `a second archive keeps the first as a snapshot and drops the assets it no longer needs`() throws {
        let stored = try library.add()
        try install(try staged(page: "one", reader: "r", assets: [red: "red"]), stored)
        try library.write(stored, "assets/mine.png", "by hand")
        let second = try library.item(stored.id)
        let kept = try #require(try install(try staged(page: "two", assets: [blue: "blue"]), second, status: "partial"))
        let item = try library.item(stored.id)
        #expect(try library.text(item, "page.html") == "two")
        #expect(!library.scratch.exists(item.folder + "/reader.html"))
        #expect(try library.scratch.names(item.folder + "/assets").sorted() == [blue, "mine.png"])
        let snapshots = try library.store.snapshots(of: item)
        #expect(snapshots.map(\.name) == [kept.name])
        #expect(snapshots.first?.status == "full")
        #expect(try library.text(item, kept.path + "/page.html") == "one")
        #expect(try library.text(item, kept.path + "/reader.html") == "r")
        #expect(try library.text(item, kept.path + "/assets/" + red) == "red")
        #expect(try library.leftovers().isEmpty)
    }

    @Test func `a snapshot is restored with its status, and the current archive becomes one`() throws {
        let stored = try library.add()
        try install(try staged(page: "one", assets: [red: "red"]), stored)
        try install(try staged(page: "two", assets: [blue: "blue"]), try library.item(stored.id), status: "partial")
        let item = try library.item(stored.id)
        let snapshot = try #require(try library.store.snapshots(of: item).first)
        try library.session.restore(snapshot, in: item)
        let restored = try library.item(stored.id)
        #expect(restored.item.archiveStatus == .full)
        #expect(try library.text(restored, "page.html") == "one")
        #expect(try library.scratch.names(restored.folder + "/assets") == [red])
        let pages = try library.store.snapshots(of: restored).map {
            try library.text(restored, $0.path + "/page.html")
        }
        #expect(Set(pages) == ["one", "two"])
        // Restoring back and forth makes no further copies.
        let other = try #require(
            try library.store.snapshots(of: restored).first {
                try library.text(restored, $0.path + "/page.html") == "two"
            })
        try library.session.restore(other, in: restored)
        #expect(try library.store.snapshots(of: try library.item(stored.id)).count == 2)
    }

    @Test func `a page that was edited by hand is in the snapshot`() throws {
        let stored = try library.add()
        try install(try staged(page: "one"), stored)
        try library.write(stored, "page.html", "one, edited")
        let kept = try #require(try install(try staged(page: "two"), try library.item(stored.id)))
        #expect(try library.text(stored, kept.path + "/page.html") == "one, edited")
    }

    @Test func `the same page saved again makes one snapshot`() throws {
        let stored = try library.add()
        for _ in 0..<3 { try install(try staged(page: "one", assets: [red: "red"]), try library.item(stored.id)) }
        #expect(try library.store.snapshots(of: try library.item(stored.id)).count == 1)
    }

    @Test func `a worse capture can be kept beside the one that stays`() throws {
        let stored = try library.add()
        try install(try staged(page: "good"), stored)
        let item = try library.item(stored.id)
        try library.session.keepAsSnapshot(
            try staged(page: "bad"), of: item, [(.archiveStatus, .string("partial"))])
        #expect(try library.text(item, "page.html") == "good")
        let snapshot = try #require(try library.store.snapshots(of: item).first)
        #expect(snapshot.status == "partial")
        #expect(try library.text(item, snapshot.path + "/page.html") == "bad")
        #expect(try library.leftovers().isEmpty)
    }

    @Test func `an archive that is not installed is cleared with its session`() throws {
        let archive = try library.session.stageArchive()
        #expect(try library.leftovers().count == 1)
        library.session.discard(archive)
        #expect(try library.leftovers().isEmpty)
    }

    @Test(arguments: ["page.html", "reader.html", "assets"])
    func `a link instead of a page stops the installation before anything is changed`(name: String) throws {
        let stored = try library.add()
        try library.scratch.write("outside/page", "secret")
        let target = name == "assets" ? "outside" : "outside/page"
        try library.scratch.link(stored.folder + "/" + name, to: library.scratch.full(target))
        let before = try library.snapshot()
        let archive = try staged(page: "two", reader: "r", assets: [red: "red"])
        #expect(throws: ItemError.self) { try install(archive, try library.item(stored.id)) }
        #expect(try library.snapshot() == before)
        #expect(try library.scratch.text("outside/page") == "secret")
    }

    @Test(arguments: [
        ("20261121T101500Z-0123abcd", true), ("20261121T101500Z-0123abcd-77", true),
        ("20261121T101500Z-0123abc", false),
        ("20261121T101500Z-0123abcd-x", false), ("mine", false), ("2026-11-21T101500Z-0123abcd", false),
    ])
    func `names of snapshots are distinguished from others`(name: String, isOne: Bool) {
        #expect(Layout.isSnapshotName(name) == isOne)
    }
}
