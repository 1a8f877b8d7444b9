internal import Files
internal import URLs
internal import Work

/// What one capture may reach, and with whose cookies; the same for both engines.
struct Reach {
    let rule: AddressRule
    let cookies: CookieJar

    init(_ order: CaptureOrder, typed url: WebURL) throws {
        rule = AddressRule(
            allowsPrivate: order.allowsPrivate, allowed: Set(order.allowed.compactMap(HostPort.init)),
            typed: order.isTyped ? url.hostPort : nil)
        if let path = order.cookieFile {
            let file = try CookieFile(path: path)
            if let finding = file.findings.first, file.cookies.isEmpty {
                throw CaptureFailure("\(path):\(finding.line): \(finding.message)")
            }
            cookies = CookieJar(file.cookies)
        } else {
            cookies = CookieJar()
        }
    }
}
