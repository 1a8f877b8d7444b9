import Files
import Items
import Search
import TestSupport
import Testing

@testable import StuffBucket

/// An index that an earlier program wrote.
struct EarlierRecordTests {
    /// Programs whose records had version 3 indexed no key points and names.
    @Test func `items are read again where the records are of an earlier version`() throws {
        let sample = try SampleLibrary()
        let points = JSON.members([("keyPoints", .strings(["Use butter."])), ("entities", .strings(["Ada"]))])
        let id = try sample.put(1, "Soup", [("aiSummary", .string("squash")), ("aiArtifacts", points)])
        #expect(try sample.titles("butter") == ["Soup"])
        let index = try #require(sample.library.index)
        do {
            let folder = String(sample.folder(id).dropFirst("library/".count))
            let read = try #require(try ItemDocument.read(id, in: folder, sample.library.store, at: .now))
            var document = read.document
            document.texts.removeAll { $0 == Array("Use butter.".utf8) || $0 == Array("Ada".utf8) }
            document.stored[0] = 3
            let writer = try #require(try IndexWriter.open(index.place.indexFolder()))
            writer.put(document)
            try writer.commit()
        }
        try sample.reopen()
        #expect(try sample.titles("squash") == ["Soup"])
        #expect(try sample.titles("butter") == ["Soup"])
        #expect(try sample.titles("ada") == ["Soup"])
    }
}
