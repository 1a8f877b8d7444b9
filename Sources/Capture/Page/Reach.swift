internal import Files
internal import URLs
internal import WorkerProtocol

/// What one capture may reach, and with whose cookies; the same for both engines.
struct Reach {
    let rule: AddressRule
    let cookies: CookieJar

    init(_ target: FetchTarget, memory: TypedAddressMemory? = nil) throws {
        rule = Self.rule(target, memory: memory)
        if let path = target.access.cookieFile {
            let file = try CookieFile(path: path)
            if let finding = file.findings.first, file.cookies.isEmpty {
                throw CaptureFailure(.machine, "\(path):\(finding.line): \(finding.message)")
            }
            cookies = CookieJar(file.cookies)
        } else {
            cookies = CookieJar()
        }
    }

    static func rule(_ target: FetchTarget, memory: TypedAddressMemory?) -> AddressRule {
        AddressRule(
            allowsPrivate: target.access.allowsPrivate, allowed: Set(target.access.allowed.compactMap(HostPort.init)),
            typed: target.access.isTyped ? WebURL(target.url)?.hostPort : nil, memory: memory)
    }
}
