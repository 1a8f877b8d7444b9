package import Files
internal import Time
internal import WorkerProtocol

/// A cookie file in the Netscape format, as browsers' extensions and curl write it.
///
/// A line holds seven fields separated by tabs: domain, `TRUE` if hosts below it get the cookie too, path, `TRUE` if
/// only over https, expiry in seconds since 1970 (0 for the session), name, value. Lines that start with `#` are
/// comments, except with the prefix `#HttpOnly_`. https://curl.se/docs/http-cookies.html
package struct CookieFile: Sendable, Equatable {
    /// An error of the file or of a line; the other lines are used.
    package struct Finding: Sendable, Equatable {
        /// From 1; 0 for the whole file.
        package let line: Int
        package let message: String
    }

    package let cookies: [Cookie]
    package let findings: [Finding]

    static let byteLimit = 8 << 20
    static let cookieLimit = 50_000
    /// The limit for name and value together, as in libcurl and browsers.
    static let byteLimitOfCookie = 4096

    /// Reads a file that the person named.
    ///
    /// - Throws: `FileError` if it cannot be read, or is larger than 8 MiB.
    package init(path: String) throws(FileError) {
        let file = try Descriptor.open(path: path)
        let status = try file.status()
        let bytes = try file.readAll(expecting: status.byteCount, limit: Self.byteLimit)
        self.init(bytes, permissions: status.permissions)
    }

    /// The usable cookies of a person's file.
    ///
    /// - Throws: `FileError` if it cannot be read, `CaptureFailure` if the file has lines but no cookie.
    static func cookies(path: String) throws -> [Cookie] {
        let file = try CookieFile(path: path)
        if let finding = file.findings.first(where: { $0.line > 0 }), file.cookies.isEmpty {
            throw CaptureFailure(
                .machine, CaptureDetail(.cookieFile, path, "\(finding.line)", "\(finding.message)"))
        }
        return file.cookies
    }

    /// - Parameter permissions: the permission bits of the file.
    package init(_ bytes: [UInt8], permissions: UInt32 = 0o600) {
        var cookies: [Cookie] = []
        var findings: [Finding] = []
        if permissions & 0o077 != 0 {
            findings.append(
                Finding(
                    line: 0,
                    message:
                        "others on this machine can read the cookies (mode \(String(permissions & 0o777, radix: 8)));"
                        + " make it private with chmod 600"))
        }
        var number = 0
        for raw in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            number += 1
            let line = raw.last == UInt8(ascii: "\r") ? raw.dropLast() : raw
            do throws(Fault) {
                guard let cookie = try Self.cookie(line, isFirst: number == 1) else { continue }
                if cookies.count == Self.cookieLimit { throw Fault("more than \(Self.cookieLimit) cookies") }
                cookies.append(cookie)
            } catch {
                findings.append(Finding(line: number, message: error.message))
                if findings.count > 20 { break }
            }
        }
        self.cookies = cookies
        self.findings = findings
    }

    private struct Fault: Error {
        let message: String
        init(_ message: String) { self.message = message }
    }

    private static func cookie(_ line: ArraySlice<UInt8>, isFirst: Bool) throws(Fault) -> Cookie? {
        var line = line
        if isFirst, line.starts(with: [0xEF, 0xBB, 0xBF]) { line = line.dropFirst(3) }
        var isHTTPOnly = false
        if line.starts(with: "#HttpOnly_".utf8) {
            isHTTPOnly = true
            line = line.dropFirst(10)
        }
        guard let first = line.first, first != UInt8(ascii: "#"), line.contains(where: { $0 > 0x20 }) else {
            return nil
        }
        guard let text = String(validating: line, as: UTF8.self) else { throw Fault("not UTF-8") }
        let fields = text.utf8.split(separator: UInt8(ascii: "\t"), omittingEmptySubsequences: false).map(
            String.init(_:)
        )
        .map { $0 ?? "" }
        // Some writers omit the tab before an empty value.
        guard (6...7).contains(fields.count) else {
            throw Fault(
                "\(fields.count) fields by tabs where a cookie has 7; is it a cookie file in the Netscape format?")
        }
        if text.utf8.contains(where: { $0 < 0x20 && $0 != 9 || $0 == 0x7F }) { throw Fault("a control character") }
        var domain = fields[0].lowercased()
        let hadDot = domain.hasPrefix(".")
        if hadDot { domain.removeFirst() }
        if domain.isEmpty || domain.utf8.contains(where: { $0 <= 0x20 || $0 == UInt8(ascii: "/") }) {
            throw Fault("the domain is no host name")
        }
        let reachesBelow = try flag(fields[1], "the second field")
        guard let seconds = Int64(fields[4].prefix { $0 != "." }), abs(seconds) < 1 << 50 else {
            throw Fault("the expiry is no number of seconds")
        }
        let path = fields[2].hasPrefix("/") ? fields[2] : "/"
        let cookie = Cookie(
            name: fields[5], value: fields.count > 6 ? fields[6] : "", domain: Self.host(domain),
            isHostOnly: !reachesBelow && !hadDot, path: path, isSecure: try flag(fields[3], "the fourth field"),
            isHTTPOnly: isHTTPOnly, expires: seconds <= 0 ? nil : Timestamp(milliseconds: seconds * 1000))
        if cookie.name.isEmpty { throw Fault("no name") }
        if cookie.name.utf8.count + cookie.value.utf8.count > Self.byteLimitOfCookie {
            throw Fault("more than \(Self.byteLimitOfCookie) bytes")
        }
        // Browsers do not send these either: RFC 6265, section 4.1.1.
        if cookie.name.utf8.contains(where: { $0 == UInt8(ascii: ";") || $0 == UInt8(ascii: "=") })
            || cookie.value.utf8.contains(UInt8(ascii: ";"))
        {
            throw Fault("a \";\" in the name or the value")
        }
        return cookie
    }

    /// The host without the brackets of an IPv6 address and without a final dot.
    private static func host(_ text: String) -> String {
        var text = text
        if text.hasPrefix("["), text.hasSuffix("]") { text = String(text.dropFirst().dropLast()) }
        if text.hasSuffix(".") { text.removeLast() }
        return text
    }

    private static func flag(_ text: String, _ which: String) throws(Fault) -> Bool {
        switch text.lowercased() {
        case "true": return true
        case "false": return false
        default: throw Fault("\(which) is \(text.prefix(20)), not TRUE or FALSE")
        }
    }
}
