internal import Glibc

/// What stands between a browser and the network, as the one who drives the browser sees it.
package protocol Gate: AnyObject {
    /// Lets connections through by this rule from now on, by none if `nil`; what was noted of earlier ones is dropped.
    func use(_ rule: AddressRule?)
    /// What became of the last attempt to reach a host and port, where it failed.
    func failure(of target: HostPort) -> GateFailure?
    /// Hosts and ports that were refused, in order, each once; at most 100.
    var refused: [HostPort] { get }
    func close()
}

/// Why the gate made no connection.
package enum GateFailure: Sendable, Equatable {
    case refused, noSuchHost, unreachable(Int32)

    /// As the browser would have named it without a proxy.
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
