import Glibc
import Testing

struct PickTests {
    let sandbox: Sandbox
    let bread: String
    let link: String

    init() throws {
        sandbox = try Sandbox()
        bread = String(
            try sandbox.sbfs(
                "add", "-", "--title", "Bread\tand butter", "--tag", "kitchen", input: "Flour and water.\n"
            )
            .out.prefix(36))
        link = String(
            try sandbox.sbfs("add", "https://example.org/a", "--no-archive", "--title", "A link").out.prefix(36))
    }

    @Test func `lines hold the id first and no stray tab`() throws {
        let lines = try sandbox.sbfs("pick", "--lines", "--sort", "oldest").lines
        #expect(lines.map { String($0.prefix(36)) } == [bread, link])
        #expect(lines.allSatisfy { $0.count { $0 == "\t" } == 3 })
        #expect(lines[0].contains("#kitchen"))
        #expect(try sandbox.sbfs("pick", "--lines", "type:link").lines.count == 1)
        #expect(try sandbox.sbfs("pick", "--lines", "nowhere", exits: 3).err.contains("nothing matches nowhere"))
    }

    @Test func `a preview shows title, tags and the beginning of the text, without commanding the terminal`() throws {
        let run = try sandbox.sbfs("preview", bread)
        #expect(run.lines.first == "Bread and butter")
        #expect(run.out.contains("#kitchen") && run.out.contains("Flour and water."))
        #expect(try sandbox.sbfs("preview", link).out.contains("Live only"))
        let long = try sandbox.sbfs(
            words: ["add", "-"], input: Array(("\u{1B}]0;x\u{07}\n" + String(repeating: "line\n", count: 500)).utf8))
        let shown = try sandbox.sbfs("preview", String(long.out.prefix(36)), "--lines", "5")
        #expect(shown.lines.count < 10 && !shown.out.contains("\u{1B}"))
    }

    @Test func `items chosen in fzf are printed as ids`() throws {
        // A replacement for fzf that chooses the line named in the environment, so that no terminal is needed.
        let program = try sandbox.file("bin/fzf", "#!/bin/sh\ngrep -F \"$WANTED\" || exit 130\n")
        chmod(program, 0o755)
        sandbox.environment["PATH"] = sandbox.desk + "/bin:" + (sandbox.environment["PATH"] ?? "")
        sandbox.environment["WANTED"] = "A link"
        #expect(try sandbox.sbfs("pick").out == link + "\n")
        sandbox.environment["WANTED"] = "nothing of the kind"
        #expect(try sandbox.sbfs("pick", exits: 3).out.isEmpty)
        _ = try sandbox.file("bin/fzf", "#!/bin/sh\nexit 2\n")
        let terminal = open("/dev/tty", O_RDWR)
        if terminal >= 0 { close(terminal) }
        let reason = terminal < 0 ? "there is no terminal to choose on" : "is FZF_DEFAULT_OPTS right?"
        #expect(try sandbox.sbfs("pick", exits: 1).err.contains(reason))
        sandbox.environment["PATH"] = "/nonexistent"
        #expect(try sandbox.sbfs("pick", exits: 1).err.contains("fzf is not installed"))
    }

    @Test func `recent lists the latest twenty`() throws {
        for number in 1...21 { try sandbox.sbfs("add", "-", "--title", "Item \(number)", input: "x \(number)") }
        let lines = try sandbox.sbfs("recent").lines
        #expect(lines.count == 20)
        #expect(lines[0].contains("Item 21"))
        #expect(try sandbox.sbfs("recent", "--limit", "2", "type:snippet").lines.count == 2)
    }
}
