import Glibc
import StuffBucket
import TestSupport
import Testing

/// An item that people made or copied by hand, and that editors changed in one or both copies before any sbfs looked: Documentation/Merge.md
/// § 4.
struct UnseenItemTests: TwoCopies {
    let a: Replica, b: Replica

    init() throws {
        let made = try Replica()
        try made.save("item.json", #"{"title": "Bread", "tags": ["dough", "rye"]}"# + "\n")
        // A document is copied with its time, a moment later.
        usleep(1_200_000)
        a = try Replica(copyOf: made)
        b = try Replica(copyOf: made)
    }

    private func saveTags(_ tags: String, in one: Replica) throws {
        try one.save("item.json", #"{"title": "Bread", "tags": ["# + tags + "]}\n")
    }

    @Test func `edits of both sides stay`() throws {
        try b.save("text.md", "One of b.\n\nTwo.\n\nThree.\n")
        try saveTags(#""dough", "rye", "new""#, in: a)
        try a.save("text.md", "One.\n\nTwo.\n\nThree of a.\n")
        try merge(b, into: a)
        #expect(try a.tags.contains("new") && a.text.contains("Three of a.") && a.text.contains("One of b."))
        try bothAreEqual()
    }

    @Test(arguments: [false, true])
    func `edits of one side stay, wherever the merge runs`(_ isHere: Bool) throws {
        try a.save("text.md", "One of a.\n\nTwo.\n\nThree.\n")
        try a.saveTitle("Rolls", for: "Bread")
        if isHere { try merge(b, into: a) } else { try merge(a, into: b) }
        let one = isHere ? a : b
        #expect(try one.text.contains("One of a."))
        let conflicts = try one.names("conflicts")
        #expect(try one.title == "Rolls" || !conflicts.isEmpty)
        try bothAreEqual()
    }

    @Test func `an edit of the copy alone is no conflict, and what it took out stays away`() throws {
        try a.look()
        try b.save("text.md", "One.\n\nThree.\n")
        _ = try a.library.mergeBoth(path(b))
        for one in [a, b] {
            #expect(try one.text == "One.\n\nThree.\n")
            #expect(try one.names("conflicts").isEmpty)
        }
    }

    @Test func `a tag here and a text there are joined, and neither copy makes a first version of its own`() throws {
        try a.look()
        try saveTags(#""rye""#, in: b)
        try a.save("text.md", "One.\n\nTwo.\n\nThree of a.\n")
        _ = try a.library.mergeBoth(path(b))
        for one in [a, b] {
            #expect(try one.text == "One.\n\nTwo.\n\nThree of a.\n")
            #expect(try one.tags == ["rye"])
            #expect(try one.names("conflicts").isEmpty)
        }
    }

    @Test func `a document edited here and a tag there are no conflict`() throws {
        try attach("Plan.", to: a)
        let copy = try Replica(copyOf: a)
        try copy.save(
            "item.json", copy.scratch.text(copy.folder + "/item.json").replacingOccurrences(of: "dough", with: "crust"))
        usleep(1_100_000)
        try a.save("document/plan.txt", "Plan of a.")
        _ = try a.library.mergeBoth(path(copy))
        for one in [a, copy] {
            #expect(try document(one, "plan.txt") == "Plan of a.")
            #expect(try one.names("document") == ["plan.txt"])
            #expect(try one.tags.contains("crust"))
        }
    }

    @Test(arguments: [false, true])
    func `a page that the copy alone edited is live in both`(_ isTagged: Bool) throws {
        try a.save("page.html", "<p>Bread</p>")
        try a.settle()
        try a.change { $0.addTag("food") }
        let copy = try Replica(copyOf: a)
        usleep(1_100_000)
        try copy.save("page.html", "<p>Bread by hand</p>")
        if isTagged { try a.change { $0.addTag("new") } }
        try merge(copy, into: a)
        #expect(try a.scratch.text(a.folder + "/page.html") == "<p>Bread by hand</p>")
        _ = try a.library.mergeBoth(path(copy))
        #expect(try a.files() == copy.files())
        #expect(try a.scratch.text(a.folder + "/page.html") == "<p>Bread by hand</p>")
        #expect(try a.names("snapshots").count <= 1)
    }
}
