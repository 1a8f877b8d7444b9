internal import Characters

/// The order of a page, or of its answer's field `Refresh`, to go on to another page: HTML Standard, "shared declarative refresh steps"
/// of section 4.2.5.3.
package struct RefreshOrder: Equatable, Sendable {
    /// Whole seconds that the page is shown before.
    package let seconds: Int
    /// As written: relative to the base of the page.
    package let url: String

    /// - Parameter content: the value of `content`, or of the field.
    /// - Returns: `nil` for an order that names no address, or one above 100,000 seconds.
    package init?(_ content: [UInt8]) {
        var rest = content.drop(while: \.isHTMLSpace)
        let digits = rest.prefix(while: \.isDigit)
        rest = rest.dropFirst(digits.count)
        if digits.isEmpty, rest.first != UInt8(ascii: ".") { return nil }
        guard digits.count < 6 else { return nil }
        rest = rest.drop { $0.isDigit || $0 == UInt8(ascii: ".") }
        guard let border = rest.first, ";,".utf8.contains(border) || border.isHTMLSpace else { return nil }
        rest = rest.drop(while: \.isHTMLSpace)
        if let mark = rest.first, ";,".utf8.contains(mark) { rest = rest.dropFirst() }
        rest = rest.drop(while: \.isHTMLSpace)
        rest = Self.afterKey(rest)
        if let quote = rest.first, "\"'".utf8.contains(quote) {
            rest = rest.dropFirst().prefix { $0 != quote }
        }
        while rest.last?.isHTMLSpace == true { rest.removeLast() }
        if rest.isEmpty { return nil }
        seconds = digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
        url = String(decoding: rest, as: UTF8.self)
    }

    /// What follows `url` and `=`; the same bytes without these.
    private static func afterKey(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        guard bytes.prefix(3).map(\.lowercased).elementsEqual("url".utf8) else { return bytes }
        let rest = bytes.dropFirst(3).drop(while: \.isHTMLSpace)
        guard rest.first == UInt8(ascii: "=") else { return bytes }
        return rest.dropFirst().drop(while: \.isHTMLSpace)
    }

    /// The first order in a page that shows little text, else that of its answer. What is in `noscript` does not count: a browser would
    /// not read it.
    ///
    /// - Parameters:
    ///   - html: UTF-8.
    ///   - field: the order of the answer's field.
    ///   - textLimit: in bytes without white space. A page with more text is read to that place alone, and has no order.
    package static func of(_ html: [UInt8], field: RefreshOrder? = nil, textLimit: Int = 400) -> RefreshOrder? {
        html.withUnsafeBufferPointer { bytes in
            var tokens = HTMLTokenizer(bytes, isScripting: true)
            var order: RefreshOrder?
            var byteCount = 0
            while tokens.next() {
                if tokens.kind == .text {
                    byteCount += bytes[tokens.start..<tokens.end].count { !$0.isHTMLSpace }
                    if byteCount > textLimit { return nil }
                } else if order == nil, tokens.kind == .startTag, tokens.element == .meta, !tokens.isInForeignContent,
                    let key = tokens.value(of: .httpEquiv), key.map(\.lowercased).elementsEqual("refresh".utf8)
                {
                    order = tokens.value(of: .content).flatMap(RefreshOrder.init)
                }
            }
            return order ?? field
        }
    }
}
