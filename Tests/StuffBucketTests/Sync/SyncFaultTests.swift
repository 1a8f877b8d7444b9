import Foundation
import StuffBucket
import TestSupport
import Testing

/// Objects of an exchange that are missing, damaged or no files.
struct SyncFaultTests {
    /// What happens to a file of the exchange.
    enum Damage: CaseIterable { case missing, empty, cut, flipped }

    private func damage(_ path: String, _ fleet: Fleet, _ damage: Damage) throws -> [UInt8] {
        let path = "exchange/" + path
        var bytes = try fleet.scratch.bytes(path)
        let whole = bytes
        switch damage {
        case .missing:
            try fleet.scratch.removeFile(path)
            return whole
        case .empty: bytes = []
        case .cut: bytes = Array(bytes.dropLast(bytes.count / 2))
        case .flipped: bytes[bytes.count / 2] ^= 0x20
        }
        try fleet.scratch.write(path, bytes)
        return whole
    }

    @Test(arguments: Damage.allCases) func `a pack that is not whole waits, and comes when it is`(_ kind: Damage) throws
    {
        let (fleet, id) = try Fleet.withItem()
        let b = try SyncDevice(from: fleet.path)
        let pack = try #require(try fleet.objects(".tar.zst").last)
        let whole = try damage(pack, fleet, kind)
        for _ in 0..<2 {
            let report = try b.sync()
            #expect(report.left.contains { $0.path == pack }, "\(report.left)")
            #expect(try b.status().unfinished.contains(pack))
        }
        // What is whole comes.
        try fleet.scratch.write("exchange/" + pack, whole)
        let report = try b.sync()
        #expect(report.left.isEmpty)
        #expect(try b.library.store.item(id) != nil && b.status().unfinished.isEmpty)
    }

    @Test(arguments: Damage.allCases) func `a document that is not whole waits, and its item comes before it`(
        _ kind: Damage
    ) throws {
        let (fleet, id) = try Fleet.withItem(["document/a.txt": "A document."])
        let b = try SyncDevice(from: fleet.path)
        let object = try #require(try fleet.objects().first { !$0.hasSuffix(".zst") })
        let whole = try damage(object, fleet, kind)
        let report = try b.sync()
        #expect(report.left.map(\.path) == [object] && report.taken.added == [id])
        #expect(!b.scratch.exists(b.path(id, "document/a.txt")))
        try fleet.scratch.write("exchange/" + object, whole)
        #expect(try b.sync().left.isEmpty)
        #expect(try b.scratch.text(b.path(id, "document/a.txt")) == "A document.")
        try fleet.settle()
    }

