import Testing

@testable import Capture

/// The addresses to which connections are allowed.
struct AddressRuleTests {
    private static let scopes: [(String, AddressScope)] = [
        ("1.1.1.1", .global), ("8.8.8.8", .global), ("93.184.216.34", .global), ("11.0.0.0", .global),
        ("9.255.255.255", .global), ("172.15.255.255", .global), ("172.32.0.0", .global), ("192.167.255.255", .global),
        ("192.169.0.0", .global), ("100.63.255.255", .global), ("100.128.0.0", .global), ("169.253.255.255", .global),
        ("169.255.0.0", .global), ("126.255.255.255", .global), ("128.0.0.0", .global), ("198.17.255.255", .global),
        ("198.20.0.0", .global), ("223.255.255.255", .global), ("192.0.1.0", .global),
        ("0.0.0.0", .unspecified), ("0.0.0.1", .reserved), ("0.255.255.255", .reserved),
        ("10.0.0.0", .privateUse), ("10.255.255.255", .privateUse), ("172.16.0.0", .privateUse),
        ("172.31.255.255", .privateUse), ("192.168.0.0", .privateUse), ("192.168.255.255", .privateUse),
        ("100.64.0.0", .sharedCarrier), ("100.127.255.255", .sharedCarrier), ("127.0.0.1", .loopback),
        ("127.255.255.255", .loopback), ("169.254.169.254", .linkLocal), ("192.0.0.8", .reserved),
        ("192.0.0.170", .reserved), ("192.0.2.1", .documentation), ("198.51.100.7", .documentation),
        ("203.0.113.255", .documentation), ("192.88.99.1", .reserved), ("198.18.0.0", .benchmarking),
        ("198.19.255.255", .benchmarking), ("224.0.0.1", .multicast), ("239.255.255.255", .multicast),
        ("240.0.0.0", .reserved), ("255.255.255.254", .reserved), ("255.255.255.255", .broadcast),
        ("2606:4700::1111", .global), ("2a00:1450:4001:81b::200e", .global), ("3ffe::1", .global),
        ("::", .unspecified), ("::1", .loopback), ("::2", .reserved), ("::127.0.0.1", .loopback),
        ("::ffff:127.0.0.1", .loopback), ("::ffff:10.1.2.3", .privateUse), ("::ffff:8.8.8.8", .reserved),
        ("::8.8.8.8", .reserved), ("::ffff:0:127.0.0.1", .loopback), ("::1:0:0", .reserved),
        ("64:ff9b::7f00:1", .loopback), ("64:ff9b::192.168.1.1", .privateUse), ("64:ff9b::8.8.8.8", .global),
        ("64:ff9b:1::1", .privateUse), ("64:ff9b:2::1", .reserved), ("100::1", .reserved),
        ("2001:db8::1", .documentation),
        ("3fff::1", .documentation), ("3fff:fff::", .documentation), ("2001:2::1", .benchmarking),
        ("2001:10::1", .reserved), ("2001:20::1", .reserved), ("2001:200::1", .global),
        ("2001:0:7f00:1::", .loopback), ("2001:0:0808:0808::f7f7:f7f7", .global),
        // Teredo: a client 192.168.1.1 is written as its complement.
        ("2001:0:0808:0808::3f57:fefe", .privateUse), ("2002:7f00:1::1", .loopback), ("2002:a00:1::", .privateUse),
        ("2002:808:808::1", .global), ("fc00::", .privateUse), ("fdff:ffff::1", .privateUse), ("fe80::1", .linkLocal),
        ("febf::1", .linkLocal), ("fec0::1", .privateUse), ("feff::1", .privateUse), ("ff02::1", .multicast),
        ("4000::1", .reserved), ("fbff::1", .reserved), ("5f00::1", .reserved), ("fe80::1%eth0", .linkLocal),
    ]

    @Test func `every special block is distinguished from the addresses beside it`() throws {
        for (text, scope) in Self.scopes {
            let address = try #require(NetworkAddress(text), "\(text)")
            #expect(address.scope == scope, "\(text)")
        }
    }

