import Search
import Testing

struct ScanningMatcherTests {
    /// A query, and whether it must find `sample`.
    struct Case: Sendable, CustomTestStringConvertible {
        let text: String
        let isFound: Bool

        init(_ text: String, _ isFound: Bool) {
            self.text = text
            self.isFound = isFound
        }

        var testDescription: String { text }
    }

    private static let sample: SampleDocument = {
        var document = SampleDocument(
            title: "Notes on Łódź: CamelCase, C++ and e-mail",
            tags: ["Swift UI", "Café", "trash-can", "collection:Work/Projects/2025", "collection:Ärzte"],
            texts: ["The quick brown fox", "jumps over the lazy dogs in 2025", "https://www.example.org/blog"])
        document.type = "link"
        document.source = "share_sheet"
        document.site = "blog.example.org"
        document.link = "https://blog.example.org/A/b?q=%C3%A9"
        document.author = "Donald E. Knuth, 王小明"
        document.language = "en_GB"
        document.created = 1_000
        document.updated = 2_000
        document.states = [.pinned, .dead]
        document.parts = [.link, .text]
        document.statuses = [.partial, .dead]
        return document
    }()

    private func check(_ test: Case) {
        let query = QueryReading.parse(test.text).query
        #expect(ScanningMatcher(query).matches(Self.sample) == test.isFound, "read as \(query)")
    }

    @Test(arguments: [
        Case("", true), Case("lodz", true), Case("ŁÓDŹ", true), Case("Notes", true), Case("note", true),
        Case("otes", false), Case("notess", false), Case("fox lazy", true), Case("fox cat", false), Case("camel", true),
        Case("case", false), Case("e-mail", true), Case("e-ma", true), Case("mail-e", false), Case("swift", true),
        Case("projects", true), Case("arzte", true), Case("202", true), Case("example.org", true),
        Case("example.com", false), Case("http", true),
    ])
    func `a word finds whole words and words that start with it`(_ test: Case) { check(test) }

    @Test(arguments: [
        Case("on", true), Case("o", false), Case("no", false), Case("ui", true), Case("u", false), Case("c++", true),
        Case("c", true), Case("e", true), Case("lo", false), Case("Łó", false), Case("the", true), Case("th", false),
        Case("jum", true), Case("ju", false), Case("ju*", true), Case("o*", true), Case("z*", false), Case("Łó*", true),
        Case("not ju", true), Case("o-n", false), Case("on-l", true),
    ])
    func `a word of one or two letters finds whole words only, unless it ends in a star`(_ test: Case) { check(test) }

    @Test(arguments: [
        Case("\"quick brown\"", true), Case("\"brown quick\"", false), Case("\"quick brow\"", false),
        Case("\"fox\"", true), Case("\"fo\"", false), Case("\"fox jumps\"", false), Case("\"e mail Swift\"", false),
        Case("\"ui cafe\"", false), Case("\"QUICK, brown; fox!\"", true), Case("\"lodz camelcase\"", true),
        Case("\"the\"", true), Case("\"th\"", false), Case("\"work projects 2025\"", true), Case("\"mail\"", true),
    ])
    func `a phrase finds whole words in a row inside one field`(_ test: Case) { check(test) }

    @Test(arguments: [
        Case("tag:\"swift ui\"", true), Case("tag:\"SWIFT UI\"", true), Case("tag:swift", false), Case("tag:ui", false),
        Case("tag:cafe", true), Case("tag:CAFÉ", true), Case("tag:\"cafe\u{301}\"", true), Case("tag:caf", false),
        Case("tag:trash-can", true), Case("tag:\"trash can\"", false), Case("tag:collection:work/projects/2025", true),
        Case("tag:collection:work", false), Case("tag:\"swift  ui\"", false),
    ])
    func `a tag filter means the whole tag, without case and diacritics`(_ test: Case) { check(test) }

    @Test(arguments: [
        Case("collection:Work", true), Case("collection:work/PROJECTS", true),
        Case("collection:work/projects/2025", true), Case("collection:Work/Project", false),
        Case("collection:Wor", false), Case("collection:Projects", false),
        Case("collection:work/projects/2025/x", false), Case("collection:arzte", true), Case("collection:Ärzte", true),
        Case("collection:\"Swift UI\"", false),
    ])
    func `a collection includes nested ones`(_ test: Case) { check(test) }

