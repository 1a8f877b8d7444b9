import Files
import Foundation
import Items
import JSONFormat
import StuffBucket
import TestSupport
import Testing

/// A device with a library of its own, which syncs through a folder.
final class SyncDevice {
    let scratch: ScratchDirectory
    private(set) var library: Library
    var exchange: ExchangeFolder

    /// The first device: it makes the library and the exchange.
    init(exchange path: String) throws {
        scratch = try ScratchDirectory()
        _ = try Library.create(at: scratch.full("library"), name: "Sample")
        library = try Library(path: scratch.full("library"))
        exchange = ExchangeFolder(path: path)
        _ = try library.makeExchange(at: path)
    }

    /// A further device: its library comes from the exchange.
    init(from path: String) throws {
        scratch = try ScratchDirectory()
        exchange = ExchangeFolder(path: path)
        try Library.create(at: scratch.full("library"), from: exchange)
        library = try Library(path: scratch.full("library"))
    }

    @discardableResult
    func sync() throws -> SyncReport {
        try library.sync(with: exchange, CaptureWorker(path: BuiltProgram.path("sbfs-worker")))
    }

    func status() throws -> SyncStatus {
        try library.syncStatus(with: exchange)
    }

    /// Opens the library again, as another process does.
    func reopen() throws { library = try Library(path: scratch.full("library")) }

    func stored(_ id: ItemID) throws -> StoredItem { try #require(try library.store.item(id)) }

    func change(_ id: ItemID, _ change: (inout ItemEdit) -> Void) throws {
        _ = try library.change("change") { try $0.edit(stored(id), change) }
    }

    /// Adds an item with the document plan.txt.
    func addPlan(_ text: String) throws -> ItemID {
        try scratch.write("plan.txt", text)
        return try library.change("add") { try $0.addDocument(at: scratch.full("plan.txt")) }
    }

    /// A file of an item, relative to the scratch folder.
    func path(_ id: ItemID, _ name: String) -> String { "library/" + Layout.itemFolder(id) + "/" + name }

    /// Saves as an editor does.
    func save(_ id: ItemID, _ name: String, _ text: String) throws {
        let path = path(id, name)
        let folder = path.split(separator: "/").dropLast().joined(separator: "/")
        try FileManager.default.createDirectory(atPath: scratch.full(folder), withIntermediateDirectories: true)
        try scratch.write(folder + "/.edit.tmp", text)
        try scratch.rename(folder + "/.edit.tmp", to: path)
    }

    /// Runs a line of sh, which must end with 0.
    func shell(_ line: String) throws {
        let process = try Process.run(URL(fileURLWithPath: "/bin/sh"), arguments: ["-c", line])
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
    }

    /// The bytes of all files that travel, by their paths in the library.
    func files() throws -> [String: [UInt8]] {
        var found: [String: [UInt8]] = [:]
        for top in ["items", "tombstones", "collections", "tags", "smart"] {
            let folder = scratch.full("library/" + top)
            for path in try FileManager.default.subpathsOfDirectory(atPath: folder) {
                var status = stat()
                guard stat(folder + "/" + path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { continue }
                found[top + "/" + path] = try scratch.bytes("library/" + top + "/" + path)
            }
        }
        return found
    }
}

/// An exchange folder and devices that use it.
final class Fleet {
    let scratch: ScratchDirectory
    private(set) var devices: [SyncDevice] = []

    var path: String { scratch.full("exchange") }

    init(_ count: Int) throws {
        scratch = try ScratchDirectory()
        devices.append(try SyncDevice(exchange: path))
        try devices[0].sync()
        for _ in 1..<max(1, count) { try add() }
    }

    /// Two devices that have one item, and each another document in it, which the other one has not seen.
    static func withTwoDocuments(at path: String) throws -> (fleet: Fleet, id: ItemID) {
        let fleet = try Fleet(1)
        let id = try fleet[0].addPlan("Sow in May.")
        try fleet[0].sync()
        try fleet.add()
        try fleet[0].save(id, path, "Sow in April.")
        try fleet[1].save(id, path, "Sow in early June.")
        return (fleet, id)
    }

    /// A fleet of one device, which synced an item with a text and other files.
    static func withItem(_ files: [String: String] = [:]) throws -> (fleet: Fleet, id: ItemID) {
        let fleet = try Fleet(1)
        let id = try fleet[0].library.change("add") { try $0.addSnippet("Text.") }
        for (name, text) in files { try fleet[0].save(id, name, text) }
        try fleet[0].sync()
        return (fleet, id)
    }

    @discardableResult
    func add() throws -> SyncDevice { try add { _ in } }

    /// A device that leaves pages and documents to the exchange.
    func addThin() throws -> SyncDevice { try add { $0.isThin = true } }

    /// A device that writes nothing into the exchange.
    func addReading() throws -> SyncDevice { try add { $0.isReadOnly = true } }

    private func add(_ change: (inout ExchangeFolder) -> Void) throws -> SyncDevice {
        let device = try SyncDevice(from: path)
        change(&device.exchange)
        try device.sync()
        devices.append(device)
        return device
    }

    subscript(place: Int) -> SyncDevice { devices[place] }

    /// Every device syncs until nothing is written any more.
    ///
    /// - Returns: the rounds that wrote something.
    @discardableResult
    func settle() throws -> Int {
        for round in 0..<12 {
            let before = try names()
            for device in devices { try device.sync() }
            if try names() == before { return round }
        }
        Issue.record("the devices do not come to rest")
        return 12
    }

    /// All devices hold the same.
    func expectEqual(_ place: SourceLocation = #_sourceLocation) throws {
        let first = try devices[0].files()
        for (number, device) in devices.enumerated().dropFirst() {
            let files = try device.files()
            let differing = Set(first.keys).union(files.keys).filter { first[$0] != files[$0] }.sorted()
            #expect(differing.isEmpty, "device \(number)", sourceLocation: place)
        }
    }

    /// The files of the exchange, sorted, with the bytes of the heads.
    func names() throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: path).sorted().map { name in
            name.hasPrefix("heads/") ? name + ((try? scratch.text("exchange/" + name)) ?? "") : name
        }
    }

    /// The objects of the exchange, relative to its folder.
    func objects(_ ending: String = "") throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: path + "/objects").sorted()
            .filter { $0.contains("/") && $0.hasSuffix(ending) }.map { "objects/" + $0 }
    }
}
