import Foundation
import Glibc
import Items
import StuffBucket
import TestSupport
import Testing

/// Edits of items that have no versions yet, or whose bytes do not look as if they were written here, survive the meeting of
/// copies: Documentation/Merge.md § 2.
struct UnreadEditTests: TwoCopies {
    let a: Replica, b: Replica

    init() throws {
        (a, b) = try Replica.pair()
    }

    private func texts(_ one: Replica, _ folder: String) throws -> Set<String> {
        let folder = "library/" + folder + "/document"
        return Set(try one.scratch.names(folder).map { try one.scratch.text(folder + "/" + $0) })
    }

    /// An item with a document and no versions, in both copies.
    private func addDocument() throws -> String {
        try a.scratch.write("plan.txt", "first")
        let id = try a.library.change("add") { try $0.addDocument(at: a.scratch.full("plan.txt")) }
        try a.meet(b)
        try a.look()
        try b.look()
        return Layout.itemFolder(id)
    }

    private func id(_ folder: String) throws -> ItemID { try #require(ItemID(String(folder.suffix(36)))) }

    private func save(_ text: String, _ folder: String, in one: Replica) throws {
        let file = "library/" + folder + "/document/plan.txt"
        // Later than the item: a rebuild of the index looks at the times alone.
        usleep(600_000)
        try one.scratch.write(file + ".tmp", text)
        try one.scratch.rename(file + ".tmp", to: file)
    }

    @Test(arguments: [false, true])
    func `a document without versions that an editor changed in both copies is lost in none`(_ isRebuilt: Bool) throws {
        let folder = try addDocument()
        try save("by a", folder, in: a)
        try save("by b", folder, in: b)
        if isRebuilt {
            for one in [a, b] { try FileManager.default.removeItem(atPath: one.scratch.full("library/.sbfs/index")) }
        }
        try a.settle()
        try b.settle()
        try meetAll()
        #expect(try texts(a, folder) == ["by a", "by b"])
        #expect(try texts(b, folder) == ["by a", "by b"])
    }

    @Test func `a document that won is not overwritten by the one that lost where whole seconds are compared`() throws {
        let folder = try addDocument()
        (a.comparesSeconds, b.comparesSeconds) = (true, true)
        try save("by b, who wins", folder, in: b)
        usleep(1_100_000)
        try save("by a", folder, in: a)
        let document = try #require(try b.library.store.item(id(folder)))
        _ = try b.library.change("tag") { try $0.edit(document) { $0.addTag("b") } }
        try a.settle()
        try meetAll()
        #expect(try texts(a, folder) == ["by a", "by b, who wins"])
        #expect(try texts(b, folder) == ["by a", "by b, who wins"])
    }

    @Test func `a dry run counts an item whose document an editor changed in the other copy`() throws {
        let folder = try addDocument()
        try save("by a", folder, in: a)
        try a.settle()
        #expect(try b.library.mergePreview(path(a)).joined == [id(folder)])
        #expect(try texts(b, folder) == ["first"])
        #expect(try merge(a, into: b).joined == [id(folder)])
        #expect(try texts(b, folder) == ["by a"])
        #expect(try b.library.mergePreview(path(a)).joined.isEmpty)
    }

    @Test func `a document that one copy changed comes to the other without a second file`() throws {
        let folder = try addDocument()
        try save("by a", folder, in: a)
        try a.settle()
        try meetAll()
        #expect(try texts(a, folder) == ["by a"])
        #expect(try texts(b, folder) == ["by a"])
    }

    @Test(arguments: [false, true])
    func `a document with an older time that took the place of another is not lost to the other copy`(
        _ hasVersions: Bool
    ) throws {
        let folder = try addDocument()
        if hasVersions {
            let stored = try #require(try a.library.store.item(id(folder)))
            _ = try a.library.change("tag") { try $0.edit(stored) { $0.addTag("plans") } }
            try a.meet(b)
            try b.settle()
        }
        let file = a.scratch.full("library/" + folder + "/document/plan.txt")
        try a.scratch.write("download.txt", "from last week")
        let week = timespec(tv_sec: time(nil) - 7 * 86_400, tv_nsec: 0)
        _ = utimensat(AT_FDCWD, a.scratch.full("download.txt"), [week, week], 0)
        #expect(rename(a.scratch.full("download.txt"), file) == 0)
        try a.settle()
        try meetAll()
        #expect(try texts(a, folder).contains("from last week"))
        #expect(try texts(b, folder) == texts(a, folder))
    }

    @Test func `a document without versions that one copy took out goes from the other`() throws {
        let folder = try addDocument()
        usleep(20_000)
        let stored = try #require(try b.library.store.item(id(folder)))
        _ = try b.library.change("detach") { try $0.detachDocument(from: stored) }
        try meetAll()
        for one in [a, b] { #expect(try texts(one, folder).isEmpty) }
    }

    @Test func `of two documents without versions that programs put there, both stay`() throws {
        let folder = try addDocument()
        for (one, text) in [(b, "By b."), (a, "By a, later.")] {
            usleep(2_100_000)
            try one.scratch.write("brought", text)
            try one.scratch.setModified("brought", seconds: time(nil) - 1)
            usleep(20_000)
            try one.scratch.rename("brought", to: "library/" + folder + "/document/plan.txt")
            usleep(2_100_000)
            try one.settle()
        }
        try meetAll()
        #expect(Set(try texts(a, folder)) == ["By b.", "By a, later."])
        #expect(Set(try texts(b, folder)) == ["By b.", "By a, later."])
    }

    /// Saves a text as a copying program does that brings it from a device without sbfs.
    private func bring(_ text: String, as name: String, to one: Replica) throws {
        try one.scratch.write("brought.md", text)
        try one.scratch.setModified("brought.md", seconds: time(nil) - 60)
        try one.scratch.rename("brought.md", to: one.folder + "/" + name)
    }

    @Test func `a text without a version that a copying program replaces while it waits is lost in no copy`() throws {
        try a.change { $0.addTag("rye") }
        try a.meet(b)
        try b.settle()
        try bring("One.\n\nTwo, on the telephone.\n\nThree.\n", as: "text.md", to: b)
        for _ in 0..<3 { try b.settle() }
        #expect(try b.versions.allSatisfy { !$0.isCurrent } && b.library.waitingJoin(of: b.stored).isHeld)
        #expect(b.library.changesToTakeIn == 0)
        try a.save("text.md", "One, by a.\n\nTwo.\n\nThree.\n")
        try a.settle()
        try meetAll()
        // Nobody knows what it came from; until then it is in history/, which travels, and is named.
        let text = ContentHash(of: Array("One.\n\nTwo, on the telephone.\n\nThree.\n".utf8)).hex + ".md"
        #expect(try a.names("history").contains(text) && b.names("history").contains(text))
        #expect(try b.library.waitingJoin(of: b.stored).isHeld && b.library.changesToTakeIn == 0)
        // A day later.
        let known = "library/.sbfs/known/\(Replica.id.shard)/\(Replica.id)"
        let memory = try b.scratch.text(known)
        #expect(memory.contains("\"since\""))
        try b.scratch.write(
            known, memory.replacing(/"since": "[^"]*"/, with: "\"since\": \"2026-01-01T00:00:00.000Z\""))
        try meetAll()
        for one in [a, b] {
            #expect(try one.text == "One, by a.\n\nTwo, on the telephone.\n\nThree.\n")
            #expect(try one.names("conflicts").isEmpty && one.library.waitingJoin(of: one.stored).isEmpty)
        }
    }

    @Test func `a conflict copy that a person deletes while it waits does not come back`() throws {
        try b.change { $0.addTag("rye") }
        let copy = "text (conflicted copy 2026-11-21).md"
        try bring("One.\n\nTwo, elsewhere.\n\nThree.\n", as: copy, to: b)
        try b.settle()
        #expect(try b.names("").contains(copy))
        try FileManager.default.removeItem(atPath: b.scratch.full(b.folder + "/" + copy))
        for _ in 0..<5 { try b.settle() }
        #expect(try b.text == "One.\n\nTwo.\n\nThree.\n")
        #expect(b.library.changesToTakeIn == 0)
        #expect(try b.scratch.names("library/.sbfs/known/\(Replica.id.shard)").allSatisfy { $0.utf8.count != 101 })
    }

    @Test func `a new library knows what an item was before an editor changed it`() throws {
        let scratch = try ScratchDirectory()
        _ = try Library.create(at: scratch.full("library"), name: "New")
        let library = try Library(path: scratch.full("library"))
        let id = try library.change("add") { try $0.addSnippet("One.\n\nTwo.\n") }
        let text = "library/" + Layout.itemFolder(id) + "/text.md"
        let copy = text.dropLast(3) + ".sync-conflict-20261121-101500-ABCDEFG.md"
        try scratch.write(text, "Two.\n")
        // The other device's edit of the same text.
        try scratch.write(String(copy), "One.\n\nTwo, there.\n")
        for _ in 0..<4 { try library.takeInChanges() }
        #expect(try scratch.text(text) == "Two, there.\n")
    }

    @Test func `a rebuilt index still knows what an item was before an editor changed it`() throws {
        try b.save("text.md", "One.\n\nTwo, by hand.\n\nThree.\n")
        _ = try b.library.reindex(.full)
        try b.settle()
        #expect(try b.versions.count == 2)
        #expect(try b.versions.contains { $0.parents.isEmpty && !$0.isCurrent })
    }

    @Test func `a save is noted by a command on another item, before a later text comes`() throws {
        let other = try a.library.change("add") { try $0.addSnippet("Other.") }
        try a.look()
        try a.save("text.md", "One.\n\nTwo, saved.\n\nThree.\n")
        let stored = try #require(try a.library.store.item(other))
        _ = try a.library.change("tag") { try $0.edit(stored) { $0.addTag("rye") } }
        try b.setText("One.\n\nTwo.\n\nThree, later.\n")
        // The later text overwrites the save before anybody asks for it.
        try meetAll()
        for one in [a, b] { #expect(try one.text == "One.\n\nTwo, saved.\n\nThree, later.\n") }
        #expect(try a.files() == b.files())
    }

    @Test func `a document that was edited in place is noticed though the index is gone`() throws {
        try a.scratch.write("plan.txt", "first")
        _ = try a.library.change("attach") { try $0.attach(a.scratch.full("plan.txt"), to: a.stored) }
        try a.settle()
        let count = try a.versions.count
        try a.scratch.write(a.folder + "/document/plan.txt", "first, and more")
        try FileManager.default.removeItem(atPath: a.scratch.full("library/.sbfs/index"))
        try a.settle()
        #expect(try a.versions.count == count + 1)
    }

    @Test(arguments: [false, true]) func `an earlier text with its old time makes way, is named, and is in history`(
        _ isChanged: Bool
    ) throws {
        let old = try a.text
        let path = a.folder + "/text.md"
        let modified = try a.scratch.directory().file(path).status().modified
        try a.setText("One.\n\nTwo, new.\n\nThree.\n")
        try a.settle()
        _ = a.library.takeNotices()
        // As "cp -p" of a backup.
        try a.scratch.write(a.folder + "/.copy", old)
        try a.scratch.directory().fileForWriting(a.folder + "/.copy").setModified(modified)
        try a.scratch.rename(a.folder + "/.copy", to: path)
        // By a command on the item itself, or on none.
        if isChanged { try a.change { $0.addTag("rye") } } else { try a.settle() }
        #expect(try a.text == "One.\n\nTwo, new.\n\nThree.\n")
        let notices = a.library.takeNotices()
        guard case .earlierReplaced(Replica.id, file: "text.md", let version, others: 0)? = notices.first else {
            Issue.record("\(notices)")
            return
        }
        let named = try #require(try a.versions.first { $0.name.hasPrefix(version) })
        _ = try a.library.change("restore") { try $0.restore(named, in: a.stored) }
        #expect(try a.text == old)
        try a.settle()
        #expect(a.library.takeNotices().isEmpty)
    }

    @Test func `an edit that a device read before it knew a version brings nothing back`() throws {
        let here = try Replica(isAsWritten: true)
        try here.save(
            "item.json",
            """
            {"id": "\(Replica.id)", "type": "snippet", "title": "Bread", "updatedAt": "2020-01-01T00:00:00.000Z"}

            """)
        try here.look()
        let there = try Replica(copyOf: here)
        try here.setText("One.\n\nThree.\n")
        try there.save("text.md", "Zero.\n\nOne.\n\nTwo.\n\nThree.\n")
        // It only reads: the edit is in no version when those of the other device come.
        try there.look()
        for _ in 0..<3 {
            try here.meet(there)
            try there.settle()
            try here.settle()
        }
        for one in [here, there] { #expect(try one.text == "Zero.\n\nOne.\n\nThree.\n") }
    }
}
