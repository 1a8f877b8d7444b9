import HTML
import TestSupport
import Testing

/// The shared markup, as page.html shows it.
struct MarkupCorpusTests {
    @Test(arguments: MarkupCorpus.texts)
    func `page.html shows the text of a page`(markup: String) throws {
        for hasRunScripts in [false, true] {
            var page = try Rewriting.page(markup, hasRunScripts: hasRunScripts)
            let text = page.withUTF8 { bytes in
                var tokens = HTMLTokenizer(bytes)
                var text = ""
                var templates = 0
                while tokens.next() {
                    let isTag = tokens.kind == .startTag || tokens.kind == .endTag
                    if isTag, tokens.element == .template { templates += tokens.kind == .startTag ? 1 : -1 }
                    guard tokens.kind == .text, !tokens.isInDrawing, templates == 0 else { continue }
                    text += CharacterReferences.decoded(
                        String(decoding: bytes[tokens.start..<tokens.end], as: UTF8.self), in: .text)
                }
                return text
            }
            #expect(text.contains("seen"), "\(page)")
            // What a `noscript` holds is shown where scripts did not run.
            #expect(!text.contains("hidden") || (markup.contains("<noscript>") && !hasRunScripts), "\(page)")
        }
    }

    @Test(arguments: MarkupCorpus.pictures)
    func `page.html shows the picture of a page`(markup: String) throws {
        let page = try Rewriting.page(
            markup, files: ["https://a.test/dir/p.png": .file("assets/p.png")], otherwise: .missing)
        #expect(page.contains("assets/p.png"), "\(page)")
    }
}
