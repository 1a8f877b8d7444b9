import Files
import Foundation
import Items
import JSONFormat
import StuffBucket
import TestSupport
import Testing

/// Wrong clocks, names that differ in case alone, and damage to each kind of object.
struct SyncOddityTests {
    @Test(arguments: ["1970-01-02T00:00:00.000Z", "2099-01-01T00:00:00.000Z"])
    func `an edit by a device with a wrong clock stands, and so do the later ones of the others`(_ time: String) throws
    {
        let fleet = try Fleet(1)
        let id = try fleet[0].library.change("add") { try $0.addSnippet("Text.") }
        try fleet[0].sync()
        try fleet.add()
        let item = try fleet[0].scratch.text(fleet[0].path(id, "item.json"))
        let updated = try #require(fleet[0].stored(id).item.updatedAt).rfc3339
        try fleet[0].save(
            id, "item.json",
            item.replacingOccurrences(of: updated, with: time)
                .replacingOccurrences(of: "\n}", with: ",\n  \"title\": \"From afar\"\n}"))
        let year = time.hasPrefix("2099") ? 4_070_908_800 : 86_400
        try fleet[0].scratch.setModified(fleet[0].path(id, "item.json"), seconds: year)
        try fleet.settle()
        #expect(try fleet[1].stored(id).item.title == "From afar")
        try fleet[1].change(id) { $0.set(.title, .string("Here and now")) }
        try fleet[1].change(id) { $0.addTag("now") }
        try fleet.settle()
        try fleet.expectEqual()
        #expect(try fleet[0].stored(id).item.title == "Here and now")
        #expect(try fleet[0].scratch.names(fleet[0].path(id, "")).contains("conflicts") == false)
        // The exchange's own times follow: nothing waits until then.
        #expect(try fleet[0].status().nextAttempt == nil)
    }

    @Test func `files whose names differ in case alone both travel`() throws {
        let fleet = try Fleet(1)
        let id = try fleet[0].library.change("add") { try $0.addSnippet("Text.") }
        try fleet[0].save(id, "own/Plan.txt", "large")
        try fleet[0].save(id, "own/plan.txt", "small")
        try fleet[0].sync()
        let other = try fleet.add()
        try fleet.settle()
        #expect(try other.scratch.text(other.path(id, "own/Plan.txt")) == "large")
        #expect(try other.scratch.text(other.path(id, "own/plan.txt")) == "small")
        try fleet.expectEqual()
    }

    @Test func `a flipped bit in any object or head is found, and nothing wrong is taken`() throws {
        let fleet = try Fleet(1)
        let id = try fleet[0].library.change("add") { try $0.addSnippet("Text.") }
        for (name, text) in [("document/a.txt", "A document."), ("page.html", "<p>Page"), ("own.txt", "Own.")] {
            try fleet[0].save(id, name, text)
        }
        try fleet[0].sync()
        let right = try fleet[0].files()
        let heads = try fleet.names().filter { $0.hasPrefix("heads/") }.compactMap { $0.split(separator: "{").first }
        for file in try fleet.objects() + heads.map(String.init) {
            let path = "exchange/" + file
            let whole = try fleet.scratch.bytes(path)
            for bit in stride(from: 3, to: whole.count * 8, by: max(1, whole.count * 8 / 12)) {
                var bytes = whole
                bytes[bit / 8] ^= UInt8(1 << (bit % 8))
                try fleet.scratch.write(path, bytes)
                // A head may be another one than it was: its library or a pack's name, which is then not there.
                guard let device = try? SyncDevice(from: fleet.path) else { continue }
                let report = try device.sync()
                let files = try device.files()
                for (path, bytes) in files where path.hasPrefix("items/") {
                    #expect(bytes == right[path], "\(file), bit \(bit): \(path)")
                }
                if files.count != right.count { #expect(!report.left.isEmpty, "\(file), bit \(bit)") }
                try removeHead(of: device, in: fleet)
            }
            try fleet.scratch.write(path, whole)
        }
        let last = try fleet.add()
        #expect(try last.files() == right)
    }

    private func removeHead(of device: SyncDevice, in fleet: Fleet) throws {
        if let id = try device.status().device { try? fleet.scratch.removeFile("exchange/heads/\(id).json") }
    }
}
