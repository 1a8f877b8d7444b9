/// Tests one document after another against a query by reading its texts.
package struct ScanningMatcher: Sendable {
    private let root: Node
    private let revealsTrash: Bool

    package init(_ query: Query) {
        root = Node(query)
        revealsTrash = query.revealsTrash
    }

    package func matches(_ document: some Searchable) -> Bool {
        if document.isTrashed, !revealsTrash { return false }
        var rows = Rows()
        return root.matches(document, &rows)
    }

    /// The words of one document, read on first use.
    private struct Rows {
        var all: WordRow?
        var texts: WordRow?
    }

    /// A prepared query: words and values of filters folded, cheap conditions first.
    private indirect enum Node: Sendable {
        case everything
        case pattern([UInt8])
        /// A pattern in the texts only.
        case text([UInt8])
        case values(ValueTest)
        case filter(Filter, folded: String)
        case and([Node])
        case or([Node])
        case not(Node)

        init(_ query: Query) {
            switch query {
            case .everything: self = .everything
            case .word(let text): self = .pattern(WordPattern.word(text))
            case .prefix(let text): self = .pattern(WordPattern.prefix(text))
            case .phrase(let text): self = .pattern(WordPattern.phrase(text))
            case .filter(.text(let words)): self = .text(WordPattern.of(words))
            case .filter(let filter):
                self =
                    ValueTest(filter).map(Node.values) ?? .filter(filter, folded: Folding.fold(filter.value))
            case .and(let parts): self = .and(parts.map(Node.init).sorted { $0.isCheap && !$1.isCheap })
            case .or(let parts): self = .or(parts.map(Node.init).sorted { $0.isCheap && !$1.isCheap })
            case .not(let part): self = .not(Node(part))
            }
        }

        private var isCheap: Bool {
            switch self {
            case .everything, .filter, .values: true
            case .pattern, .text: false
            case .and(let parts), .or(let parts): parts.allSatisfy(\.isCheap)
            case .not(let part): part.isCheap
            }
        }

        func matches(_ document: some Searchable, _ rows: inout Rows) -> Bool {
            switch self {
            case .everything: return true
            case .pattern(let pattern):
                if rows.all == nil {
                    var row = WordRow(document.title)
                    for tag in document.tagTexts { row.append(tag.utf8) }
                    for text in document.texts() { row.append(text) }
                    rows.all = row
                }
                return rows.all?.contains(pattern) ?? false
            case .text(let pattern):
                if rows.texts == nil {
                    var row = WordRow()
                    for text in document.texts() { row.append(text) }
                    rows.texts = row
                }
                return rows.texts?.contains(pattern) ?? false
            case .values(let test): return document.values(of: test.kind).contains(where: test.holds)
            case .filter(let filter, let folded): return Self.holds(filter, folded, document)
            case .and(let parts):
                for part in parts where !part.matches(document, &rows) { return false }
                return true
            case .or(let parts):
                for part in parts where part.matches(document, &rows) { return true }
                return false
            case .not(let part): return !part.matches(document, &rows)
            }
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
            case .language(let language):
                document.languages.contains(ExactTerm(.language, ExactTerm.language(language)).value)
            case .state(let state): document.holds(state)
            case .part(let part): document.has(part)
            case .status(let status): document.holds(status)
            case .created(let span): span.contains(document.created)
            case .updated(let span): span.contains(document.updated)
            // Other nodes handle these.
            case .tagBeginning, .collectionBeginning, .title, .author, .text, .url: false
            }
        }
    }
}
