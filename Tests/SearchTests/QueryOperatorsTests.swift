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
        QueryReading(
            "a or b and c", "(a AND or AND b AND and AND c)", .lowercaseOperator("or"), .lowercaseOperator("and")),
        QueryReading("ORB ANDY", "(ORB AND ANDY)"),
        QueryReading("\"a\"OR b", "(\"a\" OR b)"),
        QueryReading("AND", "everything", .danglingOperator("AND")),
        QueryReading("AND a", "a", .danglingOperator("AND")),
        QueryReading("a AND", "a", .danglingOperator("AND")),
        QueryReading("(a AND) b", "(a AND b)", .danglingOperator("AND")),
        QueryReading("AND a AND AND b AND", "(a AND b)", .danglingOperator("AND")),
        QueryReading("a OR AND b", "(a OR b)", .danglingOperator("AND")),
        QueryReading("OR", "everything", .emptyAlternative),
        QueryReading("|||", "everything", .emptyAlternative),
        QueryReading("OR a", "a", .emptyAlternative),
        QueryReading("a OR", "a", .emptyAlternative),
        QueryReading("a OR OR b", "(a OR b)", .emptyAlternative),
        QueryReading("a OR \"…\" OR b", "(a OR b)", .wordless("…"), .emptyAlternative),
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
        QueryReading("not -a", "NOT NOT a", .doubleNegation),
        QueryReading("not", "not"),
        QueryReading("NOT", "everything", .danglingOperator("NOT")),
        QueryReading("a NOT", "a", .danglingOperator("NOT")),
        QueryReading("NOT OR a", "a", .danglingOperator("NOT"), .emptyAlternative),
        QueryReading("a not", "(a AND not)"),
        QueryReading("(not) a", "(not AND a)"),
        QueryReading("not OR a", "(not OR a)"),
        QueryReading("not AND a", "(not AND a)", .danglingOperator("AND")),
        QueryReading("a not ()", "a"),
        QueryReading("a not \"!\"", "a", .wordless("!")),
        QueryReading("a not ?", "a", .wordless("?")),
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
        QueryReading("a - b", "(a AND b)", .loneMinus),
        QueryReading("a -", "a", .loneMinus),
        QueryReading("a -()", "a"),
        QueryReading("a -OR b", "(a OR b)", .loneMinus),
        QueryReading("-a", "NOT a"),
        QueryReading("-a b", "(NOT a AND b)"),
        QueryReading("-a -tag:b", "(NOT a AND NOT tag:b)"),
        QueryReading(" -a", "NOT a"),
        QueryReading("(-a) b", "(NOT a AND b)"),
        QueryReading("-tag:a", "NOT tag:a"),
        QueryReading("-tag:\"a b\"", "NOT tag:\"a b\""),
        QueryReading("-\"a b\"", "NOT \"a b\""),
        QueryReading("-(a OR b)", "NOT (a OR b)"),
        QueryReading("-5 degrees", "(NOT 5 AND degrees)"),
        QueryReading("--a", "NOT a", .severalMinuses("--")),
        QueryReading("-NOT a", "NOT NOT a", .doubleNegation),
        QueryReading("a --", "a", .loneMinus),
        QueryReading("-", "everything", .loneMinus),
        QueryReading("a (b -)", "(a AND b)", .loneMinus),
        QueryReading("- a", "a", .loneMinus),
        QueryReading("a –b", "(a AND NOT b)", .dash("–")),
        QueryReading("—tag:a", "NOT tag:a", .dash("—")),
        QueryReading("−tag:a", "NOT tag:a", .dash("−")),
        QueryReading("a – b", "(a AND b)", .loneMinus),
        QueryReading("a–b", "a–b"),
    ])
    func `a minus excludes`(_ reading: QueryReading) { reading.check() }

    @Test(arguments: [
        QueryReading("a && b", "(a AND b)"),
        QueryReading("a & b", "(a AND b)"),
        QueryReading("a || b", "(a OR b)"),
        QueryReading("!a", "a", .exclamation),
        QueryReading("!tag:a b", "(tag:a AND b)", .exclamation),
        QueryReading("!(a b)", "(a AND b)", .exclamation),
        QueryReading("a! b", "(a! AND b)"),
        QueryReading("a ! b", "(a AND b)", .wordless("!")),
        QueryReading("a and b", "(a AND and AND b)", .lowercaseOperator("and")),
        QueryReading("tag:a or (b)", "(tag:a AND or AND b)", .lowercaseOperator("or")),
        QueryReading("and b", "(and AND b)"),
        QueryReading("a or", "(a AND or)"),
        QueryReading("tag:a|b", "(tag:a OR b)", .barBehindFilter("tag:a")),
        QueryReading("tag:a|tag:b", "(tag:a OR tag:b)"),
        QueryReading("tag:a | b", "(tag:a OR b)"),
        QueryReading("#swift", "#swift", .hash("#swift")),
        QueryReading("C# #1", "(C# AND #1)"),
        QueryReading("created>2025", "created>2025", .comparison("created>2025")),
        QueryReading("tag=a", "tag=a", .comparison("tag=a")),
        QueryReading("a=b a>", "(a=b AND a>)"),
    ])
    func `signs of other grammars are noticed`(_ reading: QueryReading) { reading.check() }

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
        QueryReading("(a) OR ()", "a", .emptyAlternative),
        QueryReading("(OR)", "everything", .emptyAlternative),
        QueryReading("(", "everything", .unclosedParenthesis),
        QueryReading("(a", "a", .unclosedParenthesis),
        QueryReading("a (b OR c", "(a AND (b OR c))", .unclosedParenthesis),
        QueryReading("((a)", "a", .unclosedParenthesis),
        QueryReading("((a", "a", .unclosedParenthesis),
        QueryReading(")", "everything", .unopenedParenthesis),
        QueryReading("a)", "a", .unopenedParenthesis),
        QueryReading("a) b", "(a AND b)", .unopenedParenthesis),
        QueryReading("a OR b) c", "((a OR b) AND c)", .unopenedParenthesis),
        QueryReading(")(", "everything", .unopenedParenthesis, .unclosedParenthesis),
    ])
    func `parentheses group, and need not be balanced`(_ reading: QueryReading) { reading.check() }

    @Test func `parentheses 1,000 deep are read`() {
        let parser = QueryReading.parse(
            String(repeating: "(", count: 1000) + "a OR b" + String(repeating: ")", count: 1000))
        #expect(parser.query.description == "(a OR b)")
        #expect(Set(parser.notices) == [.parenthesesTooDeep(limit: 50), .unopenedParenthesis])
        let half = QueryReading.parse(String(repeating: "(", count: 1000) + "a")
        #expect(half.query.description == "a")
        #expect(Set(half.notices) == [.parenthesesTooDeep(limit: 50), .unclosedParenthesis])
    }

    @Test func `a "not" is not read deeper than 50, and said to be`() {
        #expect(QueryReading.parse(String(repeating: "not ", count: 50) + "a").notices == [])
        let parser = QueryReading.parse(String(repeating: "not ", count: 60) + "a")
        #expect(parser.notices == [.negationTooDeep(limit: 50)])
    }

    @Test func `parentheses 50 deep are no fault`() {
        let text = String(repeating: "(", count: 50) + "a" + String(repeating: ")", count: 50)
        #expect(QueryReading.parse(text).query == .word("a"))
        #expect(QueryReading.parse(text).notices == [])
    }
}
