/// Tells for one document after another whether a query matches, by reading its texts.
package struct ScanningMatcher: Sendable {
    private let root: Node
    private let revealsTrash: Bool

    package init(_ query: Query) {
        root = Node(query)
        revealsTrash = query.revealsTrash
    }

    package func matches(_ document: some Searchable) -> Bool {
        if document.isTrashed, !revealsTrash { return false }
        var row: WordRow?
        return root.matches(document, &row)
    }

    /// A query made ready: words folded, filters' values folded, cheap conditions first.
    private indirect enum Node: Sendable {
        case everything
        case pattern([UInt8])
        case filter(Filter, folded: String)
        case and([Node])
        case or([Node])
        case not(Node)

        init(_ query: Query) {
            switch query {
            case .everything: self = .everything
            case .word(let text): self = Self.word(text)
            case .prefix(let text): self = .pattern(WordRow(text.utf8).bytes.dropLast())
            case .phrase(let text): self = .pattern(WordRow(text.utf8).bytes)
            case .filter(let filter): self = .filter(filter, folded: Folding.fold(filter.value))
            case .and(let parts): self = .and(parts.map(Node.init).sorted { $0.isCheap && !$1.isCheap })
            case .or(let parts): self = .or(parts.map(Node.init).sorted { $0.isCheap && !$1.isCheap })
            case .not(let part): self = .not(Node(part))
            }
        }

        /// Words of one or two ASCII letters only match whole words: nearly everything starts with them.
        private static func word(_ text: String) -> Node {
            let row = WordRow(text.utf8)
            let isShort = row.bytes.count <= 4 && row.bytes.allSatisfy { $0 == 0x20 || ($0 >= 0x61 && $0 <= 0x7A) }
            return .pattern(isShort ? row.bytes : row.bytes.dropLast())
        }

        private var isCheap: Bool {
            switch self {
            case .everything, .filter: true
            case .pattern: false
            case .and(let parts), .or(let parts): parts.allSatisfy(\.isCheap)
            case .not(let part): part.isCheap
            }
        }

        func matches(_ document: some Searchable, _ row: inout WordRow?) -> Bool {
            switch self {
            case .everything: return true
            case .pattern(let pattern):
                if row == nil { row = Self.row(of: document) }
                return row?.contains(pattern) ?? false
            case .filter(let filter, let folded): return Self.holds(filter, folded, document)
            case .and(let parts):
                for part in parts where !part.matches(document, &row) { return false }
                return true
            case .or(let parts):
                for part in parts where part.matches(document, &row) { return true }
                return false
            case .not(let part): return !part.matches(document, &row)
            }
        }

        private static func row(of document: some Searchable) -> WordRow {
            var row = WordRow(document.title)
            for tag in document.tagTexts { row.append(tag.utf8) }
            for text in document.texts() { row.append(text) }
            return row
        }

        private static func holds(
            _ filter: Filter, _ folded: String, _ document: some Searchable
        ) -> Bool {
            switch filter {
            case .type(let type): document.type == type
            case .tag: document.tags.contains { Folding.fold($0) == folded }
            case .collection:
                document.collections.contains {
                    let name = Folding.fold($0)
                    return name == folded || name.hasPrefix(folded + "/")
                }
            case .source: Folding.fold(document.source) == folded
            case .site: document.site == folded || document.site.hasSuffix("." + folded)
            case .state(let state): document.holds(state)
            case .part(let part): document.has(part)
            case .status(let status): document.holds(status)
            case .created(let span): span.contains(document.created)
            case .updated(let span): span.contains(document.updated)
            }
        }
    }
}
