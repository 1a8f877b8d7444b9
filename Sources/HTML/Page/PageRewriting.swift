package import URLs

/// Turns a page into one that opens from a file, fetches nothing that it was not told to, and runs no script.
///
/// The page is UTF-8. The source is edited by spans: what needs no change keeps its bytes. The same walk reads the
/// references and writes the page, so that `by` is asked about exactly the references that `references` gave, in the
/// same order.
package enum PageRewriting {
    /// The references of a page or frame document, inner documents (`srcdoc`, `template`) and style included.
    package static func references(of page: [UInt8], _ context: PageContext) -> PageReferences {
        preconditionFailure("declared for its users; the walk comes next")
    }

    /// The page with its references replaced and everything active removed; also used for frame documents.
    package static func rewritten(
        _ page: [UInt8], _ context: PageContext, by replace: (PageReference) -> Replacement
    ) -> [UInt8] {
        preconditionFailure("declared for its users; the walk comes next")
    }
}

/// Style sheets: the same for the bytes of a sheet in UTF-8.
package enum StyleSheetRewriting {
    package static func references(of sheet: [UInt8], url: WebURL) -> [PageReference] {
        preconditionFailure("declared for its users; the walk comes next")
    }

    /// The sheet with its references replaced, without `@charset` (it is UTF-8 now).
    package static func rewritten(
        _ sheet: [UInt8], url: WebURL, by replace: (PageReference) -> Replacement
    ) -> [UInt8] {
        preconditionFailure("declared for its users; the walk comes next")
    }
}

/// SVG files as assets: XML, rewritten as XML.
package enum SVGDocument {
    package static func references(of document: [UInt8], url: WebURL) -> [PageReference] {
        preconditionFailure("declared for its users; the walk comes next")
    }

    package static func rewritten(
        _ document: [UInt8], url: WebURL, by replace: (PageReference) -> Replacement
    ) -> [UInt8] {
        preconditionFailure("declared for its users; the walk comes next")
    }
}
