internal import Items

/// The text in documents (PDF, office, EPUB), for searching.
///
/// A worker process would unpack such formats; this version has none.
enum DocumentText {
    /// - Returns: `nil` if no text can be read from the document.
    static func text(of document: StoredDocument, in folder: String, _ store: ItemStore) -> [UInt8]? { nil }
}
