internal import URLs
internal import WorkerProtocol

/// The addresses and cookies of one capture, the same for both engines.
struct Reach {
    let rule: AddressRule
    let cookies: [Cookie]

    init(_ target: FetchTarget, memory: TypedAddressMemory? = nil) throws {
        rule = Self.rule(target, memory: memory)
        cookies = try target.access.cookieFile.map { try CookieFile.cookies(path: $0) } ?? []
    }

    static func rule(_ target: FetchTarget, memory: TypedAddressMemory?) -> AddressRule {
        AddressRule(
            allowsPrivate: target.access.allowsPrivate, allowed: Set(target.access.allowed.compactMap(HostPort.init)),
            typed: target.access.isTyped ? WebURL(target.url)?.hostPort : nil, memory: memory)
    }
}
