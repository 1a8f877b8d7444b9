internal import URLs

/// What the head and the address of a page say about its kind, as numbers for the model.
enum PageFeatures {
    static func of(_ tags: MetaTags, _ data: StructuredData, url: String) -> [Float] {
        let type = tags.first("og:type")?.lowercased() ?? ""
        let kind: Float =
            switch type {
            case "": 0
            case "website": 1
            case _ where type.hasPrefix("article"): 3
            case _ where type.hasPrefix("product") || type.hasPrefix("og:product"): -1
            case "blog": 2
            default: 0.5
            }
        let types = data.types
        func has(_ test: (String) -> Bool) -> Float { types.contains(where: test) ? 1 : 0 }
        let parts = url.split(separator: "/", omittingEmptySubsequences: false)
        let path = parts.dropFirst(3).filter { !$0.isEmpty }
        let last = path.last.map { Array($0.utf8) } ?? []
        return [
            kind, has { $0.hasSuffix("article") || $0.hasSuffix("posting") }, has { $0 == "product" || $0 == "offer" },
            has { $0 == "itemlist" || $0 == "collectionpage" || $0 == "searchresultspage" },
            has { $0 == "discussionforumposting" || $0 == "qapage" || $0 == "comment" || $0 == "question" },
            has { $0 == "breadcrumblist" }, has { $0.hasSuffix("business") || $0 == "organization" },
            Float(path.count), Float(url.utf8.count), Float(last.count),
            Float(last.count { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") }),
            Float(last.count { $0 >= 0x30 && $0 <= 0x39 }), tags.first("article:published_time") == nil ? 0 : 1,
        ]
    }
}
