import Files
import TestSupport
import Testing

@testable import Search

struct ExactTermTests {
    @Test func `values that agree in all bytes that count are one term of a document`() throws {
        let scratch = try ScratchDirectory()
        let writer = try #require(try IndexWriter.open(IndexFolder(path: scratch.path)))
        let beginning = [UInt8](repeating: UInt8(ascii: "x"), count: 300)
        for key in 1...3 {
            var document = IndexDocument(key: DocumentKey(high: 0, low: UInt64(key)))
            document.exactTerms = (0..<3).map { ExactTerm(.tag, beginning + [UInt8(ascii: "0") + $0]) }
            document.exactTerms.append(ExactTerm(.tag, Array("short".utf8)))
            writer.put(document)
        }
        try writer.commit()
        let searcher = try Searcher(writer.snapshot)
        for value in [String(decoding: beginning, as: UTF8.self), "short"] {
            var request = SearchRequest(.filter(.tag(value)))
            request.isCounted = true
            #expect(try searcher.search(request).count == 3)
        }
    }
}
