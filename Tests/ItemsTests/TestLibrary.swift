import Files
import TestSupport
import Testing
import Time

@testable import Items

/// A new library in a scratch directory, which tests also change by hand.
final class TestLibrary: Sendable {
    let scratch: ScratchDirectory
    let path: String
    let store: ItemStore
    let session: WriteSession

    init() throws {
        scratch = try ScratchDirectory()
        path = scratch.path
        _ = try ItemStore.create(at: path, name: "Test", isForced: false)
        store = try ItemStore(path: path)
        session = WriteSession(store)
    }

    /// The library as another process opens it, which clears leftovers of dead ones.
    @discardableResult
    func reopened() throws -> ItemStore { try ItemStore(path: path) }

    /// Adds an item as commands do.
    func add(_ change: (inout NewItem) -> Void = { _ in }) throws -> StoredItem {
        var item = NewItem(kind: .snippet)
        change(&item)
        try session.add([item])
        return try #require(try store.item(item.id))
    }

    /// Writes an item.json by hand and returns its id.
    @discardableResult
    func put(_ text: String, id: ItemID = .make()) throws -> ItemID {
        try scratch.write(Layout.itemFolder(id) + "/" + Layout.itemFile, text)
        return id
    }

    /// Writes an item.json by hand and reads the item.
    func stored(_ text: String) throws -> StoredItem {
        let id = try put(text)
        return try #require(try store.item(id))
    }

    func item(_ id: ItemID) throws -> StoredItem { try #require(try store.item(id)) }

    /// The text of a file in an item's folder.
    func text(_ stored: StoredItem, _ name: String) throws -> String { try scratch.text(stored.folder + "/" + name) }

    /// Overwrites a file in an item's folder in place, as an editor without locks does.
    func write(_ stored: StoredItem, _ name: String, _ text: String) throws {
        try scratch.write(stored.folder + "/" + name, text)
    }

    /// The versions in an item's conflicts/ folder, sorted.
    func conflicts(_ stored: StoredItem) throws -> [String] {
        let folder = stored.folder + "/" + Layout.conflicts
        guard scratch.exists(folder) else { return [] }
        return try scratch.names(folder).map { try scratch.text(folder + "/" + $0) }.sorted()
    }

    /// Entries of staging, without empty session folders.
    func leftovers() throws -> [String] {
        let staging = Layout.device + "/" + Layout.staging
        let sessions = try Directory(path: scratch.full(staging)).entries().filter { $0.kind == .directory }
        return try sessions.map(\.name.repaired).flatMap { session in
            try scratch.names(staging + "/" + session).map { session + "/" + $0 }
        }
    }

    /// Every regular file and link below a folder of the library, with its bytes, except `.sbfs`.
    func snapshot(_ folder: String = "") throws -> [String: [UInt8]] {
        var files: [String: [UInt8]] = [:]
        for entry in try Directory(path: scratch.full(folder)).entries() {
            let path = folder.isEmpty ? entry.name.repaired : folder + "/" + entry.name.repaired
            if path == Layout.device { continue }
            switch entry.kind {
            case .directory: files.merge(try snapshot(path)) { a, _ in a }
            case .regular: files[path] = try scratch.bytes(path)
            default: files[path] = []
            }
        }
        return files
    }
}
