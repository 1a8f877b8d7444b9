internal import Capture
internal import Confinement
internal import Glibc
internal import Work

/// An order, with the rights that it needs and what is done with them.
struct OrderedTask {
    private let order: Message
    private let confinement: Confinement?
    /// What is captured; `nil` for what is done with files alone.
    private let capture: CaptureOrder?
    private let wantsBrowser: Bool
    private let work: (Message, HandedMeans) -> Void

    /// - Returns: `nil` if there is no such order.
    init?(_ order: Message) {
        self.order = order
        let file = order.string("file").map { [$0] } ?? []
        let capture = CaptureOrder(order)
        switch order.string("do") {
        case "capture":
            let saved = capture?.savedFile.map { [$0] + FolderLoader.folders(besides: $0) } ?? []
            let cookies = capture?.cookieFile.map { [$0] } ?? []
            confinement = Confinement(.parse, reading: saved + cookies, writing: capture.map { [$0.folder] } ?? [])
            self.capture = capture?.savedFile == nil ? capture : nil
            wantsBrowser = capture?.savedFile == nil
            work = CapturePage.run
        case "favicon":
            confinement = Confinement(.parse, writing: capture.map { [$0.folder] } ?? [])
            self.capture = capture
            wantsBrowser = false
            work = FaviconOrder.run
        case "check-links":
            confinement = Confinement(.fetch)
            self.capture = nil
            wantsBrowser = false
            work = { order, _ in CheckLinksOrder.run(order) }
        case "trial":
            confinement = order.string("profile").flatMap(Confinement.Profile.init(rawValue:)).map {
                Confinement($0, reading: file, writing: order.string("folder").map { [$0] } ?? [])
            }
            self.capture = nil
            wantsBrowser = false
            work = { order, _ in TrialOrder.run(order) }
        case "identify", "read", "links":
            confinement = Confinement(.parse, reading: file)
            self.capture = nil
            wantsBrowser = false
            let works = ["identify": IdentifyOrder.run, "read": ReadOrder.run, "links": LinksOrder.run]
            let one = works[order.string("do") ?? ""]
            work = { order, _ in one?(order) }
        default: return nil
        }
    }

    /// Carries it out; its answer, or why there is none, is on standard output then.
    ///
    /// - Returns: false if nobody reads the answers any more.
    func run(_ browsers: BrowserSet) -> Bool {
        let memory = capture == nil ? nil : browsers.memory
        memory?.isGlobal = false
        do {
            var toFetcher: Int32 = -1
            var fetcher: ConfinedChild?
            if let capture {
                let (ours, theirs) = try MessageSocket.pair()
                toFetcher = ours
                fetcher = try Self.startFetcher(capture, theirs, closing: browsers.descriptors + [ours], memory)
                close(theirs)
            }
            defer { fetcher?.end() }
            let adoption = wantsBrowser ? try browsers.adoption(for: capture) : .success(nil)
            let life = try Life()
            let child = try ConfinedChild.start {
                life.hold()
                Self.closeInput()
                confinement?.apply()
                let means = HandedMeans(
                    fetchingBy: toFetcher < 0 ? nil : MessageSocket(toFetcher), adoption,
                    isRequired: BrowserSetting(capture?.browser ?? "") != .auto
                ) { Answer.note("\($0); the page is fetched without a browser") }
                work(order, means)
                means.leave()
                return means.fate.rawValue
            }
            if toFetcher >= 0 { close(toFetcher) }
            let end = life.wait(for: child, browsers)
            browsers.settle(end)
            switch end {
            case .listenerGone: return false
            case .ended(let status) where HandedMeans.Fate(rawValue: status) == nil:
                Answer.error(Self.sentence(status))
            case .ended: break
            case .tooMuchMemory:
                Answer.error("\(BrowserFailure.tooMuchMemory) and the browser was stopped")
            }
        } catch {
            Answer.error("sbfs-worker has no process left for the order: \(error)")
        }
        return true
    }

    private static func startFetcher(
        _ order: CaptureOrder, _ socket: Int32, closing unneeded: [Int32], _ memory: TypedAddressMemory?
    ) throws -> ConfinedChild {
        var confinement = Confinement(.fetch, reading: CertificateFiles.paths)
        if let file = order.cookieFile { confinement.readable.append(file) }
        return try ConfinedChild.start {
            for each in unneeded { close(each) }
            closeInput()
            confinement.apply()
            guard let service = try? FetchService(MessageSocket(socket), order, memory: memory) else { return 1 }
            service.run(until: .now + .seconds(max(1, min(order.seconds, 3600))))
            return 0
        }
    }

    /// The orders that are still to come are not the process's that carries out one.
    private static func closeInput() {
        let null = open("/dev/null", O_RDONLY)
        dup2(null, 0)
        close(null)
    }

    private static func sentence(_ status: Int32) -> String {
        switch status {
        case 128 + SIGXCPU: "it took more processor time than a page may and was stopped"
        case 128 + SIGSYS: "it made a system call that it may not make, and was stopped"
        case 129...: "what came was too much for sbfs-worker, which was stopped by signal \(status - 128)"
        default: "sbfs-worker ended unexpectedly (exit \(status))"
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
