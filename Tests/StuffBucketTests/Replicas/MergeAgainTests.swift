import StuffBucket
import Testing

/// What a merge without sbfs left out: Documentation/Merge.md § 6.
struct MergeAgainTests {
    private static func item(_ title: String, _ tags: [String], _ time: Int, _ more: String = "") -> [UInt8] {
        let list = tags.map { "\"\($0)\"" }.joined(separator: ", ")
        return Array(
            """
            {"id": "01a19b7c-a680-7000-8f3e-5d2c9b7a61c4", "title": "\(title)", "tags": [\(list)]\(more),
            "updatedAt": "2026-11-21T10:15:00.00\(time)Z"}
            """.utf8)
    }

    private let base = item("Bread", ["dough", "to read"], 0)
    private let ours = item("One", ["dough", "to read", "rye"], 1)
    private let theirs = item("Bread", ["to read"], 2, ", \"isPinned\": true")

    private func again(
        _ merged: [UInt8]?, live: [UInt8]?, kind: FileJoin.Kind = .object
    ) throws -> MergeAgain? {
        try MergeAgain(kind, .init(base: base, ours: ours, theirs: theirs, merged: merged), live: live)
    }

    private func text(_ bytes: [UInt8]?) -> String { String(decoding: bytes ?? [], as: UTF8.self) }

    @Test func `the join of both sides lacks nothing, whatever its layout and its time`() throws {
        let join = try FileJoin(.object, base: base, ours: ours, theirs: theirs).bytes
        #expect(try again(join, live: join) == nil)
        let other = Self.item("One", ["to read", "rye"], 9, ", \"isPinned\": true")
        #expect(try again(other, live: other) == nil)
    }

