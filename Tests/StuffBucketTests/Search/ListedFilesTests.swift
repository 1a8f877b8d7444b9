import Items
import JSONFormat
import Search
import TestSupport
import Testing

@testable import StuffBucket

/// Lists show each item as its files are, whatever another program did to them after the index has read them.
final class ListedFilesTests {
    private let sample: SampleLibrary

    init() throws { sample = try SampleLibrary() }

    enum Change: CaseIterable {
        case deletesPage, deletesText, addsReader, dropsDocument, makesPageFolder, makesPageFIFO, addsDocumentFolder
        case addsCapture, emptiesFolder, replacesText

        /// - Parameter folder: the item's, below the scratch folder.
        func make(in scratch: ScratchDirectory, _ folder: String) throws {
            switch self {
            case .deletesPage: try scratch.removeFile(folder + "/page.html")
            case .deletesText: try scratch.removeFile(folder + "/text.md")
            case .addsReader: try scratch.write(folder + "/reader.html", "<p>article")
            case .dropsDocument: try scratch.write(folder + "/paper.pdf", "%PDF-1.7")
            case .makesPageFolder:
                try scratch.removeFile(folder + "/page.html")
                try scratch.makeDirectory(folder + "/page.html")
            case .makesPageFIFO:
                try scratch.removeFile(folder + "/page.html")
                try scratch.makeFIFO(folder + "/page.html")
            case .addsDocumentFolder: try scratch.write(folder + "/document/scan.pdf", "%PDF-1.7")
            case .addsCapture:
                try scratch.write(folder + "/snapshots/20261121T101500Z-01234567/page.html", "<p>earlier")
            case .emptiesFolder:
                try scratch.removeFile(folder + "/page.html")
                try scratch.removeFile(folder + "/text.md")
            case .replacesText: try scratch.write(folder + "/text.md", "another text")
            }
        }

        /// What a list says then.
        var says: String {
            switch self {
            case .deletesPage, .makesPageFolder, .makesPageFIFO: "unavailable, text of 4 bytes, lacks page.html"
            case .deletesText: "full"
            case .addsReader: "full, reader, text of 4 bytes"
            case .dropsDocument: "full, document paper.pdf, text of 4 bytes"
            case .addsDocumentFolder: "full, document scan.pdf, text of 4 bytes"
            case .addsCapture: "full, captures, text of 4 bytes"
            case .emptiesFolder: "unavailable, lacks page.html"
            case .replacesText: "full, text of 12 bytes"
            }
        }
    }

    private func said(_ library: Library, _ query: String = "", isFresh: Bool) throws -> [String] {
        var request = ItemRequest(library.parse(query).query)
        request.isFresh = isFresh
        return try library.find(request).rows.map { row in
            let stored = try library.item(row)
            var words = [stored.archiveState?.rawValue ?? "-"]
            if stored.parts.contains(.reader) { words.append("reader") }
            if stored.parts.contains(.snapshots) { words.append("captures") }
            if let document = stored.document { words.append("document \(document.name)") }
            if let text = stored.text { words.append("text of \(text.byteCount) bytes") }
            if !stored.unavailablePaths.isEmpty {
                words.append("lacks " + stored.unavailablePaths.joined(separator: " "))
            }
            return words.joined(separator: ", ")
        }
    }

    /// - Parameter limit: libraries of fewer items are compared with the index before each answer.
    private func open(_ limit: Int) throws -> Library {
        let store = try ItemStore(path: sample.scratch.full("library"))
        return Library(store, LibraryIndex(store, sweepLimit: limit) {})
    }

    private func putSaved() throws -> String {
        let members: [(String, JSON)] = [
            ("linkURL", .string("https://example.org/herons")), ("archiveStatus", .string("full")),
            ("htmlRelativePath", .string("page.html")),
        ]
        let folder = sample.folder(try sample.put(1, "Herons", members, text: "soup"))
        try sample.scratch.write(folder + "/page.html", "<p>page")
        return folder
    }

    @Test(arguments: Change.allCases, [1, LibraryIndex.usualSweepLimit])
    func `lists say what is on the disk, compared with the index or not`(change: Change, limit: Int) throws {
        let folder = try putSaved()
        let library = try open(limit)
        // The second answer comes from an index that has seen the files unchanged.
        for isFresh in [false, true] {
            #expect(try said(library, isFresh: isFresh) == ["full, text of 4 bytes"])
        }
        try change.make(in: sample.scratch, folder)
        #expect(try said(library, isFresh: false) == [change.says])
        #expect(try said(library, isFresh: true) == [change.says])
        #expect(try said(try open(limit), isFresh: false) == [change.says])
    }

    @Test(arguments: Change.allCases, [1, LibraryIndex.usualSweepLimit])
    func `filters that wait for the files find what is on the disk`(change: Change, limit: Int) throws {
        let folder = try putSaved()
        let library = try open(limit)
        #expect(try said(library, "status:unavailable", isFresh: true).isEmpty)
        try change.make(in: sample.scratch, folder)
        let lacks = change.says.contains("lacks")
        #expect(try said(library, "status:unavailable", isFresh: true) == (lacks ? [change.says] : []))
        #expect(try said(library, "status:full", isFresh: true) == (lacks ? [] : [change.says]))
        #expect(
            try said(library, "has:reader", isFresh: true) == (change == .addsReader ? [change.says] : []))
    }
}
