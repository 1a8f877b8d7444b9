internal import Characters
internal import HTML

/// The authors whom the page shows: in elements that are marked as an author, in lines such as "By A. Person", and in
/// links to the page of an author.
struct AuthorMarks {
    let tree: PageTree
    let hints: [Hints]
    let siteName: String?
    let host: String
    private let heading: Int?

    init(tree: PageTree, hints: [Hints], siteName: String? = nil, host: String) {
        self.tree = tree
        self.hints = hints
        self.siteName = siteName
        self.host = host
        heading = tree.nodes.indices.first { tree.nodes[$0].tag == .h1 }
    }

    private func isPerson(_ name: String) -> Bool {
        !AuthorName.isOrganisation(name) && !AuthorName.isHostAlone(name, host: host)
            && !AuthorName.isSiteAlone(name, siteName: siteName)
    }

    private struct Byline {
        let texts: [String]
        let node: Int
        let end: Int
        let parent: Int

        /// The names in the first text that has any. A text behind it says what the person does.
        func names() -> [String] { texts.lazy.map { AuthorName.all(in: [$0]) }.first { !$0.isEmpty } ?? [] }
    }

    /// Whether a node is about other people: who comments, criticises or praises, and who wrote other pages.
    private func isOfOthers(_ index: Int) -> Bool {
        let node = tree.nodes[index]
        if node.tag == .body || node.tag == .html || Int(node.end) - index >= max(20, tree.nodes.count / 2) {
            return false
        }
        if !hints[index].isDisjoint(with: [.comments, .related]) { return true }
        if let heading, index <= heading, heading < Int(node.end) { return false }
        let isReview = tree.string(index, .itemtype)?.hasSuffix("/Review") ?? false
        guard let names = tree.value(index, .class), names.count < 500 else { return isReview }
        let lower = String(decoding: names.map(\.lowercased), as: UTF8.self)
        return isReview || lower.contains(text: "review") || lower.contains(text: "testimonial")
            || lower.contains(text: "infobox")
    }

    /// How many bylines behind the heading, and before it, are looked at.
    private static let limit = 6, earlyLimit = 3

    /// The names in elements that are marked as an author.
    func marked() -> [String] {
        var index = 0
        var links: [String] = []
        var bylines: [Byline] = []
        var early: [Byline] = []
        let heading = heading ?? 0
        // So many links name authors of other pages.
        while index < tree.nodes.count, links.count < 100 {
            let node = tree.nodes[index]
            if node.tag == .text {
                index += 1
                continue
            }
            if isOfOthers(index) {
                index = Int(node.end)
                continue
            }
            if node.tag == .a, let rel = tree.value(index, .rel),
                String(decoding: rel, as: UTF8.self).lowercased().contains(text: "author")
            {
                links.append(tree.plainText(index, limit: 200))
            } else if let property = tree.value(index, .itemprop), property.elementsEqual("author".utf8) {
                links.append(
                    tree.string(index, .content) ?? tree.nameProperty(index) ?? tree.plainText(index, limit: 200))
                index = Int(node.end)
                continue
            } else if !hints[index].isDisjoint(with: [.byline, .name]), Int(node.end) - index < 30,
                index > heading ? bylines.count < Self.limit : early.count < Self.earlyLimit
            {
                let byline = Byline(
                    texts: tree.nameProperty(index).map { [$0] } ?? tree.bylineTexts(index), node: index,
                    end: Int(node.end), parent: Int(node.parent))
                if index > heading { bylines.append(byline) } else { early.append(byline) }
            }
            index += 1
        }
        // More are the authors of other pages, which this one lists.
        if AuthorName.all(in: links).count > 4 { return [] }
        let found = AuthorName.all(in: Array(links.prefix(3))).filter(isPerson)
        if !found.isEmpty { return found }
        let all = bylines + early
        for (place, byline) in all.enumerated() {
            let found = byline.names().filter(isPerson)
            if found.isEmpty { continue }
            // Marked names beside the first one are other authors.
            let beside = all.dropFirst(place + 1).filter {
                $0.node < byline.end + 4 && $0.parent == byline.parent
                    && $0.texts.reduce(0) { $0 + $1.utf8.count } < 60
            }
            return AuthorName.all(in: found + beside.flatMap { $0.names() }).filter(isPerson)
        }
        return []
    }

