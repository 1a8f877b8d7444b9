import Files
import TestSupport
import Testing
import Time

@testable import Items

/// Leftovers of a dead process in `.sbfs/staging`, in each state in which it can die.
struct StoreRecoveryTests {
    static let session = ".sbfs/staging/00000000deadbeef"

    let library: TestLibrary
    let stored: StoredItem

    init() throws {
        library = try TestLibrary()
        stored = try library.add { $0.text = Array("base".utf8) }
    }

    /// Leaves a staged text.md that was to replace `base` by `new` and now contains `holding`.
    @discardableResult
    private func leave(new: String, base: String?, holding: String) throws -> String {
        let staged = StagedName(
            .item(stored.id), file: "text.md", new: Array(new.utf8), base: base.map { Array($0.utf8) })
        try library.scratch.write(Self.session + "/" + staged.name, holding)
        return Self.session + "/" + staged.name
    }

    private func live() throws -> String { try library.text(stored, "text.md") }

    private func expectCleared() throws {
        #expect(try library.leftovers().isEmpty)
        #expect(!library.scratch.exists(Self.session))
    }

    @Test func `a new version that was not placed is dropped: its command never said done`() throws {
        try leave(new: "ours", base: "base", holding: "ours")
        try library.reopened()
        #expect(try live() == "base")
        #expect(try library.conflicts(stored).isEmpty)
        try expectCleared()
    }

    @Test func `the replaced version is dropped once the new one is live`() throws {
        try library.write(stored, "text.md", "ours")
        try leave(new: "ours", base: "base", holding: "base")
        try library.reopened()
        #expect(try live() == "ours")
        #expect(try library.conflicts(stored).isEmpty)
        try expectCleared()
    }

    @Test func `an editor's version that was displaced goes back when ours is live`() throws {
        try library.write(stored, "text.md", "ours")
        try leave(new: "ours", base: "base", holding: "editor's")
        try library.reopened()
        #expect(try live() == "editor's")
        try expectCleared()
    }

    @Test func `an editor's version is kept in conflicts when something else is live`() throws {
        try library.write(stored, "text.md", "later")
        try leave(new: "ours", base: "base", holding: "editor's")
        try library.reopened()
        #expect(try live() == "later")
        #expect(try library.conflicts(stored) == ["editor's"])
        try expectCleared()
    }

    @Test func `an editor's version that was joined into the live one is dropped`() throws {
        try library.write(stored, "text.md", "joined")
        try leave(new: "ours", base: "base", holding: "editor's")
        try leave(new: "joined", base: "editor's", holding: "ours")
        try library.reopened()
        #expect(try live() == "joined")
        try expectCleared()
    }

    @Test func `a version that came while another was joined is kept, and the joined one stays live`() throws {
        try library.write(stored, "text.md", "joined")
        try leave(new: "ours", base: "base", holding: "editor's")
        try leave(new: "joined", base: "editor's", holding: "third")
        try library.reopened()
        #expect(try live() == "joined")
        #expect(try library.conflicts(stored) == ["third"])
        try expectCleared()
    }

    @Test func `an editor's version goes back when the joined one was not placed`() throws {
        try library.write(stored, "text.md", "ours")
        try leave(new: "ours", base: "base", holding: "editor's")
        try leave(new: "joined", base: "editor's", holding: "joined")
        try library.reopened()
        #expect(try live() == "editor's")
        try expectCleared()
    }

    @Test func `an editor's version is found in the item's wrong shard too`() throws {
        let wrong = stored.id.shard == "00" ? "01" : "00"
        try library.scratch.makeDirectory("items/" + wrong)
        try library.scratch.rename(stored.folder, to: "items/\(wrong)/\(stored.id)")
        try library.scratch.write("items/\(wrong)/\(stored.id)/text.md", "ours")
        try leave(new: "ours", base: "base", holding: "editor's")
        try library.reopened()
        #expect(try library.scratch.text("items/\(wrong)/\(stored.id)/text.md") == "editor's")
    }

