import TestSupport
import Testing

/// Saved pages in two copies that rsync carries: Documentation/Merge.md § 3.
struct PagesOfCopiesTests {
    private let sandbox: Sandbox
    private let id: String

    /// The library and "other", a copy that sbfs has looked at, with one link.
    init() throws {
        sandbox = try Sandbox()
        id = try #require(try sandbox.sbfs("add", "https://example.org/h", "--no-archive").lines.first)
        for (name, word) in [("one", "Wombats"), ("two", "Koalas"), ("three", "Emus")] {
            // A picture of one point, with a comment behind it.
            try sandbox.shell(
                """
                mkdir \(name)_files; { printf 'GIF89a\\001\\000\\001\\000\\200\\000\\000\\377\\377\\377\\000\\000\\000,\\000\\000\\000\\000\\001\\000\\001\\000\\000\\002\\002D\\001\\000;'
                yes \(word) | head -n 4000; } >\(name)_files/a.gif
                """)
            let words = String(repeating: "\(word) sleep for most of the day, and eat at night. ", count: 30)
            try sandbox.file(
                "\(name).html",
                "<!doctype html><title>\(word)</title><article><h1>\(word)</h1><p>\(words)<p><img src=\(name)_files/a.gif width=300 height=200 alt=\(word)></article>"
            )
        }
        try sandbox.meet()
    }

    private func other(_ words: String..., exits status: Int32? = 0) throws -> Run {
        try sandbox.sbfs(words: ["--library", "other"] + words, exits: status)
    }

    private func page(_ library: String) throws -> String {
        try sandbox.shell("cd \(library) && cat items/*/*/page.html items/*/*/snapshots/*/page.html").out
    }

    @Test func `of two first captures the one that lost is a snapshot`() throws {
        try sandbox.sbfs("archive", id, "--from", "one.html")
        try sandbox.shell("sleep 1.1")
        _ = try other("archive", id, "--from", "two.html")
        try sandbox.shell("sleep 1.1")
        for _ in 0..<3 { try sandbox.meet() }
        for library in ["\"$SBFS_LIBRARY\"", "other"] {
            let pages = try page(library)
            #expect(pages.contains("Wombats sleep") && pages.contains("Koalas sleep"))
        }
        #expect(try sandbox.sbfs("snapshots", id).lines.count == 1)
        try sandbox.expectEqualCopies()
    }

    @Test func `what an earlier page used goes again when rsync brings it back`() throws {
        try sandbox.sbfs("archive", id, "--from", "one.html")
        try sandbox.shell("sleep 1.1")
        try sandbox.meet()
        _ = try other("archive", id, "--from", "three.html")
        try sandbox.shell("sleep 1.1")
        for _ in 0..<2 { try sandbox.meet() }
        for run in [try other("conflicts", exits: nil), try other("show", id), try other("status", exits: nil)] {
            #expect(!(run.out + run.err).contains("waits"))
        }
        try sandbox.sbfs("title", id, "Birds")
        for _ in 0..<2 { try sandbox.meet() }
        #expect(try sandbox.sbfs("snapshots", id).lines.count == 1)
        #expect(try sandbox.shell("ls other/items/*/*/assets").lines.count == 1)
        try sandbox.expectEqualCopies()
    }
}
