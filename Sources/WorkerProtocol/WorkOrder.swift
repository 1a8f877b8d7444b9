package import JSONFormat

/// One kind of order for the worker, with its reply.
package protocol WorkOrder: Sendable {
    associatedtype Reply: WireValue
    /// The worker's reports before the result.
    associatedtype Progress: WireValue

    /// The value of `"do"`, which distinguishes the orders.
    static var name: String { get }
    /// All fields but `"do"`.
    var members: [(String, JSON?)] { get }
    /// - Throws: `WireFault` that names the first missing field or field of another type.
    init(_ fields: WireFields) throws(WireFault)
}

extension WorkOrder {
    /// The order as one line, with its line end.
    package var line: [UInt8] { Message.line(.members([("do", .string(Self.name))] + members)) }
}
