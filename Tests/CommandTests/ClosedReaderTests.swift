import TestSupport
import Testing

/// What becomes of a command whose reader closes the pipe, as `head` does.
struct ClosedReaderTests {
    private let sandbox: Sandbox

    init() throws { sandbox = try Sandbox() }

    @Test func `a command that changes the library does all of its work, and ends well`() throws {
        try sandbox.shell("for n in $(seq 60); do echo https://example.org/$n; done > links.txt")
        try sandbox.shell("{ sbfs add --input links.txt --no-archive; echo $? > status; } | head -n 1")
        #expect(try sandbox.scratch.text("desk/status") == "0\n")
        #expect(try sandbox.ids().count == 60)
        for reader in ["head -n 0", "true"] {
            try sandbox.shell(
                "{ sleep .2; sbfs tag add -q example.org --json \(reader.count); echo $? > status; } | \(reader)")
            #expect(try sandbox.scratch.text("desk/status") == "0\n")
        }
        #expect(try sandbox.sbfs("list", "--ids", "#9").lines.count == 60)
    }

    @Test func `a command that reads ends, and says nothing`() throws {
        for n in 0..<40 { try sandbox.snippet(String(repeating: "word ", count: 2_000), title: "Title \(n)") }
        let run = try sandbox.shell("sbfs export --format json | head -c 10")
        #expect(run.err.isEmpty && run.out.count == 10)
    }
}
