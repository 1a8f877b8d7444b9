package import JSONFormat

/// One kind of work of the worker: what it is asked, and what it answers.
package protocol WorkOrder: Sendable {
    associatedtype Reply: WireValue
    /// What the worker reports before the result.
    associatedtype Progress: WireValue

    /// The value of `"do"`, which tells the kinds apart.
    static var name: String { get }
    /// All fields but `"do"`.
    var members: [(String, JSON?)] { get }
    /// - Throws: `WireFault` that names the first field that is missing or of another type.
    init(_ fields: WireFields) throws(WireFault)
}

extension WorkOrder {
    /// The order as one line with its end.
    package var line: [UInt8] { Message.line(.members([("do", .string(Self.name))] + members)) }
}
