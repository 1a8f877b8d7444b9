import Foundation
import Items
import StuffBucket
import TestSupport
import Testing

/// A new copy of a library that an editor changes before sbfs sees it, and the copy that it was made of: Documentation/Merge.md § 1.
struct EditedNewCopyTests: TwoCopies {
    let a: Replica, b: Replica

    init() throws {
        a = try Replica()
        // As sbfs wrote them: `updatedAt` is 2026-11-21T10:15:00Z.
        for file in ["item.json", "text.md"] {
            try a.scratch.setModified(a.folder + "/" + file, seconds: 1_795_256_100)
        }
        try FileManager.default.removeItem(atPath: a.scratch.full("library/.sbfs/states"))
        try a.look()
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
}
