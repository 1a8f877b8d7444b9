internal import Files
internal import HTML
internal import URLs
internal import WorkerProtocol

/// All files that a page refers to, including those that its style sheets, frames and drawings refer to.
///
/// Each URL is requested once. Pictures, fonts and sound are written to assets/ on arrival and released; text that
/// refers to other files is kept until it is rewritten (`PageOutput`).
final class PageAssets {
    /// The result for a URL.
    enum Content {
        case waiting
        /// Written to assets/ under `name`.
        case file(name: String, type: RealType)
        /// A style sheet, an SVG drawing, a page, or a file that may be one of them.
        case text(LoadedResource, type: RealType)
        case missing(LoadFailure)
    }

    /// Limits of one capture besides those of its loader.
    struct Limits {
        /// The number of URLs; further ones are missing.
        var count = 5000
        /// The nesting of frames in frames, and of style sheets that import others.
        var frameDepth = 4
        var importDepth = 16
        /// Bytes of one text that is kept in memory.
        var textByteCount = 16 << 20
    }

    private struct Task: Hashable {
        enum Role: Hashable { case styleSheet, frame, drawing }

        let key: String
        let role: Role
    }

    let folder: AssetFolder
    private let loader: any ResourceLoader
    private let limits: Limits
    private(set) var contents: [String: Content] = [:]
    /// Actions that wait for a URL's content.
    private var waiting: [String: [(Content) -> Void]] = [:]
    private var begun: Set<Task> = []
    /// The first error of the disk; the capture then fails.
    private(set) var fault: FileError?
    /// The page's encoding, for style sheets that do not declare one.
    private let environment: CharacterEncoding

    init(
        _ loader: any ResourceLoader, in folder: AssetFolder, environment: CharacterEncoding, limits: Limits = Limits()
    ) {
        self.loader = loader
        self.folder = folder
        self.environment = environment
        self.limits = limits
    }

    /// The result for a URL without its fragment.
    func content(of url: WebURL) -> Content { contents[url.withoutFragment.href] ?? .missing(.unobtainable) }

    func isImage(_ url: WebURL) -> Bool {
        switch content(of: url) {
        case .file(_, let type), .text(_, let type): type.isImage
        case .waiting, .missing: false
        }
    }

    /// The number of URLs that exist but are missing because of a limit, and the first reason.
    var beyondLimits: (count: Int, reason: CaptureDetail)? {
        let reasons = contents.values.compactMap { content in
            if case .missing(.beyondLimits(let reason)) = content { reason } else { nil }
        }
        return reasons.first.map { (reasons.count, $0) }
    }

    /// The attributes by which a loaded sheet or document may select.
    var selectedSpellings: KeptSpellings {
        contents.values.reduce(into: []) { found, content in
            if case .text(let resource, _) = content { found.formUnion(KeptSpellings.selected(in: resource.body)) }
        }
    }

    var missingCount: Int {
        contents.values.count { if case .missing = $0 { true } else { false } }
    }

    // MARK: Loading

    /// Loads the files that a document and its frames refer to.
    ///
    /// - Parameter frames: documents that a browser rendered, by frame number.
    /// - Returns: the references of the document itself.
    @discardableResult
    func gather(_ page: [UInt8], _ context: PageContext, frames: [RenderedFrame]) -> [PageReference] {
        let references = PageRewriting.references(of: page, context).references
        gather(references, from: context.url, frames, depth: 0)
        loader.finish()
        return references
    }

    private func gather(_ references: [PageReference], from referrer: WebURL, _ frames: [RenderedFrame], depth: Int) {
        for reference in references {
            if let number = reference.frameNumber, frames.indices.contains(number),
                let document = frames[number].document
            {
                gatherFrame(document, number, frames, depth: depth + 1)
                continue
            }
            want(reference, from: referrer, frames, depth: depth)
        }
    }

    /// Loads the files of a document that a browser rendered in a frame.
    private func gatherFrame(_ document: RenderedDocument, _ number: Int, _ frames: [RenderedFrame], depth: Int) {
        guard depth <= limits.frameDepth, begun.insert(Task(key: "#\(number)", role: .frame)).inserted,
            let context = PageContext(rendered: document)
        else { return }
        gather(PageRewriting.references(of: document.html, context).references, from: context.url, frames, depth: depth)
    }

