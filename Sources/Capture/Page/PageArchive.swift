internal import HTML
internal import Reader
internal import Time
internal import URLs
internal import WorkerProtocol

/// Writes a page that was fetched or rendered: loads the files that it refers to, extracts its article, and puts
/// page.html, reader.html and assets/ into the archive's folder.
struct PageArchive {
    private let source: PageSource
    private let loader: any ResourceLoader
    private let folder: AssetFolder
    private let progress: (CaptureProgress) -> Void

    init(
        _ source: PageSource, _ loader: any ResourceLoader, _ folder: AssetFolder,
        progress: @escaping (CaptureProgress) -> Void
    ) {
        self.source = source.withoutCredentials
        self.loader = loader
        self.folder = folder
        self.progress = progress
    }

    func write() throws -> CaptureReport {
        let assets = PageAssets(loader, in: folder, environment: source.encoding)
        let references = assets.gather(source.html, source.context, frames: source.frames)
        // An icon that the page does not name is no part of it: without one, nothing is missing.
        let missing = (count: assets.missingCount, beyondLimits: assets.beyondLimits)
        let favicon = fetchFavicon(assets, of: references)
        if let fault = assets.fault { throw fault }
        let output = PageOutput(assets, frames: source.frames)
        var context = source.context
        context.marks = marks
        let page = output.page(source.html, context)
        if let fault = output.fault { throw fault }
        try folder.writePage("page.html", page)
        let article = article(assets)
        let quality = article.quality(status: source.status)
        if quality.wordCount > 0 {
            let reader = ReaderPage.html(article, original: source.finalURL) { output.imagePath($0) }
            try folder.writePage("reader.html", reader)
        }
        for case (let name, let bytes?) in source.prints { try folder.writePage(name, bytes) }
        progress(.writing(files: folder.count))
        var report = judged(article, quality)
        report.missingCount = missing.count
        report.lostPrints = source.prints.filter { $0.bytes == nil }.map(\.name)
        if report.status == .full, source.isUnfinished {
            report.status = .partial
            report.kind = .timeout
            report.diagnostic = CaptureDetail(.stillLoading)
        }
        if report.status == .full, let cut = source.cut {
            report.status = .partial
            report.kind = .brokenAnswer
            report.diagnostic = cut
        }
        if report.status == .full, let (count, reason) = missing.beyondLimits {
            report.status = .partial
            report.kind = .missingFiles
            report.diagnostic = .missingFiles(count, reason)
        }
        report.favicon = favicon.flatMap(output.imagePath)
        return report
    }

    /// The article, which may be in a frame.
    private func article(_ assets: PageAssets) -> Article {
        let article = article(of: source.html)
        guard let page = FramedPage(source, assets).page(besides: article.text.utf8.count) else { return article }
        return self.article(of: page)
    }

    private func article(of page: [UInt8]) -> Article {
        Article(
            page: page, contentType: "text/html; charset=utf-8", url: source.context.url.href,
            today: Timestamp.now.localDate)
    }

    /// The `meta` elements with which page.html describes its own capture: FORMAT.md § Saved pages.
    private var marks: [PageContext.Mark] {
        var marks: [PageContext.Mark] = [
            .init("sbfs:url", source.finalURL.href), .init("sbfs:saved", Timestamp.now.rfc3339),
        ]
        if let tag = source.entityTag { marks.append(.init("sbfs:etag", tag)) }
        if let date = source.lastModified { marks.append(.init("sbfs:last-modified", date)) }
        if source.coverCount > 0 { marks.append(.init("sbfs:covers", "\(source.coverCount)")) }
        return marks
    }

    /// The site's icon: the best that the page names, else /favicon.ico.
    private func fetchFavicon(_ assets: PageAssets, of references: [PageReference]) -> WebURL? {
        let candidates = references.filter { $0.kind == .icon }.compactMap(FaviconChoice.Candidate.init)
        for url in FaviconChoice.order(candidates, page: source.finalURL) {
            assets.begin(url, for: .image, from: source.finalURL)
            loader.finish()
            if assets.isImage(url) { return url }
        }
        return nil
    }

    private func judged(_ article: Article, _ quality: PageQuality) -> CaptureReport {
        var report = CaptureReport(.full)
        report.capturedBy = source.capturedBy
        report.finalURL = source.finalURL.href
        report.title = article.title
        report.author = article.authors.isEmpty ? nil : article.authors.joined(separator: ", ")
        report.site = article.siteName
        report.language = article.language
        report.summary = article.description
        report.publishedDate = article.published
        report.canonicalURL = article.canonicalURL?.withoutCredentials.href
        report.wordCount = quality.wordCount
        report.assetCount = folder.count
        report.entityTag = source.entityTag
        report.lastModified = source.lastModified
        report.coverCount = source.coverCount
        let found: (kind: CaptureReason, detail: CaptureDetail.Code)? =
            switch quality.kind {
            case .login: (.login, .login)
            case .blocked: (.blocked, .robots)
            case .error: (.errorPage, .errorMessage)
            case .article, .empty:
                if source.capturedBy == "fetch", quality.needsScript {
                    (.needsScript, .needsScript)
                } else {
                    quality.kind == .empty ? (.emptyPage, .emptyPage) : nil
                }
            }
        if let found {
            report.status = .partial
            report.kind = found.kind
            report.diagnostic = CaptureDetail(found.detail)
        }
        return report
    }
}
