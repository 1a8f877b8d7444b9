import Foundation
import Items
import StuffBucket
import TestSupport
import Testing

/// An editor changes a copy in the moment in which sbfs wrote the item, and no sbfs looks at the copy: Documentation/Merge.md § 4.
struct EditedAtOnceTests: TwoCopies {
    let a: Replica, b: Replica
    private let id: ItemID

    /// How the item changes in the first copy.
    enum Change: CaseIterable {
        case none, textByCommand, textByEditor, tag
    }

    init() throws {
        a = try Replica()
        id = try a.library.change("add") { try $0.addSnippet("One.\n\nTwo.\n\nThree.\n") }
        b = try Replica(copyOf: a)
    }

    private func file(_ name: String) -> String { "library/\(Layout.itemFolder(id))/\(name)" }

    private func save(_ name: String, _ text: String, in one: Replica) throws {
        try one.scratch.write(file(".edit.tmp"), text)
        try one.scratch.rename(file(".edit.tmp"), to: file(name))
    }

    private func replace(_ old: String, _ new: String, of name: String, in one: Replica) throws {
        try save(name, one.scratch.text(file(name)).replacingOccurrences(of: old, with: new), in: one)
    }

    private func change(_ change: Change) throws {
        let stored = try #require(try a.library.store.item(id))
        switch change {
        case .none: break
        case .textByCommand:
            let text = Array("One.\n\nTwo.\n\nThree of a.\n".utf8)
            _ = try a.library.change("text") {
                try $0.updateText(stored, .replace(base: Array("One.\n\nTwo.\n\nThree.\n".utf8), with: text))
            }
        case .textByEditor: try save("text.md", "One.\n\nTwo.\n\nThree of a.\n", in: a)
        case .tag: _ = try a.library.change("tag") { try $0.edit(stored) { $0.addTag("new") } }
        }
    }

    private func expect(_ change: Change, _ edit: String, in one: Replica) throws {
        let text = try one.scratch.text(file("text.md")), item = try one.scratch.text(file("item.json"))
        #expect((text + item).contains(edit))
        #expect(change == .none || change == .tag || text.contains("Three of a."))
        #expect(change != .tag || item.contains("new"))
        #expect(try !one.scratch.exists(file("conflicts")) || one.scratch.names(file("conflicts")).isEmpty)
    }

    private func join(_ change: Change, _ edit: String) throws {
        let dry = try a.library.mergePreview(path(b))
        let report = try merge(b, into: a)
        #expect(report.joined == [id] && dry.joined == [id])
        try expect(change, edit, in: a)
        try bothAreEqual()
        try expect(change, edit, in: b)
    }

    @Test(arguments: Change.allCases, [false, true])
    func `a text that was saved at once is an edit`(_ change: Change, _ isInPlace: Bool) throws {
        let text = "One.\n\nTwo by hand.\n\nThree.\n"
        if isInPlace { try b.scratch.write(file("text.md"), text) } else { try save("text.md", text, in: b) }
        try self.change(change)
        try join(change, "Two by hand.")
    }

    @Test(arguments: Change.allCases) func `a tag that was saved at once is an edit`(_ change: Change) throws {
        try replace("\"updatedAt\"", "\"tags\": [\"by hand\"],\n  \"updatedAt\"", of: "item.json", in: b)
        try self.change(change)
        try join(change, "by hand")
    }

    @Test(arguments: Change.allCases)
    func `both files are edits in a folder that was copied whole`(_ change: Change) throws {
        try FileManager.default.copyItem(
            atPath: a.scratch.full("library/.sbfs/states"), toPath: b.scratch.full("library/.sbfs/states"))
        try replace("\"updatedAt\"", "\"tags\": [\"by hand\"],\n  \"updatedAt\"", of: "item.json", in: b)
        try save("text.md", "One.\n\nTwo by hand.\n\nThree.\n", in: b)
        try self.change(change)
        try join(change, "Two by hand.")
        for one in [a, b] { #expect(try one.scratch.text(file("item.json")).contains("by hand")) }
    }

    @Test func `a first version of an edited copy comes from what sbfs wrote in the other`() throws {
        try save("text.md", "One.\n\nTwo by hand.\n\nThree.\n", in: b)
        let stored = try #require(try b.library.store.item(id))
        _ = try b.library.change("tag") { try $0.edit(stored) { $0.addTag("new") } }
        try merge(b, into: a)
        for _ in 0..<2 {
            for one in [a, b] {
                #expect(try one.scratch.text(file("text.md")) == "One.\n\nTwo by hand.\n\nThree.\n")
                #expect(try one.scratch.text(file("item.json")).contains("new"))
            }
            try bothAreEqual()
        }
    }
}
