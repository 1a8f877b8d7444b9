import Files
import Foundation
import Items
import JSONFormat
import StuffBucket
import TestSupport
import Testing
import Time

/// `Library.merge`: another copy of the library that is at hand. Documentation/Merge.md § 4.
struct MergeTests {
    let a: Replica, b: Replica

    init() throws {
        a = try Replica()
        b = try Replica(copyOf: a)
        try b.look()
    }

    private func path(_ replica: Replica) -> String { replica.scratch.full("library") }

    @discardableResult
    private func merge(_ other: Replica, into one: Replica) throws -> MergeReport {
        try one.library.merge(path(other))
    }

    /// Both hold the same afterwards, and joining them again finds nothing.
    private func bothAreEqual() throws {
        _ = try a.library.mergeBoth(path(b))
        #expect(try a.files() == b.files())
        for report in [try a.library.merge(path(b)), try b.library.merge(path(a)), try a.library.mergePreview(path(b))]
        {
            #expect(report.hasNothing && report.left.isEmpty, "\(report)")
        }
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
        #expect(report.hasNothing && report.sameCount == 1)
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

    @Test func `a document that was taken out in one copy goes in the other, unless it was replaced there`() throws {
        try attach("Plan.", to: a)
        for isReplaced in [false, true] {
            if isReplaced { try attach("Plan.", to: a) }
            let copy = try Replica(copyOf: a)
            try copy.look()
            try a.library.change("detach") { try $0.detachDocument(from: a.stored) }
            if isReplaced { try attach("Another plan.", to: copy) }
            _ = try a.library.mergeBoth(path(copy))
            #expect(try a.files() == copy.files())
            #expect(try a.stored.document?.name == (isReplaced ? "plan.txt" : nil))
            if isReplaced { #expect(try document(a, "plan.txt") == "Another plan.") }
            #expect(try a.library.merge(path(copy)).hasNothing && copy.library.merge(path(a)).hasNothing)
        }
    }

    @Test func `a document that lost is named`() throws {
        try attach("Plan.", to: a)
        let copy = try Replica(copyOf: a)
        try copy.look()
        try attach("Plan of this one.", to: a)
        try attach("Plan of the copy.", to: copy)
        let report = try a.library.merge(path(copy))
        #expect(report.kept.count == 1 && report.kept[0].contains("document/plan.conflict-"))
        #expect(try a.scratch.text("library/" + report.kept[0]).hasPrefix("Plan of"))
        #expect(try a.library.merge(path(copy)).kept.isEmpty)
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

    // MARK: Purged items

    @Test(arguments: ["title", "tag", "text", "editor", "document"])
    func `an edit of an item in the trash lives though the other copy purged it later`(_ kind: String) throws {
        for isHere in [true, false] {
            let one = try Replica()
            try one.library.change("trash") { _ = try $0.trash(one.stored) }
            let other = try Replica(copyOf: one)
            try other.look()
            switch kind {
            case "title": try other.change { $0.set(.title, .string("Edited")) }
            case "tag": try other.change { $0.addTag("edited") }
            case "text": try other.setText("One.\n\nEdited.\n")
            case "editor": try other.save("text.md", "One.\n\nEdited.\n")
            default: try attach("Edited.", to: other)
            }
            try one.library.change("purge") { try $0.purge(one.stored) }
            let report = try isHere ? other.library.merge(path(one)) : one.library.merge(path(other))
            #expect(report.purgedThere.isEmpty && report.purgedHere.isEmpty, "\(kind) \(report)")
            _ = try one.library.mergeBoth(path(other))
            #expect(try one.files() == other.files())
            #expect(one.scratch.exists("library/" + Layout.tombstone(Replica.id)))
            #expect(other.scratch.exists("library/" + Layout.tombstone(Replica.id)))
            for replica in [one, other] {
                #expect(try !replica.library.store.isPurged(replica.stored))
                #expect(try replica.library.find(ItemRequest(replica.library.parse("is:trashed").query)).count == 1)
            }
        }
    }

    private func purge(_ one: Replica) throws {
        try one.library.change("trash") { _ = try $0.trash(one.stored) }
        try one.library.change("purge") { try $0.purge(one.stored) }
    }

    @Test func `what was purged here does not come back from a copy that was not changed since`() throws {
        try purge(a)
        let report = try merge(b, into: a)
        #expect(report.purgedHere == [Replica.id] && report.added.isEmpty)
        #expect(try a.library.store.item(Replica.id) == nil)
    }

    @Test func `what was purged here and edited there lives`() throws {
        try purge(a)
        try b.change { $0.addTag("rye") }
        let report = try merge(b, into: a)
        #expect(report.added == [Replica.id])
        #expect(try a.tags == ["dough", "rye"])
        try bothAreEqual()
    }

    @Test func `what was purged there goes here, unless it was edited here`() throws {
        let c = try Replica(copyOf: a)
        try c.look()
        try c.save("text.md", "One.\n\nTwo.\n\nThree.\n\nEdited.\n")
        try purge(b)
        let report = try merge(b, into: a)
        #expect(report.purgedThere == [Replica.id])
        #expect(try a.library.store.item(Replica.id) == nil)
        let other = try merge(b, into: c)
        #expect(other.purgedThere.isEmpty)
        #expect(try c.text.contains("Edited."))
    }

    // MARK: Documents and pages

    private func attach(_ text: String, named name: String = "plan.txt", to one: Replica) throws {
        try one.scratch.write(name, text)
        _ = try one.library.change("attach") { try $0.attach(one.scratch.full(name), to: one.stored, .replace) }
    }

    private func document(_ one: Replica, _ name: String) throws -> String {
        try one.scratch.text(one.folder + "/document/" + name)
    }

    @Test func `a document that one copy replaced comes with the item`() throws {
        try attach("first", to: a)
        try bothAreEqual()
        try attach("second, longer", to: b)
        let report = try merge(b, into: a)
        #expect(try document(a, "plan.txt") == "second, longer")
        #expect(try a.names("document") == ["plan.txt"] && report.left.isEmpty)
        try bothAreEqual()
    }

    @Test func `of two documents the later stands, and the other one lies beside it in both copies`() throws {
        try attach("first", to: a)
        try bothAreEqual()
        try attach("by a", to: a)
        try attach("by b", to: b)
        try merge(b, into: a)
        #expect(try document(a, "plan.txt") == "by b")
        let kept = try a.names("document").filter { $0 != "plan.txt" }
        #expect(kept.count == 1 && kept[0].hasPrefix("plan.conflict-") && kept[0].hasSuffix(".txt"))
        #expect(try document(a, kept[0]) == "by a")
        try bothAreEqual()
        #expect(try document(b, kept[0]) == "by a")
    }

    @Test func `the document of the other copy that lost lies beside the one here`() throws {
        try attach("first", to: a)
        try bothAreEqual()
        try attach("by b", to: b)
        try attach("by a", to: a)
        try merge(b, into: a)
        #expect(try document(a, "plan.txt") == "by a")
        let kept = try a.names("document").filter { $0 != "plan.txt" }
        #expect(try kept.count == 1 && document(a, kept.first ?? "plan.txt") == "by b")
        try bothAreEqual()
    }

    @Test func `a document that was replaced by one of another name is gone in the other copy, too`() throws {
        try attach("first", to: a)
        try bothAreEqual()
        try attach("second", named: "notes.txt", to: b)
        try merge(b, into: a)
        #expect(try a.names("document") == ["notes.txt"] && document(a, "notes.txt") == "second")
        try bothAreEqual()
    }

    private func savePage(_ html: String, archivedAt: String, in one: Replica) throws {
        try one.save("page.html", html)
        try one.save("reader.html", "<p>reader of \(html)")
        try one.scratch.write(one.folder + "/assets/0123456789abcdef.css", "p{}")
        try one.change {
            $0.set(.archiveStatus, .string("full"))
            $0.set(.archivedAt, .string(archivedAt))
        }
    }

    @Test func `a page that only the other copy saved comes with its files`() throws {
        try savePage("<link href='assets/0123456789abcdef.css'>b", archivedAt: "2026-11-22T00:00:00.000Z", in: b)
        try merge(b, into: a)
        #expect(try a.scratch.text(a.folder + "/page.html").hasSuffix("b"))
        #expect(try a.names("assets") == ["0123456789abcdef.css"])
        try bothAreEqual()
    }

    @Test func `of two saved pages the newer stands, and the other one is a snapshot in both copies`() throws {
        try savePage("<p>by a", archivedAt: "2026-11-22T00:00:00.000Z", in: a)
        try savePage("<p>by b", archivedAt: "2026-11-23T00:00:00.000Z", in: b)
        try merge(b, into: a)
        #expect(try a.scratch.text(a.folder + "/page.html") == "<p>by b")
        #expect(try a.names("snapshots").count == 1)
        _ = try a.library.mergeBoth(path(b))
        #expect(try b.scratch.text(b.folder + "/page.html") == "<p>by b")
        for one in [a, b] {
            let name = try #require(try one.names("snapshots").first)
            #expect(try one.scratch.text(one.folder + "/snapshots/\(name)/page.html") == "<p>by a")
        }
    }

    // MARK: What is beside

    @Test func `the person's own files come, and one that differs stays and is named`() throws {
        try b.scratch.write(b.folder + "/notes/own.txt", "there")
        try b.scratch.write(b.folder + "/same.txt", "there")
        try a.scratch.write(a.folder + "/same.txt", "here")
        try b.change { $0.addTag("rye") }
        let report = try merge(b, into: a)
        #expect(try a.scratch.text(a.folder + "/notes/own.txt") == "there")
        #expect(try a.scratch.text(a.folder + "/same.txt") == "here")
        #expect(report.left.map(\.path) == ["items/01/\(Replica.id)/same.txt"])
    }

    @Test func `colours and smart folders of both are there`() throws {
        _ = try a.library.change("colour") { try $0.setNamed(.tags, "dough", [("colour", .string("#112233"))]) }
        _ = try b.library.change("smart") { try $0.setNamed(.smart, "Breads", [("query", .string("dough"))]) }
        let report = try merge(b, into: a)
        #expect(report.smallFiles.count == 1)
        #expect(try a.scratch.names("library/smart").contains { $0.hasPrefix("breads-") })
        #expect(try a.scratch.names("library/tags").count == 1)
    }

    // MARK: Faults

    @Test func `a name that was deleted does not come back, and one that was used again lives`() throws {
        try a.library.change("smart") { step in
            try step.addNamed(.smart, "Breads", [("query", .string("bread"))])
            try step.addNamed(.tags, "dough", [("colour", .string("red"))])
            try step.addNamed(.collections, "Work", [("icon", .string("x"))])
        }
        let copy = try Replica(copyOf: a)
        usleep(20_000)
        try a.library.change("delete") { step in
            for (folder, name) in [(NamedFolder.smart, "Breads"), (.tags, "dough"), (.collections, "Work")] {
                let isRemoved = try step.removeNamed(folder, name)
                #expect(isRemoved)
            }
        }
        func names(_ one: Replica) throws -> [String] {
            try NamedFolder.allCases.flatMap { try one.library.namedFiles(in: $0).files.map(\.name) }
        }
        let before = try names(a)
        #expect(Set(before).isDisjoint(with: ["Breads", "dough", "Work"]))
        try merge(copy, into: a)
        #expect(try names(a) == before)
        try a.library.change("again") { try $0.addNamed(.tags, "dough", [("colour", .string("blue"))]) }
        _ = try a.library.mergeBoth(path(copy))
        for one in [a, copy] {
            #expect(try names(one).contains("dough"))
            #expect(try Set(names(one)).isDisjoint(with: ["Breads", "Work"]))
            #expect(try one.library.namedFile(.tags, "dough")?.colour == "blue")
        }
    }

    @Test func `of two queries of one smart folder the newer stands, and the file is named`() throws {
        try a.library.change("smart") { try $0.addNamed(.smart, "Breads", [("query", .string("bread"))]) }
        let copy = try Replica(copyOf: a)
        usleep(20_000)
        _ = try a.library.change("smart") { try $0.setNamed(.smart, "Breads", [("query", .string("here"))]) }
        usleep(20_000)
        _ = try copy.library.change("smart") { try $0.setNamed(.smart, "Breads", [("query", .string("there"))]) }
        let report = try merge(copy, into: a)
        #expect(try a.library.namedFile(.smart, "Breads")?.query == "there")
        guard case .newerStands(let keys) = report.left.first?.reason else {
            Issue.record("\(report)")
            return
        }
        #expect(keys == ["query"])
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
