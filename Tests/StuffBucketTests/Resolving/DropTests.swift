import Files
import Foundation
import Items
import Search
import TestSupport
import Testing

@testable import StuffBucket

/// `Library.drop`, `keep` and `resolve`: files that an exchange holds.
struct DropTests {
    private let worker: CaptureWorker
    private let fleet: Fleet
    private let id: ItemID
    private var a: SyncDevice { fleet[0] }

    init() throws {
        worker = try CaptureWorker(path: BuiltProgram.path("sbfs-worker"))
        fleet = try Fleet(1)
        let a = fleet[0]
        id = try a.library.change("add") { try $0.addSnippet("Of bread.") }
        try a.save(
            id, "page.html",
            "<title>T</title><p>Knead the sourdough.</p><p>Menu of wombats</p><img src=assets/0123456789abcdef.png>")
        try a.save(id, "reader.html", "<p>Knead the sourdough.</p>")
        try a.save(id, "assets/0123456789abcdef.png", "PNG")
        try a.scratch.write("plan.txt", "The plan.")
        _ = try a.library.change("attach") { try $0.attach(a.scratch.full("plan.txt"), to: a.stored(id)) }
        _ = try a.library.change("edit") { try $0.edit(a.stored(id)) { $0.set(.archiveStatus, .string("full")) } }
        try a.sync()
    }

    private func rows(_ device: SyncDevice) throws -> [Row] {
        try device.library.find(ItemRequest(device.library.parse("").query)).rows
    }

    private func drop(_ device: SyncDevice, _ mode: ChangeMode = .real) throws -> DropReport {
        try device.library.drop(rows(device), to: [device.exchange], worker, mode)
    }

    private func keep(_ device: SyncDevice) throws -> DropReport {
        try device.library.keep(rows(device), from: [device.exchange], worker)
    }

    private func found(_ query: String, _ device: SyncDevice) throws -> Int {
        try device.library.find(ItemRequest(device.library.parse(query).query)).count
    }

    private static let large = ["page.html", "reader.html", "assets/0123456789abcdef.png", "document/plan.txt"]

    private func here(_ device: SyncDevice) -> [String] {
        Self.large.filter { device.scratch.exists(device.path(id, $0)) }
    }

    @Test func `what is dropped, or comes back, is nothing to write`() throws {
        _ = try drop(a)
        #expect(try a.status().itemCount == 0)
        _ = try keep(a)
        #expect(try a.status().itemCount == 0)
        try a.change(id) { $0.addTag("may") }
        #expect(try a.status().itemCount == 1)
    }

    @Test func `what is dropped is found as before, and comes back as it was`() throws {
        let before = try a.files()
        let queries = [
            "sourdough", "wombats", "plan", "has:archive", "has:reader", "has:document", "status:full",
            "status:unavailable", "is:untagged",
        ]
        let counts = try queries.map { try found($0, a) }
        let dry = try drop(a, .dry)
        #expect(dry.byteCount > 0 && here(a) == Self.large)
        let report = try drop(a)
        #expect(report.done == [id] && report.left.isEmpty && report.byteCount == dry.byteCount, "\(report)")
        #expect(here(a).isEmpty)
        // No second name of the document or the page keeps its space.
        let known = try a.scratch.names("library/.sbfs/known/\(id.shard)")
        #expect(!known.contains { $0.hasSuffix(".files") })
        #expect(try queries.map { try found($0, a) } == counts)
        _ = try a.library.reindex(.full)
        #expect(try queries.map { try found($0, a) } == counts)
        #expect(try a.stored(id).archiveState == .full)
        #expect(try a.library.find(ItemRequest(a.library.parse("status:unavailable").query)).count == 0)
        #expect(try drop(a).unchanged == [id])
        let kept = try keep(a)
        #expect(kept.done == [id] && kept.left.isEmpty && kept.byteCount == report.byteCount, "\(kept)")
        let after = try a.files()
        #expect(after == before, "\(Set(after.keys).symmetricDifference(before.keys))")
        #expect(try keep(a).unchanged == [id])
    }

    @Test func `a sync after a drop tells nobody that files are gone`() throws {
        let b = try fleet.add()
        _ = try drop(a)
        let report = try a.sync()
        #expect(report.sent.isEmpty, "\(report)")
        try a.change(id) { $0.set(.title, .string("Bread")) }
        try fleet.settle()
        #expect(here(b) == Self.large && here(a).isEmpty)
        #expect(try b.stored(id).item.title == "Bread")
        try b.change(id) { $0.set(.title, .string("Rye")) }
        try fleet.settle()
        #expect(try a.stored(id).item.title == "Rye" && here(a).isEmpty)
        _ = try keep(a)
        try fleet.expectEqual()
    }

