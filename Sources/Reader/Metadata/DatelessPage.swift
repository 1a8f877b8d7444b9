internal import HTML

/// Pages that have no day of publication, whatever dates they hold: what a shop sells, a list of other pages, an event, and the
/// front of a site. Their dates are of reviews, offers and entries, or of the day when the shop took the product in.
struct DatelessPage {
    let tree: PageTree
    let tags: MetaTags
    let data: StructuredData
    let url: String

    var isOne: Bool {
        if data.isArticle { return false }
        let kind = (tags.first("og:type") ?? "").lowercased()
        return kind == "product" || kind.hasPrefix("product.") || kind.hasPrefix("product:")
            || !data.ownTypes.isDisjoint(with: ["product", "productgroup", "collectionpage"])
            || data.ownTypes.contains { $0.hasSuffix("event") } || sellsByMicrodata
            || Self.isFront(url)
    }

    private var sellsByMicrodata: Bool {
        var isProduct = false
        for node in tree.nodes where node.tag != .text && node.start < node.stop {
            for attribute in tree.attributes[Int(node.start)..<Int(node.stop)] where attribute.name == .itemtype {
                let type = tree.text[Int(attribute.start)..<Int(attribute.stop)]
                if type.hasEnding("schema.org/Article") || type.hasEnding("schema.org/BlogPosting")
                    || type.hasEnding("schema.org/NewsArticle")
                {
                    return false
                }
                if type.hasEnding("schema.org/Product") { isProduct = true }
            }
        }
        return isProduct
    }

    /// Whether the address is that of a whole site. A query may choose one page of it, unless it only says where the
    /// reader came from.
    static func isFront(_ url: String) -> Bool {
        let address = url.prefix { $0 != "#" }
        let parts = address.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        guard let place = parts.first, place.hasPrefix("http") else { return false }
        let names = place.split(separator: "/", omittingEmptySubsequences: false)
        guard names.count == 3 || names.count == 4 && names[3].isEmpty else { return false }
        return parts.count == 1
            || parts[1].split(separator: "&").allSatisfy { pair in
                origins.contains { pair.hasPrefix($0) }
            }
    }

    private static let origins = ["utm_", "srsltid=", "gclid=", "fbclid=", "msclkid=", "ref="]
}

extension ArraySlice<UInt8> {
    fileprivate func hasEnding(_ text: StaticString) -> Bool {
        text.withUTF8Buffer { count >= $0.count && suffix($0.count).elementsEqual($0) }
    }
}
