import Items
import JSONFormat
import Search
import StuffBucket
import TestSupport
import Testing
import Time

/// A library in a separate folder, whose items can be written by hand.
final class SampleLibrary {
    let scratch: ScratchDirectory
    private(set) var library: Library

    init() throws {
        scratch = try ScratchDirectory()
        _ = try Library.create(at: scratch.full("library"), name: "Sample")
        library = try Library(path: scratch.full("library"))
    }

    /// 01a19b7c-… with a number at its end: created at 2026-11-02T09:00:00Z, as its first digits say.
    static func id(_ number: UInt16) throws -> ItemID {
        let digits = String(number, radix: 16)
        return try #require(
            ItemID("01a19b7c-a680-7000-8f3e-00000000" + String(repeating: "0", count: 4 - digits.count) + digits))
    }

    static func time(_ text: String) throws -> Timestamp { try #require(Timestamp(text)) }

    func reopen() throws { library = try Library(path: scratch.full("library")) }

    /// Opens the library as one that has been on this device since 2001, so that later modification times count.
    func reopenAsOld() throws {
        let path = "library/.sbfs/owner"
        let key = "\"adoptedAt\": \""
        let lines = try scratch.text(path).split(separator: "\n").map { line in
            line.contains(key) ? "  \(key)2001-01-01T00:00:00.000Z\"" : String(line)
        }
        try scratch.write(path, lines.joined(separator: "\n") + "\n")
        try reopen()
    }

    func set(_ setting: LibraryFile.Setting, _ value: JSON) throws {
        try library.session.change([(setting, value)])
        try reopen()
    }

    /// Writes an item by hand. Its file's modification time is in the distant past unless given, in seconds since
    /// 1970.
    @discardableResult
    func put(
        _ number: UInt16, _ title: String?, _ members: [(String, JSON)] = [], tags: [String] = [], text: String? = nil,
        modified: Int = 0, shard: String? = nil
    ) throws -> ItemID {
        let id = try Self.id(number)
        let folder = folder(id, shard: shard)
        try scratch.write(
            folder + "/item.json",
            JSONWriter.file(
                .members([("title", title.map(JSON.string)), ("tags", tags.isEmpty ? nil : .strings(tags))] + members)))
        try scratch.setModified(folder + "/item.json", seconds: modified)
        if let text {
            try scratch.write(folder + "/text.md", text)
            try scratch.setModified(folder + "/text.md", seconds: modified)
        }
        return id
    }

    /// An item that a command moved to the trash.
    @discardableResult
    func putTrashed(_ number: UInt16, _ title: String, _ members: [(String, JSON)] = []) throws -> ItemID {
        let marks: [(String, JSON)] = [
            ("updatedAt", .string("2026-01-02T00:00:00Z")), ("trashedAt", .string("2026-01-02T00:00:00Z")),
        ]
        return try put(number, title, members + marks, tags: ["trashcan"])
    }

    /// An item's folder, relative to `scratch`.
    func folder(_ id: ItemID, shard: String? = nil) -> String { "library/items/\(shard ?? id.shard)/\(id)" }

    // MARK: Looking

    /// Titles of the listed items, in order.
    func titles(_ query: String = "", order: ItemRequest.Order = .title) throws -> [String] {
        try titles(ItemRequest(library.parse(query).query, order: order))
    }

    func titles(_ request: ItemRequest) throws -> [String] { try titles(library.find(request).rows) }

    func titles(_ rows: [Row]) throws -> [String] {
        try rows.map { library.store.displayTitle(of: try library.item($0)) }
    }

    func stored(_ id: ItemID) throws -> StoredItem { try #require(try library.store.item(id)) }
}

extension ItemRequest.Order {
    /// The orders that need no words.
    static let ofLists = allCases.filter { $0 != .relevance }
}
