import Files
import TestSupport
import Testing
import Time

@testable import Items

/// Purging items, and the tombstones that keep replicas from bringing them back.
struct StorePurgeTests {
    let library: TestLibrary

    init() throws { library = try TestLibrary() }

    private func trashed(_ change: (inout NewItem) -> Void = { _ in }) throws -> StoredItem {
        let stored = try library.add(change)
        var edit = ItemEdit(base: stored.json)
        edit.trash(at: .now)
        try library.session.update(stored, edit)
        return try library.item(stored.id)
    }

    @Test(arguments: ["thesis.odt", "document/second.pdf", "conflicts/kept.json"])
    func `files added after the decision stay`(_ name: String) throws {
        let stored = try trashed { $0.text = [0x61] }
        let seen = try library.store.tree(of: stored)
        try library.scratch.write(stored.folder + "/" + name, "work")
        let error = #expect(throws: ItemError.self) { try library.session.purge(stored, seen: seen) }
        guard case .conflict? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(library.scratch.exists(stored.folder + "/" + name))
        #expect(try library.store.tombstone(of: stored.id) == nil)
    }

    @Test func `a purged item is gone, and its tombstone stays`() throws {
        let stored = try trashed { $0.text = [0x61] }
        let time = Timestamp(milliseconds: 1_795_256_100_000)
        try library.session.purge(stored, at: time)
        #expect(!library.scratch.exists(stored.folder))
        #expect(try library.store.item(stored.id) == nil)
        #expect(try library.store.tombstone(of: stored.id) == time)
        // What the purge found: item.json and text.md. It has no versions.
        let hashes = [
            StateHashes(item: stored.json.exactMembers(stored.json.root), text: nil, files: []).item,
            ContentHash(of: [0x61]),
        ].map(\.hex).sorted()
        #expect(
            try library.scratch.text(Layout.tombstone(stored.id)) == """
                {
                  "id": "\(stored.id)",
                  "purgedAt": "2026-11-21T10:15:00.000Z",
                  "hashes": [
                    "\(hashes[0])",
                    "\(hashes[1])"
                  ]
                }

                """)
        #expect(try library.leftovers().isEmpty)
    }

    @Test(arguments: ["{}", #"{"tags": ["trashcan"]}"#, #"{"trashedAt": "2026-11-21T10:15:00Z"}"#])
    func `without both marks nothing is purged`(_ text: String) throws {
        let stored = try library.stored(text)
        let error = #expect(throws: ItemError.self) { try library.session.purge(stored) }
        guard case .notInTrash? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(try library.text(stored, "item.json") == text)
        #expect(try library.store.tombstone(of: stored.id) == nil)
    }

    @Test func `an item that was changed since it was read lives, without a tombstone`() throws {
        let changes: [(StoredItem) throws -> Void] = [
            { try library.write($0, "item.json", #"{"title": "restored by hand"}"#) },
            { try library.scratch.setModified($0.folder + "/text.md", seconds: 1_000_000_000) },
            { try library.scratch.removeFile($0.folder + "/text.md") },
            { try library.scratch.setModified($0.folder + "/document/d", seconds: 1_000_000_000) },
            { try library.scratch.removeFile($0.folder + "/item.json") },
        ]
        try library.scratch.write("source/d", "x")
        for change in changes {
            let stored = try trashed {
                $0.text = [0x61]
                $0.documentPath = library.scratch.full("source/d")
            }
            try change(stored)
            let before = try library.snapshot("items")
            let error = #expect(throws: ItemError.self) { try library.session.purge(stored) }
            guard case .conflict? = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(try library.snapshot("items") == before)
            #expect(try library.store.tombstone(of: stored.id) == nil)
        }
    }

    @Test func `a tombstone hides an item that came back as it was, not one that was taken up again`() throws {
        let stored = try trashed()
        #expect(try !library.store.isPurged(stored))
        let bytes = try library.text(stored, "item.json")
        try library.session.purge(stored)
        try library.put(bytes, id: stored.id)
        try library.scratch.setModified(stored.folder + "/item.json", seconds: 1_700_000_000)
        #expect(try library.store.isPurged(library.item(stored.id)))
        try library.put(#"{"title": "restored elsewhere"}"#, id: stored.id)
        #expect(try !library.store.isPurged(library.item(stored.id)))
        let later = Timestamp.now.adding(seconds: 60).rfc3339
        try library.put(
            "{\"tags\": [\"trashcan\"], \"trashedAt\": \"\(later)\", \"updatedAt\": \"\(later)\"}", id: stored.id)
        #expect(try !library.store.isPurged(library.item(stored.id)))
    }

    @Test(arguments: ["{}", #"{"purgedAt": 5}"#, #"{"purgedAt": "soon"}"#, "[]"])
    func `a tombstone without a time purges nothing`(_ text: String) throws {
        let stored = try trashed()
        try library.scratch.write(Layout.tombstone(stored.id), text)
        #expect(try library.store.tombstone(of: stored.id) == nil)
        #expect(try !library.store.isPurged(stored))
    }

    @Test func `a malformed tombstone is reported with its place`() throws {
        let stored = try trashed()
        try library.scratch.write(Layout.tombstone(stored.id), "{")
        let error = #expect(throws: ItemError.self) { _ = try library.store.tombstone(of: stored.id) }
        #expect(error?.description.contains("\(stored.id).json:1:2: expected a key") == true)
    }

    @Test func `the trash log counts from when this device first saw an item trashed`() throws {
        let stored = try trashed()
        let noted = Timestamp(milliseconds: 1_795_256_100_000)
        #expect(TrashLog(in: library.store).due(stored.item, days: 10) == nil)
        try TrashLog.note([stored.id], at: noted, in: library.store)
        try TrashLog.note([], at: noted, in: library.store)
        let log = TrashLog(in: library.store)
        var item = stored.item
        item.trashedAt = noted.adding(seconds: -1_000_000)
        #expect(log.due(item, days: 10) == noted.adding(seconds: 864_000))
        // A second stay in the trash counts from its own start.
        let again = noted.adding(seconds: 500)
        try TrashLog.note([stored.id], at: again, in: library.store)
        #expect(TrashLog(in: library.store).due(item, days: 1) == again.adding(seconds: 86_400))
    }

    @Test func `torn and foreign lines of the trash log are passed over`() throws {
        let id = ItemID.make()
        let text =
            "\n\(id)\nnonsense 2026-01-01T00:00:00Z\n\(id) 2026-11-21T10:15:00.000Z\n\(id) 2026-11-21\n0198c0de-1234"
        try library.scratch.write(".sbfs/trash", text)
        let item = Item(id: id)
        #expect(TrashLog(in: library.store).due(item, days: 0)?.rfc3339 == "2026-11-21T10:15:00.000Z")
    }
}
