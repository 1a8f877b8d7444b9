import Files
import Foundation
import Items
import JSONFormat
import StuffBucket
import TestSupport
import Testing

/// Exchanges that are damaged, not whole yet, or not this library's; syncs that end too early.
struct SyncFaultTests {
    private func fleet(_ files: [String: String] = [:]) throws -> (fleet: Fleet, id: ItemID) {
        let fleet = try Fleet(1)
        let id = try fleet[0].library.change("add") { try $0.addSnippet("Text.") }
        for (name, text) in files { try fleet[0].save(id, name, text) }
        try fleet[0].sync()
        return (fleet, id)
    }

    private func fails(_ expected: (SyncError) -> Bool, _ body: () throws -> Void) {
        do {
            try body()
            Issue.record("no error")
        } catch {
            #expect((error as? SyncError).map(expected) == true, "\(error)")
        }
    }

    // MARK: Objects

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
        let (fleet, id) = try fleet()
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
        let (fleet, id) = try fleet(["document/a.txt": "A document."])
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
        let (fleet, id) = try fleet(["page.html": "<p>Page", "assets/0123456789abcdef.css": "p {}"])
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
        let (fleet, id) = try fleet([
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
        let (fleet, id) = try fleet(["page.html": "<p>Bread</p>"])
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
        let (fleet, id) = try fleet(["document/plan.txt": "Sow in May."])
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
        try fleet.scratch.write("exchange/" + raw + ".zip", local + directory + end)
        try fleet.scratch.removeFile("exchange/" + raw)
        let b = try SyncDevice(from: fleet.path)
        #expect(try b.sync().left.isEmpty)
        #expect(try b.scratch.text(b.path(id, "document/plan.txt")) == "Sow in May.")
        #expect(
            try b.library.prune(b.exchange, CaptureWorker(path: BuiltProgram.path("sbfs-worker"))).unusedCount == 0)
        try fleet.scratch.write("exchange/" + raw + ".zip", local + local + directory)
        let c = try SyncDevice(from: fleet.path)
        #expect(try c.sync().left.map(\.path) == [raw])
    }

