import JSONFormat
import Search
import Testing

@testable import StuffBucket

/// The words of a saved article are found, but not the fixed text around it.
struct SavedPageSearchTests {
    private static let reader = """
        <!DOCTYPE html>
        <html><head><title>Stones</title></head><body><main><header>
        <h1>Stones in rivers</h1>
        <!--sbfs:frame--><p>A. Author · <time>2024-03-05</time> · Riverside</p><!--/sbfs:frame-->
        </header>
        <article>
        <p>The water wears them down.</p>
        </article>
        <!--sbfs:frame--><footer>
        <p>This page is saved locally. The original: <a href="https://example.org/">example.org</a>.</p>
        </footer><!--/sbfs:frame-->
        </main></body></html>
        """

    private static func library(_ file: String, _ page: String) throws -> SampleLibrary {
        let sample = try SampleLibrary()
        let link = try sample.put(
            1, "Kept", [("type", .string("link")), ("linkURL", .string("https://site.example/"))])
        try sample.scratch.write(sample.folder(link) + "/" + file, page)
        return sample
    }

    @Test(arguments: [
        ("water", true), ("stones rivers", true), ("locally", false), ("original", false), ("2024", false),
        ("riverside", false),
    ])
    func `the article and its heading are searched, the frame of reader.html is not`(
        query: String, isFound: Bool
    ) throws {
        #expect(try Self.library("reader.html", Self.reader).titles(query) == (isFound ? ["Kept"] : []))
    }

    @Test(arguments: [
        ("reader.html", "<p>It was saved locally by another program.</p><footer>locally</footer>"),
        ("reader.html", "<p>a</p><!--sbfs:frame--><p>saved locally, and never closed"),
        ("page.html", "<!--sbfs:frame--><p>saved locally</p><!--/sbfs:frame-->"),
    ])
    func `a page without a frame is searched whole`(file: String, page: String) throws {
        #expect(try Self.library(file, page).titles("locally") == ["Kept"])
    }

    @Test func `what a page shows in frames is searched`() throws {
        let page =
            "<p>Outside</p><iframe src=\"assets/a1.html\"></iframe><iframe srcdoc=\"<p>Pebbles\"></iframe>"
            + "<iframe src=\"../item.json\"></iframe>"
        for reader in [false, true] {
            let sample = try Self.library("page.html", page)
            let folder = try sample.folder(SampleLibrary.id(1))
            if reader { try sample.scratch.write(folder + "/reader.html", Self.reader) }
            try sample.scratch.write(
                folder + "/assets/a1.html",
                "<p>Gravel</p><iframe src=\"b2.html\"></iframe><iframe src=\"a1.html\">")
            try sample.scratch.write(folder + "/assets/b2.html", "<p>Boulders</p>")
            for word in ["outside", "gravel", "pebbles", "boulders"] {
                #expect(try sample.titles(word) == ["Kept"], "\(word) \(reader)")
            }
            #expect(try sample.titles("linkURL") == [])
        }
    }

    @Test func `what a page shows in shadow roots is searched, other templates are not`() throws {
        let page =
            "<p>The water wears them down.<x-z><template shadowrootmode=open><p>Pebbles</p></template></x-z>"
            + "<template><p>Gravel</p></template>"
        for reader in [false, true] {
            let sample = try Self.library("page.html", page)
            if reader {
                try sample.scratch.write(sample.folder(SampleLibrary.id(1)) + "/reader.html", Self.reader)
            }
            #expect(try sample.titles("pebbles") == ["Kept"], "\(reader)")
            #expect(try sample.titles("gravel") == [], "\(reader)")
        }
    }

    /// A page whose article is shorter than what it shows.
    private static let page = """
        <!DOCTYPE html><title>Stones</title><nav>Bridges Ferries</nav><h1>Stones in rivers</h1>
        <p>The water wears them
        down.</p><aside>Every flood carries gravel downstream.</aside><script>var secret</script>
        """

    /// A page with its article, and one whose article has the same word.
    private static func libraryWithRest() throws -> SampleLibrary {
        let sample = try library("reader.html", reader)
        try sample.scratch.write(sample.folder(SampleLibrary.id(1)) + "/page.html", page)
        let other = try sample.put(
            2, "Article", [("type", .string("link")), ("linkURL", .string("https://other.example/"))])
        try sample.scratch.write(
            sample.folder(other) + "/reader.html", "<p>In the long run a flood, like a glacier, moves the soil away.")
        return sample
    }

    @Test(arguments: [
        ("gravel", ["Kept"]), ("ferr", ["Kept"]), ("\"carries gravel\"", ["Kept"]), ("text:downstream", ["Kept"]),
        ("text:\"flood carries\"", ["Kept"]), ("\"bridges stones\"", []), ("\"down every\"", []), ("secret", []),
        ("title:gravel", []), ("water gravel", ["Kept"]), ("flood -gravel", ["Article"]),
    ])
    func `what a page shows besides its article is found, with an index and without`(
        query: String, titles: [String]
    ) throws {
        let sample = try Self.libraryWithRest()
        #expect(try sample.titles(query) == titles)
        let matcher = ScanningMatcher(sample.library.parse(query).query)
        let scanned = try ([1, 2] as [UInt16]).filter { number in
            let stored = try sample.stored(SampleLibrary.id(number))
            return matcher.matches(SearchableItem(stored, sample.library.store))
        }
        #expect(scanned == titles.map { $0 == "Kept" ? 1 : 2 })
    }

    @Test func `a page whose article has the word stands above one that shows it elsewhere`() throws {
        let sample = try Self.libraryWithRest()
        #expect(try sample.titles("flood", order: .relevance) == ["Article", "Kept"])
    }

    @Test func `a snippet of a word besides the article shows it where it stands`() throws {
        let sample = try Self.libraryWithRest()
        let stored = try sample.stored(SampleLibrary.id(1))
        let snippet = try #require(
            sample.library.snippet(of: stored, sample.library.parse("gravel").query.highlighter))
        #expect(String(decoding: snippet.text, as: UTF8.self).contains("Every flood carries gravel downstream."))
        #expect(snippet.marks.count == 1)
    }

    @Test(arguments: ["water", "absent", "locally"])
    func `a snippet shows the article alone`(query: String) throws {
        let sample = try Self.library("reader.html", Self.reader)
        let stored = try sample.stored(SampleLibrary.id(1))
        let snippet = sample.library.snippet(of: stored, sample.library.parse(query).query.highlighter)
        #expect(
            snippet.map { String(decoding: $0.text, as: UTF8.self) } == "Stones in rivers The water wears them down.")
    }
}
