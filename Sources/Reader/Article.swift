/// What a page says, without what stands around it.
package struct Article {
    package let title: String?
    package let authors: [String]
    package let published: String?
    let content: Content

    package init(page: [UInt8], url: String) {
        let tree = PageParser.parse(page)
        title = nil
        authors = []
        published = nil
        content = ContentExtraction.content(of: tree, title: nil)
    }

    package var text: String { String(decoding: content.plainText(), as: UTF8.self) }
}