    /// "By A. Person" in a separate line shortly after the heading. The name may be in an element of its own.
    func spoken() -> [String] {
        guard let heading else { return [] }
        var index = Int(tree.nodes[heading].end)
        var lines = 0
        var isLabelled = false
        while index < tree.nodes.count, lines < 25 {
            let node = tree.nodes[index]
            if node.tag != .text {
                index = Tag.traits[Int(node.tag.rawValue)].contains(.unrendered) ? Int(node.end) : index + 1
                continue
            }
            defer { index += 1 }
            guard node.stop - node.start > 1 else { continue }
            let own = tree.plainText(index, limit: 90)
            if own.allSatisfy({ $0 == " " }) { continue }
            lines += 1
            if isLabelled, own.utf8.count < 80 {
                let names = AuthorName.all(in: [own]).filter { isPerson($0) && AuthorName.isLikely($0) }
                if !names.isEmpty { return names }
            }
            isLabelled = AuthorName.isLabel(own)
            if node.stop - node.start < 90 {
                let names = AuthorName.spoken(in: tree.plainText(Int(node.parent), limit: 80)).filter {
                    !AuthorName.isSiteAlone($0, siteName: siteName)
                }
                if !names.isEmpty { return names }
            }
        }
        return []
    }

    /// Names in links to the page of an author, near the heading.
    func linked() -> [String] {
        guard let heading else { return [] }
        var found: [(name: String, parent: Int32)] = []
        var index = max(0, heading - 60)
        let stop = min(tree.nodes.count, Int(tree.nodes[heading].end) + 250)
        while index < stop {
            let node = tree.nodes[index]
            if node.tag != .text, isOfOthers(index) {
                index = Int(node.end)
                continue
            }
            if node.tag == .a, let href = tree.string(index, .href), Self.isAuthorPage(href) {
                for name in AuthorName.all(in: tree.bylineTexts(index))
                where isPerson(name) && AuthorName.isLikely(name) && !found.contains(where: { $0.name == name }) {
                    found.append((name, node.parent))
                }
            }
            index += 1
        }
        // More are the authors of other pages.
        guard let first = found.first, found.count <= 4 else { return [] }
        return found.filter { $0.parent == first.parent }.map(\.name)
    }

    private static func isAuthorPage(_ href: String) -> Bool {
        let lower = href.lowercased()
        return [
            "/author/", "/authors/", "?author=", "&author=", "/autor/", "/autoren/", "/auteur/", "/autore/",
            "/contributor/",
            "/contributors/", "/writer/", "/writers/", "/columnist/", "/journalist/", "/byline/", "/redakteur/",
        ].contains { lower.contains(text: $0) }
    }
}

extension PageTree {
    /// The text of the element inside that is marked as the name.
    func nameProperty(_ node: Int) -> String? {
        for index in node + 1..<max(node + 1, min(Int(nodes[node].end), node + 40)) {
            guard let property = value(index, .itemprop), property.elementsEqual("name".utf8) else { continue }
            return string(index, .content) ?? plainText(index, limit: 200)
        }
        return nil
    }

    /// The texts of a byline as a reader sees them apart: cut at links and blocks, and where elements meet without a
    /// space.
    fileprivate func bylineTexts(_ node: Int) -> [String] {
        var texts: [String] = []
        var text: [UInt8] = []
        func end() {
            if let line = MetaText.clean(String(decoding: text, as: UTF8.self)) { texts.append(line) }
            text = []
        }
        var index = node + 1
        let stop = min(Int(nodes[node].end), node + 60)
        var ends: [Int32] = []
        while index < stop {
            while let last = ends.last, last <= Int32(index) {
                ends.removeLast()
                end()
            }
            let own = nodes[index]
            if own.tag == .text {
                let bytes = bytes(index)
                if let first = bytes.first, let last = text.last, !first.isHTMLSpace, !last.isHTMLSpace,
                    Int(own.parent) != node || index > node + 1, first.isASCIICapital
                {
                    end()
                }
                text += bytes.prefix(300)
            } else if Tag.traits[Int(own.tag.rawValue)].contains(.unrendered) {
                index = Int(own.end)
                continue
            } else if own.tag == .a || own.tag == .br || Tag.traits[Int(own.tag.rawValue)].contains(.block) {
                end()
                ends.append(own.end)
            }
            index += 1
        }
        end()
        return texts
    }
}

extension UInt8 {
    fileprivate var isASCIICapital: Bool { (0x41...0x5A).contains(self) }
}
