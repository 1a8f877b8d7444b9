import TestSupport
import Testing

/// The address that a page declares as its own: `rel=canonical`.
struct CanonicalLinkTests {
    let sandbox: Sandbox

    init() throws {
        sandbox = try Sandbox()
        sandbox.environment["SBFS_OFFLINE"] = nil
        try sandbox.sbfs("config", "capture.browser", "never")
    }

    private func saved(_ head: String) throws -> (id: String, server: TestServer) {
        let server = try TestServer { request in
            request.path == "/x"
                ? ArchiveTests.html(head + "<title>Stones</title>" + ArchiveTests.article) : .text("", status: 404)
        }
        let id = try #require(try sandbox.sbfs("add", server.address("/x?utm_source=mail"), "--wait").lines.first)
        return (id, server)
    }

    private func canonical(_ id: String) throws -> String? { try sandbox.item(id)["linkCanonicalURL"] as? String }

    @Test(
        arguments: [
            (
                "<link rel=canonical href='https://www.example.org/stones?page=2'>",
                "https://www.example.org/stones?page=2"
            ),
            ("<link rel='alternate Canonical' href='https://example.org/a b'>", "https://example.org/a%20b"),
            ("<link rel=canonical href=''><link rel=canonical href=https://example.org/b>", "https://example.org/b"),
            ("<link rel=canonical href='https://me:secret@example.org/c'>", "https://example.org/c"),
            ("<meta property=og:url content=https://example.org/d>", nil),
            ("<link rel=canonical href='javascript:alert(1)'>", nil),
            ("<link rel=canonical href='https://'>", nil),
        ] as [(String, String?)])
    func `is kept in the item if it is an http or https address`(head: String, expected: String?) throws {
        let (id, server) = try saved(head)
        defer { server.close() }
        #expect(try canonical(id) == expected)
        let shown = try sandbox.sbfs("show", id).out
        #expect(shown.contains("canonical") == (expected != nil), "\(shown)")
        if let expected { #expect(shown.contains(expected)) }
    }

    @Test func `is absolute, and decides nothing about which links are the same`() throws {
        let (id, server) = try saved("<base href=/dir/><link rel=canonical href=stones>")
        defer { server.close() }
        let canonical = try #require(try canonical(id))
        #expect(canonical == server.address("/dir/stones"))
        let other = try #require(try sandbox.sbfs("add", canonical, "--no-archive").lines.first)
        #expect(other != id)
        #expect(try sandbox.sbfs("check").out.isEmpty)
    }
}
