/// Why a line is no message of the protocol.
package struct WireFault: Error, CustomStringConvertible, Hashable, Sendable {
    package let description: String

    package init(_ description: String) { self.description = description }
}
