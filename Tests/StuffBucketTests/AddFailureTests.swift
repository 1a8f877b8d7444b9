internal import Glibc
import Items
import Testing

@testable import StuffBucket

/// The traces of an addition that fails, and of a dry run.
struct AddFailureTests {
    @Test(arguments: [1, 3, 40])
    func `one bad file does not stop the others`(_ count: Int) throws {
        let sample = try SampleLibrary()
        var additions: [Addition] = []
        for number in 0..<count {
            try sample.scratch.write("good-\(number).txt", "good \(number)")
            additions.append(Addition(.document(sample.scratch.full("good-\(number).txt"))))
        }
        let missing = sample.scratch.full("missing.pdf")
        additions.insert(Addition(.document(missing)), at: count / 2)
        let outcomes = try sample.library.add(additions)
        #expect(outcomes.compactMap(\.addedID).count == count)
        let refusal = try #require(outcomes[count / 2].refusal)
        #expect(refusal.name == missing)
        #expect(String(describing: refusal.error).contains("No such file"))
        let listing = try sample.library.find(ItemRequest())
        #expect(listing.count == count && listing.faults == [])
        #expect(try Self.leftInStaging(sample) == [])
    }

    @Test func `each kind of bad file is refused by itself`() throws {
        let sample = try SampleLibrary()
        try sample.set(.maxFileSizeMB, .integer(50))
        try sample.scratch.makeDirectory("folder")
        try sample.scratch.makeFIFO("fifo")
        try sample.scratch.write("huge.bin", [])
        try sample.scratch.write("good.txt", "good")
        #expect(truncate(sample.scratch.full("huge.bin"), (50 << 20) + 1) == 0)
        let names = ["missing", "folder", "fifo", "huge.bin", "good.txt", "good.txt/below"]
        let outcomes = try sample.library.add(names.map { Addition(.document(sample.scratch.full($0))) })
        #expect(outcomes.map { $0.refusal != nil } == [true, true, true, true, false, true])
        #expect(try sample.titles() == ["good.txt"])
        #expect(try Self.leftInStaging(sample) == [])
    }

    @Test func `a bad file alone is refused, beside a known link too`() throws {
        let sample = try SampleLibrary()
        let id = try sample.put(1, "Mine", [("linkURL", .string("https://example.org/a"))])
        var known = Addition(.link("https://example.org/a"))
        known.tags = ["new"]
        let outcomes = try sample.library.add([known, Addition(.document(sample.scratch.full("missing")))])
        #expect(outcomes[0].knownID == id && outcomes[0].isKnownChanged == true)
        #expect(outcomes[1].refusal != nil)
    }

    @Test func `a broken item with the link is refused and the others are added`() throws {
        let sample = try SampleLibrary()
        let id = try sample.put(1, "Mine", [("linkURL", .string("https://example.org/a"))])
        try sample.put(1, "Twin", shard: "ff")
        var known = Addition(.link("https://example.org/a"))
        known.tags = ["new"]
        let outcomes = try sample.library.add([known, Addition(.text(Array("x".utf8)))])
        #expect(outcomes[0].refusal?.name == id.description)
        #expect(outcomes[1].addedID != nil)
    }

    @Test func `a dry run reports the outcomes and writes nothing`() throws {
        let sample = try SampleLibrary()
        try sample.put(1, "Known", [("linkURL", .string("https://example.org/known"))], tags: ["old"])
        try sample.putTrashed(2, "Trashed", [("linkURL", .string("https://example.org/trashed"))])
        let before = try Self.files(sample)
        func link(_ name: String, tags: [String] = [], text: String? = nil) -> Addition {
            var addition = Addition(.link("https://example.org/\(name)"))
            addition.tags = tags
            addition.text = text.map { Array($0.utf8) }
            return addition
        }
        let outcomes = try sample.library.add(
            [
                link("new"), link("new"), link("known"), link("known", tags: ["OLD"]), link("known", tags: ["new"]),
                link("known", text: "x"), link("trashed"), Addition(.text(Array("x".utf8))),
            ], dryRun: true)
        #expect(outcomes.map { $0.addedID != nil } == [true, false, false, false, false, false, false, true])
        #expect(outcomes[1].knownID == outcomes[0].addedID)
        #expect(outcomes[2...5].map(\.isKnownChanged) == [false, false, true, true])
        #expect(outcomes[6].isTrashed)
        let restored = try sample.library.add([link("trashed")], knownLinks: .joinAndRestore, dryRun: true)
        guard case .restored = restored[0] else {
            Issue.record("outcome \(restored)")
            return
        }
        #expect(try Self.files(sample) == before)
        // It is not remembered either.
        #expect(try sample.library.add([link("new")])[0].addedID != nil)
    }

    private static func leftInStaging(_ sample: SampleLibrary) throws -> [String] {
        try sample.scratch.names("library/.sbfs/staging").flatMap {
            try sample.scratch.names("library/.sbfs/staging/" + $0)
        }
    }

    /// Every item file with its bytes.
    private static func files(_ sample: SampleLibrary) throws -> [String: [UInt8]] {
        var files: [String: [UInt8]] = [:]
        for shard in try sample.scratch.names("library/items") {
            for item in try sample.scratch.names("library/items/" + shard) {
                for name in try sample.scratch.names("library/items/\(shard)/\(item)") {
                    let path = "library/items/\(shard)/\(item)/\(name)"
                    files[path] = try sample.scratch.bytes(path)
                }
            }
        }
        return files
    }
}
