import Items
import TestSupport
import Testing

@testable import StuffBucket

/// A thin replica of one exchange that syncs with another one, too.
struct TwoExchangeTests {
    private let fleet: Fleet
    private let id: ItemID
    private let thin: SyncDevice
    private let other: ExchangeFolder
    private let worker: CaptureWorker
    private var full: SyncDevice { fleet[0] }
    private static let plan = "document/plan.txt"

    init() throws {
        fleet = try Fleet(1)
        id = try fleet[0].addPlan("The plan.")
        try fleet[0].save(id, "page.html", "<p>First.")
        try fleet[0].sync()
        thin = try fleet.addThin()
        other = ExchangeFolder(path: fleet.scratch.full("other"))
        worker = try CaptureWorker(path: BuiltProgram.path("sbfs-worker"))
        _ = try thin.library.makeExchange(at: other.path)
        _ = try thin.library.sync(with: other, worker)
    }

    private func row() throws -> Row {
        try #require(try thin.library.find(ItemRequest(thin.library.parse("").query)).rows.first)
    }

    @Test func `a full device writes what the thin one left out`() throws {
        #expect(try full.library.sync(with: other, worker).sent == [id])
        #expect(try full.library.sync(with: other, worker).sent.isEmpty)
        _ = try thin.library.sync(with: other, worker)
        #expect(try full.library.sync(with: other, worker).sent.isEmpty)
        #expect(try thin.library.sync(with: other, worker).sent.isEmpty)
    }

    @Test(arguments: [0, 1]) func `nothing is left out after keep`(_ first: Int) throws {
        #expect(try thin.library.syncStatus(with: other).leftOut.count == 2)
        #expect(thin.library.lastSync(with: other).leftOut.count == 2)
        #expect(thin.library.lastSync(with: other, isBrief: true).leftOut.isEmpty)
        let exchanges = first == 0 ? [thin.exchange, other] : [other, thin.exchange]
        #expect(try thin.library.keep([row()], from: exchanges, worker).done == [id])
        for exchange in exchanges {
            #expect(try thin.library.syncStatus(with: exchange).leftOut.isEmpty)
            #expect(thin.library.lastSync(with: exchange).leftOut.isEmpty)
        }
        for _ in 0..<2 {
            for exchange in exchanges { _ = try thin.library.sync(with: exchange, worker) }
            for exchange in exchanges { #expect(try thin.library.syncStatus(with: exchange).leftOut.isEmpty) }
        }
    }

    @Test(arguments: [false, true]) func `what replaces a document that only the first one holds is kept with it`(
        _ isOtherFirst: Bool
    ) throws {
        try thin.save(id, Self.plan, "Another plan.")
        if isOtherFirst { _ = try thin.library.sync(with: other, worker) }
        try thin.sync()
        _ = try thin.library.sync(with: other, worker)
        try fleet.settle()
        for device in [full, thin] {
            let folder = device.path(id, "document")
            let texts = try Set(device.scratch.names(folder).map { try device.scratch.text(folder + "/" + $0) })
            #expect(texts == ["The plan.", "Another plan."], "\(texts)")
        }
    }

    @Test(arguments: [false, true]) func `a page that another program replaced is kept, too`(_ isOtherFirst: Bool)
        throws
    {
        try thin.save(id, "page.html", "<p>Another.")
        if isOtherFirst { _ = try thin.library.sync(with: other, worker) }
        try thin.sync()
        try fleet.settle()
        for device in [full, thin] {
            let snapshot = try #require(try device.scratch.names(device.path(id, "snapshots")).first)
            #expect(try device.scratch.text(device.path(id, "snapshots/" + snapshot + "/page.html")) == "<p>First.")
        }
    }

    @Test(arguments: [0, 1]) func `keep brings what a program replaced`(_ first: Int) throws {
        let exchanges = first == 0 ? [thin.exchange, other] : [other, thin.exchange]
        try thin.save(id, Self.plan, "Another plan.")
        try thin.save(id, "page.html", "<p>Another.")
        #expect(try thin.library.keep([row()], from: exchanges, worker).left.isEmpty)
        let folder = thin.path(id, "document")
        let texts = try Set(thin.scratch.names(folder).map { try thin.scratch.text(folder + "/" + $0) })
        #expect(texts == ["The plan.", "Another plan."], "\(texts)")
        #expect(try thin.scratch.names(thin.path(id, "snapshots")).count == 1)
    }

    @Test func `what a program replaced stays named where its exchange is not asked`() throws {
        try thin.save(id, Self.plan, "Another plan.")
        #expect(try thin.library.keep([row()], from: [other], worker).left.map(\.path).contains(Self.plan))
        _ = try thin.library.sync(with: other, worker)
        #expect(try thin.library.drop([row()], to: [other], worker).left.map(\.path) == [Self.plan])
        _ = try thin.library.keep([row()], from: [thin.exchange], worker)
        let folder = thin.path(id, "document")
        let texts = try Set(thin.scratch.names(folder).map { try thin.scratch.text(folder + "/" + $0) })
        #expect(texts == ["The plan.", "Another plan."], "\(texts)")
    }

    @Test(arguments: [0, 1]) func `keep and open find what the other exchange lacks`(_ first: Int) throws {
        let exchanges = first == 0 ? [thin.exchange, other] : [other, thin.exchange]
        let stored = try thin.stored(id)
        for file in [OpenableFile.document, .page] {
            guard case .copy? = try thin.library.resolve(file, of: stored, from: exchanges, { worker }) else {
                Issue.record("\(file) is not found")
                continue
            }
        }
        #expect(try thin.library.keep([row()], from: exchanges, worker).left.isEmpty)
    }

    @Test func `what only a removed exchange holds is named so, and the rest of the item is kept and dropped`() throws {
        // The other exchange gets the page, and not the second document.
        #expect(try thin.library.keep([row()], from: [thin.exchange], worker).left.isEmpty)
        _ = try thin.library.sync(with: other, worker)
        #expect(try thin.library.drop([row()], to: [thin.exchange], worker).left.isEmpty)
        try full.scratch.write("plan.txt", "The second plan.")
        _ = try full.library.change("attach") {
            try $0.attach(full.scratch.full("plan.txt"), to: full.stored(id), .replace)
        }
        try full.sync()
        try thin.sync()
        try thin.save(id, Self.plan, "Another plan.")
        func paths(_ report: DropReport) -> [String] {
            report.left.compactMap { if case .inRemovedExchange = $0.reason { $0.path } else { nil } }
        }
        for _ in 0..<2 {
            let kept = try thin.library.keep([row()], from: [other], worker)
            #expect(kept.done == [id] && kept.left.count == 1 && paths(kept) == [Self.plan], "\(kept)")
            #expect(thin.scratch.exists(thin.path(id, "page.html")))
            #expect(thin.library.store.awayRecord(of: id)?.isKept == true)
            let dropped = try thin.library.drop([row()], to: [other], worker)
            #expect(dropped.done == [id] && dropped.left.count == 1 && paths(dropped) == [Self.plan], "\(dropped)")
            #expect(!thin.scratch.exists(thin.path(id, "page.html")))
        }
        _ = try thin.library.keep([row()], from: [other, thin.exchange], worker)
        let folder = thin.path(id, "document")
        let texts = try Set(thin.scratch.names(folder).map { try thin.scratch.text(folder + "/" + $0) })
        #expect(texts == ["The second plan.", "Another plan."], "\(texts)")
    }
}
