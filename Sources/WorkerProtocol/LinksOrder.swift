package import JSONFormat

/// Asks for the links of a saved page.
package struct LinksOrder: WorkOrder, Hashable {
    package typealias Progress = Never

    package static let name = "links"

    /// The full path of page.html or reader.html.
    package var file: String
    /// The URL of the page, against which relative links are resolved.
    package var url: String

    package init(file: String, url: String) {
        self.file = file
        self.url = url
    }

    package var members: [(String, JSON?)] { [("file", .string(file)), ("url", .string(url))] }

    package init(_ fields: WireFields) throws(WireFault) {
        file = try fields.string("file")
        url = try fields.optionalString("url") ?? "about:blank"
    }

    package struct Reply: WireValue, Hashable {
        /// In the page's order, without duplicates.
        package let links: [PageLink]

        package init(links: [PageLink]) { self.links = links }

        package var json: JSON { .members([("links", .array(links.map(\.json)))]) }

        package init(_ fields: WireFields) throws(WireFault) {
            var links: [PageLink] = []
            for each in try fields.objects("links") { links.append(try PageLink(each)) }
            self.links = links
        }
    }
}

/// A link of a saved page.
public struct PageLink: WireValue, Hashable {
    /// The absolute URL.
    public let url: String
    /// The link's text; empty for a picture.
    public let text: String

    /// Makes a link; `text` is empty for a picture.
    package init(url: String, text: String) {
        self.url = url
        self.text = text
    }

    package var json: JSON {
        .members([("url", .string(url)), ("text", text.isEmpty ? nil : .string(text))])
    }

    package init(_ fields: WireFields) throws(WireFault) {
        url = try fields.string("url")
        text = try fields.optionalString("text") ?? ""
    }
}
