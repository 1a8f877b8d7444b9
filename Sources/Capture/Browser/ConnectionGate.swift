internal import Files
internal import Glibc
internal import Synchronization

/// The browser's only way to the network: a SOCKS5 proxy (RFC 1928) on a loopback port.
///
/// The gate resolves names itself and asks the rule about the exact address that it then connects to. So a name
/// cannot change its address between check and connection. This covers everything that the browser opens: pages,
/// frames, workers, WebSockets, its own services. UDP is not offered.
///
/// One thread accepts; each connection has a thread, at most `connectionLimit`. Without a rule everything is refused.
final class ConnectionGate: Gate, Sendable {

    private struct State {
        var rule: AddressRule?
        var failures: [HostPort: GateFailure] = [:]
        /// Refused hosts and ports, in order, without duplicates; at most 100.
        var refused: [HostPort] = []
        /// Sockets of open connections, so that another thread can shut them down.
        var open: Set<Int32> = []
        var isClosed = false
    }

    /// The resolver needs less than 256 KiB. Hundreds of threads must not reserve 8 MiB each.
    private static let stackByteCount = 512 << 10

    let port: Int
    private let listener: Int32
    private let state = Mutex(State())

    private static let connectionLimit = 256

    private init(listener: Int32, port: Int) {
        self.listener = listener
        self.port = port
    }