    private func want(_ reference: PageReference, from referrer: WebURL, _ frames: [RenderedFrame], depth: Int) {
        let url = reference.url
        let role: Task.Role?
        let bound: Int
        switch reference.kind {
        case .styleSheet, .importedStyleSheet: (role, bound) = (.styleSheet, limits.importDepth)
        case .frame, .object: (role, bound) = (.frame, limits.frameDepth)
        case .image, .icon, .mask, .sprite, .poster, .metaImage: (role, bound) = (.drawing, limits.importDepth)
        case .font, .media, .track: (role, bound) = (nil, 0)
        }
        if url.scheme == "data" {
            // Only these may refer to other files; pictures stay as they are.
            guard role == .styleSheet || role == .frame, let data = DataURL(url) else { return }
            let resource = LoadedResource(url: url, contentType: data.mimeType, body: data.body)
            receive(.success(resource), for: url, as: Self.purpose(of: reference.kind))
        } else if loader.canLoad(url) {
            begin(url, for: Self.purpose(of: reference.kind), from: referrer)
        } else {
            return
        }
        guard let role, depth < bound, begun.insert(Task(key: url.withoutFragment.href, role: role)).inserted else {
            return
        }
        whenThere(url) { [self] content in
            guard case .text(let resource, let type) = content else { return }
            switch role {
            case .styleSheet:
                guard !type.isPage, !type.isDrawing else { return }
                let sheet = text(ofSheet: resource)
                gather(
                    StyleSheetRewriting.references(of: sheet, url: resource.url), from: resource.url, frames,
                    depth: depth + 1)
            case .frame where type.isPage:
                let context = PageContext(url: resource.url, syntax: type.isXML ? .xhtml : .html)
                let page = text(ofPage: resource)
                gather(
                    PageRewriting.references(of: page, context).references, from: resource.url, frames, depth: depth + 1
                )
            case .frame, .drawing:
                guard type.isDrawing else { return }
                let drawing = text(ofPage: resource)
                gather(
                    SVGDocument.references(of: drawing, url: resource.url), from: resource.url, frames, depth: depth + 1
                )
            }
        }
    }

    private static func purpose(of kind: PageReference.Kind) -> FetchRequest.Purpose {
        switch kind {
        case .styleSheet, .importedStyleSheet: .styleSheet
        case .image, .poster, .icon, .metaImage, .sprite, .mask: .image
        case .font: .font
        case .media: .media
        case .track: .track
        case .frame: .document
        case .object: .other
        }
    }

    private func whenThere(_ url: WebURL, _ body: @escaping (Content) -> Void) {
        let key = url.withoutFragment.href
        if case .waiting = contents[key] ?? .waiting {
            waiting[key, default: []].append(body)
        } else {
            body(content(of: url))
        }
    }

    /// Requests another file, such as an icon that the page does not name.
    func begin(_ url: WebURL, for purpose: FetchRequest.Purpose, from referrer: WebURL) {
        let key = url.withoutFragment.href
        if contents[key] != nil { return }
        guard contents.count < limits.count else {
            // These are enough for the report; further ones are missing too.
            if contents.count < limits.count * 20 {
                contents[key] = .missing(.beyondLimits(CaptureDetail(.tooManyFiles, String(limits.count))))
            }
            return
        }
        contents[key] = .waiting
        loader.load(url, for: purpose, from: referrer) { [self] in receive($0, for: url, as: purpose) }
    }

    private func receive(
        _ result: Result<LoadedResource, LoadFailure>, for url: WebURL, as purpose: FetchRequest.Purpose
    ) {
        let key = url.withoutFragment.href
        if let there = contents[key] {
            guard case .waiting = there else { return }
        }
        let content = content(from: result, as: purpose)
        contents[key] = content
        for body in waiting.removeValue(forKey: key) ?? [] { body(content) }
    }

    private func content(
        from result: Result<LoadedResource, LoadFailure>, as purpose: FetchRequest.Purpose
    ) -> Content {
        switch result {
        case .failure(let failure): return .missing(failure)
        case .success(let resource):
            let type = RealType(resource, for: purpose)
            if type.mayReferToMore {
                guard resource.body.count <= limits.textByteCount else {
                    return .missing(.beyondLimits(CaptureDetail(.textSize, String(limits.textByteCount))))
                }
                return .text(resource, type: type)
            }
            do throws(FileError) {
                return .file(name: try folder.add(resource.body, fileExtension: type.fileExtension), type: type)
            } catch {
                fault = fault ?? error
                return .missing(.beyondLimits(CaptureDetail(.words, error.description)))
            }
        }
    }

    // MARK: Text

    /// A style sheet in UTF-8: CSS Syntax Level 3, section 3.2.
    func text(ofSheet resource: LoadedResource) -> [UInt8] {
        if resource.isDecoded { return resource.body }
        let (encoding, _) = CharacterEncoding.ofStyleSheet(
            resource.body, contentType: resource.contentType, environment: environment)
        return encoding.decode(resource.body).utf8
    }

    /// A page or drawing in UTF-8.
    func text(ofPage resource: LoadedResource) -> [UInt8] {
        if resource.isDecoded { return resource.body }
        return CharacterEncoding.ofPage(resource.body, contentType: resource.contentType).encoding.decode(resource.body)
            .utf8
    }
}

extension PageContext {
    /// The context of a document that a browser rendered; `nil` if its address is no valid URL.
    init?(rendered document: RenderedDocument) {
        guard let url = WebURL(document.baseURL) ?? WebURL(document.url) else { return nil }
        self.init(url: url.withoutCredentials, hasRunScripts: true)
    }
}
