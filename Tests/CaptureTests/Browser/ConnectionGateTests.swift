import Glibc
import TestSupport
import Testing

@testable import Capture

/// The proxy for the browser's connections.
struct ConnectionGateTests {
    /// A client of the gate.
    private final class Client {
        let socket: Int32

        init(_ gate: ConnectionGate) throws {
            socket = Glibc.socket(AF_INET, Socket.stream, 0)
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = UInt16(gate.port).bigEndian
            address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            let socket = socket
            let status = withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
            try #require(status == 0)
        }

        deinit { close(socket) }

        func send(_ bytes: [UInt8]) { _ = Glibc.send(socket, bytes, bytes.count, Socket.noSignal) }

        /// Receives until the other side closes, or this number of bytes.
        func receive(_ count: Int = .max) -> [UInt8] {
            var all: [UInt8] = []
            var buffer = [UInt8](repeating: 0, count: 1 << 16)
            while all.count < count {
                let got = recv(socket, &buffer, min(buffer.count, count - all.count), 0)
                if got <= 0 { break }
                all += buffer[..<got]
            }
            return all
        }

        func ask(_ host: String, _ port: Int) -> UInt8? {
            send([5, 1, 0, 5, 1, 0, 3, UInt8(host.utf8.count)] + host.utf8 + [UInt8(port >> 8), UInt8(port & 0xFF)])
            let reply = receive(12)
            return reply.count == 12 ? reply[3] : nil
        }
    }

    private func gate(allowing server: TestServer) throws -> ConnectionGate {
        let gate = try ConnectionGate.open()
        let hosts = ["127.0.0.1", "localhost"]
        gate.use(AddressRule(allowed: Set(hosts.map { HostPort(host: $0, port: server.port) })))
        return gate
    }

    @Test(arguments: ["127.0.0.1", "localhost"]) func `allowed connections are made`(host: String) throws {
        let server = try TestServer { _ in .raw("HTTP/1.1 200 OK\r\n\r\nhello") }
        let gate = try gate(allowing: server)
        let client = try Client(gate)
        #expect(client.ask(host, server.port) == 0)
        client.send(Array("GET / HTTP/1.1\r\nHost: x\r\n\r\n".utf8))
        #expect(String(decoding: client.receive(), as: UTF8.self).hasSuffix("hello"))
        gate.close()
        server.close()
    }

    @Test func `large amounts pass in both directions`() throws {
        let body = [UInt8](repeating: 0x61, count: 20 << 20)
        let server = try TestServer { _ in .whole(fields: ["Connection: close"], body: body) }
        let gate = try gate(allowing: server)
        let client = try Client(gate)
        #expect(client.ask("127.0.0.1", server.port) == 0)
        client.send(Array("GET / HTTP/1.1\r\nHost: x\r\nX-Large: \(String(repeating: "b", count: 6000))\r\n\r\n".utf8))
        #expect(client.receive(20 << 20).count == 20 << 20)
        gate.close()
        server.close()
    }

    @Test(arguments: ["127.0.0.1", "localhost", "0.0.0.0", "::1", "[::1]", "2130706433", "0x7f.1", "127.1"])
    func `no spelling of a private address gets through, and it is noted`(host: String) throws {
        let server = try TestServer { _ in .text("secret") }
        let gate = try ConnectionGate.open()
        gate.use(AddressRule())
        let client = try Client(gate)
        #expect(client.ask(host, server.port) == 2)
        #expect(client.receive() == [])
        #expect(gate.refused.count == 1)
        #expect(server.connectionCount == 0)
        gate.close()
        server.close()
    }

    @Test func `without a rule nothing is connected`() throws {
        let server = try TestServer { _ in .text("x") }
        let gate = try gate(allowing: server)
        gate.use(nil)
        #expect(try Client(gate).ask("127.0.0.1", server.port) == 2)
        #expect(server.connectionCount == 0)
        gate.close()
        server.close()
    }

    @Test func `names without an address and ports without a listener are distinguished`() throws {
        let server = try TestServer { _ in .text("x") }
        let gate = try gate(allowing: server)
        let port = server.port
        #expect(try Client(gate).ask("no-such-host.invalid", port) == 4)
        guard case .noSuchHost = gate.failure(of: HostPort(host: "no-such-host.invalid", port: port)) else {
            return #expect(Bool(false))
        }
        gate.use(AddressRule(allowed: [HostPort(host: "127.0.0.1", port: 1)]))
        #expect(try Client(gate).ask("127.0.0.1", 1) == 4)
        guard case .unreachable(ECONNREFUSED) = gate.failure(of: HostPort(host: "127.0.0.1", port: 1)) else {
            return #expect(Bool(false))
        }
        gate.close()
        server.close()
    }

    @Test(
        arguments: [
            [], [4, 1, 0, 80, 1, 2, 3, 4, 0], [5, 1, 2], [5, 0], [5, 1, 0, 5, 2, 0, 1, 127, 0, 0, 1, 0, 80],
            [5, 1, 0, 5, 1, 0, 9, 1], [5, 1, 0, 5, 1, 0, 3, 0, 0, 80], [5, 1, 0, 5, 1, 0, 3, 2, 0, 65, 0, 80],
            Array("GET http://127.0.0.1/ HTTP/1.1\r\n\r\n".utf8),
        ] as [[UInt8]]) func `anything else than CONNECT is turned away`(bytes: [UInt8]) throws
    {
        let gate = try ConnectionGate.open()
        gate.use(AddressRule(allowsPrivate: true))
        let client = try Client(gate)
        client.send(bytes)
        shutdown(client.socket, Int32(SHUT_WR))
        let reply = client.receive()
        #expect(reply.count < 5 || reply[3] != 0)
        gate.close()
    }

    @Test func `closing ends connections that are open`() throws {
        let server = try TestServer { _ in .stream { _ = $0.waitForClose(milliseconds: 60_000) } }
        let gate = try gate(allowing: server)
        let client = try Client(gate)
        #expect(client.ask("127.0.0.1", server.port) == 0)
        client.send(Array("GET / HTTP/1.1\r\nHost: x\r\n\r\n".utf8))
        gate.close()
        #expect(client.receive() == [])
        server.close()
    }
}