    @Test func `a page that another device captures again comes, and the earlier one is a snapshot everywhere`() throws
    {
        let b = try fleet.add()
        _ = try drop(a)
        try b.save(id, "page.html", "<p>A later capture.")
        try b.save(id, "document/plan.txt", "A later plan.")
        // A second name that the document gets later does not make it look as if a tool had brought it.
        usleep(100_000)
        try fleet.settle()
        _ = try keep(a)
        try fleet.settle()
        try fleet.expectEqual()
        #expect(try a.scratch.text(a.path(id, "document/plan.txt")) == "A later plan.")
    }

    // MARK: Faults

    @Test func `nothing is dropped that the exchange lacks`() throws {
        let new = try a.library.change("add") { try $0.addSnippet("New.") }
        try a.save(new, "page.html", "<p>New.")
        try a.save(id, "page.html", "<p>Edited since.")
        let report = try drop(a)
        #expect(report.left.count == 2, "\(report)")
        for left in report.left {
            guard case .notInExchange = left.reason else {
                Issue.record("\(left)")
                continue
            }
        }
        #expect(a.scratch.exists(a.path(new, "page.html")) && a.scratch.exists(a.path(id, "page.html")))
        #expect(!a.scratch.exists(a.path(id, "document/plan.txt")), "the document is in the exchange as it is here")
        try a.sync()
        #expect(try drop(a).done.count == 2)
    }

    @Test(arguments: ["truncated", "other bytes", "gone"])
    func `nothing is dropped whose copy in the exchange is damaged`(
        _ fault: String
    ) throws {
        // A pack is named first in the head; the rest are bundles and documents.
        for object in try fleet.objects() {
            let bytes = try fleet.scratch.bytes("exchange/" + object)
            switch fault {
            case "truncated": try fleet.scratch.write("exchange/" + object, Array(bytes.dropLast(5)))
            case "gone": try fleet.scratch.removeFile("exchange/" + object)
            default: try fleet.scratch.write("exchange/" + object, bytes.dropLast(3) + [1, 2, 3])
            }
        }
        let report = try drop(a)
        #expect(report.done.isEmpty && report.left.count == 2, "\(report)")
        #expect(here(a) == Self.large)
        #expect(try a.stored(id).away?.isEmpty ?? true)
    }

    @Test func `an exchange that is not mounted is named, and nothing is dropped`() throws {
        try fleet.scratch.rename("exchange", to: "elsewhere")
        #expect(throws: SyncError.self) { try drop(a) }
        #expect(here(a) == Self.large)
        try fleet.scratch.rename("elsewhere", to: "exchange")
        _ = try drop(a)
        try fleet.scratch.rename("exchange", to: "elsewhere")
        #expect(throws: SyncError.self) { try keep(a) }
        guard
            case .unavailable(let exchanges)? = try a.library.resolve(
                .page, of: a.stored(id), from: [a.exchange], { worker })
        else {
            Issue.record("resolved")
            return
        }
        #expect(exchanges.map(\.folder.path) == [a.exchange.path])
        #expect(try a.library.unreachable(for: a.stored(id), among: [a.exchange]).count == 1)
    }

    @Test(arguments: [true, false]) func `what an editor saves between the check and the drop stays`(_ isInPlace: Bool)
        throws
    {
        let store = a.library.store
        let place = try #require(try a.library.syncFolder(a.exchange))
        let run = SyncRun(a.library, a.exchange, try a.library.exchange(a.exchange), place, worker, Monitor())
        let session = WriteSession(beside: a.library.session)
        // In place: a program that opened the file before writes into it, under whatever name it has now.
        let open = try FileHandle(forUpdating: URL(fileURLWithPath: a.scratch.full(a.path(id, "page.html"))))
        defer { try? open.close() }
        let outcome = try run.drop(id, in: Layout.itemFolder(id), session) {
            if isInPlace {
                open.write(Data("<p>MINE".utf8))
            } else {
                try? a.save(id, "page.html", "<p>Mine.")
            }
        }
        if isInPlace {
            #expect(outcome.byteCount == 0 && outcome.left.count == 1)
            #expect(here(a) == Self.large)
            #expect(try a.scratch.text(a.path(id, "page.html")).hasPrefix("<p>MINE"))
        } else {
            // The exchange holds the version that was moved away; the new one is in place.
            #expect(try a.scratch.text(a.path(id, "page.html")) == "<p>Mine.")
        }
        #expect(store.root.path == a.library.path)
    }

