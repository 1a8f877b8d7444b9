import JSONFormat
import Testing
import WorkerProtocol

/// Each order and answer that one side writes is read unchanged by the other.
struct RoundTripTests {
    /// The order as the worker reads it.
    private func read(_ order: some WorkOrder) throws -> AnyOrder {
        let line = order.line
        #expect(line.last == 0x0A && line.count { $0 == 0x0A } == 1, "an order is one line")
        return try AnyOrder(line: Array(line.dropLast()))
    }

    private func check<Order: WorkOrder>(_ answer: WorkerAnswer<Order>) throws -> WorkerAnswer<Order> {
        let line = answer.line
        #expect(line.last == 0x0A && line.count { $0 == 0x0A } == 1, "an answer is one line")
        return try WorkerAnswer<Order>(line: Array(line.dropLast()))
    }

    @Test(arguments: SampleOrders.capture + [CaptureOrder(url: "u", folder: "f")])
    func capture(order: CaptureOrder) throws {
        guard case .capture(let there) = try read(order) else { throw WireFault("another kind") }
        #expect(there == order)
    }

    @Test(arguments: SampleOrders.favicon + [FaviconOrder(url: "u", folder: "f")])
    func favicon(order: FaviconOrder) throws {
        guard case .favicon(let there) = try read(order) else { throw WireFault("another kind") }
        #expect(there == order)
    }

    @Test(arguments: SampleOrders.linkCheck + [LinkCheckOrder(urls: [])])
    func `check-links`(order: LinkCheckOrder) throws {
        guard case .checkLinks(let there) = try read(order) else { throw WireFault("another kind") }
        #expect(there == order)
    }

    @Test(arguments: SampleOrders.identify)
    func identify(order: IdentifyOrder) throws {
        guard case .identify(let there) = try read(order) else { throw WireFault("another kind") }
        #expect(there == order)
    }

    @Test(arguments: SampleOrders.read + [ReadOrder(file: "f", url: "u")])
    func read(order: ReadOrder) throws {
        guard case .read(let there) = try read(order) else { throw WireFault("another kind") }
        #expect(there == order)
    }

    @Test(arguments: SampleOrders.links)
    func links(order: LinksOrder) throws {
        guard case .links(let there) = try read(order) else { throw WireFault("another kind") }
        #expect(there == order)
    }

    @Test(arguments: SampleOrders.trial + [TrialOrder(profile: "parse", action: "read")])
    func trial(order: TrialOrder) throws {
        guard case .trial(let there) = try read(order) else { throw WireFault("another kind") }
        #expect(there == order)
    }

    @Test(
        arguments: SampleAnswers.report + [
            CaptureReport(.unchanged), .failed(.machine, CaptureDetail(.words, "no space")),
        ])
    func `a capture's report`(report: CaptureReport) throws {
        guard case .result(let there) = try check(WorkerAnswer<CaptureOrder>.result(report)) else {
            throw WireFault("another answer")
        }
        #expect(there == report)
    }

    @Test(arguments: [CaptureStep.rendering, .fetching, .writing(files: 0), .writing(files: 412)])
    func `a capture's steps`(step: CaptureStep) throws {
        guard case .progress(let there) = try check(WorkerAnswer<CaptureOrder>.progress(step)) else {
            throw WireFault("another answer")
        }
        #expect(there == step)
    }

    @Test(
        arguments: SampleAnswers.finding + [
            LinkCheckOrder.Finding(index: 0, .valid), LinkCheckOrder.Finding(index: 1, .dead),
        ])
    func `what became of a link`(finding: LinkCheckOrder.Finding) throws {
        guard case .progress(let there) = try check(WorkerAnswer<LinkCheckOrder>.progress(finding)) else {
            throw WireFault("another answer")
        }
        #expect(there == finding)
    }

    @Test func `the short replies`() throws {
        guard case .result(let count) = try check(WorkerAnswer<LinkCheckOrder>.result(.init(count: 12))),
            case .result(let icon) = try check(WorkerAnswer<FaviconOrder>.result(.init(path: "assets/1.png"))),
            case .result(let noIcon) = try check(WorkerAnswer<FaviconOrder>.result(.init(path: nil))),
            case .result(let page) = try check(
                WorkerAnswer<IdentifyOrder>.result(.init(kind: .mhtml, url: "http://a/"))),
            case .result(let noPage) = try check(WorkerAnswer<IdentifyOrder>.result(.init(kind: nil, url: nil))),
            case .result(let links) = try check(WorkerAnswer<LinksOrder>.result(SampleAnswers.links)),
            case .result(let trial) = try check(WorkerAnswer<TrialOrder>.result(.init(outcome: "EPERM")))
        else { throw WireFault("another answer") }
        #expect(count == .init(count: 12))
        #expect(icon.path == "assets/1.png" && noIcon.path == nil)
        #expect(page == .init(kind: .mhtml, url: "http://a/") && noPage == .init(kind: nil, url: nil))
        #expect(links == SampleAnswers.links)
        #expect(trial.outcome == "EPERM")
    }

    @Test(arguments: hardStrings) func `text, errors and notes`(text: String) throws {
        guard case .result(let reply) = try check(WorkerAnswer<ReadOrder>.result(.init(text: text))),
            case .error(let error) = try check(WorkerAnswer<ReadOrder>.error(CaptureDetail(.words, text))),
            case .note(let note) = try check(
                WorkerAnswer<ReadOrder>.note(.withoutBrowser(CaptureDetail(.connect, "host", text))))
        else { throw WireFault("another answer") }
        #expect(Array(reply.text.utf8) == Array(text.utf8))
        #expect(error == CaptureDetail(.words, text))
        #expect(Array(error.description.utf8) == Array(text.utf8))
        #expect(note == .withoutBrowser(CaptureDetail(.connect, "host", text)))
    }
}
