package import JSONFormat
package import WorkerProtocol

/// The URL of an order, and the addresses that may be contacted for it.
package struct FetchTarget: Sendable {
    package let url: String
    package let access: NetworkAccess

    package init(_ order: CaptureOrder) {
        url = order.url
        access = order.access
    }

    package init(_ order: FaviconOrder) {
        url = order.url
        access = order.access
    }
}

/// The form in which the target is sent to a browser's gate.
extension FetchTarget: WireValue {
    package var json: JSON { .members([("url", .string(url))] + access.members) }

    package init(_ fields: WireFields) throws(WireFault) {
        url = try fields.string("url")
        access = try NetworkAccess(fields)
    }
}
