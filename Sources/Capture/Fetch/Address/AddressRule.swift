/// The addresses to which connections are allowed. It is asked at connect time with the resolved address, so that a
/// name server cannot change its answer in between (DNS rebinding), and for every hop of a redirect.
///
/// Global addresses are allowed on all ports except `BadPorts`. Any other address is allowed only
/// - everywhere with `allowsPrivate` (the option `--allow-private`);
/// - for a host and port on the list (CAPTURE_ALLOW), which also lifts the ban of ports;
/// - for the host and port that the person typed, also if a page redirects to it, but not for targets of its redirects.
///   A typed name that had a global address may not get another kind of address later: a hostile name server could
///   turn the page against the network in which it is read.
///
/// One rule serves one capture; both engines and any thread may ask it.
package final class AddressRule: Sendable {
    package let allowsPrivate: Bool
    package let allowed: Set<HostPort>
    package let typed: HostPort?
    /// Whether nothing but this machine may be contacted.
    package let onlyLoopback: Bool
    private let typedIsGlobal: TypedAddressMemory

    package init(
        allowsPrivate: Bool = false, allowed: Set<HostPort> = [], typed: HostPort? = nil,
        onlyLoopback: Bool = false, memory: TypedAddressMemory? = nil
    ) {
        self.allowsPrivate = allowsPrivate
        self.allowed = allowed
        self.typed = typed
        self.onlyLoopback = onlyLoopback
        typedIsGlobal = memory ?? TypedAddressMemory()
    }

    /// Whether a connection for `target` may be made to `address`.
    ///
    /// - Parameter target: host and port of the request's URL, not of a proxy.
    /// - Returns: `nil` if it is allowed, else the reason.
    package func refusal(of target: HostPort, at address: NetworkAddress) -> AddressRefusal? {
        if onlyLoopback, address.scope != .loopback { return .scope(address.scope) }
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

    /// Records all addresses of a name. A typed name that also has a public address does not mean its private ones.
    package func learn(_ target: HostPort, _ addresses: some Sequence<NetworkAddress>) {
        if target == typed, addresses.contains(where: { $0.scope == .global }) { typedIsGlobal.isGlobal = true }
    }

    /// As above, for an address as text from a browser. Text that is no address is refused.
    package func refusal(of target: HostPort, at address: String) -> AddressRefusal? {
        guard let address = NetworkAddress(address) else { return .unreadable }
        return refusal(of: target, at: address)
    }

    /// The refusal that is known before a name is resolved: because of the port, or of the address if the host is
    /// one.
    package func refusal(of target: HostPort) -> AddressRefusal? {
        if let address = NetworkAddress(target.host) { return refusal(of: target, at: address) }
        return BadPorts.contains(target.port) && !allowed.contains(target) ? .port : nil
    }
}

/// Why a connection to an address is refused.
package enum AddressRefusal: Hashable, Sendable {
    case scope(AddressScope)
    case rebinding(AddressScope)
    case port
    case unreadable
}
