package import JSONFormat

/// Asks whether a file is a saved page, and of which URL.
package struct IdentifyOrder: WorkOrder, Hashable {
    package typealias Progress = Never

    package static let name = "identify"

    /// The full path.
    package var file: String

    package init(file: String) { self.file = file }

    package var members: [(String, JSON?)] { [("file", .string(file))] }

    package init(_ fields: WireFields) throws(WireFault) { file = try fields.string("file") }

    package struct Reply: WireValue, Hashable {
        /// `nil` for any other file.
        package let kind: SavedPageKind?
        /// An http or https URL; `nil` if the file names none.
        package let url: String?

        package init(kind: SavedPageKind?, url: String?) {
            self.kind = kind
            self.url = url
        }

        package var json: JSON {
            .members([("kind", kind.map { .string($0.rawValue) }), ("url", url.map(JSON.string))])
        }

        package init(_ fields: WireFields) throws(WireFault) {
            kind = try fields.optionalWord("kind")
            url = try fields.optionalString("url")
        }
    }
}

/// The formats in which other programs save a page.
package enum SavedPageKind: String, Sendable {
    case html, mhtml, webarchive
}
