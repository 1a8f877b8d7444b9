internal import CCurl
import Characters
internal import Glibc
internal import URLs

/// One running request: an easy handle of libcurl, the collected data, and why it was stopped.
///
/// Used by one thread. While the handle is in the multi handle, libcurl holds an unretained pointer to this object,
/// so the fetcher keeps the object for that time.
final class Transfer {
    /// Why a callback ended the transfer.
    enum Stop {
        case headerLimit, assetLimit, pageLimit
        /// All wanted data has arrived: the body of a redirect, or of a request that accepts truncation, is not
        /// needed.
        case enough
    }

    let handle: UnsafeMutableRawPointer
    private(set) var resource: Resource
    private let rule: AddressRule
    private let budget: ByteBudget
    let limits: FetchLimits
    /// Whether the sockets lead to the proxy of the environment, which the person chose.
    let isProxied: Bool
    private let cookies: SharedCookies
    private var list: UnsafeMutablePointer<curl_slist>?
    private let words = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE) + 1)

    private(set) var status = 0
    private(set) var fields = HeaderFields()
    private(set) var body: [UInt8] = []
    private(set) var stop: Stop?
    private(set) var refusal: (address: String, why: AddressRefusal)?
    private var headerByteCount = 0
    private var skippedByteCount = 0
    private(set) var headerIsWhole = false
    let byteLimit: Int

    /// - Parameter timeout: of this attempt, limited by the deadline of the capture.
    init(
        _ resource: Resource, handle: UnsafeMutableRawPointer, rule: AddressRule, budget: ByteBudget,
        limits: FetchLimits, proxy: String?, cookies: SharedCookies, timeout: Duration
    ) {
        self.handle = handle
        self.resource = resource
        self.rule = rule
        self.budget = budget
        self.limits = limits
        isProxied = proxy != nil
        self.cookies = cookies
        byteLimit = min(limits.assetByteCount, resource.request.byteLimit ?? .max)
        words.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE) + 1)
        setOptions(proxy: proxy, timeout: timeout)
        setFields()
        setCallbacks()
    }

    deinit {
        curl_slist_free_all(list)
        words.deallocate()
    }

    /// libcurl's message, without control characters, at most 200 characters.
    func message(_ code: CURLcode) -> String {
        let own = String(cString: words)
        let text = own.isEmpty ? String(cString: curl_easy_strerror(code)) : own
        return String(text.unicodeScalars.filter { $0.value >= 0x20 }.prefix(200).map(Character.init))
    }

    var remoteAddress: String {
        var text: UnsafePointer<CChar>?
        return ccurl_get_string(handle, CURLINFO_PRIMARY_IP, &text) == CURLE_OK
            ? text.map { String(cString: $0) } ?? "" : ""
    }

    /// Seconds since the start of this attempt.
    var elapsedSeconds: Double {
        var microseconds: curl_off_t = 0
        return ccurl_get_offset(handle, CURLINFO_TOTAL_TIME_T, &microseconds) == CURLE_OK
            ? Double(microseconds) / 1_000_000 : 0
    }

    /// Whether a connection was made or reused.
    var hasConnected: Bool {
        var microseconds: curl_off_t = 0
        return headerByteCount > 0
            || ccurl_get_offset(handle, CURLINFO_PRETRANSFER_TIME_T, &microseconds) == CURLE_OK && microseconds > 0
    }

    /// Whether only the redirect matters, not the body.
    var isRedirect: Bool {
        resource.request.method != .post && FetchResponse.Redirect.statuses.contains(status)
            && fields["location"] != nil
    }

    /// Releases the collected bytes from the budget.
    func dropBody() {
        budget.release(body.count)
        body = []
    }

    // MARK: Options

    private func setOptions(proxy: String?, timeout: Duration) {
        let url = resource.url
        ccurl_set_string(handle, CURLOPT_URL, url.spellingWithoutCredentials)
        ccurl_set_string(handle, CURLOPT_PROTOCOLS_STR, "http,https")
        ccurl_set_string(handle, CURLOPT_REDIR_PROTOCOLS_STR, "http,https")
        ccurl_set_long(handle, CURLOPT_FOLLOWLOCATION, 0)
        // The URL is already resolved; libcurl must not remove dots from it again.
        ccurl_set_long(handle, CURLOPT_PATH_AS_IS, 1)
        ccurl_set_long(handle, CURLOPT_NOSIGNAL, 1)
        // A hanging look-up must not delay the end of a transfer whose time is over.
        ccurl_set_long(handle, CURLOPT_QUICK_EXIT, 1)
        ccurl_set_long(handle, CURLOPT_NETRC, 0)
        ccurl_set_long(handle, CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_2TLS))
        // Waiting for the first connection of an origin pays only if it may be HTTP/2.
        ccurl_set_long(handle, CURLOPT_PIPEWAIT, url.scheme == "https" ? 1 : 0)
        if resource.takesBodyAsSent {
            ccurl_set_long(handle, CURLOPT_HTTP_CONTENT_DECODING, 0)
        } else {
            // All encodings that libcurl supports.
            ccurl_set_string(handle, CURLOPT_ACCEPT_ENCODING, "")
        }
        ccurl_set_string(handle, CURLOPT_PROXY, proxy ?? "")
        ccurl_set_long(handle, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        ccurl_set_long(handle, CURLOPT_CONNECTTIMEOUT_MS, limits.connectTimeout.wholeMilliseconds)
        ccurl_set_long(handle, CURLOPT_TIMEOUT_MS, max(1, timeout.wholeMilliseconds))
        ccurl_set_long(handle, CURLOPT_LOW_SPEED_LIMIT, limits.stallBytesPerSecond)
        ccurl_set_long(handle, CURLOPT_LOW_SPEED_TIME, max(1, limits.stallTime.wholeMilliseconds / 1000))
        if resource.request.method == .head { ccurl_set_long(handle, CURLOPT_NOBODY, 1) }
        if let content = resource.request.content {
            ccurl_set_long(handle, CURLOPT_POST, 1)
            ccurl_set_offset(handle, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(content.bytes.count))
            // libcurl copies the bytes.
            content.bytes.withUnsafeBytes { bytes in
                let start = UnsafeMutableRawPointer(mutating: bytes.baseAddress)
                _ = ccurl_set_pointer(handle, CURLOPT_COPYPOSTFIELDS, start)
            }
        }
        if let range = resource.request.range {
            ccurl_set_string(handle, CURLOPT_RANGE, range.hasPrefix("bytes=") ? String(range.dropFirst(6)) : range)
        }
        if url.hasCredentials {
            ccurl_set_long(handle, CURLOPT_HTTPAUTH, ccurl_basic_authentication())
            ccurl_set_string(handle, CURLOPT_USERNAME, Self.decoded(url.username))
            ccurl_set_string(handle, CURLOPT_PASSWORD, Self.decoded(url.password))
        }
        if let file = getenv("SSL_CERT_FILE") { ccurl_set_string(handle, CURLOPT_CAINFO, file) }
        if let folder = getenv("SSL_CERT_DIR") { ccurl_set_string(handle, CURLOPT_CAPATH, folder) }
        cookies.use(in: handle)
        ccurl_set_pointer(handle, CURLOPT_ERRORBUFFER, words)
    }

    private func setFields() {
        let request = resource.request
        if let content = request.content {
            for line in content.fields { list = curl_slist_append(list, line) ?? list }
            ccurl_set_pointer(handle, CURLOPT_HTTPHEADER, list)
            return
        }
        ccurl_set_string(handle, CURLOPT_USERAGENT, BrowserFields.userAgent)
        var lines = ["Accept: " + BrowserFields.accept(request.purpose), "Accept-Language: " + BrowserFields.languages]
        if request.purpose == .document { lines.append("Upgrade-Insecure-Requests: 1") }
        if let referrer = request.referrer,
            let referer = request.referrerPolicy.referer(from: referrer, to: resource.url)
        {
            lines.append("Referer: " + referer)
        }
        if let tag = request.validators?.entityTag { lines.append("If-None-Match: " + tag) }
        if let date = request.validators?.lastModified { lines.append("If-Modified-Since: " + date) }
        // Text from an earlier answer or a file must not contain line ends.
        for line in lines where line.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) {
            list = curl_slist_append(list, line) ?? list
        }
        ccurl_set_pointer(handle, CURLOPT_HTTPHEADER, list)
    }

    /// A NUL would end the C string early, so a text with one is read as empty.
    private static func decoded(_ text: String) -> String {
        let bytes = PercentEncoding.decoded(text.utf8)
        return bytes.contains(0) ? "" : String(decoding: bytes, as: UTF8.self)
    }

    // MARK: Callbacks

    private func setCallbacks() {
        let pointer = Unmanaged.passUnretained(self).toOpaque()
        ccurl_set_pointer(handle, CURLOPT_PRIVATE, pointer)
        ccurl_set_pointer(handle, CURLOPT_WRITEDATA, pointer)
        ccurl_set_pointer(handle, CURLOPT_HEADERDATA, pointer)
        ccurl_set_pointer(handle, CURLOPT_OPENSOCKETDATA, pointer)
        // Any other return value than the given count ends the transfer.
        ccurl_set_write_function(handle) { bytes, _, count, pointer in
            guard let transfer = Transfer.at(pointer), let bytes else { return 0 }
            return transfer.takeBody(UnsafeRawBufferPointer(start: bytes, count: count)) ? count : 0
        }
        ccurl_set_header_function(handle) { bytes, _, count, pointer in
            guard let transfer = Transfer.at(pointer), let bytes else { return 0 }
            return transfer.takeHeader(UnsafeRawBufferPointer(start: bytes, count: count)) ? count : 0
        }
        ccurl_set_socket_function(handle) { pointer, _, address in
            guard let transfer = Transfer.at(pointer), let address else { return -1 }
            return transfer.openSocket(address)
        }
    }

    private static func at(_ pointer: UnsafeMutableRawPointer?) -> Transfer? {
        pointer.map { Unmanaged<Transfer>.fromOpaque($0).takeUnretainedValue() }
    }

    /// The transfer of a handle in the multi handle.
    static func of(_ handle: UnsafeMutableRawPointer) -> Transfer? {
        var pointer: UnsafePointer<CChar>?
        guard ccurl_get_string(handle, CURLINFO_PRIVATE, &pointer) == CURLE_OK else { return nil }
        return at(UnsafeMutableRawPointer(mutating: pointer))
    }

    private func openSocket(_ address: UnsafeMutablePointer<curl_sockaddr>) -> curl_socket_t {
        if !isProxied {
            // The address is the last member of a structure that is longer than its Swift type.
            let length = Int(address.pointee.addrlen)
            let place = UnsafeRawPointer(address) + (MemoryLayout<curl_sockaddr>.offset(of: \.addr) ?? 0)
            let bytes = UnsafeRawBufferPointer(start: place, count: length)
            guard let found = NetworkAddress(bytes) else {
                refusal = ("", .unreadable)
                return -1
            }
            let target = resource.url.hostPort
            // libcurl shows one address at a time; a typed name may also have a public one.
            if target == rule.typed, found.scope != .global, NetworkAddress(target.host) == nil,
                case .addresses(let all) = NameLookup.lookUp(target.host)
            {
                rule.learn(target, all)
            }
            if let why = rule.refusal(of: target, at: found) {
                refusal = (found.description, why)
                return -1
            }
        }
        return ccurl_open_socket(address)
    }

    private func takeHeader(_ line: UnsafeRawBufferPointer) -> Bool {
        headerByteCount += line.count
        if headerByteCount > limits.headerByteCount {
            stop = .headerLimit
            return false
        }
        // Trailers come after the body and are ignored.
        if !body.isEmpty || skippedByteCount > 0 { return true }
        if line.starts(with: "HTTP/".utf8) {
            fields = HeaderFields()
            status = Self.status(line)
            headerIsWhole = false
        } else if line.first == UInt8(ascii: "\r") || line.first == UInt8(ascii: "\n") {
            headerIsWhole = status >= 200
            return endHeader()
        } else if !headerIsWhole {
            fields.add(line: line)
            if HeaderFields.isSetCookie(line) { cookies.hasTakenField() }
        }
        return true
    }

    private static func status(_ line: UnsafeRawBufferPointer) -> Int {
        let digits = line.drop { $0 != 0x20 }.drop { $0 == 0x20 }.prefix(while: \.isDigit)
        return digits.count == 3 ? digits.reduce(0) { $0 * 10 + Int($1 - 0x30) } : 0
    }

    /// Ends a transfer before its body is read if the promised length is too large.
    private func endHeader() -> Bool {
        guard headerIsWhole, resource.request.method != .head, !isRedirect, let text = fields["content-length"],
            let promised = Int(text), promised > 0
        else { return true }
        if promised > byteLimit {
            if resource.request.acceptsTruncated { return true }
            stop = .assetLimit
            return false
        }
        // The limits bound the rest; reserved memory costs nothing until it is used.
        body.reserveCapacity(min(promised, byteLimit))
        return true
    }

    private func takeBody(_ bytes: UnsafeRawBufferPointer) -> Bool {
        if isRedirect {
            skippedByteCount += bytes.count
            if skippedByteCount <= 64 << 10 { return true }
            stop = .enough
            return false
        }
        let room = byteLimit - body.count
        let taken = min(room, bytes.count)
        if !budget.take(taken) {
            stop = .pageLimit
            return false
        }
        body.append(contentsOf: bytes.prefix(taken))
        if taken == bytes.count { return true }
        stop = .assetLimit
        return false
    }
}
