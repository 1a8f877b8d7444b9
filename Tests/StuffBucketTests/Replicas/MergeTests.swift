import Files
import Foundation
import Items
import JSONFormat
import StuffBucket
import Synchronization
import TestSupport
import Testing
import Time

/// `Library.merge`: another copy of the library that is at hand. Documentation/Merge.md § 4.
struct MergeTests: TwoCopies {
    let a: Replica, b: Replica

    init() throws {
        (a, b) = try Replica.pair()
    }

    @Test(arguments: [1, 3])
    func `a paragraph that an editor changed in a copy of which nobody knows more comes from what was there`(
        _ edits: Int
    ) throws {
        for number in 1...edits { try a.setText("One.\n\nTwo, \(number).\n\nThree.\n") }
        let copy = try Replica(copyOf: a)
        try copy.save("text.md", "One.\n\nTwo by hand.\n\nThree.\n")
        _ = try a.library.merge(copy.scratch.full("library"))
        #expect(try a.text == "One.\n\nTwo by hand.\n\nThree.\n")
        #expect(try a.names("conflicts").isEmpty)
        // Both changed it: both are there.
        let second = try Replica(copyOf: a)
        try second.save("text.md", "One.\n\nTwo over there.\n\nThree.\n")
        try a.setText("One.\n\nTwo over here.\n\nThree.\n")
        _ = try a.library.merge(second.scratch.full("library"))
        let kept = try a.names("conflicts").map { try a.scratch.text(a.folder + "/conflicts/" + $0) }.joined()
        for text in ["Two over there.", "Two over here."] { #expect(try (a.text + kept).contains(text)) }
    }

    @Test func `edits of both by commands and by editors are all there`() throws {
        try a.change { $0.set(.title, .string("Sourdough")) }
        try a.save("text.md", "One.\n\nTwo, here.\n\nThree.\n")
        try b.change { $0.addTag("rye") }
        try b.save("text.md", "One.\n\nTwo.\n\nThree.\n\nFour.\n")
        let before = try b.files()
        let report = try merge(b, into: a)
        #expect(report.joined == [Replica.id] && report.conflicted.isEmpty && report.left.isEmpty)
        #expect(try a.title == "Sourdough" && a.tags == ["dough", "rye"])
        #expect(try a.text == "One.\n\nTwo, here.\n\nThree.\n\nFour.\n")
        // The other copy is only read.
        #expect(try b.files() == before)
        try bothAreEqual()
    }

    @Test func `nothing is written into a copy that is only read, not even .sbfs`() throws {
        try a.change { $0.set(.title, .string("Sourdough")) }
        try FileManager.default.removeItem(atPath: path(b) + "/.sbfs")
        try merge(b, into: a)
        #expect(!b.scratch.exists("library/.sbfs"))
    }

    @Test func `a dry run writes nothing and tells what differs`() throws {
        try b.change { $0.addTag("rye") }
        try b.library.change("add") { _ = try $0.addSnippet("Only there.") }
        let before = try a.files()
        let report = try a.library.mergePreview(path(b))
        #expect(report.added.count == 1 && report.joined == [Replica.id])
        #expect(try a.files() == before)
        #expect(try a.library.find(ItemRequest(a.library.parse("").query)).count == 1)
    }

    @Test func `a dry run counts what the merge then does, conflicts and small files too`() throws {
        let equal = try a.library.change("add") { try $0.addSnippet("In both.") }
        try merge(a, into: b)
        try a.change { $0.set(.title, .string("Sourdough")) }
        try b.change { $0.set(.title, .string("Rye")) }
        _ = try b.library.change("colour") { try $0.setNamed(.tags, "dough", [("colour", .string("red"))]) }
        // An editor's save that no command has seen.
        try b.save("text.md", "One.\n\nTwo, there.\n\nThree.\n")
        try a.save("text.md", "One, here.\n\nTwo.\n\nThree.\n")
        let before = (try a.files(), try b.files())
        let preview = try a.library.mergeBothPreview(path(b)).here
        #expect(try before == (a.files(), b.files()))
        let report = try merge(b, into: a)
        #expect(preview.joined == report.joined && preview.conflicted == report.conflicted)
        #expect(preview.smallFiles == report.smallFiles && preview.sameCount == report.sameCount)
        #expect(report.conflicted == [Replica.id] && report.smallFiles.count == 1 && report.joined != [equal])
        #expect(try a.text == "One, here.\n\nTwo, there.\n\nThree.\n")
    }

    @Test func `an item that only the other copy has is added, found and undone as one step`() throws {
        let id = try b.library.change("add") { try $0.addSnippet("Only there, with quinoa.") }
        let report = try merge(b, into: a)
        #expect(report.added == [id])
        #expect(try a.library.find(ItemRequest(a.library.parse("quinoa").query)).count == 1)
        let number = try #require(a.library.history()?.undoable.first?.number)
        #expect(try a.library.undo([number], StepHeader(command: "undo")).changedCount == 1)
        #expect(try a.library.find(ItemRequest(a.library.parse("quinoa").query)).count == 0)
        #expect(try a.library.store.item(id) != nil)
    }

    @Test func `of two titles the later stands, and both copies have the same conflict`() throws {
        try a.change { $0.set(.title, .string("Sourdough")) }
        try b.change { $0.set(.title, .string("Rye")) }
        let report = try merge(b, into: a)
        #expect(report.conflicted == [Replica.id])
        #expect(try a.title == "Rye" && a.names("conflicts").count == 1)
        try bothAreEqual()
        #expect(try b.names("conflicts").count == 1)
    }

    @Test func `an old backup undoes no newer edit and brings no removed tag back`() throws {
        try a.change { $0.removeTag("dough") }
        try a.change { $0.set(.title, .string("Sourdough")) }
        let report = try merge(b, into: a)
        #expect(try a.title == "Sourdough" && a.tags.isEmpty)
        #expect(report.hasNothing && report.sameCount == 0 && report.newer == [Replica.id])
    }

    @Test func `an old backup from before all versions is left, and named`() throws {
        try a.change { $0.set(.title, .string("Sourdough")) }
        // What the backup has is in no version, and older than each.
        try b.save(
            "item.json",
            """
            {"id": "\(Replica.id)", "type": "snippet", "title": "Br", "tags": ["old"], "updatedAt": "2020-01-01T00:00:00.000Z"}

            """)
        let report = try merge(b, into: a)
        #expect(try a.title == "Sourdough" && a.tags == ["dough"])
        guard case .older? = report.left.first?.reason else {
            Issue.record("\(report)")
            return
        }
    }

    @Test func `two edited copies of which nobody knows where they part lose nothing`() throws {
        for (one, title, tag, day) in [(a, "Sourdough", "rye", "22"), (b, "Bread and butter", "oats", "23")] {
            try? FileManager.default.removeItem(atPath: path(one) + "/.sbfs")
            try one.save(
                "item.json",
                """
                {"id": "\(Replica.id)", "title": "\(title)", "tags": ["\(tag)"], "createdAt": "2026-11-20T00:00:00.000Z", \
                "updatedAt": "2026-11-\(day)T10:15:00.000Z"}

                """)
        }
        let fresh = try Replica(copyOf: a)
        let report = try fresh.library.merge(path(b))
        #expect(report.conflicted == [Replica.id])
        #expect(try Set(fresh.tags) == ["rye", "oats"] && fresh.title == "Bread and butter")
        let name = try #require(try fresh.names("conflicts").first)
        #expect(try fresh.scratch.text(fresh.folder + "/conflicts/" + name).contains("Sourdough"))
    }

    /// A new item that no program changed, and a copy on a device that never read it.
    private func unreadCopy() throws -> (id: ItemID, copy: Replica) {
        let id = try a.library.change("add") { try $0.addSnippet("One.\n\nTwo.\n\nThree.\n") }
        return (id, try Replica(copyOf: a))
    }

    private func edit(_ name: String, of id: ItemID, in one: Replica, _ old: String, _ new: String, age: Int) throws {
        let path = "library/\(Layout.itemFolder(id))/\(name)"
        let text = try one.scratch.text(path)
        try #require(text.contains(old))
        try one.scratch.write(path, text.replacingOccurrences(of: old, with: new))
        try one.scratch.setModified(path, seconds: Int(Timestamp.now.milliseconds / 1000) + age)
    }

    @Test(arguments: [
        ("text.md", "Two.", "Two, edited."), ("item.json", "\"source\"", "\"was edited\": 1, \"source\""),
    ])
    func `an unchanged copy does not undo what an editor changed before sbfs first read it`(
        _ name: String, _ old: String, _ new: String
    ) throws {
        for isEditedHere in [true, false] {
            let (id, copy) = try unreadCopy()
            try edit(name, of: id, in: copy, old, new, age: 60)
            let report = try isEditedHere ? copy.library.merge(path(a)) : a.library.merge(path(copy))
            #expect(report.conflicted.isEmpty)
            let one = isEditedHere ? copy : a
            #expect(try one.scratch.text("library/\(Layout.itemFolder(id))/\(name)").contains("edited"))
            _ = try copy.library.mergeBoth(path(a))
            for one in [a, copy] {
                #expect(try one.scratch.text("library/\(Layout.itemFolder(id))/\(name)").contains("edited"))
            }
        }
    }

    /// Which copy takes from the other one first.
    enum Direction: CaseIterable { case intoCopy, fromCopy, bothIntoCopy, bothFromCopy }

    @Test(arguments: Direction.allCases, [false, true])
    func `an edit of a copy that sbfs had not read brings nothing back that the other deleted`(
        _ direction: Direction, _ hasOtherVersions: Bool
    ) throws {
        let (id, copy) = try unreadCopy()
        try edit("text.md", of: id, in: copy, "One.", "Zero.\n\nOne.", age: 60)
        func change(_ change: (inout ItemEdit) -> Void) throws {
            _ = try a.library.change("change") { step in
                try step.edit(#require(try a.library.stored(id)), change)
            }
        }
        if hasOtherVersions { try change { $0.addTag("rye") } }
        _ = try a.library.change("text") { step in
            try step.updateText(
                #require(try a.library.stored(id)),
                .replace(base: Array("One.\n\nTwo.\n\nThree.\n".utf8), with: Array("One.\n\nThree.\n".utf8)))
        }
        switch direction {
        case .intoCopy: _ = try copy.library.merge(path(a))
        case .fromCopy: _ = try a.library.merge(path(copy))
        case .bothIntoCopy: _ = try copy.library.mergeBoth(path(a))
        case .bothFromCopy: _ = try a.library.mergeBoth(path(copy))
        }
        _ = try copy.library.mergeBoth(path(a))
        for one in [a, copy] {
            #expect(try one.library.text(of: id) == "Zero.\n\nOne.\n\nThree.\n")
        }
        #expect(try a.files() == copy.files())
    }

    @Test func `of two copies that editors changed before sbfs read either, nothing is lost`() throws {
        let (id, copy) = try unreadCopy()
        let third = try Replica(copyOf: a)
        try edit("item.json", of: id, in: copy, "\"source\"", "\"title\": \"Here\", \"source\"", age: 60)
        try edit("item.json", of: id, in: third, "\"source\"", "\"title\": \"There\", \"source\"", age: 90)
        let report = try copy.library.merge(path(third))
        #expect(report.conflicted == [id])
        let folder = "library/\(Layout.itemFolder(id))"
        let file = try #require(try copy.scratch.names(folder + "/conflicts").first)
        let kept = try copy.scratch.text(folder + "/conflicts/" + file)
        #expect(kept.contains("Here") && kept.contains("There"))
    }

    @Test func `what an editor changed in a copy with versions stays when this device reads it for the first time`()
        throws
    {
        try a.change { $0.set(.title, .string("Sourdough")) }
        let copy = try Replica(copyOf: a)
        try copy.save("text.md", "One.\n\nTwo, edited.\n\nThree.\n")
        let moved = try Replica(copyOf: copy)
        for _ in 0..<3 {
            try moved.settle()
            #expect(try moved.text.contains("edited"))
        }
        try moved.change { $0.addTag("rye") }
        #expect(try moved.text.contains("edited"))
        try merge(a, into: moved)
        #expect(try moved.text.contains("edited") && moved.tags == ["dough", "rye"] && moved.title == "Sourdough")
        _ = try moved.library.mergeBoth(path(a))
        #expect(try a.text.contains("edited"))
    }

    @Test(arguments: [true, false])
    func `an unchanged document does not replace the one that an editor changed`(_ isRead: Bool) throws {
        try a.scratch.write("plan.txt", "ORIGINAL")
        let id = try a.library.change("add") { try $0.addDocument(at: a.scratch.full("plan.txt")) }
        let copy = try Replica(copyOf: a)
        if isRead { try copy.look() }
        let file = "library/\(Layout.itemFolder(id))/document/plan.txt"
        try copy.scratch.write(file, "EDITED BY A PERSON")
        let report = try copy.library.merge(path(a))
        #expect(report.left.isEmpty && report.kept.isEmpty, "\(report)")
        #expect(try copy.scratch.text(file) == "EDITED BY A PERSON")
        _ = try copy.library.mergeBoth(path(a))
        #expect(try a.scratch.text(file) == "EDITED BY A PERSON")
        #expect(try copy.library.merge(path(a)).hasNothing)
        #expect(try a.library.merge(path(copy)).hasNothing)
    }

    @Test func `a file of the person's own comes, also directly in the item's folder`() throws {
        try b.scratch.write(b.folder + "/own.xyz", "mine")
        try b.change { $0.addTag("rye") }
        let report = try merge(b, into: a)
        #expect(report.left.isEmpty && report.joined == [Replica.id], "\(report)")
        #expect(try a.scratch.text(a.folder + "/own.xyz") == "mine")
    }

    @Test func `an entry in the place of an item's folder is named, and the rest is joined`() throws {
        let (id, copy) = try unreadCopy()
        let place = "library/" + Layout.itemFolder(id)
        try copy.scratch.rename(place, to: "elsewhere")
        try FileManager.default.createSymbolicLink(
            atPath: copy.scratch.full(place), withDestinationPath: copy.scratch.full("elsewhere"))
        try copy.change { $0.addTag("rye") }
        let (here, there) = try a.library.mergeBoth(path(copy))
        #expect(here.left.count == 1 && there.left.count == 1 && here.joined == [Replica.id], "\(here) \(there)")
        guard case .fault(.refused(.wrongKind)) = there.left[0].reason, case .leftOut = here.left[0].reason else {
            Issue.record("\(here.left) \(there.left)")
            return
        }
        #expect(try a.tags == ["dough", "rye"])
    }

    @Test func `what a dry run says of an old backup is true`() throws {
        let backup = try Replica(copyOf: a)
        try a.change { $0.addTag("rye") }
        try a.change { $0.addTag("oats") }
        #expect(try a.library.mergePreview(path(backup)).joined.isEmpty)
        #expect(try a.library.merge(path(backup)).joined.isEmpty)
        // Conflicts from before make no item a joined one.
        try a.scratch.write(a.folder + "/conflicts/x.item.json", "{}")
        #expect(try a.library.merge(path(backup)).joined.isEmpty)
    }

    // MARK: Faults

    @Test func `a join that is cancelled says what it joined, and the next one goes on`() throws {
        let ids = try a.library.change("new") { step in
            try (0..<400).map { number in try step.addSnippet("new \(number)") }
        }
        try merge(a, into: b)
        for (one, tag) in [(a, "here"), (b, "there")] {
            try one.library.change("tag") { step in
                for id in ids {
                    try step.edit(#require(try one.library.store.item(id))) { $0.addTag(tag) }
                }
            }
        }
        let box = Mutex<Monitor?>(nil)
        let monitor = Monitor { done, _ in if done >= 20 { box.withLock { $0 }?.cancel() } }
        box.withLock { $0 = monitor }
        let stopped = try #require(throws: MergeStopped.self) { try a.library.merge(path(b), monitor) }
        #expect((1..<ids.count).contains(stopped.report.joined.count) && stopped.report.left.isEmpty)
        guard case .cancelled? = stopped.cause as? ItemError else {
            Issue.record("\(stopped.cause)")
            return
        }
        for id in stopped.report.joined {
            #expect(try a.library.store.item(id)?.item.tags.contains("there") ?? false)
        }
        #expect(try merge(b, into: a).joined.count == ids.count - stopped.report.joined.count)
        try bothAreEqual()
    }

    @Test func `another library, the library itself and a folder in it are refused`() throws {
        let other = try ScratchDirectory()
        _ = try Library.create(at: other.full("library"), name: "Other")
        #expect(throws: MergeRefusal.self) { try a.library.merge(other.full("library")) }
        #expect(throws: MergeRefusal.self) { try a.library.merge(path(a)) }
        #expect(throws: MergeRefusal.self) { try a.library.merge(other.path) }
        #expect(throws: MergeRefusal.self) { try a.library.mergeBoth(other.full("library")) }
    }

    @Test func `an item that cannot be read there is named, and the others are joined`() throws {
        let id = try b.library.change("add") { try $0.addSnippet("Only there.") }
        try b.scratch.write(b.folder + "/item.json", "{ \"title\": ")
        let report = try merge(b, into: a)
        #expect(report.added == [id] && report.left.count == 1)
        #expect(try a.title == "Bread")
        guard case .fault(.malformed) = report.left[0].reason else {
            Issue.record("\(report.left)")
            return
        }
    }

    @Test func `a version with a wrong hash is not taken`() throws {
        try b.change { $0.addTag("rye") }
        let name = try #require(try b.names("history").first { $0.hasSuffix(".json") })
        try b.scratch.write(b.folder + "/history/" + name, "{}")
        try merge(b, into: a)
        #expect(try !a.names("history").contains(name) || a.scratch.text(a.folder + "/history/" + name) != "{}")
        #expect(try a.tags == ["dough", "rye"])
    }

    @Test func `a link in place of a file of the other copy is not followed`() throws {
        try b.change { $0.addTag("rye") }
        try b.scratch.write("secret.txt", "secret")
        try FileManager.default.createSymbolicLink(
            atPath: b.scratch.full(b.folder + "/own.txt"), withDestinationPath: b.scratch.full("secret.txt"))
        try merge(b, into: a)
        #expect(!a.scratch.exists(a.folder + "/own.txt"))
    }
}
