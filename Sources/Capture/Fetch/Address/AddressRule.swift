/// Which addresses may be connected to; asked at connect time with the address that the name was resolved to, so
/// that no answer of a name server slips in between (DNS rebinding), and for every hop of a redirect.
///
/// Global addresses are allowed on all but the ports of `BadPorts`. Any other address only
/// - everywhere with `allowsPrivate` (the option `--allow-private`);
/// - for a host and port on the list (CAPTURE_ALLOW), which also lifts the ban of ports;
/// - for the host and port that the person typed, whatever leads to it, but nothing else that it leads to. A typed name
///   that had a global address once is not allowed another one later: that is how a hostile name server turns
///   a page against the network it is read in.
///
/// One rule serves one capture; both engines and any thread may ask it.
package final class AddressRule: Sendable {
    package let allowsPrivate: Bool
    package let allowed: Set<HostPort>
    package let typed: HostPort?
    private let typedIsGlobal: TypedAddressMemory

    package init(
        allowsPrivate: Bool = false, allowed: Set<HostPort> = [], typed: HostPort? = nil,
        memory: TypedAddressMemory? = nil
    ) {
        self.allowsPrivate = allowsPrivate
        self.allowed = allowed
        self.typed = typed
        typedIsGlobal = memory ?? TypedAddressMemory()
    }

    /// Whether a connection for `target` may be made to `address`.
    ///
    /// - Parameter target: host and port of the request's URL, not of a proxy on the way.
    /// - Returns: `nil` if it may, else why not.
    package func refusal(of target: HostPort, at address: NetworkAddress) -> AddressRefusal? {
        if allowed.contains(target) { return nil }
        if BadPorts.contains(target.port) { return .port }
        let scope = address.scope
        let isTyped = target == typed
        if scope == .global {
            if isTyped { typedIsGlobal.isGlobal = true }
            return nil
        }
        if allowsPrivate { return nil }
        guard isTyped else { return .scope(scope) }
        return typedIsGlobal.isGlobal ? .rebinding(scope) : nil
    }

    /// Notes all addresses that a name has: one that was typed and has a public address too does not mean its private ones.
    package func learn(_ target: HostPort, _ addresses: some Sequence<NetworkAddress>) {
        if target == typed, addresses.contains(where: { $0.scope == .global }) { typedIsGlobal.isGlobal = true }
    }

    /// The same for an address as text, as a browser tells it; text that is no address is refused.
    package func refusal(of target: HostPort, at address: String) -> AddressRefusal? {
        guard let address = NetworkAddress(address) else { return .unreadable }
        return refusal(of: target, at: address)
    }

    /// What can be said before a name is resolved: the port, and the address if the host is one.
    package func refusal(of target: HostPort) -> AddressRefusal? {
        if let address = NetworkAddress(target.host) { return refusal(of: target, at: address) }
        return BadPorts.contains(target.port) && !allowed.contains(target) ? .port : nil
    }
}

/// Why an address may not be connected to.
package enum AddressRefusal: Hashable, Sendable {
    case scope(AddressScope)
    case rebinding(AddressScope)
    case port
    case unreadable
}
