import Files
import Foundation
import Items
import Search
import TestSupport
import Testing

@testable import StuffBucket

/// Devices of which one leaves pages and documents to the exchange: Documentation/Exchange.md § 9.
struct ThinReplicaTests {
    let worker: CaptureWorker
    let fleet: Fleet
    let id: ItemID
    let thin: SyncDevice
    var full: SyncDevice { fleet[0] }

    init() throws {
        worker = try CaptureWorker(path: BuiltProgram.path("sbfs-worker"))
        fleet = try Fleet(1)
        let full = fleet[0]
        let id = try full.library.change("add") { try $0.addSnippet("Of bread.") }
        try full.save(id, "page.html", "<p>Knead the sourdough.</p><p>Menu of wombats</p>")
        try full.save(id, "reader.html", "<p>Knead the sourdough.</p>")
        try full.scratch.write("plan.txt", "The plan.")
        _ = try full.library.change("attach") { try $0.attach(full.scratch.full("plan.txt"), to: full.stored(id)) }
        try full.sync()
        self.id = id
        thin = try fleet.addThin()
    }

    private func found(_ query: String, _ device: SyncDevice) throws -> Int {
        try device.library.find(ItemRequest(device.library.parse(query).query)).count
    }

    func names(_ device: SyncDevice, _ folder: String) throws -> [String] {
        try device.library.store.names(in: Layout.itemFolder(id) + "/" + folder).sorted()
    }

    private func hasFiles(_ device: SyncDevice) -> Bool {
        device.scratch.exists(device.path(id, "page.html"))
            || device.scratch.exists(device.path(id, "document/plan.txt"))
    }

    /// Brings everything to the thin device, and compares both.
    func expectEqualFiles() throws {
        let rows = try thin.library.find(ItemRequest(thin.library.parse("").query)).rows
        let report = try thin.library.keep(rows, from: [thin.exchange], worker)
        #expect(report.left.isEmpty, "\(report)")
        try fleet.expectEqual()
    }

    @Test func `it holds no page and no document, and finds what a full one finds`() throws {
        #expect(!hasFiles(thin) && hasFiles(full))
        for query in ["sourdough", "wombats", "plan.txt", "has:archive", "has:reader", "has:document"] {
            #expect(try found(query, thin) == 1, "\(query)")
        }
        #expect(try found("status:unavailable", thin) == 0)
        let before = try fleet.names()
        #expect(try thin.sync().sent.isEmpty && full.sync().takenPackCount == 0)
        #expect(try fleet.names() == before)
        try expectEqualFiles()
    }

    @Test func `a person's own file beside a document that is away stops nothing`() throws {
        try full.save(id, "document/side.txt", "Of mine.")
        try full.change(id) { $0.set(.title, .string("Bread")) }
        try fleet.settle()
        #expect(try thin.stored(id).item.title == "Bread")
        #expect(try thin.stored(id).isDocumentAway)
        #expect(try thin.scratch.text(thin.path(id, "document/side.txt")) == "Of mine.")
        try thin.change(id) { $0.addTag("food") }
        try thin.save(id, "document/side.txt", "Of ours.")
        try fleet.settle()
        #expect(try full.stored(id).item.tags == ["food"])
        #expect(try full.scratch.text(full.path(id, "document/side.txt")) == "Of ours.")
        try expectEqualFiles()
    }

    @Test func `what a fault left here goes with the next sync`() throws {
        try full.save(id, "page.html", "<p>A later page of koalas.</p>")
        try full.sync()
        // Its record cannot be written.
        let record = "library/.sbfs/" + Layout.awayRecord(id)
        try? FileManager.default.removeItem(atPath: thin.scratch.full(record))
        try thin.shell("mkdir -p '\(thin.scratch.full(record))/in-the-way'")
        try thin.sync()
        #expect(thin.scratch.exists(thin.path(id, "page.html")))
        try FileManager.default.removeItem(atPath: thin.scratch.full(record))
        try thin.sync()
        #expect(!thin.scratch.exists(thin.path(id, "page.html")))
        #expect(try found("koalas", thin) == 1)
        try expectEqualFiles()
    }

    @Test func `a document that the person added here stays when another device changes the item`() throws {
        try thin.scratch.write("own.txt", "Of mine.")
        let own = try thin.library.change("add") { try $0.addSnippet("Mine.") }
        _ = try thin.library.change("attach") { try $0.attach(thin.scratch.full("own.txt"), to: thin.stored(own)) }
        try fleet.settle()
        try full.change(own) { $0.set(.title, .string("Bread")) }
        try fleet.settle()
        #expect(try thin.stored(own).item.title == "Bread")
        #expect(thin.scratch.exists(thin.path(own, "document/own.txt")))
        try full.save(own, "page.html", "<p>A page of koalas.</p>")
        try fleet.settle()
        #expect(!thin.scratch.exists(thin.path(own, "page.html")))
        #expect(thin.scratch.exists(thin.path(own, "document/own.txt")))
        try expectEqualFiles()
    }

