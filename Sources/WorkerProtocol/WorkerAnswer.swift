internal import JSONFormat

/// One line that the worker writes while it works on an order.
///
/// On the wire it is an object with one member, whose key is the case's name. `result` and `error` are an order's
/// last line.
package enum WorkerAnswer<Order: WorkOrder>: Sendable {
    case progress(Order.Progress)
    /// What a person who watches may want to know.
    case note(CaptureDetail)
    case result(Order.Reply)
    /// Why there is no result.
    case error(CaptureDetail)

    package var line: [UInt8] {
        switch self {
        case .progress(let progress): Message.line(.members([("progress", progress.json)]))
        case .note(let detail): Message.line(.members([("note", .strings(detail.wire))]))
        case .result(let reply): Message.line(.members([("result", reply.json)]))
        case .error(let detail): Message.errorLine(detail)
        }
    }

    /// - Parameter line: without its line end.
    /// - Throws: `WireFault` if it is no answer to such an order.
    package init(line: [UInt8]) throws(WireFault) {
        guard let message = Message(line) else { throw WireFault("an answer must be a JSON object") }
        let fields = WireFields(message, of: "an answer")
        if let result = message.object("result") {
            self = .result(try Order.Reply(WireFields(result, of: "the answer to \(Order.name)")))
        } else if let error = try fields.detail("error") {
            self = .error(error)
        } else if let progress = message.object("progress") {
            self = .progress(try Order.Progress(WireFields(progress, of: "the progress of \(Order.name)")))
        } else if let note = try fields.detail("note") {
            self = .note(note)
        } else {
            throw WireFault("an answer has \"result\", \"error\", \"progress\" or \"note\"")
        }
    }
}

extension Message {
    /// The answer `error`, which is the same for all orders.
    package static func errorLine(_ detail: CaptureDetail) -> [UInt8] {
        line(.members([("error", .strings(detail.wire))]))
    }
}