    @Test(arguments: ["base", "editor's"])
    func `a text that was being removed goes, or comes back if it is an editor's`(_ holding: String) throws {
        let staged = StagedName(.item(stored.id), file: "text.md", new: nil, base: Array("base".utf8))
        try library.scratch.write(Self.session + "/" + staged.name, holding)
        try library.scratch.removeFile(stored.folder + "/text.md")
        try library.reopened()
        #expect(library.scratch.exists(stored.folder + "/text.md") == (holding != "base"))
        if holding != "base" { #expect(try live() == holding) }
        try expectCleared()
    }

    @Test func `a version whose file is away at the moment waits for the next time`() throws {
        let path = try leave(new: "ours", base: "base", holding: "editor's")
        try library.scratch.rename(stored.folder + "/text.md", to: stored.folder + "/text.md~")
        try library.reopened()
        #expect(try library.scratch.text(path) == "editor's")
        try library.scratch.rename(stored.folder + "/text.md~", to: stored.folder + "/text.md")
        try library.reopened()
        #expect(try library.conflicts(stored) == ["editor's"])
        try expectCleared()
    }

    @Test func `a torn new version is never mistaken for the editor's`() throws {
        // Killed while writing: half of the new bytes, and the base is live. Kept, since it may be an editor's
        // version.
        try leave(new: "ours and more", base: "base", holding: "ours")
        try library.reopened()
        #expect(try live() == "base")
        #expect(try library.conflicts(stored) == ["ours"])
        try expectCleared()
    }

    @Test func `a new item, a copied document and a kept version that were not placed are removed`() throws {
        let id = ItemID.make()
        try library.scratch.write(Self.session + "/\(id)/item.json", "{}")
        try library.scratch.write(Self.session + "/\(id)/document/a.pdf", "x")
        try library.scratch.write(Self.session + "/document-\(id)", "x")
        try library.scratch.write(Self.session + "/kept-20261121T101500Z-ba7816bf.item.json", "x")
        try library.scratch.write(Self.session + "/kept-library", "x")
        let store = try library.reopened()
        #expect(try store.item(id) == nil)
        try expectCleared()
    }

    @Test func `a purge with its tombstone is finished`() throws {
        try library.scratch.makeDirectory(Self.session)
        try library.scratch.rename(stored.folder, to: Self.session + "/\(stored.id).purged")
        try library.scratch.write(
            Layout.tombstone(stored.id), "{\"id\": \"\(stored.id)\", \"purgedAt\": \"\(Timestamp.now.rfc3339)\"}")
        let store = try library.reopened()
        #expect(try store.item(stored.id) == nil)
        try expectCleared()
    }

    @Test(arguments: [nil, "", "{}"] as [String?])
    func `a purge without a tombstone, or with a torn one, is undone`(_ tombstone: String?) throws {
        try library.scratch.makeDirectory(Self.session)
        try library.scratch.rename(stored.folder, to: Self.session + "/\(stored.id).purged")
        if let tombstone { try library.scratch.write(Layout.tombstone(stored.id), tombstone) }
        let store = try library.reopened()
        let item = try #require(try store.item(stored.id))
        #expect(try store.text(of: item) == Array("base".utf8))
        try expectCleared()
    }

    @Test func `a purged item that is back in its place meanwhile is not overwritten`() throws {
        try library.scratch.write(Self.session + "/\(stored.id).purged/item.json", "{\"title\": \"older\"}")
        try library.reopened()
        #expect(try live() == "base")
        #expect(library.scratch.exists(Self.session + "/\(stored.id).purged/item.json"))
    }

    @Test func `names that nobody knows are left alone`() throws {
        try library.scratch.write(Self.session + "/notes.txt", "x")
        try library.scratch.write(".sbfs/staging/loose", "x")
        try library.scratch.link(Self.session + "/link", to: library.scratch.full(stored.folder))
        try library.reopened()
        #expect(try library.leftoverNames() == ["link", "notes.txt"])
        #expect(library.scratch.exists(".sbfs/staging/loose"))
        #expect(try live() == "base")
    }

    @Test func `the session of a living process is left alone`() throws {
        let session = try library.session.staging()
        try session.directory.writeFile("kept-x", [1])
        try library.reopened()
        #expect(try session.directory.entries().map(\.name.repaired) == ["kept-x"])
        try session.directory.removeFile("kept-x")
    }

    @Test func `a session ends with its owner and leaves nothing`() throws {
        do {
            let session = WriteSession(try library.reopened())
            try session.add([NewItem(kind: .snippet)])
            #expect(try library.scratch.names(".sbfs/staging").count >= 1)
        }
        let sessions = try library.scratch.names(".sbfs/staging")
        // The library's own session is still open; the other one is gone.
        #expect(sessions.count == 1)
    }

    @Test func `recovering twice is the same as once`() throws {
        try library.write(stored, "text.md", "ours")
        try leave(new: "ours", base: "base", holding: "editor's")
        try library.reopened()
        let after = try library.snapshot()
        try library.reopened()
        #expect(try library.snapshot() == after)
    }
}

extension TestLibrary {
    /// The names left in dead sessions.
    fileprivate func leftoverNames() throws -> [String] {
        try leftovers().compactMap { $0.split(separator: "/").last.map(String.init) }.sorted()
    }
}
