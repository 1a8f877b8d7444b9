import Glibc
import StuffBucket

/// What .gitattributes says of a library's files.
enum GitAttributes {
    /// The folder of an item, as patterns meet it.
    static let itemSample = "items/c4/01a19b7c-a680-7000-8f3e-5d2c9b7a61c4/"

    /// Files of one pattern.
    struct Rule {
        let pattern: String
        /// In the order of the line.
        let attributes: [String]
        /// A path that the pattern matches.
        let sample: String

        init(_ pattern: String, _ attributes: String...) {
            self.pattern = pattern
            self.attributes = attributes
            let item = GitAttributes.itemSample
            let parts = pattern.split(separator: "/")
            sample =
                parts[0] == "items"
                ? item + parts.dropFirst(3).map { $0 == "**" ? "x" : String($0) }.joined(separator: "/")
                : parts.map { $0 == "*.json" ? "x-0123abcd.json" : String($0) }.joined(separator: "/")
        }

        /// The file's name, for messages.
        var shown: String {
            pattern.split(separator: "/").dropFirst(pattern.hasPrefix("/items/") ? 3 : 0).joined(separator: "/")
        }
    }

    /// git writes no conflict markers into pages, and shows no lines of them.
    static let rules = [
        Rule("/library.json", "merge=sbfs"), Rule("/collections/*.json", "merge=sbfs"),
        Rule("/tags/*.json", "merge=sbfs"), Rule("/smart/*.json", "merge=sbfs"),
        Rule("/tombstones/*/*.json", "merge=sbfs"),
        Rule("/items/*/*/item.json", "merge=sbfs", "diff=\(GitSettings.diff)"),
        Rule("/items/*/*/text.md", "merge=sbfs"),
        Rule("/items/*/*/page.html", "-diff", "-merge"), Rule("/items/*/*/reader.html", "-diff", "-merge"),
        Rule("/items/*/*/assets/**", "-diff", "-merge"), Rule("/items/*/*/snapshots/**", "-diff", "-merge"),
    ]

    /// The patterns of the files that sbfs joins.
    static var joined: [String] {
        rules.filter { $0.attributes.contains("merge=sbfs") }.map(\.pattern)
    }

    /// A line of the person that says something else of a file of ours.
    struct Other {
        let number: Int
        let text: String
        /// The attribute, and the rules whose files the line matches.
        let name: String
        let rules: [Rule]
    }

    /// The lines of our block without what the lines of the person set, and those lines. A line above the block does not count where the
    /// block has our attribute already, as "--replace" wrote it: the last line wins.
    static func lines(beside marked: MarkedFile) -> (lines: [String], others: [Other]) {
        let block = marked.ownBlock
        return lines(beside: marked.ownLines, below: block?.number ?? 0, block?.lines.compactMap(Line.init) ?? [])
    }

    private static func lines(
        beside own: [(number: Int, text: String)], below first: Int, _ block: [Line]
    ) -> (lines: [String], others: [Other]) {
        let parsed = own.compactMap { line in Line(line.text).map { (line, $0) } }
        var others: [Other] = []
        var left: [String: [String]] = [:]
        for rule in rules { left[rule.pattern] = rule.attributes }
        for name in ["merge", "diff"] {
            for (line, one) in parsed {
                guard let value = one.value(of: name) else { continue }
                let found = rules.filter { rule in
                    guard let ours = rule.attributes.first(where: { Line.name(of: $0) == name }) else { return false }
                    let isOverruled =
                        line.number < first
                        && block.contains { $0.pattern == rule.pattern && $0.attributes.contains(ours) }
                    return ours != value && !isOverruled && one.matches(rule.sample)
                }
                if found.isEmpty { continue }
                others.append(Other(number: line.number, text: line.text, name: name, rules: found))
                for rule in found { left[rule.pattern]?.removeAll { Line.name(of: $0) == name } }
            }
        }
        let lines = rules.compactMap { rule -> String? in
            let attributes = left[rule.pattern] ?? []
            return attributes.isEmpty ? nil : ([rule.pattern] + attributes).joined(separator: " ")
        }
        return (lines, others)
    }

    /// The lines of our block, whatever the person's say.
    static var lines: [String] { lines(beside: [], below: 0, []).lines }

    /// A line of .gitattributes: a pattern and attributes (gitattributes(5)).
    private struct Line {
        let pattern: String
        let attributes: [String]

        /// `nil` for a comment, an empty line and the definition of a macro.
        init?(_ text: String) {
            let words = text.split { $0 == " " || $0 == "\t" }.map(String.init)
            guard let first = words.first, !first.hasPrefix("#"), !first.hasPrefix("[attr]") else { return nil }
            // In double quotes a pattern may have spaces; no name of ours has one.
            pattern = first.filter { $0 != "\"" }
            attributes = words.dropFirst().flatMap { $0 == "binary" ? ["-diff", "-merge"] : [$0] }
        }

        static func name(of attribute: String) -> String {
            let name = attribute.prefix { $0 != "=" }
            return String(name.hasPrefix("-") || name.hasPrefix("!") ? name.dropFirst() : name)
        }

        /// As written: `merge=union`, `-merge`, `!merge` or `merge`; the last one counts.
        func value(of name: String) -> String? { attributes.last { Self.name(of: $0) == name } }

        func matches(_ path: String) -> Bool {
            guard pattern.dropLast().contains("/") else {
                let name = path.split(separator: "/").last.map(String.init) ?? path
                return fnmatch(pattern, name, 0) == 0
            }
            // "**" is any number of folders, which fnmatch has no sign for: "*" passes over "/" there.
            let parts = pattern.split(separator: "/")
            return fnmatch(parts.joined(separator: "/"), path, parts.contains("**") ? 0 : FNM_PATHNAME) == 0
        }
    }
}
