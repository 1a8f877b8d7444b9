import Files
import Foundation
import Items
import JSONFormat
import StuffBucket
import TestSupport
import Testing
import Time

/// One copy of a library with one item, on a device of its own, which commands and editors change.
final class Replica {
    let scratch: ScratchDirectory
    private(set) var library: Library
    /// Whether files are carried as rsync does it, which compares whole seconds and sizes.
    var comparesSeconds = false
    static let id = ItemID(high: 0x01a1_9b7c_a680_7000, low: 0x8f3e_0000_0000_0001)

    /// Makes a library with an item whose text has three paragraphs.
    ///
    /// - Parameter isAsWritten: whether the files have the time of `updatedAt`, as if a command had written them.
    init(isAsWritten: Bool = false) throws {
        scratch = try ScratchDirectory()
        _ = try Library.create(at: scratch.full("library"), name: "Sample")
        library = try Library(path: scratch.full("library"))
        let item = """
            {"id": "\(Self.id)", "type": "snippet", "title": "Bread", "tags": ["dough"], "updatedAt": "2026-11-21T10:15:00.000Z"}

            """
        try save("item.json", item)
        try save("text.md", "One.\n\nTwo.\n\nThree.\n")
        if isAsWritten {
            for file in ["item.json", "text.md"] {
                try scratch.setModified(folder + "/" + file, seconds: 1_795_256_100)
            }
        }
        try look()
    }

    /// Makes a copy on a device that has not run sbfs yet.
    init(copyOf other: Replica) throws {
        scratch = try ScratchDirectory()
        let source = other.scratch.full("library"), target = scratch.full("library")
        try Self.carry(source, to: target)
        library = try Library(path: target)
    }

    /// Two copies of which nothing was changed, and whose devices have both seen all.
    static func pair() throws -> (Replica, Replica) {
        let one = try Replica()
        let other = try Replica(copyOf: one)
        try other.look()
        return (one, other)
    }

    var folder: String { "library/items/01/\(Self.id)" }

    // MARK: Changing

