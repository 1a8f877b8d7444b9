package import JSONFormat

/// A value that one side writes and the other reads, as one JSON object.
package protocol WireValue: Sendable {
    var json: JSON { get }
    /// - Throws: `WireFault` that names the first missing field or field of another type.
    init(_ fields: WireFields) throws(WireFault)
}

/// For orders without progress reports.
extension Never: WireValue {
    package var json: JSON { switch self {} }
    package init(_ fields: WireFields) throws(WireFault) { throw WireFault("this order has no progress") }
}
