internal import Files

/// Answers other programs, within the loop of a watch.
final class WatchServer {
    private let listener: LocalListener
    private var clients: [Client] = []
    private let hub: ChangeHub

    private struct Client {
        let connection: LocalConnection
        var line: [UInt8] = []
    }

    /// More programs than these wait until one is answered.
    private static let clientLimit = 64
    private static let lineLimit = 256

    init(_ path: String, _ hub: ChangeHub) throws(FileError) {
        self.hub = hub
        listener = try LocalListener(path: path)
    }

    /// The descriptors to wait on.
    var numbers: [Int32] {
        [clients.count < Self.clientLimit ? listener.number : -1] + clients.map(\.connection.number)
    }

    /// - Parameter ready: for each of `numbers`, whether it is ready.
    func handle(_ ready: [Bool], _ answer: (WatchRequest) throws -> WatchReply) throws {
        var left: [Client] = []
        for (var client, isReady) in zip(clients, ready.dropFirst()) {
            if try !isReady || isKept(&client, answer) { left.append(client) }
        }
        clients = left
        while ready.first == true, clients.count < Self.clientLimit, let connection = listener.accept() {
            var client = Client(connection: connection)
            // The request has nearly always arrived with the connection.
            if try isKept(&client, answer) { clients.append(client) }
        }
    }

    private func isKept(_ client: inout Client, _ answer: (WatchRequest) throws -> WatchReply) throws -> Bool {
        switch client.connection.receive() {
        case .nothing: return true
        case .ended: return false
        case .bytes(let bytes): client.line += bytes
        }
        while let end = client.line.firstIndex(of: 0x0A) {
            let word = String(decoding: client.line[..<end], as: UTF8.self)
            client.line.removeFirst(end + 1)
            if word == WatchRequest.changes {
                ChangeStream.start(client.connection, hub)
                return false
            }
            guard let request = WatchRequest(rawValue: word) else { return false }
            if try !client.connection.send(answer(request).line) { return false }
        }
        return client.line.count <= Self.lineLimit
    }
}
