internal import Characters
internal import HTML
package import Time

/// The blocks of a page with their features: what a model is trained on.
package struct BlockSample {
    /// The text of each block, white space collapsed.
    package private(set) var texts: [String] = []
    /// The features of all blocks, one row after another.
    package private(set) var features: [Float] = []

    package init(page: [UInt8], url: String, today: CalendarDate) {
        let reading = PageReading(page: page, contentType: nil, url: url)
        let title = Article.title(of: reading)
        let blocks = MainText.features(reading, title: title)
        for block in blocks.blocks.blocks {
            let text = reading.tree.text(of: block)
            texts.append(
                String(decoding: text, as: UTF8.self).split(whereSeparator: \.isWhitespace).joined(separator: " "))
        }
        blocks.forEach { features += $1 }
    }
}
