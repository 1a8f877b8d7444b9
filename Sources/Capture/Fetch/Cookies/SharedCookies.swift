internal import CCurl
internal import Time

/// The cookies of one capture: those of the person's file, and those that answers set. libcurl keeps, matches and
/// sends them. They live as long as this object. Nothing is written to a file.
///
/// An answer's cookie for a whole domain is accepted if the domain is no public suffix (`co.uk`, `github.io`), by
/// libcurl's list. If libcurl has no list, only cookies for the answer's own host are accepted.
///
/// Not `Sendable`: it belongs to the fetcher's thread.
final class SharedCookies {
    private let share: UnsafeMutableRawPointer
    /// A handle that never fetches: cookies are added and listed through it.
    private let handle: UnsafeMutableRawPointer
    private let given: [Cookie]
    private let knowsSuffixes: Bool
    /// The number of cookies that answers may set besides the given ones.
    private static let limit = 1500
    private var fieldCount = 0
    private var lastLines: [String] = []
    /// Rises with each redirect that changes the cookies. A redirect back is then worth following.
    private(set) var changes = 0

    /// A cookie that is never sent and expires in the year 9999. With each new cookie, libcurl searches all cookies
    /// for expired ones unless it knows the earliest expiry: without this cookie, 50,000 session cookies took
    /// minutes.
    private static let mark = Cookie(
        name: "mark", value: "", domain: "invalid", isHostOnly: true,
        expires: Timestamp(milliseconds: 253_402_300_799_000))

    /// Whether libcurl was built with a public suffix list.
    static let libraryKnowsSuffixes = ccurl_knows_public_suffixes() != 0

    init(_ cookies: [Cookie], knowsSuffixes: Bool = libraryKnowsSuffixes) throws(FetchFailure) {
        guard let share = curl_share_init() else { throw .local("libcurl could not keep cookies") }
        guard ccurl_share(share, CURL_LOCK_DATA_COOKIE) == CURLSHE_OK, let handle = curl_easy_init() else {
            curl_share_cleanup(share)
            throw .local("libcurl could not keep cookies")
        }
        self.share = share
        self.handle = UnsafeMutableRawPointer(handle)
        self.knowsSuffixes = knowsSuffixes
        given = cookies
        use(in: self.handle)
        put(cookies)
        lastLines = lines
    }

    deinit {
        curl_easy_cleanup(handle)
        curl_share_cleanup(share)
    }

    /// Makes a handle send these cookies and accept those of its answers.
    func use(in handle: UnsafeMutableRawPointer) {
        ccurl_set_pointer(handle, CURLOPT_SHARE, share)
        // An empty name reads no file; it only enables cookies for the handle.
        ccurl_set_string(handle, CURLOPT_COOKIEFILE, "")
    }

    /// All cookies that have not expired, for a browser's context.
    var all: [Cookie] {
        let now = Timestamp.now
        // libcurl removes expired cookies only when it next sends some.
        return CookieFile(Array(lines.joined(separator: "\n").utf8)).cookies.filter {
            !$0.hasExpired(at: now) && $0 != Self.mark
        }
    }

    /// Call this when libcurl has read a field Set-Cookie, before anything else is sent.
    func hasTakenField() {
        // A cookie that replaced one of the person's file is also restored.
        if !knowsSuffixes { put(given.filter { !$0.isHostOnly } + all.filter(\.isHostOnly)) }
        fieldCount += 1
        if fieldCount % 250 == 0, lines.count > given.count + Self.limit { put(given) }
    }

    /// Call this when an answer redirects and sets cookies.
    func noteRedirect() {
        let now = lines
        if now == lastLines { return }
        lastLines = now
        changes += 1
    }

    /// Replaces all cookies by these.
    private func put(_ cookies: [Cookie]) {
        ccurl_set_string(handle, CURLOPT_COOKIELIST, "ALL")
        ccurl_set_string(handle, CURLOPT_COOKIELIST, Self.mark.line)
        let now = Timestamp.now
        for cookie in cookies where !cookie.hasExpired(at: now) {
            ccurl_set_string(handle, CURLOPT_COOKIELIST, cookie.line)
        }
    }

    /// libcurl's cookies as lines of a cookie file.
    private var lines: [String] {
        var list: UnsafeMutablePointer<curl_slist>?
        guard ccurl_get_list(handle, CURLINFO_COOKIELIST, &list) == CURLE_OK else { return [] }
        defer { curl_slist_free_all(list) }
        var lines: [String] = []
        var entry = list
        while let each = entry {
            if let line = each.pointee.data { lines.append(String(cString: line)) }
            entry = each.pointee.next
        }
        return lines
    }
}
