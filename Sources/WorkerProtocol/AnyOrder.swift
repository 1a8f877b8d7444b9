/// An order of any kind, as the worker reads it.
package enum AnyOrder: Sendable {
    case capture(CaptureOrder)
    case favicon(FaviconOrder)
    case checkLinks(LinkCheckOrder)
    case identify(IdentifyOrder)
    case read(ReadOrder)
    case links(LinksOrder)
    case ask(AskOrder)
    case trial(TrialOrder)

    /// - Parameter line: without its line end.
    /// - Throws: `WireFault` if it is no order.
    package init(line: [UInt8]) throws(WireFault) {
        guard let message = Message(line) else { throw WireFault("an order must be a JSON object") }
        guard let name = message.string("do") else { throw WireFault("there is no order without a name") }
        let fields = WireFields(message, of: "the order \(name)")
        switch name {
        case CaptureOrder.name: self = .capture(try CaptureOrder(fields))
        case FaviconOrder.name: self = .favicon(try FaviconOrder(fields))
        case LinkCheckOrder.name: self = .checkLinks(try LinkCheckOrder(fields))
        case IdentifyOrder.name: self = .identify(try IdentifyOrder(fields))
        case ReadOrder.name: self = .read(try ReadOrder(fields))
        case LinksOrder.name: self = .links(try LinksOrder(fields))
        case AskOrder.name: self = .ask(try AskOrder(fields))
        case TrialOrder.name: self = .trial(try TrialOrder(fields))
        default: throw WireFault("there is no order \(name)")
        }
    }
}
