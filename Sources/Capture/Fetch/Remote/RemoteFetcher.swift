internal import Glibc
internal import JSONFormat
internal import WorkerProtocol

/// Fetches URLs through a process with network access, for a process without.
///
/// The other side is a `FetchService`. Its messages are treated like a stranger's: bounded and not trusted.
package final class RemoteFetcher: Fetching {
    private let socket: MessageSocket
    private var waiting: [Int: (request: FetchRequest, completion: Fetcher.Completion)] = [:]
    private var lastNumber = 0
    /// Numbers of requests made after the end of the other side.
    private var stillborn: [Int] = []

    /// How long after the deadline the other side's last message may come.
    private static let grace = Duration.seconds(2)

    package init(_ socket: MessageSocket) { self.socket = socket }

    package func submit(_ request: FetchRequest, _ completion: @escaping Fetcher.Completion) {
        lastNumber += 1
        waiting[lastNumber] = (request, completion)
        if socket.hasEnded {
            stillborn.append(lastNumber)
        } else {
            socket.queue(request.json(number: lastNumber))
        }
    }

    package func run(until deadline: ContinuousClock.Instant) {
        let began = ContinuousClock.now
        while !waiting.isEmpty {
            for number in stillborn { answer(number, .failure(.local("the part that fetches has ended"))) }
            stillborn = []
            if waiting.isEmpty { return }
            if let (message, body) = socket.receive(until: deadline + Self.grace) {
                guard let number = message.integer("number") else { continue }
                answer(number, FetchAnswer.read(message, body, for: waiting[number]?.request))
            } else if socket.hasEnded {
                failAll(.local("the part that fetches ended unexpectedly"))
            } else {
                failAll(.timeout(.capture, seconds: (ContinuousClock.now - began).seconds))
            }
        }
    }

    package func cookies(until deadline: ContinuousClock.Instant) throws -> [Cookie] {
        socket.queue(CookieQuestion.json)
        while let (message, body) = socket.receive(until: deadline + Self.grace) {
            if let number = message.integer("number") {
                answer(number, FetchAnswer.read(message, body, for: waiting[number]?.request))
            } else {
                return try CookieQuestion.read(message, body)
            }
        }
        throw CaptureFailure(.worker, CaptureDetail(.noCookies))
    }

    private func answer(_ number: Int, _ result: Result<FetchResponse, FetchFailure>) {
        waiting.removeValue(forKey: number)?.completion(result)
    }

    private func failAll(_ failure: FetchFailure) {
        for number in waiting.keys.sorted() { answer(number, .failure(failure)) }
    }
}
