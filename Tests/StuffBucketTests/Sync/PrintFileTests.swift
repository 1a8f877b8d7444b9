import Items
import TestSupport
import Testing
import Time

@testable import StuffBucket

/// page.pdf and page.png, which are changed or removed on a device: Documentation/Exchange.md § 7.
struct PrintFileTests {
    private let fleet: Fleet
    private let id: ItemID
    private var a: SyncDevice { fleet[0] }
    private var b: SyncDevice { fleet[1] }

    init() throws {
        (fleet, id) = try Fleet.withItem([
            "page.html": "<p>First.", "page.pdf": "First print.", "page.png": "First picture.",
        ])
        try fleet.add()
        try fleet.settle()
    }

    private func text(_ device: SyncDevice, _ name: String) throws -> String? {
        device.scratch.exists(device.path(id, name)) ? try device.scratch.text(device.path(id, name)) : nil
    }

    private func expect(_ name: String, _ wanted: String?, _ place: SourceLocation = #_sourceLocation) throws {
        try fleet.settle()
        for device in fleet.devices {
            #expect(try text(device, name) == wanted, sourceLocation: place)
            let report = try device.sync()
            #expect(report.left.isEmpty && report.taken.left.isEmpty, "\(report)", sourceLocation: place)
        }
        try fleet.expectEqual(place)
    }

    @Test(arguments: ["page.pdf", "page.png"]) func `a change travels, and so does a removal`(_ name: String) throws {
        try a.save(id, name, "Second.")
        try a.sync()
        let report = try b.sync()
        #expect(report.taken.joined == [id] && report.taken.left.isEmpty && report.left.isEmpty, "\(report)")
        try expect(name, "Second.")
        try b.save(id, name, "Third.")
        try expect(name, "Third.")
        try a.scratch.removeFile(a.path(id, name))
        try expect(name, nil)
        try b.save(id, name, "Fourth.")
        try expect(name, "Fourth.")
    }

    @Test func `of two changes both are kept, and named`() throws {
        try a.save(id, "page.pdf", "Of a.")
        try b.save(id, "page.pdf", "Of b.")
        try a.sync()
        #expect(try b.sync().keptOwnFiles.count == 1)
        try fleet.settle()
        try fleet.expectEqual()
        let names = try a.scratch.names(a.path(id, "")).filter { $0.hasSuffix(".pdf") }
        #expect(names.count == 2)
        #expect(try Set(names.compactMap { try text(a, $0) }) == ["Of a.", "Of b."])
    }

    @Test(arguments: [false, true]) func `a page that is saved again comes with its print, and leaves one snapshot`(
        _ isEditedElsewhere: Bool
    ) throws {
        try a.change(id) { $0.addTag("first") }
        try fleet.settle()
        try a.library.session.keepPage(of: a.stored(id), at: .now)
        try a.save(id, "page.html", "<p>Second.")
        try a.save(id, "page.pdf", "Second print.")
        try a.scratch.removeFile(a.path(id, "page.png"))
        if isEditedElsewhere { try b.change(id) { $0.addTag("may") } }
        try expect("page.pdf", "Second print.")
        #expect(try text(b, "page.html") == "<p>Second." && text(b, "page.png") == nil)
        let snapshots = try b.scratch.names(b.path(id, "snapshots"))
        #expect(snapshots.count == 1)
        let snapshot = "snapshots/" + (snapshots.first ?? "")
        #expect(try text(b, snapshot + "/page.pdf") == "First print.")
        #expect(try text(b, snapshot + "/page.png") == "First picture.")
    }

    @Test func `a change comes also where an earlier pack lacks another file`() throws {
        try a.save(id, "notes.txt", "Second notes.")
        try a.sync()
        let object = try #require(try fleet.objects(Items.ContentHash(of: Array("Second notes.".utf8)).hex).first)
        try fleet.scratch.removeFile("exchange/" + object)
        try b.sync()
        try a.save(id, "notes.txt", "Third notes.")
        try a.save(id, "page.pdf", "Second.")
        try a.sync()
        try b.sync()
        #expect(try text(b, "page.pdf") == "Second." && text(b, "notes.txt") == "Third notes.")
    }

    @Test func `a print that goes with its page is not named as removed, and one that goes alone is`() throws {
        try a.scratch.removeFile(a.path(id, "page.png"))
        try a.sync()
        #expect(try b.sync().removedOwnFiles.count == 1)
        try a.library.session.keepPage(of: a.stored(id), at: .now)
        try a.save(id, "page.html", "<p>Second.")
        try a.scratch.removeFile(a.path(id, "page.pdf"))
        try a.sync()
        #expect(try b.sync().removedOwnFiles == [])
        #expect(try text(b, "page.html") == "<p>Second." && text(b, "page.pdf") == nil)
    }

    @Test(arguments: 0..<4, [false, true]) func `of two new pages the one that stands has its print`(
        _ number: Int, _ isCrossed: Bool
    ) throws {
        for (device, name) in [(a, "a"), (b, "b")] {
            try device.library.session.keepPage(of: device.stored(id), at: .now)
            try device.save(id, "page.html", "<p>Page of \(name).")
            try device.save(id, "page.pdf", "Print \(number) of \(name).")
        }
        if isCrossed {
            // Each device joins the two before it sees what the other one made of them.
            try a.sync()
            let head = "exchange/heads/\(try #require(a.status().device)).json"
            let first = try fleet.scratch.text(head)
            try fleet.scratch.removeFile(head)
            try b.sync()
            try fleet.scratch.write(head, first)
            try a.sync()
            let second = try fleet.scratch.text(head)
            try fleet.scratch.write(head, first)
            try b.sync()
            try fleet.scratch.write(head, second)
        }
        try fleet.settle()
        for device in fleet.devices {
            let name = try #require(try text(device, "page.html")).contains("of a") ? "a" : "b"
            #expect(try text(device, "page.pdf") == "Print \(number) of \(name).")
            let prints = try device.scratch.names(device.path(id, "")).filter { $0.hasSuffix(".pdf") }
            #expect(
                try Set(prints.compactMap { try text(device, $0) })
                    == ["Print \(number) of a.", "Print \(number) of b."])
            #expect(try device.sync().sent.isEmpty)
        }
        #expect(try text(a, "page.pdf") == text(b, "page.pdf"))
    }

    @Test func `a snapshot whose name was taken is found again`() throws {
        let time = Timestamp.now
        for print in ["One.", "Three.", "Three.", "One."] {
            try a.save(id, "page.pdf", print)
            try a.library.session.keepPage(of: a.stored(id), at: time)
        }
        #expect(try a.scratch.names(a.path(id, "snapshots")).count == 2)
    }
}
