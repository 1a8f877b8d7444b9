import Search
import Testing

struct QueryWordsTests {
    @Test(arguments: [
        QueryReading("", "everything"),
        QueryReading(" \t\n ", "everything"),
        QueryReading("word", "word"),
        QueryReading("two words", "(two AND words)"),
        QueryReading("  Many\twhite\u{A0}spaces\u{3000}here ", "(Many AND white AND spaces AND here)"),
        QueryReading("C++ .NET a.b@c.org", "(C++ AND .NET AND a.b@c.org)"),
        QueryReading("don't", "don't"),
        QueryReading("Łódź 日本語", "(Łódź AND 日本語)"),
        QueryReading("full-text", "full-text"),
        QueryReading("!!!", "everything", .wordless("!!!")),
        QueryReading("a % b", "(a AND b)", .wordless("%")),
    ])
    func `words must all match`(_ reading: QueryReading) { reading.check() }

    @Test(arguments: [
        QueryReading("\"one two\"", "\"one two\""),
        QueryReading("“one two”", "\"one two\""),
        QueryReading("“one two\"", "\"one two\""),
        QueryReading("„one two“", "\"one two\""),
        QueryReading("«one two»", "\"one two\""),
        QueryReading("＂one two＂", "\"one two\""),
        QueryReading("\"single\"", "\"single\""),
        QueryReading("a \"b c\" d", "(a AND \"b c\" AND d)"),
        QueryReading("a\"b c\"d", "(a AND \"b c\" AND d)"),
        QueryReading("\"a\"\"b\"", "(\"a\" AND \"b\")"),
        QueryReading("\"OR -x (y) tag:z |\"", "\"OR -x (y) tag:z |\""),
        QueryReading("\"\"", "everything", .wordless("")),
        QueryReading("\"  \" a", "a", .wordless("  ")),
        QueryReading("\"!?\"", "everything", .wordless("!?")),
        QueryReading("\"", "everything", .unclosedQuote),
        QueryReading("\"one two", "(one AND two)", .unclosedQuote),
        QueryReading("“one two", "(one AND two)", .unclosedQuote),
        QueryReading("a \"b\" \"c", "(a AND \"b\" AND c)", .unclosedQuote),
        QueryReading("a\"", "a", .unclosedQuote),
        QueryReading("'single quotes'", "('single AND quotes')"),
    ])
    func `quotes make a phrase`(_ reading: QueryReading) { reading.check() }

    @Test(arguments: [
        QueryReading("pre*", "pre*"),
        QueryReading("p*", "p*"),
        QueryReading("pre* fix", "(pre* AND fix)"),
        QueryReading("full-te*", "full-te*"),
        QueryReading("p*re", "p*re", .innerStar("p*re")),
        QueryReading("*pre", "*pre", .innerStar("*pre")),
        QueryReading("*", "everything", .wordless("*")),
        QueryReading("-* a", "a", .wordless("*")),
    ])
    func `a star at the end makes a prefix`(_ reading: QueryReading) { reading.check() }

    @Test func `words, prefixes and phrases are different queries`() {
        #expect(QueryReading.parse("pre").query == .word("pre"))
        #expect(QueryReading.parse("pre*").query == .prefix("pre"))
        #expect(QueryReading.parse("\"pre\"").query == .phrase("pre"))
        #expect(QueryReading.parse("*pre").query == .word("*pre"))
        #expect(QueryReading.parse("").query == .everything)
    }
}
