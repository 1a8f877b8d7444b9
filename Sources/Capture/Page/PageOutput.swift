internal import Files
internal import HTML
internal import URLs

/// Writes the loaded files: style sheets, drawings and frames from the leaves up, so that each is named after its own
/// content and refers to files that exist.
final class PageOutput {
    /// The place of a rewritten document, which decides the relative path to an asset.
    private enum Place {
        case page, assets

        func path(_ name: String) -> String { self == .page ? "assets/" + name : name }
    }

    private typealias Replacement = HTML.Replacement

    private let assets: PageAssets
    private let frames: [RenderedFrame]
    /// Names in assets/ of rewritten documents, by role and URL; `nil` for those that cannot be written.
    private var written: [String: String?] = [:]
    /// Documents that are being rewritten: a sheet that imports itself ends there.
    private var open: Set<String> = []
    private(set) var fault: FileError?
    /// The attributes by which some sheet selects: the same for all documents, since they share sheets.
    private var spellings: KeptSpellings = []

    init(_ assets: PageAssets, frames: [RenderedFrame]) {
        self.assets = assets
        self.frames = frames
    }

    /// The page as saved.
    func page(_ page: [UInt8], _ context: PageContext) -> [UInt8] {
        spellings = assets.selectedSpellings.union(KeptSpellings.selected(in: page))
        for frame in frames {
            if let document = frame.document { spellings.formUnion(KeptSpellings.selected(in: document.html)) }
        }
        return rewritten(page, context, in: .page)
    }

    private func rewritten(_ page: [UInt8], _ context: PageContext, in place: Place) -> [UInt8] {
        var context = context
        context.spellings = spellings
        return PageRewriting.rewritten(page, context) { self.replacement(for: $0, in: place) }
    }

    /// The path of a picture from page.html and reader.html; `nil` if it is missing.
    func imagePath(_ url: WebURL) -> String? {
        switch assets.content(of: url) {
        case .file(let name, let type) where type.isImage: Place.page.path(name)
        case .text(let resource, let type) where type.isDrawing:
            drawing(resource, url).map(Place.page.path)
        default: nil
        }
    }

    // MARK: References

    private func replacement(for reference: PageReference, in place: Place) -> Replacement {
        let url = reference.url
        if reference.kind == .frame || reference.kind == .object, let number = reference.frameNumber,
            frames.indices.contains(number), let document = frames[number].document
        {
            return renderedFrame(document, number).map { .file(place.path($0)) } ?? .missing
        }
        switch (url.scheme, reference.kind) {
        case ("data", .styleSheet), ("data", .importedStyleSheet), ("data", .frame), ("data", .object): break
        case ("data", _), ("about", .frame): return .absolute
        default: break
        }
        switch assets.content(of: url) {
        case .waiting, .missing: return .missing
        case .file(let name, let type): return replacement(name, type, for: reference, in: place)
        case .text(let resource, let type): return replacement(resource, type, for: reference, in: place)
        }
    }

    private func replacement(
        _ name: String, _ type: RealType, for reference: PageReference, in place: Place
    ) -> Replacement {
        switch reference.kind {
        case .image, .poster, .icon, .metaImage: return type.isImage ? .file(place.path(name)) : .missing
        case .mask:
            guard type.isImage, let bytes = try? assets.folder.contents(of: name) else { return .missing }
            return .data(mimeType: type.essence, bytes)
        case .font, .media: return .file(place.path(name))
        case .track: return .missing
        case .frame, .object:
            return type.isImage || type.isMedia || type.essence == "application/pdf"
                ? .file(place.path(name)) : .missing
        case .styleSheet, .importedStyleSheet, .sprite: return .missing
        }
    }

    private func replacement(
        _ resource: LoadedResource, _ type: RealType, for reference: PageReference, in place: Place
    ) -> Replacement {
        let isDrawing = type.isDrawing
        let name: String?
        switch reference.kind {
        case .styleSheet, .importedStyleSheet: name = type.isPage || isDrawing ? nil : sheet(resource, reference.url)
        case .image, .poster, .icon, .metaImage: name = isDrawing ? drawing(resource, reference.url) : nil
        case .mask:
            guard isDrawing else { return .missing }
            return .data(mimeType: type.essence, rewrittenDrawing(resource))
        case .sprite: return isDrawing ? .inlineSVG(assets.text(ofPage: resource)) : .missing
        case .frame, .object:
            name =
                type.isPage
                ? frame(resource, type, reference.url)
                : isDrawing ? drawing(resource, reference.url) : plain(resource, type, reference.url)
        // Browsers refuse subtitles from another file.
        case .track: return type.isPage ? .missing : .data(mimeType: "text/vtt", resource.body)
        case .font, .media: name = type.isPage ? nil : plain(resource, type, reference.url)
        }
        return name.map { .file(place.path($0)) } ?? .missing
    }

    // MARK: Documents

    private func sheet(_ resource: LoadedResource, _ url: WebURL) -> String? {
        once("css", url) {
            StyleSheetRewriting.rewritten(assets.text(ofSheet: resource), url: resource.url, spellings: spellings) {
                self.replacement(for: $0, in: .assets)
            }
        }
    }

    private func drawing(_ resource: LoadedResource, _ url: WebURL) -> String? {
        once("svg", url) { rewrittenDrawing(resource) }
    }

    private func rewrittenDrawing(_ resource: LoadedResource) -> [UInt8] {
        SVGDocument.rewritten(assets.text(ofPage: resource), url: resource.url) {
            self.replacement(for: $0, in: .assets)
        }
    }

    private func frame(_ resource: LoadedResource, _ type: RealType, _ url: WebURL) -> String? {
        once("html", url) {
            let context = PageContext(url: resource.url, syntax: type.isXML ? .xhtml : .html)
            return rewritten(assets.text(ofPage: resource), context, in: .assets)
        }
    }

    private func renderedFrame(_ document: RenderedDocument, _ number: Int) -> String? {
        guard let context = PageContext(rendered: document) else { return nil }
        return once("html", "#\(number)") { rewritten(document.html, context, in: .assets) }
    }

    private func plain(_ resource: LoadedResource, _ type: RealType, _ url: WebURL) -> String? {
        once(type.fileExtension, url) { resource.body }
    }

    private func once(_ fileExtension: String, _ url: WebURL, _ bytes: () -> [UInt8]) -> String? {
        once(fileExtension, url.withoutFragment.href, bytes)
    }

    private func once(_ fileExtension: String, _ key: String, _ bytes: () -> [UInt8]) -> String? {
        let key = fileExtension + " " + key
        if let name = written[key] { return name }
        guard open.insert(key).inserted else { return nil }
        defer { open.remove(key) }
        let name: String?
        do throws(FileError) {
            name = try assets.folder.add(bytes(), fileExtension: fileExtension)
        } catch {
            fault = fault ?? error
            name = nil
        }
        written[key] = name
        return name
    }
}
