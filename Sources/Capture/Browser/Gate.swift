internal import Glibc

/// The gate between a browser and the network, for the browser's driver.
package protocol Gate: AnyObject {
    /// Sets the rule for new connections; `nil` refuses all. Clears the records of earlier refusals.
    func use(_ rule: AddressRule?)
    /// The failure of the last attempt to reach a host and port; `nil` if it did not fail.
    func failure(of target: HostPort) -> GateFailure?
    /// Refused hosts and ports, in order, without duplicates; at most 100.
    var refused: [HostPort] { get }
    func close()
}

/// Why the gate made no connection.
package enum GateFailure: Sendable, Equatable {
    case refused, noSuchHost, unreachable(Int32)

    /// The name that the browser gives to this error without a proxy.
    var name: String {
        switch self {
        case .refused: "the address is not allowed"
        case .noSuchHost: "net::ERR_NAME_NOT_RESOLVED"
        case .unreachable(ECONNREFUSED): "net::ERR_CONNECTION_REFUSED"
        case .unreachable(ETIMEDOUT): "net::ERR_CONNECTION_TIMED_OUT"
        case .unreachable(let number): "net::ERR_CONNECTION_FAILED (\(String(cString: strerror(number))))"
        }
    }
}
