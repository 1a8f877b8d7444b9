import Foundation
import Glibc
import Items
import StuffBucket
import TestSupport
import Testing

/// A new copy of a library that an editor changes before sbfs sees it, and the copy that it was made of: Documentation/Merge.md § 1.
struct EditedNewCopyTests: TwoCopies {
    let a: Replica, b: Replica

    init() throws {
        a = try Replica(isAsWritten: true)
        b = try Replica(copyOf: a)
    }

    /// The first command in the new copy finds the edit, and the other copy removes and adds something.
    private func edit() throws {
        try b.save("text.md", "One.\n\nTwo by hand.\n\nThree.\n")
        try b.change { $0.addTag("new") }
        try a.change {
            $0.removeTag("dough")
            $0.set(.title, .string("Rolls"))
        }
    }

    private func hasAll(_ one: Replica) throws {
        #expect(try one.text == "One.\n\nTwo by hand.\n\nThree.\n")
        #expect(try one.tags == ["new"] && one.title == "Rolls")
        #expect(try one.names("conflicts").isEmpty)
    }

    @Test func `a merge brings nothing back`() throws {
        try edit()
        _ = try a.library.mergeBoth(path(b))
        for one in [a, b] { try hasAll(one) }
        #expect(try a.files() == b.files())
    }

    @Test func `copying programs bring nothing back`() throws {
        try edit()
        try meetAll()
        for one in [a, b] { try hasAll(one) }
    }

    @Test func `a copy that edited what another one edited keeps both`() throws {
        let c = try Replica(copyOf: a)
        try edit()
        try c.save("text.md", "One.\n\nTwo of c.\n\nThree.\n\nFour.\n")
        try c.change { $0.addTag("third") }
        for _ in 0..<2 {
            _ = try a.library.mergeBoth(path(b))
            _ = try a.library.mergeBoth(path(c))
        }
        _ = try a.library.mergeBoth(path(b))
        for one in [a, b, c] {
            #expect(try Set(one.tags) == ["new", "third"] && one.title == "Rolls")
            #expect(try one.text.contains("Four.") && !one.text.contains("Two.\n"))
            #expect(try one.names("conflicts").count == 1)
        }
    }

    @Test func `what the first look of a device found edited is an edited root, also after a later edit`() throws {
        try b.save("text.md", "One.\n\nTwo by hand.\n\nThree.\n")
        try b.look()
        try b.save("text.md", "One.\n\nTwo by hand.\n\nThree by hand.\n")
        try b.settle()
        let roots = try b.names("history").filter { $0.hasSuffix(".json") }
            .map { try b.scratch.text(b.folder + "/history/" + $0) }.filter { $0.contains("\"parents\": []") }
        #expect(roots.count == 1 && roots.allSatisfy { $0.contains("\"edited\": true") })
        try a.change { $0.removeTag("dough") }
        _ = try a.library.mergeBoth(path(b))
        for one in [a, b] {
            #expect(try one.tags.isEmpty && one.text == "One.\n\nTwo by hand.\n\nThree by hand.\n")
        }
    }

    // MARK: Two new copies, and nothing that tells what both came from

