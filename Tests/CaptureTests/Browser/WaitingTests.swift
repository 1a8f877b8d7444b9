import Glibc
import TestSupport
import Testing

@testable import Capture

/// What a capture waits for, with the installed browser.
@Suite(
    .enabled(
        if: Machine.mustRunAll || BrowserTrial.installed != nil, "no Chromium, Chrome, Edge or Brave is installed"),
    .serialized)
struct WaitingTests {
    @Test func `a page's window loads no page of the browser's own`() throws {
        let trial = try BrowserTrial([:])
        let end = ContinuousClock.now + .seconds(60)
        let context = try trial.browser.call(
            "Target.createBrowserContext", [.init("disposeOnDetach", .bool(true))], until: end
        ).string("browserContextId")
        _ = try trial.browser.call(
            "Target.createTarget",
            [
                .init("url", .string("about:blank")), .init("browserContextId", .string(context ?? "")),
                .init("width", .integer(1280)), .init("height", .integer(800)),
            ], until: end)
        let targets = try trial.browser.call(
            "Target.getTargets", [.init("filter", .array([.object([])]))], until: end)
        let urls = targets.value("targetInfos").map(targets.document.elements)?.compactMap {
            targets.document.member("url", of: $0).flatMap(targets.document.string)
        }
        #expect(Set(urls ?? []) == ["about:blank"])
        try trial.end()
    }
}