    @Test func `a page without an article is found as before`() throws {
        let new = try a.library.change("add") { try $0.addSnippet("New.") }
        try a.save(new, "page.html", "<p>Of penguins alone.</p>")
        try a.sync()
        let queries = ["\"penguins alone\"", "\"menu of wombats\"", "\"sourdough menu\"", "\"alone knead\""]
        let counts = try queries.map { try found($0, a) }
        #expect(counts[0] == 1 && counts[1] == 1)
        #expect(try drop(a).left.isEmpty)
        _ = try a.library.reindex(.full)
        #expect(try queries.map { try found($0, a) } == counts)
    }

    @Test func `a record that is damaged is none, and keep brings the files all the same`() throws {
        _ = try drop(a)
        try a.scratch.write("library/.sbfs/" + Layout.awayRecord(id), "{\"files\": [{")
        #expect(try a.stored(id).unavailablePaths.contains("document/plan.txt"))
        let report = try keep(a)
        #expect(report.done == [id] && report.left.isEmpty, "\(report)")
        #expect(here(a) == Self.large)
    }

    @Test
    func
        `a document that a person puts in the place of one that is away counts, and the earlier one is not back later`()
        throws
    {
        _ = try drop(a)
        try a.save(id, "document/plan.txt", "Mine.")
        #expect(try a.stored(id).document != nil && a.stored(id).away?.documentName == nil)
        #expect(try a.sync().sent == [id])
        #expect(try keep(a).left.isEmpty)
        #expect(try a.scratch.text(a.path(id, "document/plan.txt")) == "Mine.")
        try a.scratch.removeFile(a.path(id, "document/plan.txt"))
        #expect(try a.stored(id).unavailablePaths == ["document/plan.txt"])
        #expect(try a.library.unreachable(for: a.stored(id), among: [a.exchange]).isEmpty)
    }

    @Test(arguments: ["library/.git", "library/.stfolder", ".git", ".stfolder"])
    func `nothing is dropped where another program would carry the removal`(_ mark: String) throws {
        try a.scratch.makeDirectory(mark)
        if mark == ".git" {
            // Git carries what its index names.
            #expect(try drop(a, .dry).done == [id])
            let index = Array("DIRC".utf8) + [0, 0, 0, 2] + Array("library/library.json".utf8)
            try a.scratch.write(".git/index", index)
        }
        #expect(throws: SyncError.self) { try drop(a) }
        #expect(here(a) == Self.large)
        var thin = a.exchange
        thin.isThin = true
        #expect(throws: SyncError.self) { try a.library.sync(with: thin, worker) }
        #expect(a.library.awayCount() == 0)
    }

    @Test func `an object that is cut is named with its path`() throws {
        _ = try drop(a)
        let object = try #require(try fleet.objects().first { !$0.hasSuffix(".tar.zst") })
        try fleet.scratch.write("exchange/" + object, "cut")
        let fault = try #require(
            try a.library.unreachable(for: a.stored(id), among: [a.exchange]).first?.reason as? ObjectFault)
        #expect(fault.path == object && fault.reason == .damaged(""))
        let report = try keep(a)
        #expect(report.left.map(\.path) == ["document/plan.txt"] && a.scratch.exists(a.path(id, "page.html")))
    }

    @Test func `files that a killed process was about to drop go back`() throws {
        let session = WriteSession(beside: a.library.session)
        struct Killed: Error {}
        let staged = try session.stageArchive()
        let name = "0123456789abcdef"
        let moved = a.scratch.full("library/.sbfs/staging/\(name)/\(id).dropped")
        session.discard(staged)
        let before = try a.files()
        try FileManager.default.createDirectory(atPath: moved + "/document", withIntermediateDirectories: true)
        for file in ["page.html", "document/plan.txt"] {
            try FileManager.default.moveItem(
                atPath: a.scratch.full(a.path(id, file)), toPath: moved + "/" + file)
        }
        try a.reopen()
        #expect(try a.files() == before)
        #expect(!a.scratch.exists("library/.sbfs/staging/\(name)"))
    }
}
