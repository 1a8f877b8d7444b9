import Foundation
import TestSupport
import Testing

/// `ai setup`, `ai status` and `ai forget`.
struct AISetupTests {
    let box: Sandbox
    let server: AIServer

    init() throws {
        box = try Sandbox()
        box.environment["SBFS_OFFLINE"] = "0"
        server = try AIServer()
    }

    private var file: String { box.home + "/config/sbfs/ai.json" }

    @Test(arguments: ["anthropic", "openai", "compatible"])
    func `a typed key is not shown, is checked, and is saved for its owner alone`(provider: String) throws {
        let run = try box.onTerminal(
            "ai", "setup", "--provider", provider, "--url", server.url(), "--model", "m", typing: AIServer.key + "\r")
        // The terminal itself shows once what was typed before the question.
        #expect(run.terminal.ranges(of: AIServer.key).count <= 1, "\(run)")
        let request = try #require(try server.requests().first)
        #expect(request.path == "/keyed/v1" + (provider == "anthropic" ? "/messages" : "/chat/completions"))
        #expect(try server.requests().count == 1)
        let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        let status = try box.sbfs("ai", "status")
        #expect(
            status.out.contains(provider) && status.out.contains(server.url()) && !status.out.contains(AIServer.key))
        try box.sbfs("ai", "forget")
        #expect(!FileManager.default.fileExists(atPath: file))
        #expect(try box.sbfs("suggest-tags", "x", exits: 1).err.contains("sbfs ai setup"))
        try box.sbfs("ai", "forget", exits: 3)
    }

    @Test func `a wrong key is not saved`() throws {
        box.environment["WRONG"] = "sk-wrong"
        let run = try box.sbfs(
            "ai", "setup", "--provider", "anthropic", "--url", server.url(), "--key-env", "WRONG", exits: 1)
        #expect(run.err.contains("not accepted") && run.err.contains("Nothing was saved"), "\(run)")
        #expect(!run.err.contains("sk-wrong"))
        #expect(!FileManager.default.fileExists(atPath: file))
    }

    @Test func `the key comes from a program at each use`() throws {
        try box.file("key", AIServer.key + "\n")
        let words = [
            "ai", "setup", "--provider", "openai", "--url", server.url(), "--key-command", "cat \(box.desk)/key",
        ]
        try box.sbfs(words: words)
        #expect(!(try String(contentsOfFile: file, encoding: .utf8)).contains(AIServer.key))
        try box.snippet("bread")
        try box.sbfs("suggest-tags", "--yes", "-q", "bread")
        try box.file("key", "sk-other\n")
        #expect(try box.sbfs("suggest-tags", "--yes", "-q", "bread", exits: 1).err.contains("not accepted"))
        try FileManager.default.removeItem(atPath: box.desk + "/key")
        #expect(try box.sbfs("suggest-tags", "--yes", "-q", "bread", exits: 1).err.contains("there is no key"))
    }

    @Test(arguments: [
        ("http://192.0.2.1/v1", "another machine"), ("http://example.org/v1", "another machine"),
        ("http://localhost.example.org/v1", "another machine"), ("http://127.0.0.1.example.org/v1", "another machine"),
        ("http://u:p@127.0.0.1/v1", "user name"), ("http://127.0.0.1/v1?a=b", "has a ?"),
        ("ftp://127.0.0.1/", "no http"),
        ("http://0.0.0.0/v1", "another machine"), ("http://[::ffff:127.0.0.1]/v1", "another machine"),
    ])
    func `addresses that would show the key to others are refused`(url: String, words: String) throws {
        let run = try box.sbfs(
            "ai", "setup", "--provider", "compatible", "--url", url, "--model", "m", "--no-key", exits: 1)
        #expect(run.err.contains(words), "\(run)")
    }

    @Test func `the short names of models are their ids`() throws {
        try box.useModel(of: server, model: "claude-3.5-haiku")
        #expect(try server.requests().last?.body.contains("\"claude-3-5-haiku-20241022\"") == true)
    }

    @Test func `a file that others can read is not used`() throws {
        try box.useModel(of: server)
        chmod(file, 0o644)
        let run = try box.sbfs("ai", "status", exits: 1)
        #expect(run.err.contains("chmod 600"), "\(run)")
    }

    @Test func `another model is unknown, and offline nothing is asked`() throws {
        let words = ["ai", "setup", "--provider", "compatible", "--url", server.url("/own/v1"), "--no-key"]
        #expect(try box.sbfs(words: words + ["--model", "unknown"], exits: 1).err.contains("does not know the model"))
        let before = server.connectionCount
        #expect(try box.sbfs(words: words + ["--model", "m", "--offline"], exits: 1).err.contains("--offline"))
        #expect(server.connectionCount == before)
    }

    @Test func `no redirect is followed, and no other port is contacted`() throws {
        let other = try TestServer { _ in .text("{}") }
        defer { other.close() }
        let redirecting = try TestServer { _ in .redirect(other.address("/v1/chat/completions"), status: 307) }
        defer { redirecting.close() }
        let run = try box.sbfs(
            "ai", "setup", "--provider", "compatible", "--url", redirecting.address("/v1"), "--model", "m", "--no-key",
            exits: 1)
        #expect(run.err.contains("redirects elsewhere"), "\(run)")
        #expect(other.connectionCount == 0)
        #expect(redirecting.connectionCount == 1)
    }

    @Test(.enabled(if: Machine.runsAsRoot, "only root can give a file away"))
    func `settings of another user are not used`() throws {
        try box.useModel(of: server)
        let config = box.home + "/config/sbfs/config.json"
        try box.sbfs("config", "editor", "touch \(box.desk)/ran")
        for path in [file, config] {
            chown(path, 65534, 65534)
            let run = try box.sbfs(words: path == file ? ["ai", "status"] : ["config"], exits: 1)
            #expect(run.err.contains(path + (path == file ? ": it " : " ") + "belongs to another user"), "\(run)")
        }
        let count = server.connectionCount
        try box.sbfs("suggest-tags", try box.snippet("x"), "--yes", exits: 1)
        #expect(server.connectionCount == count)
    }

    @Test(arguments: [
        "yes k k | tr -d '\\n'", "printf 'sk-\\000x'", "printf 'sk x'", "true", "false",
        "head -c 5000 /dev/zero | tr '\\0' k",
    ])
    func `a command that prints no key is told`(command: String) throws {
        let run = try box.sbfs(
            "ai", "setup", "--provider", "openai", "--url", server.url(), "--key-command", command + " | cat", exits: 1)
        #expect(run.err.contains("there is no key in what"), "\(run)")
        #expect(server.connectionCount == 0)
    }
}