    @Test(arguments: Damage.allCases) func `a bundle that is not whole waits, and its item comes before it`(
        _ kind: Damage
    ) throws {
        let (fleet, id) = try Fleet.withItem(["page.html": "<p>Page", "assets/0123456789abcdef.css": "p {}"])
        let b = try SyncDevice(from: fleet.path)
        // The bundle holds the page; the pack does not.
        let bundle = try #require(
            try fleet.objects(".tar.zst").first { path in
                try Self.list(fleet.path + "/" + path).contains("page.html")
            })
        let whole = try damage(bundle, fleet, kind)
        let report = try b.sync()
        #expect(report.left.map(\.path) == [bundle] && report.taken.added == [id])
        #expect(!b.scratch.exists(b.path(id, "page.html")))
        try fleet.scratch.write("exchange/" + bundle, whole)
        #expect(try b.sync().left.isEmpty)
        #expect(try b.scratch.text(b.path(id, "page.html")) == "<p>Page")
        #expect(try b.scratch.text(b.path(id, "assets/0123456789abcdef.css")) == "p {}")
    }

    /// The names in a packed tar file.
    private static func list(_ path: String) throws -> [String] {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["tar", "-tf", path]
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let bytes = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    @Test(arguments: Damage.allCases, [".tar.zst", ""]) func `an object that another device misses is written again`(
        _ kind: Damage, _ form: String
    ) throws {
        let (fleet, id) = try Fleet.withItem([
            "document/plan.txt": "Sow in May.", "page.html": "<p>Bread</p>", "own.bin": "mine",
        ])
        let packs = try packs(fleet)
        let objects = try fleet.objects(form).filter { path in !packs.contains { path.contains($0) } }
        #expect(!objects.isEmpty)
        for path in objects { _ = try damage(path, fleet, kind) }
        let b = try SyncDevice(from: fleet.path)
        #expect(try !b.sync().left.isEmpty)
        try fleet[0].sync()
        #expect(try b.sync().left.isEmpty)
        for name in ["document/plan.txt", "page.html", "own.bin"] {
            #expect(try b.scratch.bytes(b.path(id, name)) == fleet[0].scratch.bytes(fleet[0].path(id, name)), "\(name)")
        }
        try fleet[0].sync()
        #expect(try b.sync().sentObjectCount == 0 && fleet[0].sync().sentObjectCount == 0)
    }

    @Test func `a pack that was lost is written once more by the device that wrote it`() throws {
        let (fleet, id) = try Fleet.withItem(["page.html": "<p>Bread</p>"])
        let packs = try packs(fleet)
        for path in try fleet.objects(".tar.zst") where packs.contains(where: path.contains) {
            _ = try damage(path, fleet, .missing)
        }
        let b = try SyncDevice(from: fleet.path)
        #expect(try !b.sync().left.isEmpty)
        try fleet[0].sync()
        #expect(try b.sync().left.isEmpty)
        #expect(try b.scratch.text(b.path(id, "page.html")) == "<p>Bread</p>")
        try fleet[0].sync()
        #expect(try b.sync().sentObjectCount == 0 && fleet[0].sync().sentObjectCount == 0)
    }

    /// The packs that the heads name.
    private func packs(_ fleet: Fleet) throws -> [String] {
        var found: [String] = []
        for head in try fleet.names() where head.hasPrefix("heads/") {
            let lists = head.components(separatedBy: "\"packs\": [").dropFirst()
            for list in lists {
                let names = list.prefix { $0 != "]" }.split(separator: "\"")
                found += names.map(String.init).filter { $0.count == 64 }
            }
        }
        return found
    }

    @Test func `a document in a zip file is read, and stays when the exchange is pruned`() throws {
        let fleet = try Fleet(1)
        let id = try fleet[0].addPlan("Sow in May.")
        try fleet[0].sync()
        let raw = try #require(try fleet.objects("").first { !$0.hasSuffix(".tar.zst") })
        // A stored file, as APPNOTE.TXT 4.3.7, 4.3.12 and 4.3.16 have it.
        let contents = try fleet.scratch.bytes("exchange/" + raw)
        func number(_ value: Int, _ count: Int) -> [UInt8] { (0..<count).map { UInt8(value >> (8 * $0) & 255) } }
        var sum: UInt32 = ~0
        for byte in contents {
            sum ^= UInt32(byte)
            for _ in 0..<8 { sum = sum >> 1 ^ (sum & 1 == 1 ? 0xEDB8_8320 : 0) }
        }
        let fields =
            number(0, 8) + number(Int(~sum), 4) + number(contents.count, 4) + number(contents.count, 4) + number(1, 2)
        let local = number(0x0403_4B50, 4) + number(20, 2) + fields + number(0, 2) + [0x61] + contents
        let directory =
            number(0x0201_4B50, 4) + number(20, 2) + number(20, 2) + fields + number(0, 2) + number(0, 14)
            + [0x61]
        let end =
            number(0x0605_4B50, 4) + number(0, 4) + number(1, 2) + number(1, 2) + number(directory.count, 4)
            + number(local.count, 4) + number(0, 2)
        try fleet.scratch.removeFile("exchange/" + raw)
        // What it writes meanwhile names no document; a repair finds the zip file by the hash.
        let waiting = try SyncDevice(from: fleet.path)
        for _ in 0..<2 { #expect(try !waiting.sync().left.isEmpty) }
        try fleet.scratch.write("exchange/" + raw + ".zip", local + directory + end)
        let worker = try CaptureWorker(path: BuiltProgram.path("sbfs-worker"))
        #expect(try waiting.library.repair(from: [.exchange(waiting.exchange)], worker).lost.isEmpty)
        #expect(try waiting.scratch.text(waiting.path(id, "document/plan.txt")) == "Sow in May.")
        let b = try SyncDevice(from: fleet.path)
        #expect(try b.sync().left.isEmpty)
        #expect(try b.scratch.text(b.path(id, "document/plan.txt")) == "Sow in May.")
        #expect(try b.library.prune(b.exchange, worker).unusedCount == 0)
        // The other device asked for the file as it is, and got it.
        try fleet.scratch.removeFile("exchange/" + raw)
        #expect(try b.library.check(b.exchange, worker).faults.isEmpty)
        try fleet.scratch.write("exchange/" + raw + ".zip", local + local + directory)
        #expect(try b.library.check(b.exchange, worker).faults.map(\.path) == [raw + ".zip"])
        let c = try SyncDevice(from: fleet.path)
        #expect(try c.sync().left.map(\.path) == [raw])
    }

    @Test(arguments: ["link", "FIFO", "folder"]) func `what is no file in the place of an object is not read`(
        _ kind: String
    ) throws {
        let (fleet, id) = try Fleet.withItem()
        let b = try SyncDevice(from: fleet.path)
        let pack = try #require(try fleet.objects(".tar.zst").last)
        let path = "exchange/" + pack
        try fleet.scratch.rename(path, to: "kept")
        switch kind {
        case "link": try fleet.scratch.link(path, to: fleet.scratch.full("kept"))
        case "FIFO": try fleet.scratch.makeFIFO(path)
        default: try fleet.scratch.makeDirectory(path)
        }
        #expect(try b.sync().left.map(\.path) == [pack])
        try FileManager.default.removeItem(atPath: fleet.scratch.full(path))
        try fleet.scratch.rename("kept", to: path)
        #expect(try b.sync().left.isEmpty)
        #expect(try b.library.store.item(id) != nil)
    }
}
