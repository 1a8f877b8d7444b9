import Foundation
import Glibc
import TestSupport
import Testing

/// Items, read from their files.
extension Sandbox {
    /// The files of collections/, tags/ or smart/, but for those that say that a name was deleted.
    func namedFiles(_ folder: String) throws -> [String] {
        try scratch.names("library/" + folder).filter { name throws in
            try !scratch.text("library/" + folder + "/" + name).contains("deletedAt")
        }
    }
}

extension Sandbox {
    /// Adds a snippet and returns its id.
    @discardableResult
    func snippet(_ text: String, title: String? = nil, tags: String? = nil) throws -> String {
        let words =
            ["add", "-", "--type", "snippet"] + (title.map { ["--title", $0] } ?? [])
            + (tags.map { ["--tag", $0] } ?? [])
        return try #require(try sbfs(words: words, input: Array(text.utf8)).lines.first)
    }

    /// Adds a link and returns its id.
    @discardableResult
    func link(_ url: String, title: String? = nil) throws -> String {
        let words = ["add", url] + (title.map { ["--title", $0] } ?? [])
        return try #require(try sbfs(words: words).lines.first)
    }

    /// The item's folder, relative to the scratch directory.
    func folder(_ id: String) -> String { "library/items/\(id.suffix(2))/\(id)" }

    /// Absolute path of a file of the item.
    func path(_ id: String, _ name: String) -> String { scratch.full(folder(id) + "/" + name) }

    func itemText(_ id: String) throws -> String { try scratch.text(folder(id) + "/item.json") }

    /// item.json, parsed.
    func item(_ id: String) throws -> [String: Any] {
        let data = Data(try scratch.bytes(folder(id) + "/item.json"))
        return try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    }

    func title(_ id: String) throws -> String? { try item(id)["title"] as? String }

    func tags(_ id: String) throws -> [String] { try item(id)["tags"] as? [String] ?? [] }

    func text(_ id: String) throws -> String { try scratch.text(folder(id) + "/text.md") }

    /// Versions that could not be merged.
    func conflicts(_ id: String) throws -> [String] {
        scratch.exists(folder(id) + "/conflicts") ? try scratch.names(folder(id) + "/conflicts") : []
    }

    /// Writes an item.json as another program would.
    func plant(_ id: String, _ json: String) throws {
        try scratch.write(folder(id) + "/item.json", json)
        // Before the first index it is an item that this device reads for the first time, and no edit of what a command wrote.
        let states = "library/.sbfs/states/\(id.suffix(2))"
        if !scratch.exists("library/.sbfs/index"), scratch.exists(states) { try scratch.removeFile(states) }
    }

    /// Ids of the items that a query lists.
    func ids(_ query: String...) throws -> Set<String> {
        Set(try sbfs(words: ["list", "--ids"] + query, exits: nil).lines)
    }

    /// Whether a path belongs to the index or another file of the device folder, which any command may update.
    private static func isDerived(_ path: String) -> Bool {
        ["library/.sbfs/", "home/cache/"].contains { folder in
            path.hasPrefix(folder)
                && ["index", "sweep", "states", "changed", "build.lock", "pending", "sbfs", "log", "reserve", "clock"]
                    .contains { name in
                        path.dropFirst(folder.count).hasPrefix(name)
                    }
        } || path == "home/cache"
    }

    /// Every file below the scratch directory except those of the search index, with its kind, permissions and
    /// content.
    func snapshot() throws -> [String: String] {
        var found: [String: String] = [:]
        for path in try FileManager.default.subpathsOfDirectory(atPath: scratch.path) where !Self.isDerived(path) {
            var status = stat()
            lstat(scratch.full(path), &status)
            let mode = String(status.st_mode, radix: 8)
            switch status.st_mode & S_IFMT {
            case S_IFREG: found[path] = mode + " " + (try scratch.text(path))
            case S_IFLNK:
                found[path] =
                    mode + " " + (try FileManager.default.destinationOfSymbolicLink(atPath: scratch.full(path)))
            default: found[path] = mode
            }
        }
        return found
    }

    /// Files that differ now, or were removed or added.
    ///
    /// - Parameter folder: only files in this folder, relative to the scratch directory.
    func changes(since before: [String: String], in folder: String = "") throws -> [String] {
        let after = try snapshot()
        let paths = Set(before.keys).union(after.keys).filter { folder.isEmpty || $0.hasPrefix(folder + "/") }
        return paths.filter { before[$0] != after[$0] }.sorted()
    }
}

extension Run {
    /// Standard output as one JSON array of objects.
    func array(sourceLocation: SourceLocation = #_sourceLocation) throws -> [[String: Any]] {
        let value = try? JSONSerialization.jsonObject(with: Data(outBytes))
        return try #require(value as? [[String: Any]], "no JSON array: \(self)", sourceLocation: sourceLocation)
    }

    /// Standard output as one JSON object.
    func object(sourceLocation: SourceLocation = #_sourceLocation) throws -> [String: Any] {
        let value = try? JSONSerialization.jsonObject(with: Data(outBytes))
        return try #require(value as? [String: Any], "no JSON object: \(self)", sourceLocation: sourceLocation)
    }

    /// Standard output as one JSON object a line.
    func stream(sourceLocation: SourceLocation = #_sourceLocation) throws -> [[String: Any]] {
        try lines.map { line in
            let value = try? JSONSerialization.jsonObject(with: Data(line.utf8))
            return try #require(value as? [String: Any], "no JSON object: \(line)", sourceLocation: sourceLocation)
        }
    }
}

extension Sandbox {
    /// The file of a draft, relative to the scratch directory; its folder's name includes the library.
    func draft(_ key: String, _ name: String) throws -> String {
        let folder = "home/state/sbfs/drafts"
        let names: [String] = scratch.exists(folder) ? try scratch.names(folder) : []
        let found = names.first { $0.hasSuffix("-" + key) } ?? "none"
        return "\(folder)/\(found)/\(name)"
    }
}
