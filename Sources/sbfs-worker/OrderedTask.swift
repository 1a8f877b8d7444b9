internal import Capture
internal import Confinement
internal import Glibc
internal import WorkerProtocol

/// An order, the rights that it needs, and its execution.
struct OrderedTask {
    private let order: AnyOrder
    private let confinement: Confinement?
    private let network: Network?
    private let work: (HandedMeans) -> Void

    /// What an order fetches.
    private struct Network {
        let target: FetchTarget
        /// The time for the whole order.
        let seconds: Int
        /// The wanted browser; `nil` for none.
        var browser: String?
    }

    init(_ order: AnyOrder) {
        self.order = order
        var network: Network?
        switch order {
        case .capture(let order):
            let saved = order.savedFile.map { [$0] + FolderLoader.folders(besides: $0) } ?? []
            confinement = Confinement(.parse, reading: saved, writing: [order.folder])
            if order.savedFile == nil {
                network = Network(target: FetchTarget(order), seconds: order.seconds, browser: order.browser)
            }
            work = { CapturePage.run(order, $0) }
        case .favicon(let order):
            confinement = Confinement(.parse, writing: [order.folder])
            network = Network(target: FetchTarget(order), seconds: order.seconds)
            work = { order.run($0) }
        case .checkLinks(let order):
            confinement = Confinement(.fetch)
            work = { _ in order.run() }
        case .ask(let order):
            confinement = Confinement(.fetch, reading: CertificateFiles.paths)
            work = { _ in order.run() }
        case .trial(let order):
            confinement = Confinement.Profile(rawValue: order.profile).map {
                Confinement($0, reading: order.file.map { [$0] } ?? [], writing: order.folder.map { [$0] } ?? [])
            }
            work = { _ in order.run() }
        case .identify(let order):
            confinement = Confinement(.parse, reading: [order.file])
            work = { _ in order.run() }
        case .read(let order):
            confinement = Confinement(.parse, reading: [order.file])
            work = { _ in order.run() }
        case .links(let order):
            confinement = Confinement(.parse, reading: [order.file])
            work = { _ in order.run() }
        }
        self.network = network
    }

    /// Executes the order and writes the answer, or the error, to standard output.
    ///
    /// - Returns: false if nobody reads the answers any more.
    func run(_ browsers: BrowserSet) -> Bool {
        let begun = ContinuousClock.now
        let memory = network == nil ? nil : browsers.memory
        memory?.isGlobal = false
        do {
            var toFetcher: Int32 = -1
            var fetcher: ConfinedChild?
            var adoption: Result<BrowserAdoption?, BrowserFailure> = .success(nil)
            if let network {
                let (ours, theirs) = try MessageSocket.pair()
                toFetcher = ours
                fetcher = try Self.startFetcher(network, theirs, closing: browsers.descriptors + [ours], memory)
                close(theirs)
            }
            defer { fetcher?.end() }
            if let network { adoption = browsers.adoption(for: network.target, network.browser) }
            let life = try Life()
            let child = try ConfinedChild.start {
                life.hold()
                Self.closeInput()
                confinement?.apply()
                let means = HandedMeans(
                    fetchingBy: toFetcher < 0 ? nil : MessageSocket(toFetcher), adoption,
                    isRequired: BrowserSetting(network?.browser ?? "") != .auto
                ) { Answer<CaptureOrder>.note(.withoutBrowser(CaptureDetail($0))) }
                work(means)
                means.leave()
                return means.fate.rawValue
            }
            if toFetcher >= 0 { close(toFetcher) }
            let end = life.wait(for: child, browsers)
            if browsers.settle(end) {
                fetcher?.end()
                fetcher = nil
                return runAgain(browsers, begun: begun)
            }
            switch end {
            case .listenerGone: return false
            case .ended(let status):
                switch HandedMeans.Fate(rawValue: status) {
                case .unused, .fit, .failed, .neverStarted: break
                case .wornOut, nil: Refusal.say(Self.detail(status))
                }
            case .tooMuchMemory:
                fetcher?.end()
                fetcher = nil
                return runWithoutBrowser(browsers, .tooMuchMemory, begun: begun)
            }
        } catch {
            Refusal.say(CaptureDetail(.noProcess, "\(error)"))
        }
        return true
    }

    /// Executes the order in a new browser, in the time that is left.
    private func runAgain(_ browsers: BrowserSet, begun: ContinuousClock.Instant) -> Bool {
        guard case .capture(let order) = order else { return true }
        return OrderedTask(.capture(Self.inTimeLeft(order, begun))).run(browsers)
    }

    /// Executes the order without a browser, unless the person chose one, and says why.
    private func runWithoutBrowser(
        _ browsers: BrowserSet, _ failure: BrowserFailure, begun: ContinuousClock.Instant
    ) -> Bool {
        guard case .capture(let order) = order, BrowserSetting(network?.browser ?? "") == .auto else {
            Refusal.say(CaptureDetail(failure))
            return true
        }
        Answer<CaptureOrder>.note(.withoutBrowser(CaptureDetail(failure)))
        var again = Self.inTimeLeft(order, begun)
        again.browser = "never"
        return OrderedTask(.capture(again)).run(browsers)
    }

    private static func inTimeLeft(_ order: CaptureOrder, _ begun: ContinuousClock.Instant) -> CaptureOrder {
        var order = order
        order.seconds -= Int(begun.duration(to: .now).components.seconds)
        return order
    }

    private static func startFetcher(
        _ network: Network, _ socket: Int32, closing unneeded: [Int32], _ memory: TypedAddressMemory?
    ) throws -> ConfinedChild {
        var confinement = Confinement(.fetch, reading: CertificateFiles.paths)
        if let file = network.target.access.cookieFile { confinement.readable.append(file) }
        return try ConfinedChild.start {
            for each in unneeded { close(each) }
            closeInput()
            confinement.apply()
            guard let service = try? FetchService(MessageSocket(socket), network.target, memory: memory) else {
                return 1
            }
            service.run(until: .now + .seconds(max(1, min(network.seconds, 3600))))
            return 0
        }
    }

    /// The process of one order must not read the following orders.
    private static func closeInput() {
        let null = open("/dev/null", O_RDONLY)
        dup2(null, 0)
        close(null)
    }

    private static func detail(_ status: Int32) -> CaptureDetail {
        switch status {
        case 128 + SIGXCPU: CaptureDetail(.processorTime)
        case 128 + SIGSYS: CaptureDetail(.forbiddenCall)
        case 129...: CaptureDetail(.workerKilled, String(status - 128))
        default: CaptureDetail(.workerEnded, String(status))
        }
    }
}

/// Files of certificate authorities that the environment names.
enum CertificateFiles {
    static var paths: [String] {
        let names = ["SSL_CERT_FILE", "SSL_CERT_DIR", "CURL_CA_BUNDLE", "OPENSSL_CONF"]
        return names.compactMap { (name: String) -> String? in
            getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
        }
    }
}
