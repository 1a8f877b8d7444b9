import Exchange
import Items
import JSONFormat
import Testing

@testable import StuffBucket

/// Exports of collections with many levels: each level can cost the length of the whole name.
struct ExportFolderTests {
    private static let name = String(repeating: "a/", count: 3000) + "z"
    private let sample: SampleLibrary

    init() throws {
        sample = try SampleLibrary()
        let link: [(String, JSON)] = [("linkURL", .string("https://example.org/"))]
        try sample.put(1, "Deep", link, tags: ["collection:" + Self.name, "collection:Work/Home"])
        try sample.scratch.write(
            "library/collections/deep-00000000.json", JSONWriter.file(.members([("name", .string(Self.name))])))
    }

    private func export(_ format: ExportFormat) throws -> LibraryExport {
        LibraryExport(sample.library, format, try sample.library.find(ItemRequest()).rows, .library)
    }

    private func written(_ format: ExportFormat) throws -> String {
        var bytes: [UInt8] = []
        let outcome = try export(format).write { bytes += $0 }
        #expect(outcome.count == 1 && outcome.faults.isEmpty)
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test func `the folders that are used are as many as an import takes`() throws {
        let used = try export(.json).usedFolders()
        #expect(used.count == ImportedEntry.folderDepthLimit + 2)
        let losses = try export(.json).losses()
        #expect(!losses.contains { $0.part == .emptyCollection })
    }

    @Test func `bookmark files have as many folders as an import takes`() throws {
        let html = try written(.html)
        #expect(html.split(separator: "\n").count { $0.contains("<H3>") } == ImportedEntry.folderDepthLimit + 2)
        let lines = try written(.csv).split(separator: "\n")
        let head = try #require(lines.firstIndex(of: "#BOOKMARKS"))
        // Two lines name the section and its columns.
        #expect(head - 2 == ImportedEntry.folderDepthLimit + 2)
    }

    @Test func `a comma in a tag separates nothing, whatever follows it`() throws {
        try sample.put(2, "Marks", [("linkURL", .string("https://example.com/"))], tags: ["one,\u{301}two"])
        var html: [UInt8] = []
        _ = try LibraryExport(sample.library, .html, sample.library.find(ItemRequest()).rows).write { html += $0 }
        let wanted = Array("TAGS=\"one \u{301}two\"".utf8)
        #expect(html.indices.contains { html[$0...].starts(with: wanted) })
    }

    @Test func `a note has a folder that can be made`() throws {
        let stored = try #require(try sample.library.store.item(SampleLibrary.id(1)))
        #expect(MarkdownPlace(stored, title: "Deep").folders.count == ImportedEntry.folderDepthLimit)
    }
}
