internal import Capture
internal import Glibc

/// The browser of a worker: started for the first page that needs it, reused for later ones, ended with the worker.
final class BrowserSet {
    /// Shared by all processes of an order.
    let memory = TypedAddressMemory()
    private let folder: String
    private var running: (setting: String, host: BrowserHost)?
    private var isInUse = false
    /// Settings whose browser could not be started, so that it is not tried again for every page.
    private var failures: [String: BrowserFailure] = [:]

    /// The limit for all processes of a browser together. Large pages use less than a gigabyte; the machine must stay
    /// usable.
    private static let memoryLimit = 3 << 30

    init(profilesIn folder: String) { self.folder = folder }

    /// Descriptors that only the driver of the browser needs.
    var descriptors: [Int32] {
        running.map { [$0.host.adoption.messages, $0.host.adoption.errors, $0.host.adoption.questions] } ?? []
    }

    /// The browser for an order, with the order's address rule; `nil` if none is wanted or installed.
    ///
    /// - Parameter setting: `nil` if no browser is wanted.
    func adoption(for target: FetchTarget, _ setting: String?) -> Result<BrowserAdoption?, BrowserFailure> {
        guard let setting else { return .success(nil) }
        do throws(BrowserFailure) {
            guard let host = try host(setting) else { return .success(nil) }
            if host.use(target) {
                isInUse = true
                return .success(host.adoption)
            }
            drop()
            throw .died(said: "its gate ended")
        } catch {
            return .failure(error)
        }
    }

    private func host(_ setting: String) throws(BrowserFailure) -> BrowserHost? {
        if let running, running.setting == setting { return running.host }
        if let failure = failures[setting] { throw failure }
        drop()
        do throws(BrowserFailure) {
            guard let location = try BrowserLocation.find(setting: BrowserSetting(setting)) else { return nil }
            let host = try BrowserHost.start(location, profilesIn: folder, memory: memory)
            running = (setting, host)
            return host
        } catch {
            failures[setting] = error
            throw error
        }
    }

    /// Evaluates how the process that drove the browser ended.
    func settle(_ end: LifeEnd) {
        guard isInUse, let running else { return }
        isInUse = false
        var fate: HandedMeans.Fate?
        if case .ended(let status) = end { fate = HandedMeans.Fate(rawValue: status) }
        switch fate {
        case .fit, .unused: if !running.host.use(nil) { drop() }
        case .neverStarted:
            failures[running.setting] = .didNotStart(path: running.host.location.path, said: "")
            drop()
        case .failed, nil: drop()
        }
    }

    var isWatched: Bool { isInUse }
    var takesTooMuch: Bool { isInUse && (running?.host.memoryByteCount ?? 0) > Self.memoryLimit }

    private func drop() {
        running?.host.close()
        running = nil
        isInUse = false
    }

    func close() { drop() }
}
