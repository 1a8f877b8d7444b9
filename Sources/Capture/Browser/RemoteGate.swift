internal import JSONFormat
internal import WorkerProtocol

/// A gate in a separate process, which only reports refused connections. The process that started the gate sets its
/// rule, not the process that parses pages.
final class RemoteGate: Gate {
    private let socket: MessageSocket

    init(_ socket: MessageSocket) { self.socket = socket }

    func use(_ rule: AddressRule?) {}

    func failure(of target: HostPort) -> GateFailure? {
        guard let answer = ask([("target", .string(target.description))]) else { return nil }
        switch answer.string("failure") {
        case "refused": return .refused
        case "host": return .noSuchHost
        case "unreachable": return .unreachable(Int32(truncatingIfNeeded: answer.integer("number") ?? 0))
        default: return nil
        }
    }

    var refused: [HostPort] {
        ask([("refused", .bool(true))])?.strings("refused").compactMap { HostPort($0) } ?? []
    }

    func close() {}

    private func ask(_ members: [(String, JSON?)]) -> Message? {
        guard socket.send(.members(members)) else { return nil }
        return socket.receive(until: .now + .seconds(5))?.0
    }
}
