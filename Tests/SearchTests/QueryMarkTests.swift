import Testing

@testable import Search

/// Combining marks behind the signs of the query language do not hide them.
struct QueryMarkTests {
    private static let mark = "\u{301}"

    @Test func `a filter, with a hyphen and in parentheses`() {
        let tag = QueryToken.filter(key: "tag", value: "\(Self.mark)a", isQuoted: false)
        #expect(QueryLexer("tag:\(Self.mark)a").tokens == [tag])
        #expect(QueryLexer("-tag:\(Self.mark)a").tokens == [.minus, tag])
        #expect(
            QueryLexer("(\(Self.mark)a|tag:\(Self.mark)a)").tokens == [.open, .word("\(Self.mark)a"), .or, tag, .close])
    }

    @Test func `a quoted run`() {
        #expect(QueryLexer("\"\(Self.mark)a b\"").tokens == [.quoted("\(Self.mark)a b")])
        #expect(
            QueryLexer("title:\"\(Self.mark)a b\"").tokens == [
                .filter(key: "title", value: "\(Self.mark)a b", isQuoted: true)
            ])
    }

    @Test func `one argument with a space stays one value`() {
        #expect(QueryArguments(["tag:\(Self.mark)swift ui"]).notices.count == 1)
    }
}
