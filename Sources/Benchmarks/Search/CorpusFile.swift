import Files
import Items
internal import JSONFormat
import Search
import Time

/// A corpus in JSON lines: one document with id, title, tags, collection, type, createdAt, updatedAt and text a line.
final class CorpusFile: Sendable {
    struct Line: Sendable {
        let offset: Int
        let count: Int
        /// Milliseconds since 1970 UTC.
        let updated: Int64
    }

    private let file: Descriptor
    /// In the order of their last change, in which a library is indexed.
    let lines: [Line]
    /// The size of the whole file. Comparisons use the bytes of all titles and texts instead.
    let byteCount: Int

    init(path: String) throws {
        file = try Descriptor.open(path: path)
        byteCount = try file.status().byteCount
        var lines: [Line] = []
        var rest: [UInt8] = []
        var start = 0
        var at = 0
        while at < byteCount {
            let chunk = try file.read(at: at, count: 4 << 20)
            if chunk.isEmpty { break }
            at += chunk.count
            rest += chunk
            var from = 0
            while let end = rest[from...].firstIndex(of: 0x0A) {
                if end > from { lines.append(Self.line(rest[from..<end], at: start + from)) }
                from = end + 1
            }
            rest.removeFirst(from)
            start += from
        }
        if !rest.isEmpty { lines.append(Self.line(rest[...], at: start)) }
        self.lines = lines.sorted { ($0.updated, $0.offset) < ($1.updated, $1.offset) }
    }

    private static func line(_ bytes: ArraySlice<UInt8>, at offset: Int) -> Line {
        let key = Array("\"updatedAt\": \"".utf8)
        var updated: Int64 = 0
        if let range = bytes.firstRange(ofBytes: key) {
            let value = bytes[range.upperBound...].prefix { $0 != UInt8(ascii: "\"") }
            updated = Timestamp(String(decoding: value, as: UTF8.self))?.milliseconds ?? 0
        }
        return Line(offset: offset, count: bytes.count, updated: updated)
    }

    func document(_ line: Line) throws -> IndexDocument {
        try Self.document(JSONDocument(parsing: try file.read(at: line.offset, count: line.count)))
    }

    static func document(_ json: JSONDocument, at root: JSONDocument.Value? = nil) throws -> IndexDocument {
        let root = root ?? json.root
        func text(_ key: String) -> String { json.member(key, of: root).flatMap { json.string($0) } ?? "" }
        guard let id = ItemID(text("id")) else { throw BenchmarkError(description: "a document has no id") }
        var document = IndexDocument(key: DocumentKey(high: id.high, low: id.low))
        document.title = Array(text("title").utf8)
        document.texts = [Array(text("text").utf8)]
        let rest = text("rest")
        if !rest.isEmpty { document.rest = [Array(rest.utf8)] }
        let tags = json.member("tags", of: root).map { json.elements($0).compactMap { json.string($0) } } ?? []
        document.tags = tags.map { Array($0.utf8) }
        document.exactTerms = tags.map { ExactTerm(.tag, Folding.fold($0.utf8)) }
        document.exactTerms.append(ExactTerm(.collection, Folding.fold(text("collection").utf8)))
        document.exactTerms.append(ExactTerm(.type, text("type").utf8))
        document.created = Timestamp(text("createdAt"))?.milliseconds ?? 0
        document.updated = Timestamp(text("updatedAt"))?.milliseconds ?? 0
        return document
    }
}
