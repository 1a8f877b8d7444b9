internal import Capture
internal import Glibc

/// The browser of a worker: started for the first page that needs it, reused for later ones, replaced when it is worn,
/// ended with the worker.
final class BrowserSet {
    /// Shared by all processes of an order.
    let memory = TypedAddressMemory()
    private let folder: String
    private var running: Running?
    private var isInUse = false
    /// Settings whose browser could not be started, so that it is not tried again for every page.
    private var failures: [String: BrowserFailure] = [:]

    private struct Running {
        let setting: String
        let host: BrowserHost
        var wear = BrowserWear()
    }

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
            // The gate of a browser that rendered other pages may have ended since.
            for _ in 0..<2 {
                guard let running = try started(setting) else { return .success(nil) }
                if running.host.use(target) {
                    isInUse = true
                    var adoption = running.host.adoption
                    adoption.isWorn = running.wear.pageCount > 0
                    return .success(adoption)
                }
                drop()
            }
            throw .died(said: "its gate ended")
        } catch {
            return .failure(error)
        }
    }

    private func started(_ setting: String) throws(BrowserFailure) -> Running? {
        if let running, running.setting == setting { return running }
        if let failure = failures[setting] { throw failure }
        drop()
        do throws(BrowserFailure) {
            guard let location = try BrowserLocation.find(setting: BrowserSetting(setting)) else { return nil }
            let new = Running(
                setting: setting, host: try BrowserHost.start(location, profilesIn: folder, memory: memory))
            running = new
            return new
        } catch {
            failures[setting] = error
            throw error
        }
    }

    /// Evaluates how the process that drove the browser ended.
    ///
    /// - Returns: whether the browser failed after it had rendered other pages, and the order gave no answer.
    func settle(_ end: LifeEnd) -> Bool {
        guard isInUse, let running else { return false }
        isInUse = false
        let isWorn = running.wear.pageCount > 0
        switch end {
        case .ended(let status):
            switch HandedMeans.Fate(rawValue: status) {
            case .unused: if !running.host.use(nil) { drop() }
            case .fit: keep(running)
            case .neverStarted:
                failures[running.setting] = .didNotStart(path: running.host.location.path, said: "")
                drop()
            case .wornOut:
                drop()
                return isWorn
            case .failed, nil: drop()
            }
        case .listenerGone, .tooMuchMemory: drop()
        }
        return false
    }

    /// Keeps the browser for the next page, unless it is worn.
    private func keep(_ used: Running) {
        var used = used
        used.wear.count(memoryByteCount: used.host.memoryByteCount)
        running = used
        if used.wear.isEnough || !used.host.use(nil) { drop() }
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
