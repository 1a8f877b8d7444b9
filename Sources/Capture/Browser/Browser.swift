internal import Characters
internal import Glibc
internal import JSONFormat

/// A headless browser, started by us and driven over a socket on its descriptors 3 and 4.
///
/// One thread at a time may use it. Order of calls: `start`, any number of `render`, `close`. After a failure for
/// which `BrowserFailure.isOfBrowser` holds it is already closed; start another one.
package final class Browser {
    /// Name and version as the browser reports them: `Chrome/156.0.8078.79`.
    package private(set) var version = ""
    /// The browser's User-Agent without the word that reveals that it is headless.
    private(set) var userAgent = ""
    let gate: any Gate
    private let channel: DevToolsChannel
    /// `nil` if another process started it.
    private let process: BrowserProcess?
    private let profile: BrowserProfile?
    /// The gate's port as the browser sees it.
    let gatePort: Int
    private var isClosed = false
    private var lastID = 0
    private var replies: [Int: (DevToolsMessage) -> Void] = [:]
    /// Receives events while a page is rendered.
    var listener: ((DevToolsMessage) -> Void)?

    private init(
        _ channel: DevToolsChannel, process: BrowserProcess?, profile: BrowserProfile?, gate: any Gate, gatePort: Int,
        lastID: Int = 0
    ) {
        self.channel = channel
        self.process = process
        self.profile = profile
        self.gate = gate
        self.gatePort = gatePort
        self.lastID = lastID
    }

    deinit { close() }

    /// - Parameters:
    ///   - folder: where the throw-away profile is made, and where profiles of killed runs are removed.
    ///   - patience: how long the browser may take until it answers.
    package static func start(
        _ location: BrowserLocation, profilesIn folder: String, patience: Duration = .seconds(20),
        as wanted: BrowserUser? = nil
    ) throws(BrowserFailure) -> Browser {
        let end = ContinuousClock.now + patience
        let user: BrowserUser
        if let wanted { user = wanted } else { user = try .standard() }
        let profile = try BrowserProfile.make(in: user.profileFolder(wanted: folder), for: user)
        let (process, listener, port) = try BrowserProcess.start(location, profile, as: user)
        let gate: ConnectionGate
        do throws(BrowserFailure) {
            gate = try ConnectionGate.open(listener: listener)
        } catch {
            process.end()
            throw error
        }
        profile.note(group: process.group)
        // The process owns its descriptors; the channel gets copies.
        let channel = DevToolsChannel(
            socket: fcntl(process.messages, F_DUPFD_CLOEXEC, 3), errors: fcntl(process.errors, F_DUPFD_CLOEXEC, 3))
        let browser = Browser(channel, process: process, profile: profile, gate: gate, gatePort: port)
        do throws(BrowserFailure) {
            try browser.greet(location.path, until: end)
            return browser
        } catch {
            browser.close()
            throw error
        }
    }

    /// Drives a browser that another process started. Other processes may have driven it before.
    package static func adopt(
        _ adoption: BrowserAdoption, patience: Duration = .seconds(20)
    ) throws(BrowserFailure) -> Browser {
        // Late replies to an earlier driver's commands must not be mistaken for replies to ours. Numbers are below
        // 2^31.
        let firstID = Int(getpid() % 20_000) * 100_000
        let browser = Browser(
            DevToolsChannel(socket: adoption.messages, errors: adoption.errors), process: nil, profile: nil,
            gate: RemoteGate(MessageSocket(adoption.questions)), gatePort: adoption.gatePort, lastID: firstID)
        try browser.greet(adoption.path, until: .now + patience)
        return browser
    }

    private func greet(_ path: String, until end: ContinuousClock.Instant) throws(BrowserFailure) {
        do throws(BrowserFailure) {
            let reply = try call("Browser.getVersion", until: end)
            version = (reply.string("product") ?? "").replacing(text: "HeadlessChrome", with: "Chrome")
            userAgent = (reply.string("userAgent") ?? "").replacing(text: "HeadlessChrome", with: "Chrome")
        } catch {
            guard case .died(let said) = error else { throw error }
            if channel.hasSaid("sandbox") { throw .noSandbox(path: path) }
            throw .didNotStart(path: path, said: said)
        }
    }

    /// Returns an adopted browser for its next driver.
    ///
    /// - Returns: false if it does not answer correctly and must not be used again.
    package func leave() -> Bool {
        if isClosed { return false }
        guard (try? call("Browser.getVersion", until: .now + .seconds(3))) != nil else { return false }
        return channel.isBetweenMessages
    }

    /// Renders a page in a separate context: it shares no cookies, cache and storage with other pages.
    ///
    /// - Throws: a `BrowserFailure`; an HTTP error or an answer that is not HTML is no failure.
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

    /// Ends the browser and removes its profile. Releasing the last reference does so too.
    package func close() {
        if isClosed { return }
        isClosed = true
        gate.close()
        process?.end()
        profile?.remove()
    }

    // MARK: Commands

    /// Sends a command. `then` gets the reply, even a refusal, during a later wait.
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
        channel.send(writer.bytes)
    }

    /// Sends a command that must not be refused, and waits for its reply.
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

    /// Receives one message.
    ///
    /// - Returns: false if none came before the deadline.
    func step(until deadline: ContinuousClock.Instant) throws(BrowserFailure) -> Bool {
        guard let message = try channel.receive(until: deadline) else { return false }
        if let id = message.id {
            replies.removeValue(forKey: id)?(message)
        } else {
            listener?(message)
        }
        return true
    }

    /// Forgets all open commands, so that late replies are ignored.
    func forgetReplies() { replies = [:] }
}
