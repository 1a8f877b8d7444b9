import Foundation
import Glibc
import TestSupport
import Testing

/// Nothing leaves without a command, and the key is in its own file alone.
struct AIPrivacyTests {
    let box: Sandbox
    let server: AIServer

    init() throws {
        box = try Sandbox()
        server = try AIServer()
    }

    @Test func `no connection is made before a command asks for it`() throws {
        try box.useModel(of: server)
        #expect(server.connectionCount == 1)
        let id = try box.snippet("x", title: "Item", tags: "soup")
        let page = try box.file("p.html", "<title>t</title><p>words")
        for words in [
            ["list"], ["search", "x"], ["show", id], ["edit", "--help"], ["tag", "add", id, "a"], ["undo"], ["check"],
            ["stats"], ["ai", "status"], ["help", "privacy"], ["reindex"], ["add", page], ["watch", "--once"],
            ["suggest-tags", "-n", id], ["summarize", "-n", id], ["suggest-tags", "-n", "--shrink"], ["config"],
            ["export", "-o", box.desk + "/e.html"],
        ] {
            try box.sbfs(words: words, exits: nil)
        }
        #expect(server.connectionCount == 1)
        try box.sbfs("suggest-tags", id, "--yes")
        #expect(server.connectionCount == 2)
    }

    @Test(arguments: ["anthropic", "openai"])
    func `a whole session leaves the key in its own file alone`(provider: String) throws {
        box.environment["SBFS_OFFLINE"] = "0"
        var outputs: [Run] = []
        outputs.append(
            try box.onTerminal(
                "ai", "setup", "--provider", provider, "--url", server.url(), "--model", "m",
                typing: AIServer.key + "\r"))
        // The typed text is echoed by the terminal itself only before the program asks for it.
        let typedEarly = outputs[0].terminal.replacing(AIServer.key + "\r\n", with: "").replacing(
            AIServer.key, with: "")
        #expect(!typedEarly.contains(AIServer.key))
        outputs = []
        let id = try box.snippet("x", title: "Item", tags: "soup"), other = try box.snippet("y", title: "Other")
        let good: [[String]] = [
            ["ai", "status"], ["ai", "status", "--json"], ["suggest-tags", id, "--yes"],
            ["suggest-tags", other, "--json"],
            ["summarize", "-q", "not is:trashed"], ["suggest-tags", "-n", id], ["suggest-tags", "--shrink", "--json"],
            ["log"], ["log", "--all"], ["undo"], ["redo"], ["config"], ["export", "-o", box.desk + "/e.html"],
            ["export", "--full", "-o", box.desk + "/e.tar"], ["show", id, "--json"], ["stats"], ["check"],
        ]
        for words in good { outputs.append(try box.sbfs(words: words, exits: nil)) }
        for fault in ["401", "429:3600", "500", "badjson", "refusal"] {
            try server.behave(fault, fault, fault, fault, fault)
            outputs.append(try box.sbfs("suggest-tags", id, "--again", "--json", exits: nil))
        }
        for run in outputs { #expect(!run.out.contains(AIServer.key) && !run.err.contains(AIServer.key), "\(run)") }
        let found = try box.shell("grep -rlaF '\(AIServer.key)' '\(box.scratch.path)' | sort", exits: nil)
        #expect(found.lines == [box.home + "/config/sbfs/ai.json"], "\(found)")
        try box.sbfs("ai", "forget")
        #expect(try box.shell("grep -rlaF '\(AIServer.key)' '\(box.scratch.path)'", exits: 1).lines == [])
    }

    /// While a request is under way: arguments, environment, and what another process of the same user could read.
    @Test func `the process list and core files have no key`() throws {
        box.environment["SBFS_OFFLINE"] = "0"
        // The Swift runtime of a debug build would take the signal and let the process go on.
        box.environment["SWIFT_BACKTRACE"] = "enable=no"
        try box.onTerminal(
            "ai", "setup", "--provider", "anthropic", "--url", server.url(), "--model", "m", typing: AIServer.key + "\r"
        )
        let id = try box.snippet("x")
        try server.behave("hang")
        let run = try box.shell(
            """
            ulimit -c unlimited
            sbfs suggest-tags \(id) --json & process=$!
            until [ "$(wc -l < '\(server.logPath)')" = 2 ]; do sleep 0.05; done
            all="$process $(pgrep -P $process) $(pgrep -P "$(pgrep -P $process)")"
            for each in $all; do
                tr '\\0' ' ' < /proc/$each/cmdline; echo
                tr '\\0' '\\n' < /proc/$each/environ 2>/dev/null
                stat -c 'owner %u of %n' /proc/$each/mem
                grep -H NSpid /proc/$each/status
            done
            echo "processes $(echo $all | wc -w)"
            kill -SEGV $process; wait $process; echo "ended $?"
            """, exits: nil)
        #expect(
            run.out.contains("suggest-tags") && run.out.contains("sbfs-worker") && run.out.contains("processes 3"),
            "\(run)")
        #expect(!run.out.contains(AIServer.key))
        #expect(run.out.contains("ended 139"), "\(run)")
        let found = try box.shell("grep -rlaF '\(AIServer.key)' '\(box.scratch.path)' | sort", exits: nil)
        #expect(found.lines == [box.home + "/config/sbfs/ai.json"], "\(found)")
    }

    @Test func `a library names no server, and no variable does`() throws {
        try box.useModel(of: server)
        let other = try TestServer { _ in .text("{}") }
        defer { other.close() }
        for name in ["OPENAI_BASE_URL", "ANTHROPIC_BASE_URL", "http_proxy", "HTTP_PROXY", "all_proxy"] {
            box.environment[name] = other.address("/v1")
        }
        try box.scratch.write(
            "library/ai.json", #"{"provider": "compatible", "model": "m", "baseURL": "\#(other.address("/v1"))"}"#)
        let id = try box.snippet("x")
        try box.sbfs("suggest-tags", id, "--yes")
        #expect(other.connectionCount == 0)
    }
}
