import Foundation
import Items
import StuffBucket
import TestSupport
import Testing

/// item.json and text.md that the disk damaged: Documentation/Merge.md § 2.
struct DiskDamageTests: TwoCopies {
    let a: Replica, b: Replica

    init() throws {
        (a, b) = try Replica.pair()
        try a.change { $0.set(.title, .string("Sourdough")) }
        try meetAll()
        _ = a.library.takeNotices()
    }

    private func path(_ name: String) -> String { a.scratch.full(a.folder + "/" + name) }

    /// Changes a byte of a file as a failing disk does: the device has the file's status as it was.
    ///
    /// - Parameter isAtOnce: whether the device looked at the file soon after it got that status.
    private func damage(_ name: String, _ old: String, _ new: String, isAtOnce: Bool = false) throws {
        let text = try String(contentsOfFile: path(name), encoding: .utf8)
        let place = try #require(text.range(of: old))
        let offset = text.utf8.distance(from: text.startIndex, to: place.lowerBound)
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: path(name)))
        try file.seek(toOffset: UInt64(offset))
        try file.write(contentsOf: Data(new.utf8))
        try file.close()
        let known = a.scratch.full("library/.sbfs/known/01/\(Replica.id)")
        let (modified, changed) = try times(path(name))
        let bytes = try Data(contentsOf: URL(fileURLWithPath: known))
        var members = try #require(try JSONSerialization.jsonObject(with: bytes) as? [String: Any])
        var small = try #require(members["small"] as? [[String: Any]])
        let index = try #require(small.firstIndex { $0["path"] as? String == name })
        small[index]["modified"] = String(modified)
        small[index]["changed"] = String(changed)
        members["small"] = small
        members["noted"] = String(changed + (isAtOnce ? 60 : 7200) * 1_000_000_000)
        try JSONSerialization.data(withJSONObject: members).write(to: URL(fileURLWithPath: known))
    }

    private func times(_ path: String) throws -> (modified: Int, changed: Int) {
        var status = stat()
        try #require(stat(path, &status) == 0)
        func nanoseconds(_ time: timespec) -> Int { time.tv_sec * 1_000_000_000 + time.tv_nsec }
        return (nanoseconds(status.st_mtim), nanoseconds(status.st_ctim))
    }

    private func keptPath(_ name: String) throws -> String {
        let kept = try #require(try a.names("conflicts").first { $0.hasSuffix("." + name) })
        return "items/01/\(Replica.id)/conflicts/\(kept)"
    }

    @Test func `a damaged text is put back by the next command on the item, and does not travel`() throws {
        let whole = try a.text
        try damage("text.md", "Two", "Twp")
        try a.change { $0.addTag("rye") }
        #expect(try a.text == whole)
        #expect(
            try a.scratch.text("library/" + keptPath("text.md")) == whole.replacingOccurrences(of: "Two", with: "Twp"))
        let kept = try keptPath("text.md")
        #expect(a.library.takeNotices().contains(.damagedOnDisk(Replica.id, file: "text.md", kept: kept)))
        try meetAll()
        #expect(try b.text == whole && b.tags == ["dough", "rye"])
        #expect(try a.names("history").filter { $0.hasSuffix(".md") }.count == 1)
    }

    @Test func `a damaged item json is put back, and the command's change is in it`() throws {
        try damage("item.json", "Sourdough", "Sourdoufh")
        try a.change { $0.addTag("rye") }
        #expect(try a.title == "Sourdough" && a.tags == ["dough", "rye"])
        try meetAll()
        #expect(try b.title == "Sourdough" && b.tags == ["dough", "rye"])
        #expect(a.library.takeNotices().contains { $0.code == "damaged_on_disk" })
    }

    @Test func `a save soon after the last look may leave the times, and is no damage`() throws {
        try damage("text.md", "Two", "Twp", isAtOnce: true)
        try a.change { $0.addTag("rye") }
        #expect(try a.text.contains("Twp") && a.names("conflicts").isEmpty)
        try meetAll()
        #expect(try b.text.contains("Twp"))
    }

    @Test func `an edit is no damage`() throws {
        try a.saveTitle("Sourdoufh", for: "Sourdough")
        try a.save("text.md", "One.\n\nTwp.\n\nThree.\n")
        try a.change { $0.addTag("rye") }
        try meetAll()
        #expect(try b.title == "Sourdoufh" && b.text == "One.\n\nTwp.\n\nThree.\n")
        #expect(a.library.takeNotices().isEmpty)
        #expect(try a.library.damage().isEmpty)
    }

    @Test func `check names damaged files, and a repair takes them from history`() throws {
        let whole = try a.text
        try damage("text.md", "Two", "Twp")
        try damage("item.json", "Sourdough", "Sourdoufh")
        let found = try a.library.damage()
        #expect(found.map(\.path) == ["items/01/\(Replica.id)/item.json", "items/01/\(Replica.id)/text.md"])
        #expect(found.allSatisfy { $0.severity == .error })
        let worker = try CaptureWorker(path: BuiltProgram.path("sbfs-worker"))
        let dry = try a.library.repair(from: [.copy(path(b))], worker, .dry)
        #expect(dry.repaired.count == 2 && dry.lost.isEmpty)
        let report = try a.library.repair(from: [.copy(path(b))], worker)
        #expect(report.repaired.count == 2 && report.lost.isEmpty && report.changed.isEmpty)
        #expect(try a.text == whole && a.title == "Sourdough")
        #expect(try a.library.damage().isEmpty)
        try bothAreEqual()
    }
}
