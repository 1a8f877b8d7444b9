import Characters
internal import HTML

/// The page's `meta` and `link` elements, its `title`, and the language of `html`.
struct MetaTags {
    private(set) var values: [String: [String]] = [:]
    /// The first value of each name as it is written, before it is read as HTML.
    private var written: [String: String] = [:]
    private(set) var documentTitle: String?
    private(set) var canonical: String?
    private(set) var language: String?
    private(set) var base: String?
    private(set) var direction: String?

    init(_ tree: borrowing PageTree) {
        for index in tree.nodes.indices {
            switch tree.nodes[index].tag {
            case .meta: add(index, tree)
            case .title:
                if documentTitle == nil { documentTitle = MetaText.collapsed(Self.text(index, tree)) }
            case .link:
                if canonical == nil, let href = tree.string(index, .href), !href.isEmpty,
                    tree.string(index, .rel)?.lowercased().split(whereSeparator: \.isWhitespace).contains("canonical")
                        == true
                {
                    canonical = href
                }
            case .html:
                if let dir = tree.string(index, .dir)?.lowercased(), ["ltr", "rtl", "auto"].contains(dir) {
                    direction = dir
                }
                language = language ?? tree.string(index, .lang) ?? tree.string(index, .xmlLang)
            case .base: base = base ?? tree.string(index, .href)
            default: break
            }
        }
    }

    private static func text(_ node: Int, _ tree: borrowing PageTree) -> String {
        let child = node + 1
        guard child < Int(tree.nodes[node].end), tree.nodes[child].tag == .text else { return "" }
        return String(decoding: tree.bytes(child), as: UTF8.self)
    }

    private mutating func add(_ node: Int, _ tree: borrowing PageTree) {
        guard let content = tree.value(node, .content), !content.isEmpty, content.count < 20_000 else { return }
        for name in [AttributeName.property, .name, .itemprop, .httpEquiv] {
            guard let key = tree.value(node, name), key.count < 64 else { continue }
            let lower = String(decoding: key.map(\.lowercased), as: UTF8.self)
            if values[lower, default: []].count < 20,
                let text = MetaText.ofMetadata(String(decoding: content, as: UTF8.self))
            {
                if values[lower] == nil {
                    written[lower] = MetaText.collapsed(String(decoding: content, as: UTF8.self))
                }
                values[lower, default: []].append(text)
            }
        }
    }

    /// The first value of one of these names, in their order.
    func first(_ names: String...) -> String? {
        for name in names {
            if let value = values[name]?.first { return value }
        }
        return nil
    }

    /// The spelling of `first`.
    func firstWritten(_ names: String...) -> String? { names.lazy.compactMap { written[$0] }.first }

    func all(_ name: String) -> [String] { values[name] ?? [] }
}