    @Test func `a merge that took one side gets the other one's changes`() throws {
        for side in [ours, theirs] {
            let made = try again(side, live: side)
            let found = text(made?.bytes)
            #expect(
                found.contains("One") && found.contains("rye") && !found.contains("dough") && found.contains("isPinned")
            )
            #expect(made?.conflicts.isEmpty == true)
        }
    }

    @Test func `what cannot be read is joined from both sides`() throws {
        let found = text(try again(nil, live: nil)?.bytes)
        #expect(found.contains("One") && found.contains("rye") && !found.contains("dough"))
    }

    @Test func `a file that was changed since keeps its changes, and one that was mended by hand, too`() throws {
        let live = Self.item("Bread", ["dough", "to read", "new"], 3)
        for merged in [base, nil] {
            let found = text(try again(merged, live: live)?.bytes)
            #expect(found.contains("new") && found.contains("rye") && !found.contains("dough"), "\(found)")
        }
    }

    @Test func `a file that was completed already lacks nothing`() throws {
        let whole = try #require(try again(ours, live: ours)).bytes
        #expect(try again(ours, live: whole) == nil)
    }

    @Test func `both values of a conflict are kept until somebody decided`() throws {
        let theirs = Self.item("Two", ["dough", "to read"], 2)
        func conflicts(_ merged: [UInt8], _ live: [UInt8]) throws -> [FileJoin.Conflict] {
            let versions = MergeAgain.Versions(base: base, ours: ours, theirs: theirs, merged: merged)
            return try MergeAgain(.object, versions, live: live)?.conflicts ?? []
        }
        let both = Self.item("Both", ["dough", "to read", "rye"], 2)
        #expect(try conflicts(ours, ours).map(\.field) == ["title"])
        #expect(try conflicts(theirs, theirs).map(\.field) == ["title"])
        #expect(try conflicts(both, both).isEmpty)
        #expect(try conflicts(ours, both).isEmpty)
        #expect(try conflicts(ours, theirs).isEmpty)
    }

    @Test func `a paragraph that a merge lost comes back, and one that a person joined stays`() throws {
        func text(_ paragraphs: String...) -> [UInt8] { Array((paragraphs.joined(separator: "\n\n") + "\n").utf8) }
        let base = text("Feed.", "Wait.", "Bake."), ours = text("Feed well.", "Wait.", "Bake.")
        let theirs = text("Feed.", "Wait.", "Bake.", "Cool.")
        let versions = MergeAgain.Versions(base: base, ours: ours, theirs: theirs, merged: ours)
        #expect(try MergeAgain(.text, versions, live: ours)?.bytes == text("Feed well.", "Wait.", "Bake.", "Cool."))
        let other = text("Feed it.", "Wait.", "Bake."), mine = text("Feed it well.", "Wait.", "Bake.")
        let decided = MergeAgain.Versions(base: base, ours: ours, theirs: other, merged: mine)
        #expect(try MergeAgain(.text, decided, live: mine) == nil)
        let taken = MergeAgain.Versions(base: base, ours: ours, theirs: other, merged: ours)
        let open = try #require(try MergeAgain(.text, taken, live: ours))
        #expect(open.bytes == ours && open.conflicts.map(\.field) == ["text"])
        // One of the two sides has the bytes of the join.
        for side in [ours, other] {
            let one = MergeAgain.Versions(base: base, ours: ours, theirs: other, merged: side)
            #expect(try MergeAgain(.text, one, live: side)?.conflicts.count == 1)
        }
    }

    @Test func `a paragraph that a merge of lines lost beside a changed one is kept`() throws {
        func text(_ paragraphs: String...) -> [UInt8] { Array((paragraphs.joined(separator: "\n\n") + "\n").utf8) }
        let base = text("Four.", "Two."), ours = text("Six.", "Two."),
            theirs = text("Seven.", "Four.", "Eight.", "Two.")
        let merged = text("Six.", "Eight.", "Two.")
        let again = try MergeAgain(
            .text, .init(base: base, ours: ours, theirs: theirs, merged: merged), live: merged)
        let all = (again?.bytes ?? merged) + (again?.conflicts.flatMap(\.bytes) ?? [])
        #expect(["Six.", "Seven.", "Eight.", "Two."].allSatisfy { String(decoding: all, as: UTF8.self).contains($0) })
    }

    @Test func `an edit since the merge, where it had lost one, is in conflict with that`() throws {
        let live = Self.item("Since", ["dough", "to read"], 3), theirs = Self.item("Bread", ["to read"], 2)
        let versions = MergeAgain.Versions(base: base, ours: ours, theirs: theirs, merged: base)
        let again = try #require(try MergeAgain(.object, versions, live: live))
        #expect(again.conflicts.map(\.field) == ["title"] && text(again.bytes).contains("Since"))
    }

    @Test func `a side that cannot be read is an error`() {
        #expect(throws: FileJoin.Failure.self) {
            try MergeAgain(
                .object, .init(base: base, ours: Array("<<<<<<< a".utf8), theirs: theirs, merged: ours), live: ours)
        }
    }

    @Test(arguments: [
        "items/../x/item.json", "items/c4/../../item.json", "/etc/passwd", "collections/../item.json",
        "collections/a/b.json",
        "items/c4/01a19b7c-a680-7000-8f3e-5d2c9b7a61c4/document/item.json",
        "items/c5/01a19b7c-a680-7000-8f3e-5d2c9b7a61c4/item.json",
        "items/c4/01A19B7C-A680-7000-8F3E-5D2C9B7A61C4/item.json", "smart/.x.json", "library.json", "",
    ])
    func `another file than one that is joined is never written`(path: String) {
        #expect(!Library.completes(path))
    }

    @Test func `the files that are joined are known by their places`() {
        #expect(Library.completes("items/c4/01a19b7c-a680-7000-8f3e-5d2c9b7a61c4/item.json"))
        #expect(Library.completes("items/c4/01a19b7c-a680-7000-8f3e-5d2c9b7a61c4/text.md"))
        #expect(Library.completes("collections/recipes-1f2e3d4c.json"))
    }
}
