import Items
import StuffBucket
import TestSupport
import Testing

/// An editor changed a copy in which no sbfs runs, on a machine whose clock is late, or with a tool that keeps times:
/// Documentation/Merge.md § 4.
struct LateClockTests: TwoCopies {
    let a: Replica, b: Replica
    /// 2026-11-21T10:15:00Z, when sbfs made the item.
    private static let made = 1_795_256_100

    init() throws {
        a = try Replica(isAsWritten: true)
        let item = try a.scratch.text(a.folder + "/item.json")
        let time = #""createdAt": "2026-11-21T10:15:00.000Z", "updatedAt""#
        try a.save("item.json", item.replacingOccurrences(of: #""updatedAt""#, with: time))
        try a.look()
        for file in ["item.json", "text.md"] { try a.scratch.setModified(a.folder + "/" + file, seconds: Self.made) }
        b = try Replica(copyOf: a)
    }

    private func edit(_ file: String, by seconds: Int) throws {
        if file == "text.md" {
            try b.save("text.md", "One.\n\nTwo.\n\nThree by hand.\n")
        } else {
            try b.saveTitle("Rolls", for: "Bread")
        }
        try b.scratch.setModified(b.folder + "/" + file, seconds: Self.made + seconds)
    }

    private func expectEdit(of file: String) throws {
        _ = try a.library.mergeBoth(path(b))
        #expect(try a.library.merge(path(b)).hasNothing && b.library.merge(path(a)).hasNothing)
        for one in [a, b] {
            if file == "text.md" { #expect(try one.text.contains("Three by hand.")) }
            if file == "item.json" { #expect(try one.stored.item.title == "Rolls") }
        }
    }

    @Test(arguments: ["item.json", "text.md"], [-3600, 3600])
    func `an edit is joined with what a command changed in the other copy`(_ file: String, _ seconds: Int) throws {
        try edit(file, by: seconds)
        try a.change { $0.addTag("new") }
        try a.setText("One of a.\n\nTwo.\n\nThree.\n")
        try merge(b, into: a)
        try expectEdit(of: file)
        #expect(try a.tags == ["dough", "new"] && a.text.contains("One of a."))
        #expect(try a.names("conflicts").isEmpty)
    }

    @Test(arguments: ["item.json", "text.md"], [-3600, 3600])
    func `an edit is the only change`(_ file: String, _ seconds: Int) throws {
        try edit(file, by: seconds)
        try merge(b, into: a)
        try expectEdit(of: file)
        #expect(try a.names("conflicts").isEmpty)
        if file == "text.md" { #expect(try a.text == "One.\n\nTwo.\n\nThree by hand.\n") }
    }

    @Test func `a text that a tool changed without its time is not lost`() throws {
        try edit("text.md", by: 0)
        try merge(b, into: a)
        try expectEdit(of: "text.md")
    }
}
