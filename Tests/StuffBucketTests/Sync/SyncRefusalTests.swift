import Foundation
import StuffBucket
import TestSupport
import Testing

/// Exchanges and heads that a device does not use, items that it cannot write, and packs that come later.
struct SyncRefusalTests {
    private func fails(_ expected: (SyncError) -> Bool, _ body: () throws -> Void) {
        do {
            try body()
            Issue.record("no error")
        } catch {
            #expect((error as? SyncError).map(expected) == true, "\(error)")
        }
    }

    @Test func `an item that cannot be read is named, and the others are written`() throws {
        let (fleet, id) = try Fleet.withItem()
        let other = try fleet[0].library.change("add") { try $0.addSnippet("Other.") }
        try fleet[0].save(id, "item.json", "{ torn")
        let report = try fleet[0].sync()
        #expect(report.unreadable == [id] && report.sent == [other])
        try fleet[0].save(id, "item.json", "{\"id\": \"\(id)\", \"title\": \"Whole\"}\n")
        #expect(try fleet[0].sync().sent == [id])
    }

    @Test func `a pack waits for those that its writer had taken`() throws {
        let (fleet, id) = try Fleet.withItem()
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

    @Test func `an exchange of another library is refused, and stays as it is`() throws {
        let (fleet, _) = try Fleet.withItem()
        let (other, _) = try Fleet.withItem()
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
        let (fleet, _) = try Fleet.withItem()
        try fleet.scratch.removeFile("exchange/exchange.json")
        fails({ if case .noExchangeFile = $0 { true } else { false } }) { try fleet[0].sync() }
        try fleet.scratch.rename("exchange/heads", to: "heads")
        fails({ if case .noExchange = $0 { true } else { false } }) { try fleet[0].sync() }
        let status = fleet[0].library.lastSync(with: fleet[0].exchange)
        #expect(status.failureCount == 2 && status.failure != nil && status.nextAttempt != nil)
    }

    @Test func `a newer exchange is refused, and a newer head is named and left`() throws {
        let (fleet, _) = try Fleet.withItem()
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
        let (fleet, id) = try Fleet.withItem()
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
        let (fleet, _) = try Fleet.withItem()
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

    @Test func `no exchange is made in the place of a file, or below one`() throws {
        let (fleet, _) = try Fleet.withItem()
        let file = fleet.scratch.full("notes.txt")
        try fleet.scratch.write("notes.txt", "mine")
        for path in [file, file + "/exchange"] {
            fails({ if case .notFolder(file) = $0 { true } else { false } }) {
                _ = try fleet[0].library.makeExchange(at: path)
            }
        }
        #expect(try fleet.scratch.text("notes.txt") == "mine")
    }

    @Test func `no exchange is made in a folder that is not there`() throws {
        let (fleet, _) = try Fleet.withItem()
        let missing = fleet.scratch.full("mistyped")
        fails({ if case .noParent(missing) = $0 { true } else { false } }) {
            _ = try fleet[0].library.makeExchange(at: missing + "/exchange")
        }
        #expect(!fleet.scratch.exists("mistyped"))
        try fleet.scratch.makeDirectory("mistyped")
        // Also by a path from the working folder.
        let up = String(repeating: "../", count: FileManager.default.currentDirectoryPath.split(separator: "/").count)
        fails({ if case .noParent = $0 { true } else { false } }) {
            _ = try fleet[0].library.makeExchange(at: up + fleet.scratch.full("missing").dropFirst() + "/exchange")
        }
        #expect(try fleet[0].library.makeExchange(at: up + missing.dropFirst() + "/relative"))
        #expect(try fleet[0].library.makeExchange(at: missing + "/exchange"))
    }

    @Test func `no exchange is made beside other files`() throws {
        let (fleet, _) = try Fleet.withItem()
        try fleet.scratch.write("other/file", "x")
        fails({ if case .notEmpty = $0 { true } else { false } }) {
            _ = try fleet[0].library.makeExchange(at: fleet.scratch.full("other"))
        }
        #expect(try fleet.scratch.names("other") == ["file"])
    }
}
