internal import CCurl
internal import Glibc
internal import JSONFormat

/// The part of a worker that uses the network: takes requests from a socket and answers them until it closes.
///
/// It decodes HTTP, TLS and compression, and passes on the bytes unchanged. It does not parse pages.
package final class FetchService {
    private let socket: MessageSocket
    private let fetcher: Fetcher
    /// Why nothing can be fetched.
    private let fault: String?

    /// - Parameters:
    ///   - target: the allowed addresses, and the cookies. If the cookies cannot be read, every request fails with
    ///     the reason.
    package init(_ socket: MessageSocket, _ target: FetchTarget, memory: TypedAddressMemory?) throws {
        self.socket = socket
        var cookies: [Cookie] = []
        var fault: String?
        do {
            cookies = try Reach(target, memory: memory).cookies
        } catch {
            fault = "\(error)"
        }
        self.fault = fault
        fetcher = try Fetcher(rule: Reach.rule(target, memory: memory), cookies: cookies)
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
            guard let (number, request) = FetchRequest.read(message) else {
                if CookieQuestion.isOne(message) {
                    let (json, bytes) = CookieQuestion.answer(fetcher.cookies.all, fault)
                    socket.send(json, bytes)
                }
                continue
            }
            if let fault {
                let (json, body) = FetchAnswer.message(.failure(.local(fault)), number: number)
                socket.send(json, body)
                continue
            }
            fetcher.submit(request) { [socket] result in
                let (json, body) = FetchAnswer.message(result, number: number)
                socket.send(json, body)
            }
        }
        return !socket.hasEnded
    }
}

/// A source of further requests while a fetcher runs.
protocol FetchSource: AnyObject {
    /// Readable when a request arrives.
    var descriptor: Int32 { get }
    /// Submits the requests that have arrived.
    ///
    /// - Returns: false if no more can come.
    func takeRequests() -> Bool
}
