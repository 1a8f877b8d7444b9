import Files
import Foundation
import Glibc
import Items
import TestSupport
import Testing

@testable import StuffBucket

/// A library with a view in another folder.
final class ViewSample {
    let sample: SampleLibrary
    var library: Library { sample.library }
    var scratch: ScratchDirectory { sample.scratch }
    /// The view's own folder, relative to `scratch`.
    let root = "desk/StuffBucket"

    init() throws {
        sample = try SampleLibrary()
        try scratch.makeDirectory("desk")
    }

    @discardableResult
    func add(_ profile: ViewProfile = .full, _ mode: ViewMode = .copy) throws -> ViewReport {
        try library.addView(at: scratch.full("desk"), profile, mode).report
    }

    var view: LibraryView { get throws { try #require(try library.views().first) } }

    @discardableResult
    func refresh(_ scope: ViewScope = .all, missing: MissingView = .report) throws -> ViewReport {
        try view.refresh(scope, missing: missing)
    }

    /// Paths of files and links in the view, sorted, without the marker; links with their targets.
    func files() throws -> [String] {
        guard scratch.exists(root) else { return [] }
        return try FileManager.default.subpathsOfDirectory(atPath: scratch.full(root)).compactMap { path -> String? in
            var status = stat()
            lstat(scratch.full(root + "/" + path), &status)
            if path == ".sbfs-view" { return nil }
            switch status.st_mode & S_IFMT {
            case S_IFDIR: return nil
            case S_IFLNK:
                return path + " -> "
                    + (try FileManager.default.destinationOfSymbolicLink(atPath: scratch.full(root + "/" + path)))
            default: return path
            }
        }.sorted()
    }

    func text(_ path: String) throws -> String { try scratch.text(root + "/" + path) }

    func write(_ path: String, _ text: String) throws { try scratch.write(root + "/" + path, text) }

    func document(
        _ name: String, _ text: String, title: String? = nil, tags: [String] = []
    ) throws -> ItemID {
        try scratch.write("source/" + name, text)
        return try library.addDocument(at: scratch.full("source/" + name), title: title, tags: tags)
    }

    func change(_ id: ItemID, _ edit: (inout ItemEdit) -> Void) throws {
        let stored = try sample.stored(id)
        var change = ItemEdit(base: stored.json)
        edit(&change)
        try library.change("test") { try $0.update(stored, change) }
    }

    /// The whole manifest as text: its records of items.
    func manifest() throws -> [String: String] {
        var found: [String: String] = [:]
        let folder = "library/.sbfs/views"
        for path in try FileManager.default.subpathsOfDirectory(atPath: scratch.full(folder))
        where path.contains("/items/") && path.utf8.count > 60 {
            found[path] = try scratch.text(folder + "/" + path)
        }
        return found
    }
}
