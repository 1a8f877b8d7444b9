import Files
import Glibc
import Items
import JSONFormat
import TestSupport
import Testing
import Time

@testable import StuffBucket

/// Reading everything little by little, and what counts as damage.
struct VerifierTests {
    private static let day: Int64 = 86_400
    private let sample: SampleLibrary
    private var library: Library { sample.library }
    private let now: Timestamp

    init() throws {
        sample = try SampleLibrary()
        now = try SampleLibrary.time("2026-11-22T12:00:00Z")
    }

    private func verifier(queueLimit: Int = 4096) throws -> Verifier {
        try #require(Verifier(library.store, queueLimit: queueLimit, noteInterval: .zero))
    }

    /// Reads everything that is due.
    private func read(_ verifier: Verifier, days: Int64 = 0, byteBudget: Int = 1 << 20) throws -> VerificationTurn {
        var all = VerificationTurn()
        for _ in 0..<10_000 {
            let turn = try verifier.run(byteBudget: byteBudget, at: now.adding(seconds: days * Self.day))
            all.byteCount += turn.byteCount
            all.itemCount += turn.itemCount
            all.results += turn.results
            all.next = turn.next
            all.memoryFault = turn.memoryFault
            if turn.next != .now { return all }
        }
        Issue.record("does not end")
        return all
    }

    /// Changes bytes of a file and sets its time back, as a disk does that forgets.
    private func rot(_ id: ItemID, _ file: String, modified: Int? = nil) throws {
        let path = sample.folder(id) + "/" + file
        let status = try #require(try sample.scratch.directory().statusIfPresent(of: path))
        var bytes = try sample.scratch.bytes(path)
        bytes[bytes.count - 1] ^= 1
        try sample.scratch.write(path, bytes)
        var times = [timespec(), timespec()]
        let time = status.modified
        times[1] = timespec(tv_sec: Int(time / 1_000_000_000), tv_nsec: Int(time % 1_000_000_000))
        times[0] = times[1]
        try #require(utimensat(AT_FDCWD, sample.scratch.full(path), times, 0) == 0)
        #expect(try sample.scratch.directory().statusIfPresent(of: path)?.isSameVersion(as: status) == true)
    }

    private func findings(_ turn: VerificationTurn) -> [String] {
        turn.results.flatMap { result in
            result.findings.isEmpty ? ["sound again"] : result.findings.map { "\($0.severity) \(Self.word($0.kind))" }
        }
    }

    private static func word(_ kind: Finding.Kind) -> String {
        switch kind {
        case .changedUnseen(let files): "unseen \(files.joined(separator: "|"))"
        case .documentDiffers: "document"
        case .assetDiffers: "asset"
        case .versionDiffers: "version"
        case .malformed: "malformed"
        case .unreadable: "unreadable"
        default: "other"
        }
    }

    private func document(_ text: String = "paper") throws -> ItemID {
        try sample.scratch.write("paper.txt", text)
        return try library.addDocument(at: sample.scratch.full("paper.txt"))
    }

    @Test func `a sound library has no findings, and is read again after 25 days`() throws {
        for number in 1...50 { try sample.put(UInt16(number), "item \(number)", text: "text \(number)") }
        _ = try document()
        let verifier = try verifier()
        let first = try read(verifier)
        #expect(first.itemCount == 51 && first.results.isEmpty)
        #expect(first.next == .at(try SampleLibrary.time("2026-12-17T00:00:00Z")))
        #expect(try verifier.status(at: now) == VerificationStatus(itemCount: 51, verifiedCount: 51, faulty: []))
        #expect(try library.verificationStatus(at: now).share == 1)
        #expect(try read(verifier, days: 24).itemCount == 0)
        #expect(try read(verifier, days: 25).itemCount == 51)
        #expect(try library.verificationStatus(at: now.adding(seconds: 56 * Self.day)).verifiedCount == 0)
    }

    @Test func `a silent change of any file is found, and named until it is mended`() throws {
        let id = try document()
        try library.change("text") { try $0.updateText(sample.stored(id), .append(Array("note".utf8))) }
        try sample.scratch.write(sample.folder(id) + "/page.html", "<p>page")
        _ = try read(verifier())
        for (file, finding) in [
            ("text.md", "error unseen item.json|text.md"),
            ("document/paper.txt", "error unseen document/paper.txt|page.html"),
            ("page.html", "error unseen page.html"),
        ] {
            try rot(id, file)
            #expect(findings(try read(verifier(), days: 25)) == [finding], "\(file)")
            #expect(try library.verificationStatus(at: now.adding(seconds: 25 * Self.day)).faulty.count == 1)
            // A new process knows the fault at once, the same one looks again the next day.
            let again = try verifier()
            #expect(findings(try read(again, days: 25)) == [finding])
            #expect(findings(try read(again, days: 25)) == [])
            #expect(findings(try read(again, days: 26)) == [finding])
            try rot(id, file)
            #expect(findings(try read(again, days: 27)) == ["sound again"])
            #expect(try library.verificationStatus(at: now.adding(seconds: 27 * Self.day)).faulty.isEmpty)
        }
    }

