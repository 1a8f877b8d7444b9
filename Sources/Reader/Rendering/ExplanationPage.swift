import Characters
internal import HTML
package import Time

/// A page that shows each block of text of another page: whether it is kept as main text, and the facts that decide.
package enum ExplanationPage {
    /// - Parameters: as for `Article`.
    /// - Returns: UTF-8 HTML that holds no link, no script and no picture.
    package static func html(page: [UInt8], contentType: String? = nil, url: String, today: CalendarDate) -> [UInt8] {
        let reading = PageReading(page: page, contentType: contentType, url: url)
        let title = Article.title(of: reading)
        let text = MainText(reading, title: title)
        var output = Array("<!DOCTYPE html>\n<html>\n<head>\n<meta charset=\"utf-8\">\n".utf8)
        output += "<meta http-equiv=\"Content-Security-Policy\" content=\"\(policy)\">\n".utf8
        output += "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>".utf8
        output += MarkupText.escaped(title ?? url) + "</title>\n<style>\n\(style)</style>\n</head>\n<body>\n".utf8
        output += "<h1>".utf8 + MarkupText.escaped(title ?? url) + "</h1>\n".utf8
        let kept = text.choice.isKept.count { $0 }
        output +=
            "<p>\(kept) of \(text.choice.isKept.count) blocks are kept. Each line shows the probability that a block"
            .utf8
        output +=
            " is main text, its decision, its words and the share of them in links, its element, what the names".utf8
        output += " around it say, how often its element repeats, and what the rules say.\(retry(text))</p>\n".utf8
        output += "<table>\n<tr><th>p<th>words<th>links<th>element<th>names<th>alike<th>rules<th>text</tr>\n".utf8
        for (number, block) in text.features.blocks.blocks.enumerated() {
            append(number, block, text, reading, &output)
        }
        return output + "</table>\n</body>\n</html>\n".utf8
    }

    private static func retry(_ text: MainText) -> String {
        text.ignoresNames ? " The names left nearly nothing, so that they were ignored." : ""
    }

    private static func append(
        _ number: Int, _ block: PageBlocks.Block, _ text: MainText, _ reading: PageReading, _ output: inout [UInt8]
    ) {
        let isKept = text.choice.isKept[number]
        let links = Int((block.linkWords / max(1, block.words) * 100).rounded())
        let owner = Int(block.owner)
        output +=
            "<tr class=\"\(isKept ? "kept" : "dropped")\"><td>\(percent(text.choice.probabilities[number]))<td>".utf8
        output += "\(Int(block.words))<td>\(links) %<td>\(reading.tree.nodes[owner].tag.name)<td>".utf8
        output += names(owner, reading).joined(separator: " ").utf8
        output += "<td>\(text.features.groups.repetition[owner])<td>".utf8
        output += (text.features.rules.isKept[Int(block.first)] ? "keep" : "drop").utf8
        output += "<td>\(isKept ? "kept: " : "dropped: ")".utf8
        MarkupText.appendCollapsed(reading.tree.text(of: block)[...], to: &output)
        output += "</tr>\n".utf8
    }

    private static func percent(_ probability: Float) -> String { "\(Int((probability * 100).rounded())) %" }

    /// The hints of an element and of seven around it.
    private static func names(_ node: Int, _ reading: PageReading) -> [String] {
        var node = node
        var found: Hints = []
        for _ in 0..<8 where node >= 0 {
            found.formUnion(reading.hints[node])
            node = Int(reading.tree.nodes[node].parent)
        }
        return Hints.names.filter { found.contains($0.hint) }.map(\.name)
    }

    private static let policy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"

    private static let style = """
        :root { color-scheme: light dark; }
        body { font: 0.9rem/1.4 system-ui, sans-serif; margin: 1.5rem; }
        table { border-collapse: collapse; }
        th, td { text-align: start; vertical-align: top; padding: 0.2em 0.6em; border-bottom: 1px solid #8884; }
        td:last-child { overflow-wrap: anywhere; }
        .kept { background: #2a82; } .dropped td:last-child { color: #888; }

        """
}
