internal import Glibc
internal import JSONFormat

/// A browser without a window, started by us and driven over a socket on its descriptors 3 and 4.
///
/// One thread at a time may use it. Order: `start`, any number of `render`, `close`. After a failure for which
/// `BrowserFailure.isOfBrowser` holds it is closed already, and another one has to be started.
package final class Browser {
    /// Name and version as the browser tells them: `Chrome/156.0.8078.79`.
    package private(set) var version = ""
    /// What it calls itself towards servers, without the word that gives away that it has no window.
    private(set) var userAgent = ""
    let gate: ConnectionGate
    private let process: BrowserProcess
    private let profile: BrowserProfile
    private var isClosed = false
    private var lastID = 0
    private var replies: [Int: (DevToolsMessage) -> Void] = [:]
    /// Takes events while a page is rendered.
    var listener: ((DevToolsMessage) -> Void)?

    private init(process: BrowserProcess, profile: BrowserProfile, gate: ConnectionGate) {
        self.process = process
        self.profile = profile
        self.gate = gate
    }

    deinit { close() }

    /// - Parameters:
    ///   - folder: where the throw-away profile is made, and where those that a killed run left are removed.
    ///   - patience: how long the browser may take until it answers.
    package static func start(
        _ location: BrowserLocation, profilesIn folder: String, patience: Duration = .seconds(20)
    ) throws(BrowserFailure) -> Browser {
        let end = ContinuousClock.now + patience
        let profile = try BrowserProfile.make(in: folder)
        let gate = try ConnectionGate.open()
        let process: BrowserProcess
        do throws(BrowserFailure) {
            process = try .start(
                BrowserArguments.words(program: location.path, profile: profile.dataPath, proxyPort: gate.port),
                environment: BrowserArguments.environment)
        } catch {
            gate.close()
            throw error
        }
        let browser = Browser(process: process, profile: profile, gate: gate)
        profile.note(group: process.group)
        do throws(BrowserFailure) {
            let reply = try browser.call("Browser.getVersion", until: end)
            browser.version = (reply.string("product") ?? "").replacing("HeadlessChrome", with: "Chrome")
            browser.userAgent = (reply.string("userAgent") ?? "").replacing("HeadlessChrome", with: "Chrome")
            return browser
        } catch {
            browser.close()
            if case .died(let said) = error { throw .didNotStart(path: location.path, said: said) }
            throw error
        }
    }

    /// Renders a page in a context of its own: cookies, cache and storage are not shared with other pages.
    ///
    /// - Throws: what `BrowserFailure` says; an HTTP error or an answer that is not HTML is no failure.
    package func render(_ request: RenderRequest) throws(BrowserFailure) -> RenderedPage {
        if isClosed { throw .died(said: "it is closed") }
        let rendering = Rendering(browser: self, request: request)
        do throws(BrowserFailure) {
            return try rendering.run()
        } catch {
            if error.isOfBrowser { close() }
            throw error
        }
    }

    /// Ends the browser and removes its profile; done also when the last reference goes away.
    package func close() {
        if isClosed { return }
        isClosed = true
        gate.close()
        process.end()
        profile.remove()
    }

    // MARK: Commands

    /// Sends a command; `then` gets the reply, also a refusal, while something is waited for.
    func post(
        _ method: String, _ parameters: [JSON.Member] = [], session: String? = nil,
        then: ((DevToolsMessage) -> Void)? = nil
    ) {
        lastID += 1
        if let then { replies[lastID] = then }
        var members: [JSON.Member] = [
            .init("id", .integer(lastID)), .init("method", .string(method)), .init("params", .object(parameters)),
        ]
        if let session { members.append(.init("sessionId", .string(session))) }
        var writer = JSONWriter(.oneLine)
        writer.write(.object(members))
        process.channel.send(writer.bytes)
    }

    /// Sends a command that cannot be refused and waits for its reply.
    func call(
        _ method: String, _ parameters: [JSON.Member] = [], session: String? = nil,
        until deadline: ContinuousClock.Instant
    ) throws(BrowserFailure) -> DevToolsMessage {
        var reply: DevToolsMessage?
        post(method, parameters, session: session) { reply = $0 }
        while true {
            if let reply {
                if let refusal = reply.refusal { throw .wrongProtocol("\(method): \(refusal)") }
                return reply
            }
            if try !step(until: deadline) { throw .hung(waitingFor: method) }
        }
    }

    /// Takes one message.
    ///
    /// - Returns: false if none came before the deadline.
    func step(until deadline: ContinuousClock.Instant) throws(BrowserFailure) -> Bool {
        guard let message = try process.channel.receive(until: deadline) else { return false }
        if let id = message.id {
            replies.removeValue(forKey: id)?(message)
        } else {
            listener?(message)
        }
        return true
    }

    /// Forgets what is still to be answered, so that late replies find nobody.
    func forgetReplies() { replies = [:] }
}

extension String {
    fileprivate func replacing(_ word: String, with other: String) -> String {
        guard let range = self.firstRange(of: word) else { return self }
        return String(self[..<range.lowerBound]) + other + String(self[range.upperBound...])
    }
}