    @Test func `an edit is no fault`() throws {
        let id = try document()
        try sample.scratch.write(sample.folder(id) + "/page.html", "<p>page")
        _ = try read(verifier())
        let later = Int(now.milliseconds / 1000) + 3600
        for file in ["item.json", "document/paper.txt", "page.html"] {
            let path = sample.folder(id) + "/" + file
            try sample.scratch.write(path, try sample.scratch.bytes(path) + [0x0A])
            try sample.scratch.setModified(path, seconds: later)
        }
        #expect(findings(try read(verifier(), days: 25)) == [])
        // Nor is a later change of another file.
        try sample.scratch.write(sample.folder(id) + "/page.html", "<p>another page")
        try sample.scratch.setModified(sample.folder(id) + "/page.html", seconds: later + 86_400 * 30)
        #expect(findings(try read(verifier(), days: 50)) == [])
        #expect(findings(try read(verifier(), days: 75)) == [])
    }

    @Test func `files with recorded hashes are compared at the first reading`() throws {
        let id = try document()
        let asset = String(SHA256.hex(Array("picture".utf8)).prefix(16)) + ".png"
        try sample.scratch.write(sample.folder(id) + "/assets/" + asset, "picture")
        try sample.scratch.setModified(sample.folder(id) + "/assets/" + asset, seconds: 0)
        try sample.scratch.write(sample.folder(id) + "/conflicts/20261121T101500Z-ca3d163b.item.json", "{}\n")
        try sample.scratch.setModified(sample.folder(id) + "/conflicts/20261121T101500Z-ca3d163b.item.json", seconds: 0)
        #expect(findings(try read(verifier())) == [])
        let other = try SampleLibrary.id(7)
        try sample.scratch.rename(sample.folder(id), to: "library/items/moved")
        try sample.scratch.makeDirectory("library/items/\(other.shard)")
        try sample.scratch.rename("library/items/moved", to: sample.folder(other))
        try sample.scratch.write(
            sample.folder(other) + "/item.json",
            try sample.scratch.text(sample.folder(other) + "/item.json").replacing(
                id.description, with: other.description))
        for file in ["document/paper.txt", "assets/" + asset, "conflicts/20261121T101500Z-ca3d163b.item.json"] {
            try rot(other, file)
        }
        let expected: Set = ["warning document", "warning asset", "error version"]
        #expect(Set(findings(try read(verifier()))) == expected)
        // And again, until they are right.
        #expect(Set(findings(try read(verifier()))) == expected)
        #expect(
            try Set(
                library.check(.data).run().findings.filter { $0.severity != .note }.map {
                    "\($0.severity) \(Self.word($0.kind))"
                }) == expected)
    }

    @Test func `a document that was edited before the first reading is no fault`() throws {
        let id = try document()
        let path = sample.folder(id) + "/document/paper.txt"
        try sample.scratch.write(path, "edited")
        try sample.scratch.setModified(path, seconds: Int(Timestamp.now.milliseconds / 1000) + 60)
        #expect(findings(try read(verifier())) == [])
    }

    @Test func `a repair that records the document as it is ends the fault`() throws {
        let id = try document()
        try sample.scratch.write(sample.folder(id) + "/page.html", "<p>page")
        _ = try read(verifier())
        try rot(id, "document/paper.txt")
        #expect(findings(try read(verifier(), days: 25)) == ["error unseen document/paper.txt|page.html"])
        let repair = try #require(try library.check(.data).run().findings.compactMap(\.repair).first)
        try library.change("repair") { _ = try $0.repair(repair) }
        #expect(findings(try read(verifier(), days: 26)) == ["sound again"])
        #expect(findings(try read(verifier(), days: 60)) == [])
    }

    @Test func `an item that does not parse is a fault until it does`() throws {
        let id = try sample.put(1, "one")
        let path = sample.folder(id) + "/item.json"
        let bytes = try sample.scratch.bytes(path)
        try sample.scratch.write(path, "{")
        let verifier = try verifier()
        #expect(findings(try read(verifier)) == ["error malformed"])
        try sample.scratch.write(path, bytes)
        #expect(findings(try read(verifier, days: 1)) == ["sound again"])
    }

    @Test func `a large file is read in parts, within the budget of each call`() throws {
        let bytes = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        try sample.scratch.write("large.bin", bytes)
        let id = try library.addDocument(at: sample.scratch.full("large.bin"))
        let verifier = try verifier()
        var turns = 0
        var byteCount = 0
        while true {
            let turn = try verifier.run(byteBudget: 200_000, at: now)
            #expect(turn.byteCount <= 210_000)
            byteCount += turn.byteCount
            if turn.next != .now { break }
            turns += 1
            #expect(turns < 50)
        }
        #expect(turns >= 15)
        #expect(byteCount >= 3_000_000 && byteCount < 3_100_000)
        try rot(id, "document/large.bin")
        #expect(findings(try read(verifier, days: 25, byteBudget: 500_000)) == ["error unseen document/large.bin"])
    }

    @Test func `a file that changes while it is read is read on another day`() throws {
        try sample.scratch.write("large.bin", [UInt8](repeating: 1, count: 1_000_000))
        let id = try library.addDocument(at: sample.scratch.full("large.bin"))
        let verifier = try verifier()
        _ = try verifier.run(byteBudget: 300_000, at: now)
        try sample.scratch.write(sample.folder(id) + "/document/large.bin", [UInt8](repeating: 2, count: 1_000_001))
        let rest = try read(verifier)
        #expect(rest.itemCount == 0 && rest.results.isEmpty)
        #expect(rest.next == .at(try SampleLibrary.time("2026-11-23T00:00:00Z")))
        #expect(try read(verifier, days: 1).itemCount == 1)
    }

    @Test func `it stops when asked, rests, and goes on`() throws {
        try sample.scratch.write("large.bin", [UInt8](repeating: 1, count: 1_000_000))
        _ = try library.addDocument(at: sample.scratch.full("large.bin"))
        let verifier = try verifier()
        let monitor = Monitor()
        monitor.cancel()
        let turn = try verifier.run(byteBudget: 1 << 30, at: now, monitor)
        #expect(turn.byteCount == 0 && turn.next == .now)
        _ = try verifier.run(byteBudget: 300_000, at: now)
        #expect(verifier.rest() == nil)
        #expect(try read(verifier).itemCount == 1)
    }

    @Test func `those that were read longest ago come first, and a restart forgets nothing`() throws {
        let ids = try (1...30).map { try sample.put(UInt16($0), "item") }
        let first = try verifier(queueLimit: 4)
        _ = try first.run(byteBudget: 10 * 4100, at: now)
        #expect(first.rest() == nil)
        let count = try library.verificationStatus(at: now).verifiedCount
        #expect(count >= 9 && count <= 11)
        let second = try verifier(queueLimit: 4)
        #expect(try read(second, days: 1).itemCount == 30 - count)
        // The first ones are due a day before the others.
        #expect(try read(second, days: 25).itemCount == count)
        #expect(try read(second, days: 26).itemCount == 30 - count)
        #expect(ids.count == 30)
    }

    @Test func `a clock that was in 2099 verifies again and accuses nobody`() throws {
        for number in 1...10 { try sample.put(UInt16(number), "item", text: "text") }
        let far = (try SampleLibrary.time("2099-06-01T00:00:00Z").milliseconds - now.milliseconds) / 1000 / Self.day
        let verifier = try verifier()
        _ = try read(verifier)
        #expect(try read(verifier, days: far).results.isEmpty)
        #expect(try library.verificationStatus(at: now).verifiedCount == 0)
        let back = try read(verifier)
        #expect(back.itemCount == 10 && back.results.isEmpty)
        #expect(try library.verificationStatus(at: now).verifiedCount == 10)
    }

    @Test func `items without item.json, links and FIFOs hang nothing and end`() throws {
        try sample.put(1, "item")
        try sample.scratch.makeDirectory(sample.folder(SampleLibrary.id(2)))
        try sample.scratch.makeFIFO(sample.folder(SampleLibrary.id(1)) + "/text.md")
        try sample.scratch.link(sample.folder(SampleLibrary.id(1)) + "/page.html", to: "/dev/zero")
        try sample.scratch.link(sample.folder(SampleLibrary.id(1)) + "/assets", to: "/usr")
        let turn = try read(verifier())
        #expect(turn.itemCount == 1 && turn.results.isEmpty)
        #expect(turn.next == .at(try SampleLibrary.time("2026-11-23T00:00:00Z")))
    }

    @Test func `a library without items waits for some`() throws {
        #expect(try read(verifier()).next == .whenItemsAreAdded)
        #expect(try library.verificationStatus(at: now).share == 1)
    }

    @Test func `a damaged or missing memory means reading again, and a memory that cannot be written is reported`()
        throws
    {
        try sample.put(1, "item")
        _ = try read(verifier())
        let path = "library/.sbfs/verified"
        var bytes = try sample.scratch.bytes(path)
        bytes[40] ^= 1
        try sample.scratch.write(path, bytes)
        #expect(try library.verificationStatus(at: now).verifiedCount == 0)
        #expect(try read(verifier()).itemCount == 1)
        try sample.scratch.removeFile(path)
        try sample.scratch.makeDirectory(path)
        let verifier = try verifier()
        let turn = try read(verifier)
        #expect(turn.itemCount == 1 && turn.memoryFault != nil)
        try sample.scratch.removeEmptyDirectory(path)
        #expect(verifier.rest() == nil)
        #expect(try library.verificationStatus(at: now).verifiedCount == 1)
    }

    @Test func `another device has a memory of its own`() throws {
        let id = try sample.put(1, "item", text: "text")
        _ = try read(verifier())
        let other = try SampleLibrary()
        try other.put(1, "item", text: "tex_")
        let there = try #require(Verifier(other.library.store, noteInterval: .zero))
        #expect(try there.run(byteBudget: 1 << 20, at: now).results.isEmpty)
        #expect(try other.stored(id).id == id)
    }
}
