internal import Capture
internal import Files
internal import HTML
internal import JSONFormat
internal import Reader
internal import Time
internal import URLs
internal import Work

/// `check-links`: whether links still answer; one line of progress for each.
enum CheckLinksOrder {
    static func run(_ order: Message) {
        do {
            var options = LinkCheck.Options()
            options.timeout = .seconds(max(1, order.integer("seconds") ?? 10))
            let allowed = Set(order.strings("allowed").compactMap { HostPort($0) })
            let urls = order.strings("urls")
            // One that the person typed may be a private one.
            let typed = order.bool("typed") && urls.count == 1 ? WebURL(urls[0])?.hostPort : nil
            let rule = AddressRule(allowsPrivate: order.bool("allowPrivate"), allowed: allowed, typed: typed)
            let check = try LinkCheck(rule: rule, options: options)
            for (index, text) in urls.enumerated() {
                guard let url = WebURL(text), url.isHTTP else {
                    tell(index, "dead", http: nil, kind: .brokenAnswer, error: "it is no http or https URL")
                    continue
                }
                check.submit(url) { verdict in
                    tell(
                        index, verdict.state.rawValue, http: verdict.status, movedTo: verdict.movedTo,
                        isBlocked: verdict.isBlocked, kind: verdict.kind, error: verdict.error)
                }
            }
            let patience = 60 + urls.count * (Int(options.timeout.components.seconds) * 2 + 2)
            check.run(until: .now + .seconds(patience))
            Answer.result(.members([("count", .integer(urls.count))]))
        } catch {
            Answer.error("\(error)")
        }
    }

    private static func tell(
        _ index: Int, _ status: String, http: Int?, movedTo: String? = nil, isBlocked: Bool = false,
        kind: CaptureReason? = nil, error: String? = nil
    ) {
        Answer.progress([
            ("index", .integer(index)), ("status", .string(status)), ("http", http.map(JSON.integer)),
            ("movedTo", movedTo.map(JSON.string)), ("blocked", isBlocked ? .bool(true) : nil),
            ("kind", kind.map { .string($0.rawValue) }), ("error", error.map(JSON.string)),
        ])
    }
}

/// `favicon`: the icon of a site, into a folder.
enum FaviconOrder {
    static func run(_ message: Message, _ means: HandedMeans) {
        guard let order = CaptureOrder(message) else { return Answer.error("favicon needs a url and a folder") }
        do {
            let path = try FaviconCapture.run(order, means)
            Answer.result(.members([("favicon", path.map(JSON.string))]))
        } catch {
            Answer.error("\(error)")
        }
    }
}

/// `identify`: whether a file is a saved page, and of which URL.
enum IdentifyOrder {
    static func run(_ order: Message) {
        do {
            let identity = try order.string("file").flatMap { try SavedPageFile.identify(path: $0) }
            Answer.result(
                .members([
                    ("kind", identity.map { .string($0.kind.rawValue) }), ("url", identity?.url.map(JSON.string)),
                ]))
        } catch {
            Answer.error("\(error)")
        }
    }
}

/// `links`: the links of a saved page.
enum LinksOrder {
    static func run(_ order: Message) {
        guard let file = order.string("file"), let url = WebURL(order.string("url") ?? "about:blank") else {
            return Answer.error("links needs a file and a url")
        }
        do {
            let links = PageLinks.of(try PageFile.read(file), url: url)
            let objects = links.map { link in
                JSON.members([("url", .string(link.url.href)), ("text", link.text.isEmpty ? nil : .string(link.text))])
            }
            Answer.result(.members([("links", .array(objects))]))
        } catch {
            Answer.error("\(error)")
        }
    }
}

/// `read`: a saved page as text for a terminal.
enum ReadOrder {
    static func run(_ order: Message) {
        guard let file = order.string("file") else { return Answer.error("read needs a file") }
        do {
            let page = try PageFile.read(file)
            let width = max(20, min(order.integer("width") ?? 80, 1000))
            let text =
                order.bool("article")
                ? TerminalText.render(readerPage: page, width: width)
                : TerminalText.render(
                    Article(page: page, url: order.string("url") ?? "", today: Timestamp.now.localDate), width: width)
            Answer.result(.members([("text", .string(text))]))
        } catch {
            Answer.error("\(error)")
        }
    }
}

/// A page in a library, read whole.
enum PageFile {
    static func read(_ path: String) throws(FileError) -> [UInt8] {
        let file = try Descriptor.open(path: path)
        return try file.readAll(expecting: file.status().byteCount, limit: 256 << 20)
    }
}
