internal import CCurl
internal import Glibc
internal import JSONFormat

/// The part of a worker that speaks with the network: takes requests from a socket and answers them, until it closes.
///
/// It hands bytes on as they come: HTTP, TLS and compression are taken apart here, pages are not.
package final class FetchService {
    private let socket: MessageSocket
    private let fetcher: Fetcher

    /// - Parameters:
    ///   - target: says what may be reached, and with whose cookies.
    package init(_ socket: MessageSocket, _ target: FetchTarget, memory: TypedAddressMemory?) throws {
        self.socket = socket
        let reach = try Reach(target, memory: memory)
        fetcher = try Fetcher(rule: reach.rule, cookies: reach.cookies)
    }

    package func run(until deadline: ContinuousClock.Instant) {
        fetcher.source = self
        fetcher.run(until: deadline)
        fetcher.source = nil
    }
}

extension FetchService: FetchSource {
    var descriptor: Int32 { socket.descriptor }

    func takeRequests() -> Bool {
        socket.read()
        while let (message, _) = socket.take() {
            guard let (number, request) = FetchRequest.read(message) else { continue }
            fetcher.submit(request) { [socket] result in
                let (json, body) = FetchAnswer.message(result, number: number)
                socket.send(json, body)
            }
        }
        return !socket.hasEnded
    }
}

/// Where more requests come from while a fetcher runs.
protocol FetchSource: AnyObject {
    /// Readable when there is more.
    var descriptor: Int32 { get }
    /// Submits what is there.
    ///
    /// - Returns: false if nothing will come any more.
    func takeRequests() -> Bool
}
