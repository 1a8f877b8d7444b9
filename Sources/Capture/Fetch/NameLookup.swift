internal import CCurl
internal import Files
internal import Glibc
internal import Synchronization

/// Asks this machine's resolver about names, in separate threads because it may take many seconds.
///
/// libcurl resolves names itself. This is for facts that it does not report: whether a name does not exist or could
/// only not be resolved, and the addresses of a host behind a proxy.
final class NameLookup: Sendable {
    enum Answer: Sendable, Equatable {
        case addresses([NetworkAddress])
        case noSuchHost
        /// No answer: no name server could be reached, or it failed.
        case failed
    }

    private struct State {
        var waiting: [String] = []
        var answers: [(host: String, answer: Answer)] = []
        var threadCount = 0
        /// Notified of each answer; `nil` after the fetcher is gone.
        nonisolated(unsafe) var multi: UnsafeMutableRawPointer?
    }

    private static let threadLimit = 4
    private let state: Mutex<State>

    init(waking multi: UnsafeMutableRawPointer) {
        // curl_multi_wakeup is the only call that another thread may make.
        state = Mutex(State(multi: multi))
    }

    /// Stops delivering answers. Threads that still wait for one end by themselves.
    func close() {
        state.withLock {
            $0.multi = nil
            $0.waiting = []
        }
    }

    func ask(_ host: String) {
        let starts = state.withLock { state in
            state.waiting.append(host)
            if state.threadCount == Self.threadLimit { return false }
            state.threadCount += 1
            return true
        }
        if starts, (try? BackgroundThread.start({ [self] in work() })) == nil {
            // Without a thread, the question is still answered.
            state.withLock { state in
                state.threadCount -= 1
                if let place = state.waiting.firstIndex(of: host) { state.waiting.remove(at: place) }
                state.answers.append((host, .failed))
            }
        }
    }

    func takeAnswers() -> [(host: String, answer: Answer)] {
        state.withLock { state in
            defer { state.answers = [] }
            return state.answers
        }
    }

    private func work() {
        while true {
            let host = state.withLock { state -> String? in
                if !state.waiting.isEmpty { return state.waiting.removeFirst() }
                state.threadCount -= 1
                return nil
            }
            guard let host else { return }
            let answer = Self.lookUp(host)
            state.withLock { state in
                guard let multi = state.multi else { return }
                state.answers.append((host, answer))
                curl_multi_wakeup(multi)
            }
        }
    }

    static func lookUp(_ host: String) -> Answer {
        var hints = addrinfo()
        hints.ai_socktype = Socket.stream
        var list: UnsafeMutablePointer<addrinfo>?
        let result = getaddrinfo(host, nil, &hints, &list)
        guard result == 0 else { return answer(toError: result) }
        defer { freeaddrinfo(list) }
        var addresses: [NetworkAddress] = []
        var next = list
        while let entry = next {
            if let pointer = entry.pointee.ai_addr {
                let bytes = UnsafeRawBufferPointer(start: pointer, count: Int(entry.pointee.ai_addrlen))
                if let address = NetworkAddress(bytes) { addresses.append(address) }
            }
            next = entry.pointee.ai_next
        }
        return .addresses(addresses)
    }

    /// EAI_NODATA (−5, a GNU name that Swift does not see): the name exists but has no address.
    static func answer(toError number: Int32) -> Answer {
        number == EAI_NONAME || number == -5 ? .noSuchHost : .failed
    }
}
