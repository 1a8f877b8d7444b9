import Characters
internal import HTML
package import URLs

/// reader.html: an article as a separate page that needs no script, no network and no other file but its pictures.
package enum ReaderPage {
    /// - Parameters:
    ///   - original: the address of the page, which is shown and linked.
    ///   - imageFile: the path of a picture's file, relative to reader.html. `nil` if it was not saved; then its text
    ///     is shown.
    /// - Returns: UTF-8 HTML with only allowed elements and attributes.
    package static func html(_ article: Article, original: WebURL?, imageFile: @escaping (WebURL) -> String?) -> [UInt8]
    {
        let links = LinkResolution(base: article.base, page: original ?? article.base)
        let content = article.contentWithoutByline
        var markup = ReaderMarkup(content, links: links, imageFile: imageFile)
        markup.write()
        var page = Array("<!DOCTYPE html>\n<html".utf8)
        if let language = article.language, language.utf8.count < 36,
            language.utf8.allSatisfy({ $0.isLetter || $0.isDigit || $0 == 0x2D })
        {
            page += " lang=\"\(language)\"".utf8
        }
        if let direction = article.direction ?? ScriptDirection.of(content.plainText()) {
            page += " dir=\"\(direction)\"".utf8
        }
        page += ">\n<head>\n<meta charset=\"utf-8\">\n".utf8
        page += "<meta http-equiv=\"Content-Security-Policy\" content=\"\(policy)\">\n".utf8
        page += "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n".utf8
        page +=
            "<meta name=\"color-scheme\" content=\"light dark\">\n<meta name=\"referrer\" content=\"no-referrer\">\n"
            .utf8
        page += "<title>".utf8 + MarkupText.escaped(article.title ?? original?.hostText ?? "") + "</title>\n".utf8
        page += "<style>\n\(style)</style>\n</head>\n<body>\n<main>\n<header>\n".utf8
        if let title = article.title { page += "<h1>".utf8 + MarkupText.escaped(title) + "</h1>\n".utf8 }
        let language = article.language ?? ScriptLanguage.of(content.plainText())
        page += byline(article, original, language, minutes: ReadingTime.minutes(ofMarkup: markup.bytes))
        page += "</header>\n".utf8
        if markup.imageCount == 0, let image = article.image.flatMap({ links.url(Array($0.utf8)[...]) }),
            let file = imageFile(image),
            LinkResolution.isLocalFile(file)
        {
            page += "<figure><img src=\"".utf8 + MarkupText.escaped(file) + "\" alt=\"\"></figure>\n".utf8
        }
        page += "<article>\n".utf8 + markup.bytes + "</article>\n".utf8
        let note = SavedNote.words(language: language)
        page += "\(ReaderFrame.start)<footer>\n<p>\(note.saved)".utf8
        if let original, original.isHTTP {
            page += ". \(note.original) <a href=\"".utf8 + MarkupText.escaped(original.href) + "\">".utf8
            page += MarkupText.escaped(original.hostText) + "</a>".utf8
        }
        page += ".</p>\n</footer>\(ReaderFrame.end)\n</main>\n</body>\n</html>\n".utf8
        return page
    }

    private static func byline(_ article: Article, _ original: WebURL?, _ language: String?, minutes: Int?) -> [UInt8] {
        var parts: [[UInt8]] = []
        if !article.authors.isEmpty { parts.append(MarkupText.escaped(article.authors.joined(separator: ", "))) }
        if let published = article.published {
            let day = DayText.of(published, language: language)
            parts.append(
                "<time datetime=\"".utf8 + MarkupText.escaped(published) + "\">".utf8 + MarkupText.escaped(day)
                    + "</time>".utf8)
        }
        let site = article.siteName ?? original?.hostText
        if let original, original.isHTTP {
            parts.append(
                "<a href=\"".utf8 + MarkupText.escaped(original.href) + "\">".utf8
                    + MarkupText.escaped(site ?? original.hostText) + "</a>".utf8)
        } else if let site {
            parts.append(MarkupText.escaped(site))
        }
        if let minutes { parts.append(MarkupText.escaped(ReadingTime.text(minutes, language: language))) }
        if parts.isEmpty { return [] }
        return Array("\(ReaderFrame.start)<p>".utf8) + Array(parts.joined(separator: " · ".utf8))
            + "</p>\(ReaderFrame.end)\n".utf8
    }

    /// No script and no request: only pictures beside the page and the style in it.
    private static let policy =
        "default-src 'none'; img-src 'self' file: data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"

    private static let style = """
        :root { color-scheme: light dark; --ink: #1d1d1f; --soft: #6a6a70; --paper: #fdfdfc; --line: #d9d9d6; --link: #0b57a4; \
        --shade: #f2f2ef; }
        @media (prefers-color-scheme: dark) { :root { --ink: #e3e3e0; --soft: #9b9ba1; --paper: #17181a; --line: #3a3b3f; \
        --link: #8ab8f0; --shade: #222326; } img[src^="data:"] { background: #fff; } }
        html { background: var(--paper); color: var(--ink); -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
        body { margin: 0; font: 1.125rem/1.65 Charter, "Bitstream Charter", "Iowan Old Style", Georgia, "Noto Serif", serif; }
        main { max-width: 38em; margin: 0 auto; padding: 2.5rem 1.25rem 4rem; overflow-wrap: break-word; hyphens: auto; }
        h1, h2, h3, h4, h5, h6, header p, footer { font-family: system-ui, -apple-system, "Segoe UI", "Noto Sans", sans-serif; }
        h1, h2, h3, h4, h5, h6 { line-height: 1.25; margin: 2em 0 .6em; hyphens: manual; }
        h2 a, h3 a, h4 a, h5 a, h6 a, dt a { color: inherit; text-decoration: none; } h1 { text-wrap: balance; }
        article > :first-child { margin-top: 0; }
        h1 { font-size: 1.9rem; margin-top: 0; } h2 { font-size: 1.4rem; } h3 { font-size: 1.2rem; } h4, h5, h6 { font-size: 1rem; }
        header { border-bottom: 1px solid var(--line); margin-bottom: 2rem; padding-bottom: .5rem; }
        header p, footer { color: var(--soft); font-size: .9rem; }
        footer { border-top: 1px solid var(--line); margin-top: 3rem; }
        a { color: var(--link); text-underline-offset: .15em; }
        p, ul, ol, dl, pre, table, blockquote, figure, details { margin: 0 0 1.1em; }
        p.lead { font-size: 1.15em; line-height: 1.5; color: var(--soft); }
        li, dd { margin-bottom: .35em; } li > p { margin-bottom: .5em; }
        dt { font-weight: 600; margin-top: .8em; } dd { margin-inline-start: 1.5em; }
        img { max-width: 100%; height: auto; } figure p { margin: 0; } figure img { display: block; margin: 0 auto .5em; }
        figure { margin-inline: 0; } figcaption, small { color: var(--soft); font-size: .85rem; line-height: 1.45; }
        figure:has(img) figcaption { text-align: center; text-wrap: balance; }
        blockquote { margin-inline: 0; padding-inline-start: 1.1em; border-inline-start: 3px solid var(--line); color: var(--soft); }
        pre, code, kbd, samp { font-family: ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; font-size: .85em; hyphens: none; }
        pre { overflow-x: auto; background: var(--shade); padding: .9em 1.1em; border-radius: 6px; line-height: 1.45; tab-size: 4; }
        code { background: var(--shade); padding: .1em .25em; border-radius: 3px; } pre code { background: none; padding: 0; font-size: inherit; }
        table { display: block; overflow-x: auto; max-width: 100%; border-collapse: collapse; font-size: .92em; hyphens: none; }
        th, td { border: 1px solid var(--line); padding: .35em .65em; vertical-align: top; text-align: start; }
        th { background: var(--shade); } caption { text-align: start; color: var(--soft); padding-bottom: .4em; }
        article > hr:first-child, article > hr:last-child, p:empty, li:empty { display: none; }
        hr { border: 0; border-top: 1px solid var(--line); margin: 2em 0; } mark { background: #ffe58a; color: #1d1d1f; }
        @media (max-width: 34em) { body { font-size: 1.0625rem; } main { padding-top: 1.5rem; } h1 { font-size: 1.55rem; }
        table { font-size: .8em; } th, td { padding: .3em .45em; } }
        @media print { :root { color-scheme: light; --ink: #000; --soft: #444; --paper: #fff; --line: #bbb; --link: #000; --shade: #f4f4f4; }
        body { font-size: 11pt; } main { max-width: none; padding: 0; } pre { white-space: pre-wrap; } table { display: table; }
        h1, h2, h3, h4, h5, h6 { break-after: avoid; } img, figure, pre, tr { break-inside: avoid; } }

        """
}
