import JSONFormat
import WorkerProtocol

/// Strings that are hard to write on one line.
let hardStrings = [
    "", "plain", "two\nlines\r\n", "\"quoted\" \\ back", "\u{0}\u{1F}\u{7F}", "é e\u{301} \u{2028}\u{2029}", "😀 中文",
    "{\"do\":1}",
]

/// An order of every kind with all fields set, for each of the hard strings.
enum SampleOrders {
    static func access(_ text: String) -> NetworkAccess {
        var access = NetworkAccess()
        access.isTyped = true
        access.allowsPrivate = true
        access.allowed = [text, "10.0.0.1:80", text]
        access.cookieFile = text
        return access
    }

    static let capture = hardStrings.map { text in
        var order = CaptureOrder(url: text, folder: text)
        order.access = access(text)
        order.browser = text
        order.seconds = 7
        order.isAsIs = true
        order.savedFile = text
        order.entityTag = text
        order.lastModified = text
        return order
    }

    static let favicon = hardStrings.map { text in
        var order = FaviconOrder(url: text, folder: text)
        order.access = access(text)
        order.seconds = 8
        return order
    }

    static let linkCheck = hardStrings.map { text in
        var order = LinkCheckOrder(urls: [text, text, ""])
        order.access = access(text)
        order.seconds = 9
        return order
    }

    static let identify = hardStrings.map { IdentifyOrder(file: $0) }

    static let read = hardStrings.map { text in
        var order = ReadOrder(file: text, url: text)
        order.width = 33
        order.isWhole = true
        return order
    }

    static let links = hardStrings.map { LinksOrder(file: $0, url: $0) }

    static let trial = hardStrings.map { text in
        var order = TrialOrder(profile: text, action: text)
        order.target = text
        order.file = text
        order.folder = text
        return order
    }
}

/// An answer of every kind with all fields set.
enum SampleAnswers {
    static let report = hardStrings.map { text in
        var report = CaptureReport(.partial)
        report.capturedBy = text
        report.kind = .http(418)
        report.diagnostic = CaptureDetail(.words, text)
        report.isNetworkFailure = true
        report.finalURL = text
        report.title = text
        report.author = text
        report.site = text
        report.language = text
        report.summary = text
        report.publishedDate = text
        report.favicon = text
        report.document = text
        report.wordCount = 1
        report.assetCount = 2
        report.missingCount = 3
        report.coverCount = 4
        report.entityTag = text
        report.lastModified = text
        return report
    }

    static let finding = hardStrings.map { text in
        var finding = LinkCheckOrder.Finding(index: 4, .unknown)
        finding.httpStatus = 503
        finding.movedTo = text
        finding.isBlocked = true
        finding.kind = .timeout
        finding.error = CaptureDetail(.words, text)
        return finding
    }

    static let links = LinksOrder.Reply(links: hardStrings.map { PageLink(url: $0, text: $0) })
}