    /// Merges `c` and `b`, and looks for what each of them had.
    private func mergeKeeps(_ wanted: [String], _ c: Replica, _ isFromB: Bool) throws {
        _ = try isFromB ? b.library.mergeBoth(path(c)) : c.library.mergeBoth(path(b))
        for one in [b, c] {
            let all = try one.text + one.scratch.text(one.folder + "/item.json")
            for piece in wanted { #expect(all.contains(piece), "\(piece)") }
        }
        #expect(try b.files() == c.files())
    }

    @Test(arguments: [true, false], [true, false])
    func `an edit that a command noted is not taken for what the other copy came from`(_ isFromB: Bool, _ isSeen: Bool)
        throws
    {
        let c = try Replica(copyOf: a)
        try b.save("text.md", "One.\n\nTwo by hand.\n\nThree.\n")
        try b.change { $0.addTag("new") }
        try c.save("text.md", "One.\n\nTwo.\n\nThree by hand.\n")
        if isSeen { try c.look() }
        try mergeKeeps(["Two by hand.", "Three by hand.", "\"new\""], c, isFromB)
    }

    @Test(arguments: [true, false])
    func `nor is one of item json, also by a clock that is behind`(_ isFromB: Bool) throws {
        for time in ["2026-11-21T10:15:00.000Z", "2026-11-20T10:15:00.000Z"] {
            let b = try Replica(copyOf: a), c = try Replica(copyOf: a)
            let item = try b.scratch.text(b.folder + "/item.json").replacingOccurrences(of: "Bread", with: "Rolls")
            try b.save("item.json", item.replacingOccurrences(of: "2026-11-21T10:15:00.000Z", with: time))
            try b.change { $0.addTag("new") }
            try c.save(
                "item.json",
                c.scratch.text(c.folder + "/item.json").replacingOccurrences(
                    of: "\"dough\"", with: "\"dough\", \"rye\""))
            _ = try isFromB ? b.library.mergeBoth(path(c)) : c.library.mergeBoth(path(b))
            for one in [b, c] {
                #expect(try Set(one.tags) == ["dough", "rye", "new"])
                #expect(try one.title == "Rolls" || one.names("conflicts").count == 1)
            }
        }
    }

    @Test(arguments: [true, false])
    func `a first version of parts of two copies is none that both came from`(_ isFromB: Bool) throws {
        let c = try Replica(copyOf: a)
        try b.save("text.md", "One.\n\nTwo by hand.\n\nThree.\n")
        try b.saveTitle("Rolls", for: "Bread")
        try c.save("text.md", "One.\n\nTwo.\n\nThree by hand.\n")
        try mergeKeeps(["Two by hand.", "Three by hand.", "Rolls"], c, isFromB)
    }

    /// A person wrote the item: nothing tells when sbfs did.
    @Test(arguments: [true, false])
    func `an old copy of an item without updatedAt undoes no edit that was noted`(_ isBoth: Bool) throws {
        let item = try a.scratch.text(a.folder + "/item.json")
        try a.save("item.json", item.replacing(/,\s*"updatedAt":\s*"[^"]*"/, with: ""))
        // The copy is made a moment later.
        usleep(1_200_000)
        let b = try Replica(copyOf: a), c = try Replica(copyOf: a)
        try c.save("text.md", "One.\n\nTwo.\n\nBy hand.\n\nThree.\n")
        try c.look()
        try c.change { $0.addTag("new") }
        for _ in 0..<2 {
            if isBoth { _ = try c.library.mergeBoth(path(b)) } else { _ = try merge(b, into: c) }
            for one in isBoth ? [b, c] : [c] {
                #expect(try one.text.contains("By hand.") && Set(one.tags) == ["dough", "new"])
            }
        }
    }

    @Test func `the copy that read the item last tells what both came from, though it had no index`() throws {
        let c = try Replica(copyOf: a)
        try FileManager.default.removeItem(atPath: a.scratch.full("library/.sbfs/index"))
        try b.save("text.md", "One.\n\nTwo by hand.\n\nThree.\n")
        try b.change { $0.addTag("new") }
        try c.save("text.md", "One.\n\nTwo.\n\nThree by hand.\n")
        try c.change { $0.removeTag("dough") }
        try b.meet(a)
        try c.meet(a)
        let fresh = try Library(path: a.scratch.full("library"))
        for _ in 0..<2 {
            _ = try fresh.find(ItemRequest(fresh.parse("").query))
            try fresh.change("settle") { _ in }
        }
        #expect(try a.text == "One.\n\nTwo by hand.\n\nThree by hand.\n" && a.tags == ["new"])
    }
}
