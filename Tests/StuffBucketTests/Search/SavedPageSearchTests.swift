import JSONFormat
import Search
import StuffBucket
import Testing

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

    @Test(arguments: ["water", "absent", "locally"])
    func `a snippet shows the article alone`(query: String) throws {
        let sample = try Self.library("reader.html", Self.reader)
        let stored = try sample.stored(SampleLibrary.id(1))
        let snippet = sample.library.snippet(of: stored, sample.library.parse(query).query.highlighter)
        #expect(
            snippet.map { String(decoding: $0.text, as: UTF8.self) } == "Stones in rivers The water wears them down.")
    }
}