    @Test(arguments: ["link", "FIFO", "folder"]) func `what is no file in the place of an object is not read`(
        _ kind: String
    ) throws {
        let (fleet, id) = try fleet()
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

    @Test func `an item that cannot be read is named, and the others are written`() throws {
        let (fleet, id) = try fleet()
        let other = try fleet[0].library.change("add") { try $0.addSnippet("Other.") }
        try fleet[0].save(id, "item.json", "{ torn")
        let report = try fleet[0].sync()
        #expect(report.unreadable == [id] && report.sent == [other])
        try fleet[0].save(id, "item.json", "{\"id\": \"\(id)\", \"title\": \"Whole\"}\n")
        #expect(try fleet[0].sync().sent == [id])
    }

    @Test func `a pack waits for those that its writer had taken`() throws {
        let (fleet, id) = try fleet()
        let b = try fleet.add()
        try b.change(id) { $0.set(.title, .string("Second")) }
        try b.sync()
        let c = try SyncDevice(from: fleet.path)
        // The head of the first device has not arrived.
        let head = try #require(try fleet.names().first { $0.hasPrefix("heads/") && $0.contains("\"seen\": {}") })
        let path = "exchange/" + head.prefix { $0 != "{" }
        let bytes = try fleet.scratch.bytes(path)
        try fleet.scratch.removeFile(path)
        let report = try c.sync()
        #expect(report.left.map(\.reason) == [.comesLater])
        #expect(try c.library.store.item(id) == nil)
        try fleet.scratch.write(path, bytes)
        #expect(try c.sync().left.isEmpty)
        #expect(try c.stored(id).item.title == "Second")
    }

    // MARK: Other exchanges

    @Test func `an exchange of another library is refused, and stays as it is`() throws {
        let (fleet, _) = try fleet()
        let (other, _) = try self.fleet()
        let before = try other.names()
        let wrong = fleet[0]
        wrong.exchange.path = other.path
        fails({ if case .otherLibrary = $0 { true } else { false } }) { try wrong.sync() }
        fails({ if case .otherLibrary = $0 { true } else { false } }) {
            _ = try wrong.library.makeExchange(at: other.path)
        }
        #expect(try other.names() == before)
    }

    @Test func `a folder without exchange.json is refused: the disk may not be mounted`() throws {
        let (fleet, _) = try fleet()
        try fleet.scratch.removeFile("exchange/exchange.json")
        fails({ if case .noExchange = $0 { true } else { false } }) { try fleet[0].sync() }
        let status = fleet[0].library.lastSync(with: fleet[0].exchange)
        #expect(status.failureCount == 1 && status.failure != nil && status.nextAttempt != nil)
    }

    @Test func `a newer exchange is refused, and a newer head is named and left`() throws {
        let (fleet, _) = try fleet()
        let b = try fleet.add()
        let head = "exchange/heads/" + (try #require(try fleet.scratch.names("exchange/heads").first))
        let text = try fleet.scratch.text(head)
        try fleet.scratch.write(
            head, text.replacingOccurrences(of: "\"format\": 1,\n  \"library\"", with: "\"format\": 2,\n  \"library\""))
        var reasons: [SyncReport.Reason] = []
        for device in [fleet[0], b] { reasons += try device.sync().left.map(\.reason) }
        #expect(reasons.contains(.tooNew))
        let json = try fleet.scratch.text("exchange/exchange.json")
        try fleet.scratch.write(
            "exchange/exchange.json",
            json.replacingOccurrences(of: "1", with: "2", options: [], range: json.range(of: "\"format\": 1")))
        fails({ if case .tooNew = $0 { true } else { false } }) { try b.sync() }
    }

    @Test func `heads that are no heads are named, and the others count`() throws {
        let (fleet, id) = try fleet()
        let b = try SyncDevice(from: fleet.path)
        let name = "exchange/heads/11111111-2222-4333-8444-555555555555.json"
        for text in ["", "{", "[]", "{\"format\": 1, \"library\": \"x\"}"] {
            try fleet.scratch.write(name, text)
            let report = try b.sync()
            #expect(report.left.count == 1, "\(text)")
        }
        // Copies that a replication made are no heads.
        try fleet.scratch.write("exchange/heads/x (conflicted copy).json", "{}")
        try fleet.scratch.removeFile(name)
        #expect(try b.sync().left.isEmpty)
        #expect(try b.library.store.item(id) != nil)
    }

    @Test func `an exchange in the library, or around it, is refused`() throws {
        let (fleet, _) = try fleet()
        let device = fleet[0]
        try device.scratch.makeDirectory("library/exchange")
        // Also one that is not there yet, and through a link.
        try FileManager.default.createSymbolicLink(
            atPath: device.scratch.full("link"), withDestinationPath: device.library.path)
        for path in [
            device.library.path + "/exchange", device.library.path, device.scratch.path, device.library.path + "/new",
            device.library.path + "/new/inner", device.scratch.full("link") + "/new",
        ] {
            fails({ if case .sameFolder = $0 { true } else { false } }) {
                _ = try device.library.makeExchange(at: path)
            }
        }
        #expect(!device.scratch.exists("library/new"))
        fails({ if case .sameFolder = $0 { true } else { false } }) {
            try Library.create(at: fleet.path + "/library", from: device.exchange)
        }
        #expect(!fleet.scratch.exists("exchange/library"))
        // A name that only begins alike.
        #expect(try device.library.makeExchange(at: device.library.path + "2"))
    }

    @Test func `no exchange is made beside other files`() throws {
        let (fleet, _) = try fleet()
        try fleet.scratch.write("other/file", "x")
        fails({ if case .notEmpty = $0 { true } else { false } }) {
            _ = try fleet[0].library.makeExchange(at: fleet.scratch.full("other"))
        }
        #expect(try fleet.scratch.names("other") == ["file"])
    }

    // MARK: Devices

    @Test func `an old copy of a head, or an empty one, is replaced by its device`() throws {
        let (fleet, _) = try fleet()
        let head = "exchange/heads/" + (try #require(try fleet.scratch.names("exchange/heads").first))
        let old = try fleet.scratch.bytes(head)
        _ = try fleet[0].library.change("add") { try $0.addSnippet("More.") }
        try fleet[0].sync()
        let new = try fleet.scratch.bytes(head)
        for bytes in [old, []] {
            try fleet.scratch.write(head, bytes)
            #expect(try fleet[0].sync().sent.isEmpty)
            #expect(try fleet.scratch.bytes(head) == new)
        }
        #expect(try fleet.scratch.names("exchange/heads").count == 1)
    }

    @Test func `an emptied exchange is filled again`() throws {
        let (fleet, id) = try fleet(["document/a.txt": "A document."])
        try FileManager.default.removeItem(atPath: fleet.path)
        _ = try fleet[0].library.makeExchange(at: fleet.path)
        #expect(try fleet[0].sync().sent == [id])
        let b = try fleet.add()
        #expect(try b.scratch.text(b.path(id, "document/a.txt")) == "A document.")
    }

    @Test func `a device whose memory is gone reads everything again and changes nothing`() throws {
        let (fleet, id) = try fleet(["document/a.txt": "A document."])
        let b = try fleet.add()
        try b.change(id) { $0.addTag("rye") }
        try fleet.settle()
        let before = try b.files()
        try FileManager.default.removeItem(atPath: b.scratch.full("library/.sbfs/sync"))
        try b.reopen()
        let report = try b.sync()
        #expect(report.sent.isEmpty && report.taken.hasNothing, "\(report)")
        #expect(try b.files() == before)
        try fleet.settle()
        try fleet.expectEqual()
    }

    @Test func `two devices with one memory get two names, and lose nothing`() throws {
        let (fleet, id) = try fleet()
        let a = fleet[0]
        let b = try fleet.add()
        // A clone: the same memory in another library folder.
        let twin = try SyncDevice(from: fleet.path)
        try twin.sync()
        let memory = "library/.sbfs/sync"
        try FileManager.default.removeItem(atPath: twin.scratch.full(memory))
        try FileManager.default.copyItem(atPath: b.scratch.full(memory), toPath: twin.scratch.full(memory))
        try b.change(id) { $0.addTag("one") }
        try twin.change(id) { $0.addTag("two") }
        for _ in 0..<3 { for device in [b, twin, a] { try device.sync() } }
        for device in [a, b, twin] { #expect(try Set(device.stored(id).item.tags) == ["one", "two"]) }
    }

    @Test func `a device that is forgotten leaves what it wrote`() throws {
        let (fleet, _) = try fleet()
        let b = try fleet.add()
        let id = try b.library.change("add") { try $0.addSnippet("Only of the second device.") }
        try b.sync()
        let worker = try CaptureWorker(path: BuiltProgram.path("sbfs-worker"))
        let device = try #require(try b.status().device)
        #expect(throws: PruneError.self) { try fleet[0].library.forget("\(device)", in: fleet[0].exchange, worker) }
        try fleet[0].sync()
        #expect(try fleet[0].library.forget(String("\(device)".suffix(8)), in: fleet[0].exchange, worker) == device)
        let c = try SyncDevice(from: fleet.path)
        #expect(try c.sync().left.isEmpty)
        #expect(try c.library.store.item(id) != nil)
        // It comes back under a new name.
        try b.sync()
        try fleet.settle()
        try fleet.expectEqual()
    }

    @Test func `prune finds what nothing names, and deletes it after 30 days`() throws {
        let (fleet, id) = try fleet(["document/a.txt": "A document."])
        let stray = SHA256.hex([1])
        try fleet.scratch.write("exchange/objects/\(stray.prefix(2))/\(stray)", [1])
        let worker = try CaptureWorker(path: BuiltProgram.path("sbfs-worker"))
        let report = try fleet[0].library.prune(fleet[0].exchange, worker)
        #expect(report.unusedCount == 1 && report.unusedByteCount == 1 && report.deletedCount == 0)
        #expect(report.devices.count == 1 && report.nextDeletion != nil)
        // As if it had been found a month ago.
        let folder = "library/.sbfs/sync/" + (try #require(try fleet[0].scratch.names("library/.sbfs/sync").first))
        let memory = try fleet[0].scratch.text(folder + "/memory.json")
        let year = try #require(memory.range(of: "\(stray)\": \"2"))
        try fleet[0].scratch.write(
            folder + "/memory.json", memory.replacingCharacters(in: year, with: "\(stray)\": \"1"))
        #expect(try fleet[0].library.prune(fleet[0].exchange, worker, .dry).deletedCount == 1)
        #expect(try fleet[0].library.prune(fleet[0].exchange, worker).deletedCount == 1)
        #expect(!fleet.scratch.exists("exchange/objects/\(stray.prefix(2))/\(stray)"))
        let b = try fleet.add()
        #expect(try b.scratch.text(b.path(id, "document/a.txt")) == "A document.")
    }

    // MARK: Limits and interruptions

    @Test func `what is above the limit is left out and named, and the item comes without it`() throws {
        let fleet = try Fleet(1)
        let settings = try fleet[0].scratch.text("library/library.json")
        try fleet[0].scratch.write("library/library.json", settings.replacingOccurrences(of: "512", with: "50"))
        try fleet[0].reopen()
        let id = try fleet[0].library.change("add") { try $0.addSnippet("Text.") }
        let large = [UInt8](repeating: 0x20, count: 26 << 20)
        for name in ["page.html", "assets/0123456789abcdef.bin"] {
            try fleet[0].scratch.write(fleet[0].path(id, name), large)
        }
        let report = try fleet[0].sync()
        #expect(report.leftOut.map(\.path) == [""] && report.leftOut.first?.byteCount == 52 << 20)
        #expect(try fleet[0].status().leftOut.count == 1)
        let b = try fleet.add()
        #expect(try b.library.store.item(id) != nil && !b.scratch.exists(b.path(id, "page.html")))
        #expect(try b.sync().left.isEmpty)
        // It is named as long as it is left out, and travels once the limit is raised.
        try fleet[0].sync()
        #expect(try fleet[0].status().leftOut.map(\.path) == [""])
        try fleet[0].scratch.write("library/library.json", settings)
        try fleet[0].reopen()
        #expect(try fleet[0].status().itemCount == 1)
        #expect(try fleet[0].sync().sent == [id])
        #expect(try fleet[0].status().leftOut.isEmpty && fleet[0].sync().sent.isEmpty)
        try b.sync()
        #expect(try b.scratch.bytes(b.path(id, "page.html")) == large)
    }

    @Test func `a sync that is cancelled anywhere goes on with the next one`() throws {
        for limit in [1, 3, 10, 30] {
            let (fleet, _) = try fleet(["document/a.txt": "A document.", "page.html": "<p>Page"])
            let b = try SyncDevice(from: fleet.path)
            _ = try b.library.change("add") { try $0.addSnippet("Another.") }
            for device in [b, fleet[0]] {
                let counter = Counter(limit)
                let monitor = Monitor { _, _ in counter.count() }
                counter.monitor = monitor
                do {
                    _ = try device.library.sync(
                        with: device.exchange, CaptureWorker(path: BuiltProgram.path("sbfs-worker")),
                        as: StepHeader(command: "sync"), monitor)
                } catch ItemError.cancelled {}
            }
            let all = try Fleet.Pair(fleet, b)
            try all.settle()
        }
    }

    /// Cancels after so many calls.
    private final class Counter: @unchecked Sendable {
        private let lock = NSLock()
        private var left: Int
        var monitor: Monitor?
        init(_ limit: Int) { left = limit }
        func count() {
            lock.lock()
            defer { lock.unlock() }
            left -= 1
            if left <= 0 { monitor?.cancel() }
        }
    }
}

extension Fleet {
    /// The first device of a fleet and one that was not added to it.
    struct Pair {
        let a: SyncDevice, b: SyncDevice

        init(_ fleet: Fleet, _ other: SyncDevice) throws {
            a = fleet[0]
            b = other
        }

        func settle() throws {
            for _ in 0..<3 { for device in [a, b] { try device.sync() } }
            let (one, two) = (try a.files(), try b.files())
            #expect(one == two)
        }
    }
}
