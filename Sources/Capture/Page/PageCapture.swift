internal import Files
internal import HTML
internal import Reader
internal import Time
internal import URLs
package import WorkerProtocol

/// Saves one page into an empty folder: page.html, reader.html and assets/, or the document behind the link.
///
/// The order is the whole state; only the browser is kept between captures. A failed capture may leave files: the
/// caller discards the folder.
package struct PageCapture {
    private let order: CaptureOrder
    private let deadline: ContinuousClock.Instant
    private let progress: (CaptureProgress) -> Void

    package init(_ order: CaptureOrder, progress: @escaping (CaptureProgress) -> Void = { _ in }) {
        self.order = order
        deadline = .now + .seconds(max(1, min(order.seconds, 3600)))
        self.progress = progress
    }

    /// Saves the page. Each failure is a report with its reason.
    ///
    /// - Returns: `nil` if `CaptureMeans.isWornOut` holds; nothing was written then.
    package func run(_ means: some CaptureMeans) -> CaptureReport? {
        do {
            return try capture(means)
        } catch is BrowserFailure where means.isWornOut {
            return nil
        } catch let failure as CaptureFailure {
            var report = CaptureReport.failed(failure.kind, failure.detail)
            report.isNetworkFailure = failure.isOfNetwork
            return report
        } catch {
            return .failed(.machine, CaptureDetail(.words, "\(error)"))
        }
    }

    private func capture(_ means: some CaptureMeans) throws -> CaptureReport {
        guard let url = WebURL(order.url), url.isHTTP else {
            throw CaptureFailure(.brokenAnswer, CaptureDetail(.notHTTP, order.url))
        }
        let folder = try AssetFolder(in: order.folder)
        if let path = order.savedFile {
            let (source, loader) = try SavedPageFile.open(path, for: url)
            return try save(source, loader, folder)
        }
        let target = FetchTarget(order)
        let wantsPrints = order.isPrinted || order.isPictured
        let fetcher = try means.fetcher(target)
        let cookies = target.access.cookieFile == nil ? [] : try fetcher.cookies(until: deadline)
        if let browser = try means.browser(order.browser) {
            do {
                return try rendered(url, in: browser, target, cookies, fetcher, folder)
            } catch let failure as BrowserFailure where failure.isOfBrowser {
                means.drop(browser, before: deadline)
                if means.isWornOut { throw failure }
                // The page can still be fetched without a browser.
                progress(.browserFailed(failure))
            }
        } else if wantsPrints {
            throw CaptureFailure(.machine, CaptureDetail(.printsNeedBrowser))
        }
        return try fetched(url, fetcher, folder)
    }

    // MARK: With a browser

    private func rendered(
        _ url: WebURL, in browser: Browser, _ target: FetchTarget, _ cookies: [Cookie], _ fetcher: any Fetching,
        _ folder: AssetFolder
    ) throws -> CaptureReport {
        progress(.rendering)
        var request = RenderRequest(
            url: url, addressRule: Reach.rule(target, memory: nil), deadline: deadline - .seconds(2))
        request.cookies = cookies
        request.keepsCovers = order.isAsIs
        request.wantsPrint = order.isPrinted
        request.wantsPicture = order.isPictured
        let page: RenderedPage
        do {
            page = try browser.render(request)
        } catch .pageCrashed(let address) {
            // The browser goes on; the page can be fetched without it.
            progress(.browserFailed(.pageCrashed(url: address)))
            if order.isPrinted || order.isPictured { throw CaptureFailure(.pageCrashed(url: address)) }
            return try fetched(url, fetcher, folder)
        } catch {
            if error.isOfBrowser { throw error }
            throw CaptureFailure(error)
        }
        guard let document = page.document, let context = PageContext(rendered: document) else {
            if let failure = CaptureFailure(status: page.status ?? 200, isPage: false) { throw failure }
            let type = RealType(essence: page.contentType)
            if let body = page.body, let final = WebURL(page.finalURL) {
                return try self.document(body, type: type, url: final, by: "browser", folder, disposition: nil)
            }
            // The limit of our own fetcher is the same.
            if page.isTooLarge {
                throw CaptureFailure(.tooLarge, CaptureDetail(.assetSize, String(request.limits.bodyBytes)))
            }
            return try fetched(url, fetcher, folder)
        }
        if let failure = CaptureFailure(status: page.status ?? 200) { throw failure }
        if page.isEmpty { throw CaptureFailure(.brokenAnswer, CaptureDetail(.emptyAnswer)) }
        let loader = RenderedLoader(page.resources, rest: FetchLoader(fetcher, deadline: deadline))
        var source = PageSource(
            html: document.html, context: context, encoding: .utf8, status: page.status ?? 200, frames: page.frames,
            capturedBy: "browser", finalURL: WebURL(page.finalURL) ?? context.url)
        source.coverCount = page.coverCount
        source.isUnfinished = page.isUnfinished
        source.cut = page.cutAfter.map { CaptureDetail(.incomplete, String($0)) }
        source.prints = prints(page)
        return try save(source, loader, folder)
    }

    // MARK: Without

    private func fetched(_ url: WebURL, _ fetcher: any Fetching, _ folder: AssetFolder) throws -> CaptureReport {
        progress(.fetching)
        var request = FetchRequest(url, for: .document)
        if order.entityTag != nil || order.lastModified != nil {
            request.validators = .init(entityTag: order.entityTag, lastModified: order.lastModified)
        }
        var (response, type) = try answer(to: request, fetcher)
        if response.status == 304 { return CaptureReport(.unchanged) }
        var cut: CaptureDetail?
        var followed: Set<WebURL> = [response.finalURL.withoutFragment]
        while cut == nil, followed.count <= Self.refreshLimit, let next = next(after: response, type),
            followed.insert(next.withoutFragment).inserted
        {
            do {
                (response, type) = try answer(to: FetchRequest(next, for: .document), fetcher)
            } catch let failure as CaptureFailure {
                // The page that leads there is all that there is.
                cut = failure.detail
            }
        }
        guard type.isPage else {
            return try document(
                response.body, type: type, url: response.finalURL, by: "fetch", folder,
                disposition: response.fields["content-disposition"])
        }
        var source = page(of: response, type)
        source.cut = cut
        source.entityTag = response.fields["etag"]
        source.lastModified = response.fields["last-modified"]
        return try save(source, FetchLoader(fetcher, deadline: deadline), folder)
    }

    /// - Throws: `CaptureFailure` for an answer of which nothing can be saved.
    private func answer(
        to request: FetchRequest, _ fetcher: any Fetching
    ) throws -> (response: FetchResponse, type: RealType) {
        var answer: Result<FetchResponse, FetchFailure>?
        fetcher.submit(request) { answer = $0 }
        fetcher.run(until: deadline)
        let response: FetchResponse
        switch answer {
        case .success(let there): response = there
        case .failure(let failure): throw CaptureFailure(failure)
        case nil: throw CaptureFailure(.worker, CaptureDetail(.noFetchAnswer))
        }
        let type = RealType(
            LoadedResource(url: response.finalURL, contentType: response.contentType, body: response.body),
            for: .document)
        if response.status == 304 { return (response, type) }
        if let failure = CaptureFailure(status: response.status, isPage: type.isPage) { throw failure }
        if response.body.isEmpty { throw CaptureFailure(.brokenAnswer, CaptureDetail(.emptyAnswer)) }
        return (response, type)
    }

    private func page(of response: FetchResponse, _ type: RealType) -> PageSource {
        let (encoding, _) = CharacterEncoding.ofPage(response.body, contentType: response.contentType)
        return PageSource(
            html: encoding.decode(response.body).utf8,
            context: PageContext(url: response.finalURL, syntax: type.isXML ? .xhtml : .html), encoding: encoding,
            status: response.status, frames: [], capturedBy: "fetch", finalURL: response.finalURL)
    }

    private static let refreshLimit = 5
    /// A browser waits so long for a page that leads to another one.
    private static let refreshSeconds = 6

    /// Where a page that shows little text leads within a few seconds, as a browser would follow it.
    private func next(after response: FetchResponse, _ type: RealType) -> WebURL? {
        // An error page stays what it is.
        guard type.isPage, response.status < 300 else { return nil }
        let html = page(of: response, type).html
        let field = response.fields["refresh"].flatMap { RefreshOrder(Array($0.utf8)) }
        guard let order = RefreshOrder.of(html, field: field), order.seconds <= Self.refreshSeconds else { return nil }
        let base = BaseElement.url(in: html, isXML: type.isXML, fallback: response.finalURL)
        guard let next = WebURL(order.url, base: base), next.isHTTP else { return nil }
        return next
    }

    // MARK: Writing the page

    private func save(
        _ source: PageSource, _ loader: any ResourceLoader, _ folder: AssetFolder
    ) throws -> CaptureReport {
        var source = source
        // Without a browser there is none of them.
        if source.capturedBy != "browser" { source.prints = prints(nil) }
        return try PageArchive(source, loader, folder, progress: progress).write()
    }

    private func prints(_ page: RenderedPage?) -> [(name: String, bytes: [UInt8]?)] {
        (order.isPrinted ? [("page.pdf", page?.print)] : []) + (order.isPictured ? [("page.png", page?.picture)] : [])
    }

    private func document(
        _ body: [UInt8], type: RealType, url: WebURL, by: String, _ folder: AssetFolder, disposition: String?
    ) throws -> CaptureReport {
        let named = disposition.flatMap(ContentDisposition.init)?.fileName
        let name = DocumentName.make(from: named, url: url, type: type)
        var report = CaptureReport(.full)
        report.capturedBy = by
        report.finalURL = url.withoutCredentials.href
        report.document = try folder.writeDocument(body, named: name)
        return report
    }
}

/// The progress of a capture.
package enum CaptureProgress: Sendable {
    case rendering
    case fetching
    case browserFailed(BrowserFailure)
    case writing(files: Int)
}