    @Test(arguments: ["", "1.2.3", "1.2.3.256", "01.2.3.4 ", "1:2", ":::", "g::1", "localhost", "[::1", "::1::"])
    func `text that is no address is none`(_ text: String) { #expect(NetworkAddress(text) == nil) }

    @Test(arguments: ["127.0.0.1", "::1", "2001:db8::ff00:42:8329", "255.255.255.255", "0.0.0.0", "::"])
    func `an address is spelt as it was read`(_ text: String) throws {
        #expect(try #require(NetworkAddress(text)).description == text)
    }

    @Test func `only public addresses may be contacted unless others are allowed`() {
        let rule = AddressRule(allowed: [HostPort(host: "inner.test", port: 8080)])
        func target(_ host: String, _ port: Int = 80) -> HostPort { HostPort(host: host, port: port) }
        #expect(rule.refusal(of: target("a.test"), at: "93.184.216.34") == nil)
        #expect(rule.refusal(of: target("a.test"), at: "10.0.0.1") == .scope(.privateUse))
        #expect(rule.refusal(of: target("inner.test", 8080), at: "10.0.0.1") == nil)
        #expect(rule.refusal(of: target("INNER.test", 8080), at: "10.0.0.1") == nil)
        #expect(rule.refusal(of: target("inner.test", 8081), at: "10.0.0.1") == .scope(.privateUse))
        #expect(rule.refusal(of: target("x.inner.test", 8080), at: "10.0.0.1") == .scope(.privateUse))
        #expect(rule.refusal(of: target("a.test"), at: "somewhere") == .unreadable)
        #expect(rule.refusal(of: target("[::1]")) == .scope(.loopback))
        #expect(rule.refusal(of: target("a.test")) == nil)
    }

    @Test func `with the option private addresses may be reached, but no bad ports`() {
        let rule = AddressRule(allowsPrivate: true)
        #expect(rule.refusal(of: HostPort(host: "a.test", port: 8000), at: "127.0.0.1") == nil)
        #expect(rule.refusal(of: HostPort(host: "a.test", port: 25), at: "127.0.0.1") == .port)
    }

    @Test(arguments: [0, 1, 22, 25, 110, 143, 465, 587, 993, 6000, 6667, 10080])
    func `ports of other services are refused, also for typed hosts, unless the list has them`(_ port: Int) {
        let target = HostPort(host: "a.test", port: port)
        #expect(AddressRule(typed: target).refusal(of: target, at: "8.8.8.8") == .port)
        #expect(AddressRule(typed: target).refusal(of: target) == .port)
        #expect(AddressRule(allowed: [target]).refusal(of: target, at: "127.0.0.1") == nil)
        #expect(AddressRule(allowed: [target]).refusal(of: target) == nil)
    }

    @Test(arguments: [80, 443, 8080, 8443, 3000, 65535]) func `ports of the web are not`(_ port: Int) {
        #expect(AddressRule().refusal(of: HostPort(host: "a.test", port: port), at: "8.8.8.8") == nil)
    }

    @Test func `the typed host and port may be private, and no others`() {
        let rule = AddressRule(typed: HostPort(host: "router.home", port: 80))
        #expect(rule.refusal(of: HostPort(host: "router.home", port: 80), at: "192.168.1.1") == nil)
        #expect(rule.refusal(of: HostPort(host: "router.home", port: 8080), at: "192.168.1.1") == .scope(.privateUse))
        #expect(rule.refusal(of: HostPort(host: "192.168.1.1", port: 80), at: "192.168.1.1") == .scope(.privateUse))
    }

    @Test func `a typed name that was public may not become private`() {
        let target = HostPort(host: "evil.test", port: 80)
        let rule = AddressRule(typed: target)
        #expect(rule.refusal(of: target, at: "93.184.216.34") == nil)
        #expect(rule.refusal(of: target, at: "127.0.0.1") == .rebinding(.loopback))
        #expect(rule.refusal(of: target, at: "93.184.216.35") == nil)
    }

    @Test func `a typed name with a public and a private address means the public one`() throws {
        let target = HostPort(host: "both.test", port: 80)
        let addresses = try ["127.0.0.1", "93.184.216.34"].map { try #require(NetworkAddress($0)) }
        let rule = AddressRule(typed: target)
        rule.learn(HostPort(host: "other.test", port: 80), addresses)
        #expect(rule.refusal(of: target, at: "127.0.0.1") == nil)
        rule.learn(target, addresses)
        #expect(rule.refusal(of: target, at: "127.0.0.1") == .rebinding(.loopback))
        #expect(rule.refusal(of: target, at: "93.184.216.34") == nil)
    }

    @Test func `a list of hosts and ports is read, and other words are reported`() {
        let list = HostPortList(" localhost:80,127.0.0.1:8080  [::1]:443\n[0:0:0:0:0:0:0:1]:444;A.Test:1 ")
        let expected = [("localhost", 80), ("127.0.0.1", 8080), ("::1", 443), ("::1", 444), ("a.test", 1)]
        #expect(list.pairs == Set(expected.map { HostPort(host: $0.0, port: $0.1) }))
        #expect(list.unreadable == [])
        let bad = ["host", "host:", ":80", "host:99999", "host:-1", "::1:80", "http://a:80", "a@b:80", "host:8o"]
        #expect(HostPortList(bad.joined(separator: ",")).unreadable == bad)
        #expect(HostPortList("").pairs.isEmpty)
    }

    @Test func `a host and port are spelt as in a URL`() {
        #expect(HostPort(host: "[::1]", port: 80).description == "[::1]:80")
        #expect(HostPort(host: "A.b", port: 8080).description == "a.b:8080")
    }
}