    @Test func `edits of both are joined, and files of the full one stay`() throws {
        try thin.change(id) { $0.set(.title, .string("Bread")) }
        try thin.save(id, "text.md", "Of bread and butter.\n")
        try full.change(id) { $0.addTag("food") }
        try fleet.settle()
        #expect(hasFiles(full) && !hasFiles(thin))
        let stored = try full.stored(id)
        #expect(stored.item.title == "Bread" && stored.item.tags == ["food"])
        try expectEqualFiles()
    }

    @Test func `a new page and a new document replace those that are away, and nothing is lost`() throws {
        try full.save(id, "page.html", "<p>A later page of koalas.</p>")
        try full.save(id, "document/plan.txt", "A later plan.")
        try fleet.settle()
        #expect(!hasFiles(thin))
        #expect(try found("koalas", thin) == 1)
        try expectEqualFiles()
        #expect(try thin.scratch.text(thin.path(id, "document/plan.txt")) == "A later plan.")
    }

    @Test(arguments: [false, true])
    func `what is away and gone from the exchange is not waited for if something took its place`(_ isByEditor: Bool)
        throws
    {
        try full.save(id, "page.html", "<p>A later page of koalas.</p>")
        if isByEditor {
            try full.save(id, "document/plan.txt", "A later plan.")
        } else {
            try full.scratch.write("plan.txt", "A later plan.")
            _ = try full.library.change("attach") {
                try $0.attach(full.scratch.full("plan.txt"), to: full.stored(id), .replace)
            }
        }
        try full.sync()
        _ = try full.library.empty(full.exchange, worker)
        try full.change(id) { $0.set(.title, .string("Bread")) }
        try full.sync()
        let report = try thin.sync()
        #expect(report.left.isEmpty && report.taken.left.isEmpty, "\(report)")
        #expect(try thin.stored(id).item.title == "Bread" && !hasFiles(thin))
        try fleet.settle()
        #expect(try found("koalas", thin) == 1 && full.sync().left.isEmpty)
        try expectEqualFiles()
        #expect(try thin.scratch.text(thin.path(id, "document/plan.txt")) == "A later plan.")
    }

    @Test(arguments: [false, true])
    func `a document that is away and that another device takes out goes from the record, and does not return`(
        _ isEmptied: Bool
    ) throws {
        _ = try full.library.change("detach") { try $0.detachDocument(from: full.stored(id)) }
        try full.sync()
        if isEmptied { _ = try full.library.empty(full.exchange, worker) }
        try full.change(id) { $0.set(.title, .string("Bread")) }
        try full.sync()
        #expect(try thin.sync().left.isEmpty)
        let stored = try thin.stored(id)
        #expect(stored.item.title == "Bread" && !stored.isDocumentAway && stored.isPageAway)
        #expect(thin.library.store.awayRecord(of: id)?.document == nil)
        #expect(try thin.sync().sent.isEmpty)
        // The next versions have no document, either.
        try thin.change(id) { $0.addTag("food") }
        try fleet.settle()
        #expect(try full.stored(id).item.tags == ["food"] && full.stored(id).document == nil)
        let versions = try VersionFolder(of: full.stored(id).folder, in: full.library.store).list().outlines
        let followed = Set(versions.flatMap(\.parents))
        let heads = versions.filter { !followed.contains($0.name) }
        #expect(heads.count == 1 && heads.allSatisfy { $0.content.document == nil && $0.content.page != nil })
        try expectEqualFiles()
        #expect(!thin.scratch.exists(thin.path(id, "document/plan.txt")))
    }

    @Test func `what is away and would lose is waited for`() throws {
        try thin.change(id) { $0.set(.title, .string("Bread")) }
        try full.save(id, "document/plan.txt", "A later plan.")
        try full.sync()
        _ = try full.library.empty(full.exchange, worker)
        try full.sync()
        #expect(try thin.sync().left.map(\.reason) == [.notHereYet])
        #expect(try thin.stored(id).item.title == "Bread" && thin.stored(id).away?.documentPath != nil)
    }

    @Test func `files that the person keeps or adds stay, also when later ones come`() throws {
        let row = try #require(try thin.library.find(ItemRequest(thin.library.parse("").query)).rows.first)
        _ = try thin.library.keep([row], from: [thin.exchange], worker)
        try full.save(id, "document/plan.txt", "A later plan.")
        let own = try thin.library.change("add") { try $0.addSnippet("Mine.") }
        try thin.save(own, "page.html", "<p>My page.</p>")
        try fleet.settle()
        #expect(try thin.scratch.text(thin.path(id, "document/plan.txt")) == "A later plan.")
        #expect(thin.scratch.exists(thin.path(own, "page.html")) && full.scratch.exists(full.path(own, "page.html")))
    }

    @Test func `a device that lost its own files reads the packs again, and is thin again`() throws {
        for name in ["index", "away", "sync", "known", "states", "cache"] {
            try? FileManager.default.removeItem(atPath: thin.scratch.full("library/.sbfs/" + name))
        }
        try thin.reopen()
        #expect(try thin.stored(id).away == nil)
        try thin.sync()
        #expect(!hasFiles(thin))
        #expect(try found("wombats", thin) == 1)
        try fleet.settle()
        #expect(hasFiles(full))
        try expectEqualFiles()
    }

