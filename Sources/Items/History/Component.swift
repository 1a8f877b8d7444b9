/// What is looked at alone when an item's files change: Documentation/Merge.md § 2.
package enum Component: Int, CaseIterable, Sendable {
    case item, text
    /// The saved page: page.html, reader.html and the files in assets/.
    case page
    case document

    /// The component of a file of a version.
    package init(of file: Version.File) { self.init(ofFileAt: file.path) }

    /// The component of a file of a version, by its path relative to the item's folder.
    package init(ofFileAt path: String) {
        self = path.utf8.starts(with: (Layout.document + "/").utf8) ? .document : .page
    }

    /// Whether the component is files beside item.json and text.md.
    package var isOfFiles: Bool { self == .page || self == .document }
}
