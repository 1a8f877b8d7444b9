internal import Capture
internal import Files
internal import HTML
internal import Reader
internal import Time
internal import URLs
internal import WorkerProtocol

extension LinkCheckOrder {
    func run() {
        do {
            var options = LinkCheck.Options()
            options.timeout = .seconds(max(1, min(seconds, 3600)))
            // A link that the person typed may be a private one.
            let typed = access.isTyped && urls.count == 1 ? WebURL(urls[0])?.hostPort : nil
            let rule = AddressRule(
                allowsPrivate: access.allowsPrivate, allowed: Set(access.allowed.compactMap { HostPort($0) }),
                typed: typed)
            let check = try LinkCheck(rule: rule, options: options)
            for (index, text) in urls.enumerated() {
                guard let url = WebURL(text), url.isHTTP else {
                    var finding = Finding(index: index, .dead)
                    finding.kind = .brokenAnswer
                    finding.error = CaptureDetail(.linkNotHTTP)
                    Answer<Self>.progress(finding)
                    continue
                }
                check.submit(url) { Answer<Self>.progress(Finding(index: index, $0)) }
            }
            check.run(until: .now + .seconds(patience))
            Answer<Self>.result(Reply(count: urls.count))
        } catch {
            Answer<Self>.error(CaptureDetail(error))
        }
    }
}

extension LinkCheckOrder.Finding {
    init(index: Int, _ verdict: LinkVerdict) {
        self.init(index: index, verdict.state)
        httpStatus = verdict.status
        movedTo = verdict.movedTo
        isBlocked = verdict.isBlocked
        kind = verdict.kind
        error = verdict.error
    }
}

extension FaviconOrder {
    func run(_ means: HandedMeans) {
        do {
            Answer<Self>.result(Reply(path: try FaviconCapture.run(self, means)))
        } catch {
            Answer<Self>.error(CaptureDetail(error))
        }
    }
}

extension IdentifyOrder {
    func run() {
        do {
            let identity = try SavedPageFile.identify(path: file)
            Answer<Self>.result(Reply(kind: identity?.kind, url: identity?.url))
        } catch {
            Answer<Self>.error(CaptureDetail(error))
        }
    }
}

extension LinksOrder {
    func run() {
        guard let url = WebURL(url) else { return Answer<Self>.error(CaptureDetail(.notHTTP, url)) }
        do {
            let links = PageLinks.of(try PageFile.read(file), url: url)
            Answer<Self>.result(Reply(links: links.map { PageLink(url: $0.url.href, text: $0.text) }))
        } catch {
            Answer<Self>.error(CaptureDetail(error))
        }
    }
}

extension ReadOrder {
    func run() {
        do {
            let page = try PageFile.read(file)
            let width = max(20, min(width, 1000))
            let text =
                isWhole
                ? TerminalText.render(whole: page, width: width)
                : TerminalText.render(Article(page: page, url: url, today: Timestamp.now.localDate), width: width)
            Answer<Self>.result(Reply(text: text))
        } catch {
            Answer<Self>.error(CaptureDetail(error))
        }
    }
}

/// A whole page of a library.
enum PageFile {
    static func read(_ path: String) throws(FileError) -> [UInt8] {
        let file = try Descriptor.open(path: path)
        return try file.readAll(expecting: file.status().byteCount, limit: 256 << 20)
    }
}
