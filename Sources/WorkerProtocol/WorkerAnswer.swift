internal import JSONFormat

/// One line that the worker writes while it works on an order.
///
/// On the wire it is an object with one member, whose key is the case's name. `result` and `error` are an order's
/// last line.
package enum WorkerAnswer<Order: WorkOrder>: Sendable {
    case progress(Order.Progress)
    /// A sentence for a person who watches.
    case note(String)
    case result(Order.Reply)
    /// Why there is no result.
    case error(String)

    package var line: [UInt8] {
        switch self {
        case .progress(let progress): Message.line(.members([("progress", progress.json)]))
        case .note(let sentence): Message.line(.members([("note", .string(sentence))]))
        case .result(let reply): Message.line(.members([("result", reply.json)]))
        case .error(let sentence): Message.errorLine(sentence)
        }
    }

    /// - Parameter line: without its line end.
    /// - Throws: `WireFault` if it is no answer to such an order.
    package init(line: [UInt8]) throws(WireFault) {
        guard let message = Message(line) else { throw WireFault("an answer must be a JSON object") }
        if let result = message.object("result") {
            self = .result(try Order.Reply(WireFields(result, of: "the answer to \(Order.name)")))
        } else if let error = message.string("error") {
            self = .error(error)
        } else if let progress = message.object("progress") {
            self = .progress(try Order.Progress(WireFields(progress, of: "the progress of \(Order.name)")))
        } else if let note = message.string("note") {
            self = .note(note)
        } else {
            throw WireFault("an answer has \"result\", \"error\", \"progress\" or \"note\"")
        }
    }
}

extension Message {
    /// The answer `error`, which is the same for all orders.
    package static func errorLine(_ sentence: String) -> [UInt8] { line(.members([("error", .string(sentence))])) }
}
