/// The index at one moment: segments in the order of creation, each with its deleted documents.
///
/// Later commits do not change it.
package final class IndexSnapshot: Sendable {
    struct Part: Sendable {
        let segment: Segment
        var deletions: Deletions
    }

    let parts: [Part]
    let means: MeanLengths
    /// Documents of all segments, including deleted ones. Term frequencies relate to this number.
    let totalCount: Int

    init(_ parts: [Part]) {
        self.parts = parts
        var totals = FieldTotals()
        for part in parts { totals += part.segment.totals }
        totalCount = parts.reduce(0) { $0 + $1.segment.documentCount }
        means = MeanLengths(totals, documents: totalCount)
    }

    /// The number of documents that can be found.
    package var documentCount: Int { totalCount - parts.reduce(0) { $0 + $1.deletions.count } }

    package var segmentCount: Int { parts.count }

    /// The place of a document; `nil` if the key is unknown.
    func place(of key: DocumentKey) throws(IndexDamage) -> (part: Int, document: Int)? {
        for (number, part) in parts.enumerated().reversed() {
            if let document = try part.segment.document(key), !part.deletions.contains(document) {
                return (number, document)
            }
        }
        return nil
    }

    /// A document's stored bytes; `nil` if the key is unknown.
    package func stored(_ key: DocumentKey) throws(IndexDamage) -> [UInt8]? {
        guard let place = try place(of: key) else { return nil }
        return Array(try parts[place.part].segment.stored(place.document))
    }

    /// Calls `body` with every document that can be found and its stored bytes.
    package func forEachDocument(_ body: (DocumentKey, UnsafeRawBufferPointer) throws -> Void) throws {
        for part in parts {
            for document in 0..<part.segment.documentCount where !part.deletions.contains(document) {
                try body(try part.segment.key(document), try part.segment.stored(document))
            }
        }
    }

    /// Compares all checksums.
    package func verify() throws(IndexDamage) { for part in parts { try part.segment.verify() } }
}
