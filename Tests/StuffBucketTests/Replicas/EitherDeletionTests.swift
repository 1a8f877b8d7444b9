import Items
import Testing

/// A person took something out before sbfs looked at what a tool had brought, and what is left is what both devices began with: nobody
/// knows whose addition went. Documentation/Merge.md § 2, rule 8.
struct EitherDeletionTests: TwoCopies {
    let a: Replica, b: Replica
    private static let base = "One.\n\nTwo.\n\nThree.\n"

    init() throws {
        (a, b) = try Replica.pair()
        // The item has versions, and both copies have them.
        try a.setText("One.\n\nTwo.\n")
        try a.setText(Self.base)
        try meetAll()
    }

    @Test func `a paragraph that the other device added, and one that this device added, both stay`() throws {
        try b.save("text.md", "By b.\n\n" + Self.base)
        try b.settle()
        try a.save("text.md", Self.base + "\nBy a.\n")
        try a.settle()
        // a's text is the newer one, and comes to b.
        try a.meet(b)
        #expect(try b.text == Self.base + "\nBy a.\n")
        try b.save("text.md", Self.base)
        try meetAll()
        for one in [a, b] { #expect(try one.text == "By b.\n\n" + Self.base + "\nBy a.\n") }
    }

    @Test func `where one of the two is nearer, it is the one that was edited`() throws {
        try b.save("text.md", "By b.\n\nAgain.\n\n" + Self.base)
        try b.settle()
        try a.save("text.md", Self.base + "\nBy a.\n")
        try a.settle()
        try b.save("text.md", Self.base)
        try b.settle()
        try meetAll()
        for one in [a, b] { #expect(try one.text == Self.base + "\nBy a.\n") }
    }
}
