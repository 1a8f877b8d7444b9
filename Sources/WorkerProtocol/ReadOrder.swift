package import JSONFormat

/// Asks for a saved page as text for a terminal.
package struct ReadOrder: WorkOrder, Hashable {
    package typealias Progress = Never

    package static let name = "read"

    /// The full path of page.html or reader.html.
    package var file: String
    /// The URL of the page.
    package var url: String
    /// Columns of a line; 20 to 1000, otherwise the nearest of these.
    package var width = 80
    /// Whether all of the file is wanted: of reader.html, or of page.html with what is around its article.
    package var isWhole = false

    package init(file: String, url: String) {
        self.file = file
        self.url = url
    }

    package var members: [(String, JSON?)] {
        [
            ("file", .string(file)), ("width", .integer(width)), ("whole", .bool(isWhole)), ("url", .string(url)),
        ]
    }

    package init(_ fields: WireFields) throws(WireFault) {
        file = try fields.string("file")
        url = try fields.optionalString("url") ?? ""
        width = try fields.optionalInteger("width") ?? width
        isWhole = try fields.flag("whole")
    }

    package struct Reply: WireValue, Hashable {
        package let text: String

        package init(text: String) { self.text = text }

        package var json: JSON { .members([("text", .string(text))]) }

        package init(_ fields: WireFields) throws(WireFault) { text = try fields.string("text") }
    }
}
