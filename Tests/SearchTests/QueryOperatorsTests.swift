import Search
import Testing

struct QueryOperatorsTests {
    @Test(arguments: [
        QueryReading("a OR b", "(a OR b)"),
        QueryReading("a | b", "(a OR b)"),
        QueryReading("a|b", "(a OR b)"),
        QueryReading("a OR b | c", "(a OR b OR c)"),
        QueryReading("a b OR c d", "((a AND b) OR (c AND d))"),
        QueryReading("a AND b", "(a AND b)"),
        QueryReading("a AND b OR c", "((a AND b) OR c)"),
        QueryReading("a or b and c", "(a AND or AND b AND and AND c)"),
        QueryReading("ORB ANDY", "(ORB AND ANDY)"),
        QueryReading("\"a\"OR b", "(\"a\" OR b)"),
        QueryReading("AND", "everything"),
        QueryReading("AND a AND AND b AND", "(a AND b)"),
        QueryReading("OR", "everything", Note.emptyOr),
        QueryReading("|||", "everything", Note.emptyOr),
        QueryReading("OR a", "a", Note.emptyOr),
        QueryReading("a OR", "a", Note.emptyOr),
        QueryReading("a OR OR b", "(a OR b)", Note.emptyOr),
        QueryReading("a OR \"…\" OR b", "(a OR b)", Note.wordless("…"), Note.emptyOr),
    ])
    func `alternatives bind weaker than neighbours`(_ reading: QueryReading) { reading.check() }

    @Test(arguments: [
        QueryReading("NOT a", "NOT a"),
        QueryReading("not a", "NOT a"),
        QueryReading("Not a", "(Not AND a)"),
        QueryReading("not a b", "(NOT a AND b)"),
        QueryReading("a not b", "(a AND NOT b)"),
        QueryReading("a AND NOT b", "(a AND NOT b)"),
        QueryReading("not not a", "NOT NOT a"),
        QueryReading("not \"a b\"", "NOT \"a b\""),
        QueryReading("not (a OR b)", "NOT (a OR b)"),
        QueryReading("not pre*", "NOT pre*"),
        QueryReading("not -a", "NOT NOT a"),
        QueryReading("not", "not"),
        QueryReading("NOT", "not"),
        QueryReading("a not", "(a AND not)"),
        QueryReading("(not) a", "(not AND a)"),
        QueryReading("not OR a", "(not OR a)"),
        QueryReading("not AND a", "(not AND a)"),
        QueryReading("a not ()", "a"),
        QueryReading("a not \"!\"", "a", Note.wordless("!")),
        QueryReading("a not ?", "a", Note.wordless("?")),
    ])
    func `not excludes the next part`(_ reading: QueryReading) { reading.check() }

    @Test(arguments: [
        QueryReading("a -b", "(a AND NOT b)"),
        QueryReading("a -b -c d", "(a AND NOT b AND NOT c AND d)"),
        QueryReading("a -\"b c\"", "(a AND NOT \"b c\")"),
        QueryReading("a -(b OR c)", "(a AND NOT (b OR c))"),
        QueryReading("a -tag:b", "(a AND NOT tag:b)"),
        QueryReading("a -b*", "(a AND NOT b*)"),
        QueryReading("a OR -b", "(a OR NOT b)"),
        QueryReading("tag:a -b", "(tag:a AND NOT b)"),
        QueryReading("(a) -b", "(a AND NOT b)"),
        QueryReading("(a -b)", "(a AND NOT b)"),
        QueryReading("a-b", "a-b"),
        QueryReading("a - b", "(a AND b)"),
        QueryReading("a -", "a"),
        QueryReading("a (b -)", "(a AND b)"),
        QueryReading("-", "everything"),
        QueryReading("a -()", "a"),
        QueryReading("a -OR b", "(a OR b)"),
        QueryReading("-a", "a", Note.leadingMinus),
        QueryReading("-a b", "(a AND b)", Note.leadingMinus),
        QueryReading(" -a", "a", Note.leadingMinus),
        QueryReading("(-a) b", "(a AND b)", Note.leadingMinus),
        QueryReading("-tag:a", "tag:a", Note.leadingMinus),
        QueryReading("-\"a b\"", "\"a b\"", Note.leadingMinus),
        QueryReading("-5 degrees", "(5 AND degrees)", Note.leadingMinus),
    ])
    func `a minus excludes after the first word only`(_ reading: QueryReading) { reading.check() }

    @Test(arguments: [
        QueryReading("(a)", "a"),
        QueryReading("((a))", "a"),
        QueryReading("(a b)", "(a AND b)"),
        QueryReading("a (b OR c)", "(a AND (b OR c))"),
        QueryReading("(a OR b) (c OR d)", "((a OR b) AND (c OR d))"),
        QueryReading("(a|b)c", "((a OR b) AND c)"),
        QueryReading("a(b)c", "(a AND b AND c)"),
        QueryReading("()", "everything"),
        QueryReading("(())", "everything"),
        QueryReading("a () b", "(a AND b)"),
        QueryReading("(a) OR ()", "a", Note.emptyOr),
        QueryReading("(OR)", "everything", Note.emptyOr),
        QueryReading("(", "everything", Note.unclosed),
        QueryReading("(a", "a", Note.unclosed),
        QueryReading("a (b OR c", "(a AND (b OR c))", Note.unclosed),
        QueryReading("((a)", "a", Note.unclosed),
        QueryReading("((a", "a", Note.unclosed, Note.unclosed),
        QueryReading(")", "everything", Note.unopened),
        QueryReading("a)", "a", Note.unopened),
        QueryReading("a) b", "(a AND b)", Note.unopened),
        QueryReading("a OR b) c", "((a OR b) AND c)", Note.unopened),
        QueryReading(")(", "everything", Note.unopened, Note.unclosed),
    ])
    func `parentheses group, and need not be balanced`(_ reading: QueryReading) { reading.check() }

    @Test func `parentheses 1,000 deep are read`() {
        let parser = QueryReading.parse(
            String(repeating: "(", count: 1000) + "a OR b" + String(repeating: ")", count: 1000))
        #expect(parser.query.description == "(a OR b)")
        #expect(Set(parser.notes) == [Note.tooDeep, Note.unopened])
        let half = QueryReading.parse(String(repeating: "(", count: 1000) + "a")
        #expect(half.query.description == "a")
        #expect(Set(half.notes) == [Note.tooDeep, Note.unclosed])
    }

    @Test func `a "not" is not read deeper than 50, and said to be`() {
        #expect(QueryReading.parse(String(repeating: "not ", count: 50) + "a").notes == [])
        let parser = QueryReading.parse(String(repeating: "not ", count: 60) + "a")
        #expect(parser.notes == ["a \"not\" nested deeper than 50 is left out"])
    }

    @Test func `parentheses 50 deep are no fault`() {
        let text = String(repeating: "(", count: 50) + "a" + String(repeating: ")", count: 50)
        #expect(QueryReading.parse(text).query == .word("a"))
        #expect(QueryReading.parse(text).notes == [])
    }
}