    @Test func `an item is purged with what is away of it`() throws {
        try thin.library.change("trash") { _ = try $0.trash(thin.stored(id)) }
        try fleet.settle()
        #expect(try full.stored(id).item.isTrashed && hasFiles(full))
        try thin.library.change("purge") { try $0.purge(thin.stored(id)) }
        #expect(!thin.scratch.exists("library/.sbfs/" + Layout.awayRecord(id)))
        try fleet.settle()
        #expect(try full.library.store.item(id) == nil)
    }

    @Test func `a merge with another copy does not replace what is away`() throws {
        try full.save(id, "page.html", "<p>Another page of koalas.</p>")
        let report = try thin.library.merge(full.library.path)
        #expect(
            report.left.contains { if case .fault(.refused(.away)) = $0.reason { true } else { false } },
            "\(report.left)")
        #expect(try thin.stored(id).away?.hasPage == true)
    }

    // MARK: Faults

    @Test func `an object that is gone is not waited for where a later page follows`() throws {
        let bundles = try fleet.objects(".tar.zst")
        try full.save(id, "page.html", "<p>A later page.</p>")
        try full.sync()
        for object in bundles {
            try fleet.scratch.rename("exchange/" + object, to: "kept-" + object.suffix(80).filter { $0 != "/" })
        }
        let report = try thin.sync()
        #expect(report.left.isEmpty, "\(report)")
        #expect(try thin.stored(id).away?.hasPage == true && found("later", thin) == 1)
        for object in bundles {
            try fleet.scratch.rename("kept-" + object.suffix(80).filter { $0 != "/" }, to: "exchange/" + object)
        }
        try fleet.settle()
        #expect(try found("wombats", thin) >= 0)
        try expectEqualFiles()
    }

    @Test func `another exchange gets the item without what is away, and all of it once it is here`() throws {
        let other = ExchangeFolder(path: fleet.scratch.full("other"))
        _ = try thin.library.makeExchange(at: other.path)
        let report = try thin.library.sync(with: other, worker)
        #expect(report.sent == [id])
        #expect(report.leftOut.map(\.reason) == [.away, .away], "\(report.leftOut)")
        let row = try #require(try thin.library.find(ItemRequest(thin.library.parse("").query)).rows.first)
        _ = try thin.library.keep([row], from: [other, thin.exchange], worker)
        #expect(hasFiles(thin))
        #expect(try thin.library.sync(with: other, worker).sent == [id])
        let scratch = try ScratchDirectory()
        try Library.create(at: scratch.full("new"), from: other)
        let library = try Library(path: scratch.full("new"))
        _ = try library.sync(with: other, worker)
        #expect(scratch.exists("new/" + Layout.itemFolder(id) + "/page.html"))
        #expect(scratch.exists("new/" + Layout.itemFolder(id) + "/document/plan.txt"))
    }

    // MARK: Copies

    @Test func `a copy that a program changed is kept, and another one is made`() throws {
        func open() throws -> (path: String, changed: String?) {
            guard
                case .copy(let path, let changed)? = try thin.library.resolve(
                    .document, of: thin.stored(id), from: [thin.exchange], { worker })
            else { throw ItemError.noItem(id) }
            return (path, changed)
        }
        let first = try open()
        #expect(try String(contentsOfFile: first.path, encoding: .utf8) == "The plan." && first.changed == nil)
        try FileManager.default.removeItem(atPath: first.path)
        try Data("My changes.".utf8).write(to: URL(fileURLWithPath: first.path))
        let second = try open()
        #expect(try String(contentsOfFile: second.path, encoding: .utf8) == "The plan.")
        let changed = try #require(second.changed)
        #expect(try String(contentsOfFile: changed + "/document/plan.txt", encoding: .utf8) == "My changes.")
    }

    @Test func `copies above the limit go, those that were opened last stay`() throws {
        let files = try #require(OpenedFiles(thin.library.store, byteLimit: 25))
        func make(_ text: String) throws -> Items.ContentHash {
            let hash = Items.ContentHash(of: Array(text.utf8))
            var away = AwayFiles()
            away.document = .init(.init(path: "document/a.txt", sha256: hash, size: text.utf8.count), modified: 0)
            let fault: Int? = try files.make(hash, away) { folder, name in
                let target = try Directory(path: folder)
                try target.makeDirectory(name + "/document")
                try target.directory(name + "/document").writeFile("a.txt", Array(text.utf8))
                return nil
            }
            #expect(fault == nil)
            return hash
        }
        var changed: String?
        let hashes = try ["Ten bytes.", "Ten more..", "And ten..."].map(make)
        #expect(files.path(hashes[0], &changed) == nil && changed == nil)
        #expect(files.path(hashes[1], &changed) != nil && files.path(hashes[2], &changed) != nil)
    }
}
