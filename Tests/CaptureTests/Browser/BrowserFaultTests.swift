import Glibc
import TestSupport
import Testing
import URLs

@testable import Capture

/// Programs that are no browsers, or broken ones: each failure has its own error, and nothing is left behind.
struct BrowserFaultTests {
    private func startFailure(_ fake: FakeBrowser, patience: Duration = .seconds(120)) throws -> BrowserFailure {
        try #require(throws: BrowserFailure.self) { _ = try fake.start(patience: patience) }
    }

    private func renderFailure(_ browser: Browser, within time: Duration = .seconds(120)) throws -> BrowserFailure {
        let url = try #require(WebURL("http://127.0.0.1:9/"))
        let request = RenderRequest(url: url, addressRule: AddressRule(), deadline: .now + time)
        return try #require(throws: BrowserFailure.self) { _ = try browser.render(request) }
    }

    @Test func `one that exits at once is quoted with its last line`() throws {
        let fake = try FakeBrowser("echo first >&2; echo 'no \u{1B}[31mdisplay' >&2; echo >&2; exit 1")
        #expect(try startFailure(fake) == .didNotStart(path: fake.location.path, said: "no ?[31mdisplay"))
        #expect(try fake.leftovers == [])
    }

    @Test func `one that says nothing is given up`() throws {
        let fake = try FakeBrowser("sleep 600 & sleep 600")
        #expect(try startFailure(fake, patience: .milliseconds(300)) == .hung(waitingFor: "Browser.getVersion"))
        #expect(try fake.leftovers == [])
    }

    @Test func `one that cannot be run did not start`() throws {
        let fake = try FakeBrowser("exit")
        try fake.folder.write("browser", "#!/no/such/shell\n")
        guard case .didNotStart = try startFailure(fake) else { return #expect(Bool(false)) }
        #expect(try fake.leftovers == [])
    }

    @Test(arguments: ["garbage", "[1,2]", "{}", #"{"id":}"#, "\u{1}"])
    func `one that writes anything else does not speak the protocol`(message: String) throws {
        let fake = try FakeBrowser("printf '%s\\0' '\(message)' >&4; sleep 600")
        guard case .wrongProtocol = try startFailure(fake) else { return #expect(Bool(false)) }
        #expect(try fake.leftovers == [])
    }

    @Test func `a message without end is not collected endlessly`() throws {
        let fake = try FakeBrowser("exec cat /dev/zero | tr '\\0' x >&4")
        guard case .wrongProtocol = try startFailure(fake, patience: .seconds(1000)) else {
            return #expect(Bool(false))
        }
        #expect(try fake.leftovers == [])
    }

    @Test func `one that refuses the first command does not speak the protocol`() throws {
        let fake = try FakeBrowser(#"printf '{"id":1,"error":{"message":"never heard of"}}\0' >&4; sleep 600"#)
        #expect(try startFailure(fake) == .wrongProtocol("Browser.getVersion: never heard of"))
    }

    @Test func `one that dies at work has died`() throws {
        let fake = try FakeBrowser("\(FakeBrowser.greeting); head -c 90 <&3 >/dev/null; echo out of luck >&2")
        let browser = try fake.start()
        #expect(browser.version == "Fake/1.0")
        #expect(try renderFailure(browser) == .died(said: "out of luck"))
        #expect(try fake.leftovers == [])
        // It stays dead.
        guard case .died = try renderFailure(browser) else { return #expect(Bool(false)) }
    }

    @Test func `one that stops answering is killed at the deadline`() throws {
        let fake = try FakeBrowser("trap '' TERM INT HUP; \(FakeBrowser.greeting); while :; do sleep 100; done")
        let browser = try fake.start()
        #expect(
            try renderFailure(browser, within: .milliseconds(200)) == .hung(waitingFor: "Target.createBrowserContext"))
        #expect(try fake.leftovers == [])
    }

    @Test func `one that writes without end to standard error does not wait for us`() throws {
        let fake = try FakeBrowser("yes noise | head -c 3000000 >&2; \(FakeBrowser.greeting); sleep 600")
        let browser = try fake.start()
        #expect(browser.version == "Fake/1.0")
        browser.close()
        #expect(try fake.leftovers == [])
    }

    @Test func `letting go of a browser ends it`() throws {
        let fake = try FakeBrowser("\(FakeBrowser.greeting); sleep 600")
        do { _ = try fake.start() }
        #expect(try fake.leftovers == [])
    }

    @Test func `addresses other than http and https are not opened`() throws {
        let fake = try FakeBrowser("\(FakeBrowser.greeting); sleep 600")
        let browser = try fake.start()
        for address in ["file:///etc/passwd", "ftp://example.org/", "javascript:1", "chrome://version"] {
            let url = try #require(WebURL(address))
            let request = RenderRequest(url: url, addressRule: AddressRule(), deadline: .now + .seconds(120))
            #expect(throws: BrowserFailure.unsupportedAddress(url: url.href)) { _ = try browser.render(request) }
        }
        browser.close()
    }
}
