import Testing

@testable import Capture

/// Every failure is a sentence that says what to do.
struct FetchFailureTests {
    private static let target = HostPort(host: "a.test", port: 8080)

    private static let sentences: [(FetchFailure, String)] = [
        (
            .refusedAddress(target, address: "10.0.0.1", .scope(.privateUse)),
            "a.test:8080 (10.0.0.1) was not contacted: the address is for a private network, not on the public network;"
                + " if you mean it, allow a.test:8080"
        ),
        (
            .refusedAddress(HostPort(host: "::1", port: 80), address: "::1", .scope(.loopback)),
            "[::1]:80 was not contacted: the address is for this machine itself, not on the public network;"
                + " if you mean it, allow [::1]:80"
        ),
        (
            .refusedAddress(target, address: "127.0.0.1", .rebinding(.loopback)),
            "a.test:8080 (127.0.0.1) was not contacted: the name had a public address before and now has one for"
                + " this machine itself; if you mean it, allow a.test:8080"
        ),
        (
            .refusedAddress(HostPort(host: "a.test", port: 25), address: "", .port),
            "a.test:25 was not contacted: port 25 belongs to another service than the web; if you mean it,"
                + " allow a.test:25"
        ),
        (.badScheme("ftp"), "only http and https pages are fetched, not ftp: addresses"),
        (.noSuchHost("a.test"), "there is no host a.test; check the spelling"),
        (.nameLookup("a.test"), "the name a.test could not be looked up; check the connection and try again"),
        (
            .connect(target, "refused"),
            "no connection to a.test:8080 (refused); the server may be down, try again later"
        ),
        (.timeout(.connecting, seconds: 10), "no connection within 10 s; the server may be down, try again later"),
        (.timeout(.stalled, seconds: 0.25), "the answer came to a standstill for 0.3 s; try again later"),
        (
            .timeout(.capture, seconds: .infinity),
            "the time for the whole capture was over after 1000000000 s; try again with more time"
        ),
        (.tooLarge(.asset, byteCount: 5), "it is larger than the limit of 5 bytes for one file"),
        (
            .tooManyRedirects(limit: 20),
            "the server redirected more than 20 times; open it in a browser to see where it leads"
        ),
        (
            .redirectLoop("http://a.test/"),
            "the server redirects in a circle by way of http://a.test/; it may want cookies"
        ),
        (.incomplete(received: 3, expected: 10), "the answer broke off after 3 of 10 bytes; try again"),
        (.incomplete(received: 3, expected: nil), "the answer broke off after 3 bytes; try again"),
        (.malformedAnswer("x"), "the server's answer is no HTTP (x)"),
    ]

    @Test func `the wording is as agreed`() {
        for (failure, sentence) in Self.sentences { #expect(failure.description == sentence) }
    }
}
