import StuffBucket
import TestSupport
import Testing

/// An editor changed the text in both copies, and no sbfs looked at the other one since it was made: Documentation/Merge.md § 4.
struct UnseenCopyTests: TwoCopies {
    let a: Replica, b: Replica

    init() throws {
        a = try Replica(isAsWritten: true)
        try a.look()
        // The copy is unknown to the device: its notes of the other library do not count.
        b = try Replica(copyOf: a)
    }

    private func expectBoth(_ one: String, _ two: String) throws {
        let conflicts = try a.names("conflicts"), text = try a.text
        #expect(text.contains(one) && text.contains(two) || !conflicts.isEmpty, "\(text)")
        _ = try a.library.mergeBoth(path(b))
        #expect(try a.files() == b.files())
        for replica in [a, b] {
            let kept = try replica.files().values.map { String(decoding: $0, as: UTF8.self) }
            #expect(kept.contains { $0.contains(one) } && kept.contains { $0.contains(two) })
        }
    }

    @Test(arguments: [false, true], [false, true])
    func `a paragraph that both changed is a conflict`(_ wasLookedAt: Bool, _ isOwnLater: Bool) throws {
        if isOwnLater { try b.save("text.md", "One.\n\nTwo at five.\n\nThree.\n") }
        try a.save("text.md", "One.\n\nTwo at four.\n\nThree.\n")
        if wasLookedAt { try a.look() }
        if !isOwnLater { try b.save("text.md", "One.\n\nTwo at five.\n\nThree.\n") }
        let dry = try a.library.mergePreview(path(b))
        let report = try merge(b, into: a)
        #expect(report.conflictCount == 1 && dry.conflictCount == 1)
        try expectBoth("Two at four.", "Two at five.")
    }

    @Test func `paragraphs that both added are both here`() throws {
        try a.save("text.md", "One.\n\nTwo.\n\nThree.\n\nFour of a.\n")
        try b.save("text.md", "One.\n\nTwo.\n\nThree.\n\nFour of b.\n")
        try merge(b, into: a)
        #expect(try a.names("conflicts").isEmpty)
        #expect(try a.text.contains("Four of a.") && a.text.contains("Four of b."))
    }

    @Test func `an edit that goes on from one that the copy got is no conflict`() throws {
        try a.setText("One.\n\nTwo at four.\n\nThree.\n")
        _ = try a.library.mergeBoth(path(b))
        try b.save("text.md", "One.\n\nTwo at five.\n\nThree.\n")
        try merge(b, into: a)
        #expect(try a.names("conflicts").isEmpty)
        #expect(try a.text == "One.\n\nTwo at five.\n\nThree.\n")
    }

    @Test func `a tag that a command added there, and an editor changed there, does not come back`() throws {
        try b.change { $0.addTag("rye") }
        try b.saveTitle("oats", for: "rye")
        try merge(b, into: a)
        #expect(try a.tags == ["dough", "oats"])
    }
}
