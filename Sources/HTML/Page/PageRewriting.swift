package import URLs

/// Turns a page into one that opens from a file, fetches nothing unexpected and runs no script.
///
/// The page is UTF-8. Everything that needs no change keeps its bytes. The same walk reads the references and writes
/// the page, so `by` is asked about exactly the references that `references` returned, in the same order. It is also
/// asked about the references in a sprite that it returned itself, and may answer `missing`.
///
/// Time and memory are linear in the page and the answers of `by`.
package enum PageRewriting {
    /// The references of a page or frame document, inner documents (`srcdoc`, `template`) and style included.
    package static func references(of page: [UInt8], _ context: PageContext) -> PageReferences {
        var found = PageReferences(base: context.url)
        _ = walk(page, context, .html, base: &found.base, keepsOutput: false) {
            if found.references.count < PageReferences.limit { found.references.append($0) }
            return .missing
        }
        return found
    }

    /// The page with its references replaced and everything active removed; also used for frame documents.
    package static func rewritten(
        _ page: [UInt8], _ context: PageContext, by replace: (PageReference) -> Replacement
    ) -> [UInt8] {
        var base = context.url
        return walk(page, context, .html, base: &base, replace)
    }

    static func walk(
        _ page: [UInt8], _ context: PageContext, _ output: PageWalk.Output, base: inout WebURL,
        keepsOutput: Bool = true, _ replace: (PageReference) -> Replacement
    ) -> [UInt8] {
        page.withUnsafeBufferPointer { bytes in
            let bytes = LeadingMarks.removed(bytes)
            if output == .html {
                base = BaseElement.url(in: bytes, isXML: context.syntax == .xhtml, fallback: context.url)
            }
            return withoutActuallyEscaping(replace) { replace in
                let resolver = ReferenceResolver(
                    documentURL: context.url, base: base, spellings: context.spellings, replace: replace)
                return PageWalk(bytes, context, output, resolver, keepsOutput: keepsOutput).run()
            }
        }
    }
}

/// Style sheets in UTF-8, rewritten in the same way.
package enum StyleSheetRewriting {
    package static func references(of sheet: [UInt8], url: WebURL) -> [PageReference] {
        var found: [PageReference] = []
        _ = rewritten(sheet, url: url) {
            if found.count < PageReferences.limit { found.append($0) }
            return .missing
        }
        return found
    }

    /// The sheet with its references replaced, without `@charset` (it is UTF-8 now).
    ///
    /// - Parameter spellings: those of the page that uses the sheet.
    package static func rewritten(
        _ sheet: [UInt8], url: WebURL, spellings: KeptSpellings = [], by replace: (PageReference) -> Replacement
    ) -> [UInt8] {
        sheet.withUnsafeBufferPointer { bytes in
            let bytes = LeadingMarks.removed(bytes)
            return withoutActuallyEscaping(replace) { replace in
                let resolver = ReferenceResolver(
                    documentURL: url, base: url, spellings: spellings, replace: replace)
                return StyleWalk.rewritten(bytes, resolver, for: .file, offset: -1) ?? Array(bytes)
            }
        }
    }
}

/// SVG files as assets: XML, rewritten as XML. The document type and processing instructions go, its entities resolved.
package enum SVGDocument {
    package static func references(of document: [UInt8], url: WebURL) -> [PageReference] {
        var found: [PageReference] = []
        _ = rewritten(document, url: url) {
            if found.count < PageReferences.limit { found.append($0) }
            return .missing
        }
        return found
    }

    package static func rewritten(
        _ document: [UInt8], url: WebURL, by replace: (PageReference) -> Replacement
    ) -> [UInt8] {
        var base = url
        let context = PageContext(url: url, syntax: .xhtml, resolvesLazyImages: false)
        return PageRewriting.walk(document, context, .xml, base: &base, replace)
    }
}

/// Byte order marks, which would override the encoding that the rewritten document declares.
private enum LeadingMarks {
    /// The bytes after any marks of UTF-8 and UTF-16 at the start.
    static func removed(_ bytes: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
        var rest = bytes[...]
        while true {
            if rest.starts(with: [0xEF, 0xBB, 0xBF]) {
                rest = rest.dropFirst(3)
            } else if rest.starts(with: [0xFE, 0xFF]) || rest.starts(with: [0xFF, 0xFE]) {
                rest = rest.dropFirst(2)
            } else {
                return UnsafeBufferPointer(rebasing: rest)
            }
        }
    }
}