    /// A socket that listens on a free loopback port, and the port.
    static func listener() throws(BrowserFailure) -> (Int32, port: Int) {
        let listener = socket(AF_INET, Socket.stream | Socket.closedAtExec | Socket.nonblocking, 0)
        if listener < 0 { throw .system(call: "socket", number: errno) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, length) == 0 && listen(listener, 128) == 0 && getsockname(listener, $0, &length) == 0
            }
        }
        guard isListening else {
            let number = errno
            Glibc.close(listener)
            throw .system(call: "listen", number: number)
        }
        return (listener, Int(UInt16(bigEndian: address.sin_port)))
    }

    static func open() throws(BrowserFailure) -> ConnectionGate {
        let (listener, port) = try listener()
        return try open(listener: listener, port: port)
    }

    /// - Parameter listener: a listening socket; the gate becomes its owner.
    static func open(listener: Int32, port: Int = 0) throws(BrowserFailure) -> ConnectionGate {
        let gate = ConnectionGate(listener: listener, port: port)
        do throws(FileError) {
            try BackgroundThread.start(stackByteCount: stackByteCount) { gate.accept() }
        } catch {
            Glibc.close(listener)
            throw .system(call: "pthread_create", number: error.number ?? EAGAIN)
        }
        return gate
    }

    /// Sets the rule for new connections; `nil` refuses all. Clears the records of earlier refusals.
    func use(_ rule: AddressRule?) {
        state.withLock {
            $0.rule = rule
            $0.failures = [:]
            $0.refused = []
        }
    }

    func failure(of target: HostPort) -> GateFailure? { state.withLock { $0.failures[target] } }

    var refused: [HostPort] { state.withLock { $0.refused } }

    /// Shuts down all connections. Threads that wait for the resolver end later without connecting.
    func close() {
        state.withLock {
            if $0.isClosed { return }
            $0.isClosed = true
            $0.rule = nil
            shutdown(listener, Int32(SHUT_RDWR))
            for socket in $0.open { shutdown(socket, Int32(SHUT_RDWR)) }
        }
    }

    // MARK: Connections

    private func accept() {
        defer { Glibc.close(listener) }
        while true {
            var polled = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
            if uninterrupted({ poll(&polled, 1, -1) }) < 0 { return }
            if state.withLock({ $0.isClosed }) { return }
            let client = uninterrupted { Glibc.accept(listener, nil, nil) }
            if client < 0 {
                switch errno {
                case EAGAIN, ECONNABORTED: continue
                case EMFILE, ENFILE, ENOBUFS, ENOMEM: usleep(10_000)
                default: return
                }
                continue
            }
            Socket.closeAtExec(client)
            Socket.stopBlocking(client)
            let isWelcome = hold(client)
            if !isWelcome || !startServing(client) { release(client) }
        }
    }

    private func startServing(_ client: Int32) -> Bool {
        (try? BackgroundThread.start(stackByteCount: Self.stackByteCount) { [self] in serve(client) }) != nil
    }

    private func hold(_ socket: Int32) -> Bool {
        state.withLock {
            if $0.isClosed || $0.open.count >= Self.connectionLimit * 2 { return false }
            $0.open.insert(socket)
            return true
        }
    }

    /// Closes the socket under the lock: otherwise its number could be reused while another thread shuts it down.
    private func release(_ socket: Int32) {
        state.withLock {
            $0.open.remove(socket)
            _ = Glibc.close(socket)
        }
    }

    private func serve(_ client: Int32) {
        defer { release(client) }
        guard let request = SOCKSRequest.read(from: client) else { return }
        guard let rule = state.withLock({ $0.rule }) else { return SOCKSRequest.reply(.notAllowed, to: client) }
        switch connect(request, rule) {
        case .failure(let failure):
            note(failure, request)
            if case .refused = failure {
                SOCKSRequest.reply(.notAllowed, to: client)
            } else {
                SOCKSRequest.reply(.unreachable, to: client)
            }
        case .success(let server):
            defer { release(server) }
            SOCKSRequest.reply(.connected, to: client)
            Relay.run(client, server)
        }
    }

    private func note(_ failure: GateFailure, _ request: SOCKSRequest) {
        state.withLock {
            if $0.failures.count < 1000 { $0.failures[request.target] = failure }
            guard case .refused = failure, $0.refused.count < 100, !$0.refused.contains(request.target) else { return }
            $0.refused.append(request.target)
        }
    }

    private enum Outcome {
        case success(Int32)
        case failure(GateFailure)
    }

    private func connect(_ request: SOCKSRequest, _ rule: AddressRule) -> Outcome {
        var hints = addrinfo()
        hints.ai_socktype = Socket.stream
        hints.ai_flags = Int32(AI_NUMERICSERV)
        var found: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(request.host, String(request.port), &hints, &found) == 0, let first = found else {
            return .failure(.noSuchHost)
        }
        defer { freeaddrinfo(first) }
        var last = GateFailure.noSuchHost
        var isRefused = false
        var attempts = 0
        let entries = sequence(first: first, next: { $0.pointee.ai_next })
        rule.learn(
            request.target,
            entries.compactMap { each in
                each.pointee.ai_addr.flatMap {
                    NetworkAddress(UnsafeRawBufferPointer(start: $0, count: Int(each.pointee.ai_addrlen)))
                }
            })
        for each in entries where attempts < 4 {
            guard let address = each.pointee.ai_addr else { continue }
            let bytes = UnsafeRawBufferPointer(start: address, count: Int(each.pointee.ai_addrlen))
            guard let found = NetworkAddress(bytes), rule.refusal(of: request.target, at: found) == nil else {
                isRefused = true
                continue
            }
            attempts += 1
            let socket = socket(each.pointee.ai_family, Socket.stream | Socket.closedAtExec | Socket.nonblocking, 0)
            if socket < 0 {
                last = .unreachable(errno)
                continue
            }
            // Registered before it connects, so that closing the gate ends the attempt.
            if !hold(socket) {
                Glibc.close(socket)
                return .failure(.unreachable(ECONNABORTED))
            }
            let number = Self.connect(socket, address, each.pointee.ai_addrlen)
            if number == 0 { return .success(socket) }
            release(socket)
            last = .unreachable(number)
        }
        return .failure(isRefused && attempts == 0 ? .refused : last)
    }

    /// - Returns: 0, or the error number; `ETIMEDOUT` after ten seconds.
    private static func connect(_ socket: Int32, _ address: UnsafePointer<sockaddr>, _ length: socklen_t) -> Int32 {
        if Glibc.connect(socket, address, length) == 0 { return 0 }
        // The socket does not block, so no signal interrupts the call.
        if errno != EINPROGRESS { return errno }
        var polled = pollfd(fd: socket, events: Int16(POLLOUT), revents: 0)
        let end = ContinuousClock.now + .seconds(10)
        while true {
            let left = ContinuousClock.now.duration(to: end)
            if left <= .zero { return ETIMEDOUT }
            let count = uninterrupted { poll(&polled, 1, Int32(left.wholeMilliseconds + 1)) }
            if count > 0 { break }
            if count < 0 { return errno }
        }
        var number: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        return getsockopt(socket, SOL_SOCKET, SO_ERROR, &number, &size) == 0 ? number : errno
    }
}
