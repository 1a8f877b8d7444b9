import Testing

@testable import URLs

/// Whether two URLs are the same link.
struct LinkIdentityTests {
    @Test(arguments: [
        ("scheme and host in any case", "HTTP://EXAMPLE.com/a", "http://example.com/a"),
        ("default port of http", "http://a.org:80/x", "http://a.org/x"),
        ("default port of https", "https://a.org:443/x", "https://a.org/x"),
        ("default port with zeros", "http://a.org:0080/", "http://a.org/"),
        ("empty port", "http://a.org:/x", "http://a.org/x"),
        ("empty path", "http://a.org", "http://a.org/"),
        ("empty path before a query", "http://a.org?q", "http://a.org/?q"),
        ("dot segments", "http://a.org/b/../c/./d", "http://a.org/c/d"),
        ("dot segments above the root", "http://a.org/../../b", "http://a.org/b"),
        ("dot segment last", "http://a.org/b/.", "http://a.org/b/"),
        ("two dots last", "http://a.org/b/c/..", "http://a.org/b/"),
        ("dot segments in percent form", "http://a.org/b/%2e%2E/c", "http://a.org/c"),
        ("letters in percent form", "http://a.org/%61%7e%2D", "http://a.org/a~-"),
        ("percent digits in any case", "http://a.org/%c3%a9%2f", "http://a.org/%C3%A9%2F"),
        ("path in Unicode", "http://a.org/é?ü", "http://a.org/%C3%A9?%C3%BC"),
        ("characters that need encoding", "http://a.org/[\"|]", "http://a.org/%5B%22%7C%5D"),
        ("plain fragment", "http://a.org/x#part", "http://a.org/x"),
        ("empty fragment", "http://a.org/x#", "http://a.org/x"),
        ("fragment with a question mark", "http://a.org/x#a?b", "http://a.org/x"),
        ("host in Unicode", "http://BÜCHER.example/", "http://xn--bcher-kva.example/"),
        ("host decomposed", "http://bu\u{308}cher.example/", "http://xn--bcher-kva.example/"),
        ("host with an ideographic full stop", "http://日本語。jp/", "http://xn--wgv71a119e.jp/"),
        ("host in percent form", "http://%65xample.com/", "http://example.com/"),
        ("host in Punycode, upper case", "http://XN--BCHER-KVA.example/", "http://xn--bcher-kva.example/"),
        ("IPv6 in any case, default port", "http://[2001:DB8::1]:80/", "http://[2001:db8::1]/"),
    ])
    func `spellings of one link are the same`(_ name: String, _ a: String, _ b: String) throws {
        let first = try #require(LinkIdentity(a))
        #expect(first == LinkIdentity(b))
        #expect(first.normalized == b)
        #expect(LinkIdentity(first.normalized) == first)
    }

    @Test(arguments: [
        ("www.", "http://www.a.org/", "http://a.org/"),
        ("final slash", "http://a.org/b/", "http://a.org/b"),
        ("scheme", "http://a.org/", "https://a.org/"),
        ("default port of the other scheme", "http://a.org:443/", "https://a.org/"),
        ("another port", "http://a.org:8080/", "http://a.org/"),
        ("order of the query", "http://a.org/?a=1&b=2", "http://a.org/?b=2&a=1"),
        ("tracking parameters", "http://a.org/?utm_source=x", "http://a.org/"),
        ("empty query", "http://a.org/?", "http://a.org/"),
        ("path in another case", "http://a.org/A", "http://a.org/a"),
        ("query in another case", "http://a.org/?A", "http://a.org/?a"),
        ("encoded slash", "http://a.org/a%2Fb", "http://a.org/a/b"),
        ("encoded question mark", "http://a.org/a%3Fb", "http://a.org/a?b"),
        ("encoded ampersand", "http://a.org/?a%26b", "http://a.org/?a&b"),
        ("plus and space", "http://a.org/?a+b", "http://a.org/?a%20b"),
        ("double slash", "http://a.org//b", "http://a.org/b"),
        ("final dot of the host", "http://a.org./", "http://a.org/"),
        ("userinfo", "http://user@a.org/", "http://a.org/"),
        ("userinfo in another case", "http://User@a.org/", "http://user@a.org/"),
        ("route in the fragment", "http://a.org/#/one", "http://a.org/#/two"),
        ("hashbang", "http://a.org/#!one", "http://a.org/"),
        ("composed and decomposed path", "http://a.org/\u{E9}", "http://a.org/e\u{301}"),
        ("dot segments in the query", "http://a.org/?a/../b", "http://a.org/?b"),
        ("index page", "http://a.org/index.html", "http://a.org/"),
        ("subdomain", "http://m.a.org/", "http://a.org/"),
    ])
    func `other links are never equated`(_ name: String, _ a: String, _ b: String) throws {
        #expect(try #require(LinkIdentity(a)) != #require(LinkIdentity(b)))
    }

    @Test(arguments: [
        "", "a.org", "//a.org/", "javascript:alert(1)", "JavaScript://a.org/%0aalert(1)", "data:text/html,x",
        "file:///etc/passwd", "ftp://a.org/", "mailto:a@b.org", "about:blank", "chrome://settings", "httpx://a.org/",
        "http:a.org", "http:/a.org", "http://", "http:///x", "http://?q", "http://#f", "http://@/", "http://user@/",
        "http://:80/",
        "http://a.org:99999/", "http://a.org:-1/", "http://a.org:x/", "http://a b.org/", "http://a.org/a b",
        " http://a.org/",
        "http://a.org/ ", "http://a.org/\n", "http://a.org/\t", "http://a.org/\0", "http://a.org/\u{7F}",
        "java\nscript:x",
        "http://[::1/", "http://::1/", "http://a%20b/", "http://a%2Fb/", "http://a%00b/", "http://a<b/", "http://a^b/",
        "http://a.org%40b.org:x/", "view-source:http://a.org/", "\u{FEFF}http://a.org/",
    ])
    func `only an http or https URL with a host has an identity`(_ url: String) {
        #expect(LinkIdentity(url) == nil)
    }

    @Test(arguments: [
        ("http://user:pass@Example.com:8080/x", "example.com"), ("https://[::1]/", "[::1]"),
        ("http://a.org@b.org/", "b.org"), ("http://a.org\\@b.org/", "a.org"), ("http://a.org#@b.org/", "a.org"),
        ("http://a.org?@b.org/", "a.org"), ("http://BÜCHER.example", "xn--bcher-kva.example"),
    ])
    func `the host is the one that would be asked`(_ url: String, host: String) {
        #expect(LinkIdentity(url)?.host == host)
    }

    @Test func `a stray percent sign stays and does not end the reading`() {
        #expect(LinkIdentity("http://a.org/100%")?.normalized == "http://a.org/100%")
        #expect(LinkIdentity("http://a.org/%zz%4")?.normalized == "http://a.org/%zz%4")
    }

    @Test func `the normal form of the fragment's route is kept`() {
        #expect(LinkIdentity("http://a.org/#/x%41?y")?.normalized == "http://a.org/#/xA?y")
        #expect(LinkIdentity("http://a.org#!/x")?.normalized == "http://a.org/#!/x")
    }
}
