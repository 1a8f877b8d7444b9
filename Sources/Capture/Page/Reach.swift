internal import Files
internal import URLs
internal import Work

/// What one capture may reach, and with whose cookies; the same for both engines.
struct Reach {
    let rule: AddressRule
    let cookies: CookieJar

    init(_ order: CaptureOrder, memory: TypedAddressMemory? = nil) throws {
        rule = Self.rule(order, memory: memory)
        if let path = order.cookieFile {
            let file = try CookieFile(path: path)
            if let finding = file.findings.first, file.cookies.isEmpty {
                throw CaptureFailure(.machine, "\(path):\(finding.line): \(finding.message)")
            }
            cookies = CookieJar(file.cookies)
        } else {
            cookies = CookieJar()
        }
    }

    static func rule(_ order: CaptureOrder, memory: TypedAddressMemory?) -> AddressRule {
        AddressRule(
            allowsPrivate: order.allowsPrivate, allowed: Set(order.allowed.compactMap(HostPort.init)),
            typed: order.isTyped ? WebURL(order.url)?.hostPort : nil, memory: memory)
    }
}
