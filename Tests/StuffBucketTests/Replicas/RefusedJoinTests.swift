import Foundation
import Items
import JSONFormat
import StuffBucket
import Testing

/// What a copy brings that cannot be joined: it stays out, is named, and changes nothing.
struct RefusedJoinTests: TwoCopies {
    let a: Replica, b: Replica

    init() throws {
        (a, b) = try Replica.pair()
    }

    @Test(arguments: [JSON.string("01a19b7c-a680-7000-8f3e-5d2c9b7a61c4"), .string("no id"), .integer(1)])
    func `a version of another item does not change the item's id`(_ id: JSON) throws {
        try a.change { $0.addTag("rye") }
        let head = try #require(try a.versions.first { $0.isCurrent })
        let stored = try a.stored
        var members = stored.json.exactMembers(stored.json.root).filter { !["id", "updatedAt"].contains($0.key) }
        members.insert(JSON.Member("id", id), at: 0)
        members.append(JSON.Member("updatedAt", .string("2027-01-01T00:00:00.000Z")))
        let version = Version(
            parents: [try #require(ContentHash(hex: head.name.utf8))], item: members, text: nil)
        let name = version.name.hex + ".json"
        try a.scratch.write(a.folder + "/history/" + name, version.bytes)
        let before = try a.files()
        try a.settle()
        try a.change { $0.addTag("spelt") }
        #expect(try a.stored.id == Replica.id && a.tags == ["dough", "rye", "spelt"])
        #expect(try a.files()["history/" + name] == before["history/" + name])
        let findings = try Check(a.library.store, readsData: true).run().findings
        #expect(findings.contains { $0.path.hasSuffix(name) && $0.kind.isOtherItem }, "\(findings)")
    }

    @Test func `fields that are above the limit together are not joined, and the item stays`() throws {
        for (one, key) in [(a, "x"), (b, "y")] {
            let old = try one.scratch.text(one.folder + "/item.json")
            let long = "\"\(key)\": \"\(String(repeating: "a", count: 9 << 20))\", \"tags\""
            try one.save("item.json", old.replacingOccurrences(of: "\"tags\"", with: long))
            try one.change { $0.addTag(key) }
        }
        let before = try a.scratch.bytes(a.folder + "/item.json")
        #expect(try a.library.mergePreview(path(b)).left.map(\.reason.isUnusable) == [true])
        let report = try merge(b, into: a)
        #expect(report.joined.isEmpty && report.left.map(\.reason.isUnusable) == [true], "\(report)")
        #expect(try a.scratch.bytes(a.folder + "/item.json") == before && a.tags == ["dough", "x"])
        try expectWaiting()
    }

    /// The item is in the list of what waits, now and after a further step.
    private func expectWaiting() throws {
        for _ in 0..<2 {
            let waiting = try a.library.waitingJoins()
            #expect(waiting.map(\.id) == [Replica.id] && waiting.first?.versionCount == 2, "\(waiting)")
            try a.settle()
        }
    }

    @Test func `a link in the place of a small file is named, and the rest is joined`() throws {
        try FileManager.default.createSymbolicLink(
            atPath: b.scratch.full("library/tags/y.json"), withDestinationPath: "nowhere")
        try b.change { $0.addTag("rye") }
        for report in [try a.library.mergePreview(path(b)), try merge(b, into: a)] {
            #expect(report.joined == [Replica.id] && report.left.map(\.path) == ["tags/y.json"], "\(report)")
        }
    }
}

extension Finding.Kind {
    fileprivate var isOtherItem: Bool { if case .noVersion(.otherItem) = self { true } else { false } }
}

extension MergeReport.Reason {
    fileprivate var isUnusable: Bool { if case .unusable = self { true } else { false } }
}
