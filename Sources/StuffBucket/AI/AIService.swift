public import Items
internal import WorkerProtocol

/// Sends requests to the model that the person set up, by `sbfs-worker`. Nothing is sent unless a method is called.
///
/// Only the host and port of the settings' address are contacted, also if they are private. Redirects are not followed.
/// Overload (429) and faults of the server (5xx) are tried again, with growing pauses, or after the wait that the server
/// asks for if that is a minute at most. For use by one thread.
public final class AIService {
    /// The settings in use.
    public let settings: AISettings
    private let key: AIKey?
    private let worker: CaptureWorker

    /// The number of requests at once; 1 to 16.
    public var atOnce = 4
    /// The time for one answer in seconds: 300, and 3,600 for a server of the person's own, whose model may write a few words
    /// a second. An answer of which nothing comes for 300 seconds is given up.
    public var seconds: Int
    /// Bodies in one order, which is held in memory whole.
    private static let orderSize = 32

    /// - Parameters:
    ///   - settings: the provider, the model and the address.
    ///   - key: the key that the settings name; `nil` if the server needs none.
    ///   - path: the program sbfs-worker.
    /// - Throws: `CaptureWorker.Failure` if no program can be run there.
    public init(_ settings: AISettings, key: AIKey?, workerPath path: String?) throws {
        self.settings = settings
        self.key = key
        seconds = settings.provider == .compatible ? 3600 : 300
        worker = try CaptureWorker(path: path, holdsSecrets: true)
    }

    /// Ends the worker.
    public func end() { worker.end() }

    /// Asks for one word, to see whether key, model and address are right.
    ///
    /// - Throws: `AIError`, and `CaptureWorker.Failure`.
    public func check(_ monitor: Monitor = Monitor()) throws {
        var result: Result<AIAnswer, AIError>?
        try send([AIRequest.check(settings)], monitor) { result = $1 }
        do throws(AIError) {
            _ = try result?.get()
        } catch .cutShort {
            // The limit of length is tiny.
        }
    }

    /// Asks several questions, several at once. A broken answer is asked for once more.
    ///
    /// - Parameter answered: receives the question's place and what `read` made of the answer. Returning false ends the
    ///   work: questions that were not sent yet are not sent.
    /// - Throws: `AIError` that concerns all questions, `CaptureWorker.Failure`, and `ItemError.cancelled`. What was answered
    ///   before was passed on.
    func ask<Value>(
        _ requests: [AIRequest], _ monitor: Monitor, read: (Int, AIAnswer) throws(AIError) -> Value,
        answered: (Int, Result<Value, AIError>) throws -> Bool
    ) throws {
        var places = Array(requests.indices)
        var isSecond: Set<Int> = []
        var goesOn = true
        while !places.isEmpty, goesOn {
            let batch = Array(places.prefix(Self.orderSize))
            places.removeFirst(batch.count)
            var final: AIError?
            var thrown: (any Error)?
            try send(batch.map { requests[$0] }, monitor) { index, result in
                guard batch.indices.contains(index), thrown == nil else { return }
                let place = batch[index]
                let value: Result<Value, AIError>
                do throws(AIError) {
                    value = .success(try read(place, result.get()))
                } catch {
                    value = .failure(error)
                }
                do {
                    switch value {
                    case .failure(.brokenAnswer) where isSecond.insert(place).inserted,
                        .failure(.cutShort) where isSecond.insert(place).inserted:
                        places.insert(place, at: 0)
                    case .failure(let error) where error.concernsAll: final = final ?? error
                    default: goesOn = try answered(place, value) && goesOn
                    }
                } catch {
                    thrown = error
                }
            }
            if let thrown { throw thrown }
            if let final { throw final }
        }
    }

    private func send(
        _ requests: [AIRequest], _ monitor: Monitor, answered: (Int, Result<AIAnswer, AIError>) -> Void
    ) throws {
        guard let first = requests.first else { return }
        var order = AskOrder(
            url: first.url, fields: first.fields(key), bodies: requests.map { String(decoding: $0.body, as: UTF8.self) }
        )
        order.atOnce = max(1, min(atOnce, 16))
        order.seconds = seconds
        _ = try worker.run(order, within: order.patience + 15, monitor) { progress in
            answered(progress.index, Result { () throws(AIError) in try Self.answer(progress) })
        }
    }

    private static func answer(_ answered: AskOrder.Answered) throws(AIError) -> AIAnswer {
        guard let status = answered.status else {
            throw .network(answered.diagnostic)
        }
        if (200..<300).contains(status) { return try AIAnswer(Array(answered.body.utf8)) }
        let words = AIAnswer.errorWords(answered.body)
        switch status {
        case 300..<400: throw .redirected(status: status)
        case 401, 403: throw .unauthorized(words)
        case 404: throw .notFound(words)
        case 429: throw .rateLimited(retryAfter: answered.retryAfter, words)
        case 500...: throw .server(status: status, words)
        default: throw .refusedRequest(status: status, words)
        }
    }
}
