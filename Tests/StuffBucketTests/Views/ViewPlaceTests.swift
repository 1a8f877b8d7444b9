import Files
import Foundation
import Glibc
import Items
import TestSupport
import Testing

@testable import StuffBucket

/// Where views may be, and whose they are.
struct ViewPlaceTests {
    let sample: ViewSample

    init() throws { sample = try ViewSample() }

    private func refusal(_ path: String) throws -> ViewError? {
        #expect(throws: ViewError.self) { try sample.library.addView(at: sample.scratch.full(path)) }
        do {
            _ = try sample.library.addView(at: sample.scratch.full(path))
            return nil
        } catch let error as ViewError {
            return error
        }
    }

    @Test func `a view in the library, or the library in a view, is refused`() throws {
        try sample.scratch.link("door", to: sample.scratch.full("library/items"))
        for path in ["library", "library/new/deep", "library/.sbfs", "library/items", "door", "door/x"] {
            guard case .overlapsLibrary = try refusal(path) else {
                Issue.record("\(path) was not refused so")
                continue
            }
        }
        #expect(!sample.scratch.exists("library/new"))
        // The view's own folder would be the library.
        try sample.scratch.rename("library", to: "StuffBucket")
        let library = try Library(path: sample.scratch.full("StuffBucket"))
        #expect(throws: ViewError.self) { try library.addView(at: sample.scratch.path) }
        #expect(try library.views().isEmpty)
    }

    @Test func `a library that was moved into its view is refused by a refresh`() throws {
        try sample.add()
        try sample.scratch.rename("library", to: sample.root + "/inside")
        let library = try Library(path: sample.scratch.full(sample.root + "/inside"))
        let view = try #require(try library.views().first)
        #expect(throws: ViewError.self) { try view.refresh() }
    }

    @Test func `a view in a view is refused, also in one of another library`() throws {
        try sample.add()
        for path in [sample.root, sample.root + "/All", sample.root + "/new"] {
            guard case .insideView = try refusal(path) else {
                Issue.record("\(path) was not refused so")
                continue
            }
        }
        _ = try Library.create(at: sample.scratch.full("other"), name: "Other")
        let other = try Library(path: sample.scratch.full("other"))
        #expect(throws: ViewError.self) { try other.addView(at: sample.scratch.full(sample.root + "/All")) }
        #expect(throws: ViewError.self) { try other.addView(at: sample.scratch.full("library")) }
        // The folder itself has a view already.
        #expect(throws: ViewError.self) { try other.addView(at: sample.scratch.full("desk")) }
        #expect(try other.views().isEmpty)
    }

    @Test func `a folder that holds other files is refused`() throws {
        try sample.scratch.write("desk/StuffBucket/mine.txt", "mine")
        guard case .notEmpty(_, let example) = try refusal("desk") else {
            Issue.record("not refused so")
            return
        }
        #expect(example == "mine.txt")
        #expect(try sample.scratch.names(sample.root) == ["mine.txt"])
        #expect(try sample.library.views().isEmpty)
    }

    @Test func `a view of another machine or library is refused, and so is one that was replaced`() throws {
        _ = try sample.library.addSnippet("text", title: "A")
        try sample.add()
        let marker = try sample.text(".sbfs-view")
        try sample.write(".sbfs-view", marker.replacingOccurrences(of: DeviceFolder.machine, with: "0123456789abcdef"))
        #expect(try sample.view.state() == .foreign)
        #expect(try sample.refresh().state == .foreign)
        #expect(try sample.refresh(missing: .make).state == .foreign)
        let id = try sample.library.addSnippet("more", title: "B")
        try sample.refresh(.items([id]))
        #expect(!sample.scratch.exists(sample.root + "/All/B.md"))
        guard case .foreign = try refusal("desk") else {
            Issue.record("not refused so")
            return
        }
        sample.scratch.removeItem("library/.sbfs/views")
        guard case .foreign = try refusal("desk") else {
            Issue.record("not refused so")
            return
        }
    }

    @Test func `a copy of a view is no view`() throws {
        _ = try sample.library.addSnippet("text", title: "A")
        try sample.add()
        try sample.scratch.makeDirectory("copy")
        try FileManager.default.copyItem(
            atPath: sample.scratch.full(sample.root), toPath: sample.scratch.full("copy/StuffBucket"))
        guard case .copied = try refusal("copy") else {
            Issue.record("not refused so")
            return
        }
    }

    @Test func `adding again refreshes, and other settings are refused`() throws {
        try sample.add(.full, .copy)
        _ = try sample.library.addSnippet("text", title: "A")
        try sample.add(.full, .copy)
        #expect(try sample.text("All/A.md") == "text")
        #expect(throws: ViewError.self) { try sample.add(.documents, .copy) }
        #expect(try sample.library.views().count == 1)
    }

    @Test func `two views of a library do not meet`() throws {
        let id = try sample.document("a.txt", "text", title: "A")
        try sample.add()
        let other = try sample.library.addView(at: sample.scratch.full("second"), .documents, .copy).view
        #expect(try sample.library.views().count == 2)
        #expect(try sample.library.view(at: sample.scratch.full("second/StuffBucket")).id == other.id)
        try sample.library.removeView(other)
        #expect(!sample.scratch.exists("second/StuffBucket"))
        #expect(sample.scratch.exists("second"))
        #expect(try sample.text("All/A.txt") == "text")
        #expect(try sample.library.item(id) != nil)
    }

    @Test func `the record of a view is private, and a copied library has none`() throws {
        try sample.add()
        var status = stat()
        stat(sample.scratch.full("library/.sbfs/views"), &status)
        #expect(status.st_mode & 0o077 == 0)
        try FileManager.default.copyItem(atPath: sample.scratch.full("library"), toPath: sample.scratch.full("copy"))
        let copy = try Library(path: sample.scratch.full("copy"))
        #expect(try copy.views().isEmpty)
    }

    @Test func `while another process works on a view, it is left alone`() throws {
        try sample.add()
        let lock = try sample.view.manifest.lock()
        #expect(throws: ViewError.self) { _ = try sample.view.manifest.lock(patience: .zero) }
        withExtendedLifetime(lock) {}
    }
}
