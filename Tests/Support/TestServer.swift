internal import Glibc
internal import Synchronization

/// A small HTTP/1.1 server on 127.0.0.1, with a thread for each connection, for faults that a real server does not
/// have.
package final class TestServer: Sendable {
    package struct Request: Sendable {
        package let method: String
        package let target: String
        /// Names in lower case.
        package let fields: [String: String]

        /// The target without its query.
        package var path: String { String(target.prefix { $0 != "?" }) }
    }

    package enum Answer: Sendable {
        /// With its Content-Length; the connection stays open.
        case whole(status: Int = 200, fields: [String] = [], body: [UInt8] = [])
        /// Exactly these bytes; then the connection is closed.
        case raw([UInt8])
        /// The bytes that the closure sends; then the connection is closed.
        case stream(@Sendable (Connection) -> Void)

        package static func text(_ text: String, status: Int = 200, fields: [String] = []) -> Answer {
            .whole(status: status, fields: fields, body: Array(text.utf8))
        }

        package static func redirect(_ location: String, status: Int = 302, fields: [String] = []) -> Answer {
            .whole(status: status, fields: ["Location: \(location)"] + fields)
        }

        package static func raw(_ text: String) -> Answer { .raw(Array(text.utf8)) }
    }

    /// The server's end of a connection.
    package struct Connection: Sendable {
        fileprivate let descriptor: Int32

        /// Sends all bytes; returns false if the other side has gone.
        package func send(_ bytes: [UInt8]) -> Bool {
            var offset = 0
            while offset < bytes.count {
                let count = bytes.withUnsafeBytes {
                    Glibc.send(
                        descriptor, $0.baseAddress.map { $0 + offset }, bytes.count - offset, Int32(MSG_NOSIGNAL))
                }
                if count <= 0 { return false }
                offset += count
            }
            return true
        }

        package func send(_ text: String) -> Bool { send(Array(text.utf8)) }

        /// Waits until the other side closes, at most this long.
        ///
        /// - Returns: whether it has closed.
        package func waitForClose(milliseconds: Int32) -> Bool {
            var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            if poll(&entry, 1, milliseconds) <= 0 { return false }
            var byte: UInt8 = 0
            return recv(descriptor, &byte, 1, Int32(MSG_PEEK)) <= 0
        }
    }

    private struct State {
        var requests: [Request] = []
        var connectionCount = 0
        var open: Set<Int32> = []
        var isClosed = false
    }

    package typealias Handler = @Sendable (Request) -> Answer

    package let port: Int
    private let listener: Int32
    private let handler: Handler
    private let state = Mutex(State())

    package init(_ handler: @escaping Handler) throws {
        self.handler = handler
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let listener = listener
        let isBound = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, length) == 0 && listen(listener, 128) == 0 && getsockname(listener, $0, &length) == 0
            }
        }
        guard isBound else { throw ServerError() }
        port = Int(UInt16(bigEndian: address.sin_port))
        Self.thread { [self] in accept() }
    }

    package struct ServerError: Error {}

    /// Ends the server and every open connection.
    package func close() {
        state.withLock { state in
            if state.isClosed { return }
            state.isClosed = true
            shutdown(listener, Int32(SHUT_RDWR))
            for descriptor in state.open { shutdown(descriptor, Int32(SHUT_RDWR)) }
        }
    }

    package var requests: [Request] { state.withLock { $0.requests } }

    /// The requested targets, in order.
    package var targets: [String] { requests.map(\.target) }

    package var connectionCount: Int { state.withLock { $0.connectionCount } }

    /// Waits until no connection is open, at most this long.
    ///
    /// - Returns: whether none is open.
    package func waitUntilIdle(for time: Duration) -> Bool {
        let deadline = ContinuousClock.now + time
        while ContinuousClock.now < deadline {
            if state.withLock({ $0.open.isEmpty }) { return true }
            usleep(10_000)
        }
        return false
    }

    package func address(_ path: String, host: String = "127.0.0.1") -> String { "http://\(host):\(port)\(path)" }

    // MARK: Serving

    private static func thread(_ work: @escaping @Sendable () -> Void) {
        final class Box: Sendable {
            let work: @Sendable () -> Void
            init(_ work: @escaping @Sendable () -> Void) { self.work = work }
        }
        var thread = pthread_t()
        pthread_create(
            &thread, nil,
            {
                if let box = $0 { Unmanaged<Box>.fromOpaque(box).takeRetainedValue().work() }
                return nil
            }, Unmanaged.passRetained(Box(work)).toOpaque())
        pthread_detach(thread)
    }

    private func accept() {
        while true {
            let descriptor = Glibc.accept(listener, nil, nil)
            if descriptor < 0 { break }
            let isClosed = state.withLock { state in
                state.connectionCount += 1
                state.open.insert(descriptor)
                return state.isClosed
            }
            if isClosed { shutdown(descriptor, Int32(SHUT_RDWR)) }
            var one: Int32 = 1
            setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<Int32>.size))
            Self.thread { [self] in serve(descriptor) }
        }
        Glibc.close(listener)
    }

    private func serve(_ descriptor: Int32) {
        defer {
            state.withLock { _ = $0.open.remove(descriptor) }
            Glibc.close(descriptor)
        }
        let connection = Connection(descriptor: descriptor)
        var input: [UInt8] = []
        while let request = Self.read(descriptor, &input) {
            state.withLock { $0.requests.append(request) }
            switch handler(request) {
            case .whole(let status, let fields, let body):
                let head = ["HTTP/1.1 \(status) Some", "Content-Length: \(body.count)"] + fields
                let bytes = Array((head.joined(separator: "\r\n") + "\r\n\r\n").utf8)
                if !connection.send(bytes + (request.method == "HEAD" ? [] : body)) { return }
            case .raw(let bytes):
                _ = connection.send(bytes)
                return
            case .stream(let work):
                work(connection)
                return
            }
        }
    }

    private static func read(_ descriptor: Int32, _ input: inout [UInt8]) -> Request? {
        let end = Array("\r\n\r\n".utf8)
        var searched = 0
        while true {
            while searched + 4 <= input.count {
                if input[searched..<searched + 4].elementsEqual(end) {
                    let head = String(decoding: input[..<searched], as: UTF8.self)
                    input.removeFirst(searched + 4)
                    return request(head)
                }
                searched += 1
            }
            var buffer = [UInt8](repeating: 0, count: 65_536)
            let count = recv(descriptor, &buffer, buffer.count, 0)
            if count <= 0 { return nil }
            input += buffer[..<count]
            // This server cannot find the end of a TLS greeting: it is answered like any bad request.
            if input.first == 0x16 { return Request(method: "TLS", target: "", fields: [:]) }
        }
    }

    private static func request(_ head: String) -> Request? {
        let lines = head.split(separator: "\r\n")
        guard let first = lines.first?.split(separator: " "), first.count == 3 else { return nil }
        var fields: [String: String] = [:]
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { continue }
            let value = line[line.index(after: colon)...].drop { $0 == " " }
            fields[line[..<colon].lowercased()] = String(value)
        }
        return Request(method: String(first[0]), target: String(first[1]), fields: fields)
    }
}
