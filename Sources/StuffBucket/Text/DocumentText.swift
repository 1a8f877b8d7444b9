internal import Items

/// The text inside of documents (PDF, office, EPUB), for searching.
///
/// The seam for what reads them: such formats are unpacked by a worker process, which this version does not have.
enum DocumentText {
    /// - Returns: `nil` where nothing can be read from the document.
    static func text(of document: StoredDocument, in folder: String, _ store: ItemStore) -> [UInt8]? { nil }
}
