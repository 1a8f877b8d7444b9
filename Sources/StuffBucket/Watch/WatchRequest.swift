internal import Files
internal import JSONFormat

/// What a program asks a watch on its socket: one line, and one line as the answer.
enum WatchRequest: String {
    /// Whether the index has everything that was changed before; it is brought up to date first.
    case catchUp = "catch-up"
    case status
}

/// The answer to a request.
enum WatchReply {
    case isCurrent(Bool)
    case status(WatchStatus)

    /// One line.
    var line: [UInt8] {
        switch self {
        case .isCurrent(let isCurrent): Array((isCurrent ? "current\n" : "behind\n").utf8)
        case .status(let status): Self.line(status.json)
        }
    }

    private static func line(_ value: JSON) -> [UInt8] {
        var writer = JSONWriter(.oneLine)
        writer.write(value)
        return writer.bytes + [0x0A]
    }

    static let current = Array("current".utf8)
}

/// Answers other programs, within the loop of a watch.
final class WatchServer {
    private let listener: LocalListener
    private var clients: [Client] = []

    private struct Client {
        let connection: LocalConnection
        var line: [UInt8] = []
    }

    /// More programs than these wait until one is answered.
    private static let clientLimit = 64
    private static let lineLimit = 256

    init(_ path: String) throws(FileError) { listener = try LocalListener(path: path) }

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
            guard let request = WatchRequest(rawValue: word) else { return false }
            if try !client.connection.send(answer(request).line) { return false }
        }
        return client.line.count <= Self.lineLimit
    }
}