    @Test(arguments: [
        Case("site:example.org", true), Case("site:EXAMPLE.org", true), Case("site:blog.example.org", true),
        Case("site:www.example.org", false), Case("site:ample.org", false), Case("site:org", true),
        Case("site:example", false), Case("site:a.blog.example.org", false),
    ])
    func `a site includes its subdomains`(_ test: Case) { check(test) }

    @Test(arguments: [
        Case("tag:sw*", true), Case("tag:\"swift u\"*", true), Case("tag:ui*", false), Case("tag:*", true),
        Case("tag:coll*", false), Case("tag:collection:w*", true), Case("collection:wo*", true),
        Case("collection:Work/Proj*", true), Case("collection:proj*", false), Case("collection:*", true),
        Case("tag:\"sw*\"", false), Case("tag:CAF*", true),
    ])
    func `a star finds tags and collections that begin so`(_ test: Case) { check(test) }

    @Test(arguments: [
        Case("title:notes", true), Case("title:lodz", true), Case("title:not", true), Case("title:otes", false),
        Case("title:fox", false), Case("title:\"notes on\"", true), Case("title:\"notes o\"", false),
        Case("title:\"notes o\"*", true), Case("title:on", true), Case("title:o", false), Case("title:o*", true),
        Case("title:e-mail", true), Case("title:swift", false), Case("author:knuth", true), Case("author:KNU", true),
        Case("author:\"donald e\"", true), Case("author:小明", true), Case("author:\"小明\"", true),
        Case("author:\"王明\"", false),
        Case("author:fox", false), Case("text:fox", true), Case("text:notes", false), Case("text:swift", false),
        Case("text:\"quick brown\"", true), Case("text:ju", false), Case("text:ju*", true), Case("text:arzte", false),
    ])
    func `title, author and text look into one field`(_ test: Case) { check(test) }

    @Test(arguments: [
        Case("url:example.org/a", true), Case("url:EXAMPLE", true), Case("url:xample.or", true), Case("url:q=é", true),
        Case("url:https://blog.example.org/a/b?q=%c3%a9#part", true), Case("url:example.org/b", false),
        Case("url:fox", false), Case("lang:en", true), Case("lang:EN-GB", true), Case("lang:en_gb", true),
        Case("lang:e", false), Case("lang:gb", false), Case("lang:en-us", false), Case("after:1960", true),
        Case("after:1970", false), Case("before:1980", true), Case("before:1960", false),
    ])
    func `url, lang, after and before`(_ test: Case) { check(test) }

    @Test(arguments: [
        Case("type:link", true), Case("type:snippet", false), Case("source:share_sheet", true),
        Case("source:SHARE_SHEET", true), Case("source:share", false), Case("is:pinned", true), Case("is:dead", true),
        Case("is:favorite", false), Case("is:untitled", false), Case("has:link", true), Case("has:document", false),
        Case("status:partial", true), Case("status:dead", true), Case("status:full", false),
        Case("created:<1980", true), Case("updated:>1980", false),
    ])
    func `other filters ask the document`(_ test: Case) { check(test) }

    @Test(arguments: [
        Case("cat OR fox", true), Case("cat OR dog", true), Case("cat OR cow", false), Case("fox -cat", true),
        Case("cat -fox", false), Case("fox -\"lazy dogs\"", false), Case("not cat", true), Case("not fox", false),
        Case("(cat OR fox) type:link", true), Case("(cat OR fox) type:snippet", false), Case("not (cat OR cow)", true),
        Case("not (cat OR fox)", false), Case("fox is:pinned -tag:cafe", false), Case("not not fox", true),
    ])
    func `conditions combine`(_ test: Case) { check(test) }

    @Test(arguments: [
        ("", false), ("note", false), ("trashcan", true), ("is:trashed", true), ("tag:trashcan", true),
        ("not note", false), ("note is:trashed", true), ("other is:trashed", false), ("note OR trashcan", true),
        ("note -is:trashed", false), ("\"trashcan\"", false),
    ])
    func `a trashed document is found only by those who ask for the trash`(_ text: String, isFound: Bool) {
        var document = SampleDocument(title: "note", tags: ["trashcan"])
        document.isTrashed = true
        document.states = [.trashed]
        #expect(ScanningMatcher(QueryReading.parse(text).query).matches(document) == isFound)
    }

    @Test func `live documents are found beside trashed ones`() {
        let query = QueryReading.parse("note OR trashcan").query
        #expect(ScanningMatcher(query).matches(SampleDocument(title: "note")))
        #expect(!ScanningMatcher(query).matches(SampleDocument(title: "other")))
    }
}