    /// Saves as an editor does: a new file takes the place of the old one. It is saved again if that took longer than
    /// sbfs allows an editor, as beside compilers: Documentation/Merge.md § 2, rule 4.
    func save(_ name: String, _ text: String) throws {
        var status = stat()
        repeat {
            try scratch.write(folder + "/.edit.tmp", text)
            try scratch.rename(folder + "/.edit.tmp", to: folder + "/" + name)
            guard stat(scratch.full(folder + "/" + name), &status) == 0 else { return }
        } while (status.st_ctim.tv_sec, status.st_ctim.tv_nsec - 40_000_000)
            > (status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
    }

    /// Saves another title as an editor does, which leaves `updatedAt` alone.
    func saveTitle(_ new: String, for old: String) throws {
        try save("item.json", scratch.text(folder + "/item.json").replacingOccurrences(of: old, with: new))
    }

    /// A command that changes the item.
    func change(_ change: (inout ItemEdit) -> Void) throws {
        _ = try library.change("change") { try $0.edit(stored, change) }
    }

    func setText(_ text: String) throws {
        let old = try library.text(of: Self.id).map { Array($0.utf8) }
        _ = try library.change("text") {
            try $0.updateText(stored, .replace(base: old, with: Array(text.utf8)))
        }
    }

    /// A command that changes nothing of the item.
    func settle() throws {
        try look()
        try library.change("settle") { _ in }
    }

    /// A question, for which the files are compared with the index.
    func look() throws { _ = try library.find(ItemRequest(library.parse("").query)) }

    // MARK: Carrying

    /// Copies what is newer in both directions, as `rsync -a -u` does, without what belongs to a device.
    func meet(_ other: Replica, without left: String? = nil) throws {
        let here = scratch.full("library"), there = other.scratch.full("library")
        try Self.carry(here, to: there, without: left, comparesSeconds)
        try Self.carry(there, to: here, without: left, comparesSeconds)
    }

    private static func carry(
        _ source: String, to target: String, without left: String? = nil, _ comparesSeconds: Bool = false
    ) throws {
        let files = FileManager.default
        try files.createDirectory(atPath: target, withIntermediateDirectories: true)
        for path in try files.subpathsOfDirectory(atPath: source).sorted() {
            let from = source + "/" + path, to = target + "/" + path
            if path.hasPrefix(".sbfs") || left.map({ path.contains("/\($0)/") }) ?? false { continue }
            var own = stat(), other = stat()
            if stat(from, &own) != 0 { continue }
            if own.st_mode & S_IFMT == S_IFDIR {
                try files.createDirectory(atPath: to, withIntermediateDirectories: true)
                continue
            }
            let times = [own.st_mtim, own.st_mtim]
            if stat(to, &other) == 0 {
                let isNewer =
                    (own.st_mtim.tv_sec, own.st_mtim.tv_nsec) > (other.st_mtim.tv_sec, other.st_mtim.tv_nsec)
                let isOther = own.st_mtim.tv_sec == other.st_mtim.tv_sec && own.st_size != other.st_size
                if !(comparesSeconds ? own.st_mtim.tv_sec > other.st_mtim.tv_sec || isOther : isNewer) { continue }
            }
            let temporary = to + ".part"
            _ = try? files.removeItem(atPath: temporary)
            // A time that lies before the birth of the copy.
            usleep(5000)
            try files.copyItem(atPath: from, toPath: temporary)
            _ = utimensat(AT_FDCWD, temporary, times, 0)
            _ = rename(temporary, to)
        }
        // Folders get their times last.
        for path in try files.subpathsOfDirectory(atPath: source) where !path.hasPrefix(".sbfs") {
            var own = stat(), other = stat()
            guard stat(source + "/" + path, &own) == 0, own.st_mode & S_IFMT == S_IFDIR,
                stat(target + "/" + path, &other) == 0,
                (own.st_mtim.tv_sec, own.st_mtim.tv_nsec) != (other.st_mtim.tv_sec, other.st_mtim.tv_nsec)
            else { continue }
            _ = utimensat(AT_FDCWD, target + "/" + path, [own.st_mtim, own.st_mtim], 0)
        }
    }

    /// Copies the item's folder as it is now, with its times, as a backup does.
    func backUp() throws { try Self.carry(scratch.full(folder), to: scratch.full("backup")) }

    /// Puts the backup in the place of the item's folder.
    func putBack() throws {
        try FileManager.default.removeItem(atPath: scratch.full(folder))
        try Self.carry(scratch.full("backup"), to: scratch.full(folder))
    }

    // MARK: Looking

    var stored: StoredItem {
        get throws { try #require(try library.store.item(Self.id)) }
    }

    var title: String? { get throws { try stored.item.title } }
    var tags: [String] { get throws { try stored.item.tags } }
    var text: String { get throws { try scratch.text(folder + "/text.md") } }

    var versions: [ItemVersion] { get throws { try library.versions(of: stored).versions } }

    /// The names in a folder of the item; none if there is no such folder.
    func names(_ name: String) throws -> [String] {
        scratch.exists(folder + "/" + name) ? try scratch.names(folder + "/" + name).sorted() : []
    }

    /// The bytes of all files of the item, by their paths.
    func files() throws -> [String: [UInt8]] {
        var found: [String: [UInt8]] = [:]
        let folder = scratch.full(self.folder)
        for path in try FileManager.default.subpathsOfDirectory(atPath: folder) {
            var status = stat()
            guard stat(folder + "/" + path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { continue }
            found[path] = try scratch.bytes(self.folder + "/" + path)
        }
        return found
    }
}

extension JSONDocument {
    /// A string of the root.
    func text(_ key: String) -> String? { member(key, of: root).flatMap { string($0) } }
}
