import Foundation
import TestSupport
import Testing

/// `ai setup --keep desktop`, with GNOME Keyring in a session bus of its own.
struct AIKeyStoreTests {
    let box: Sandbox
    let server: AIServer

    init() throws {
        box = try Sandbox()
        server = try AIServer()
        box.environment["SBFS_OFFLINE"] = "0"
        box.environment["XDG_DATA_HOME"] = box.home + "/data"
        box.environment["XDG_RUNTIME_DIR"] = box.home + "/run"
        try box.scratch.makeDirectory("home/data")
        try box.scratch.makeDirectory("home/run")
        chmod(box.home + "/run", 0o700)
    }

    private var file: String { box.home + "/config/sbfs/ai.json" }
    private func setup(_ path: String = "/keyed/v1") -> String {
        "sbfs ai setup --provider openai --url \(server.url(path)) --model m --keep desktop"
    }

    /// Runs a script on a terminal, in a session with an unlocked secret store, which ends with it.
    @discardableResult
    private func onDesktop(_ script: String) throws -> Run {
        try box.file(
            "session",
            "printf password | gnome-keyring-daemon --unlock --components=secrets >/dev/null 2>&1\nset -e\n" + script)
        return try box.shell(
            "dbus-run-session -- sh '\(box.desk)/session' 2>'\(box.desk)/errors'", screen: .whole,
            typing: AIServer.key + "\r")
    }

    private var errors: String { (try? String(contentsOfFile: box.desk + "/errors", encoding: .utf8)) ?? "" }

    @Test func `the key is in the store alone, is used from there, and forgotten there`() throws {
        let id = try box.snippet("x")
        // A secret-tool that notes its arguments.
        try box.scratch.makeDirectory("desk/bin")
        try box.file(
            "bin/secret-tool",
            "#!/bin/sh\nprintf '%s ' \"$@\" >> \(box.desk)/arguments\nexec /usr/bin/secret-tool \"$@\"\n")
        chmod(box.desk + "/bin/secret-tool", 0o755)
        box.environment["PATH"] = box.desk + "/bin:" + (box.environment["PATH"] ?? "")
        let run = try onDesktop(
            """
            \(setup())
            cp \(file) \(box.desk)/ai.json
            sbfs ai status > \(box.desk)/status
            sbfs suggest-tags \(id) --yes
            sbfs ai forget
            ! secret-tool lookup application sbfs address \(server.url()) > \(box.desk)/after
            """)
        #expect(try Set(box.tags(id)) == ["soup", "recipes", "slow cooking"], "\(run) \(errors)")
        #expect(
            try String(contentsOfFile: box.desk + "/ai.json", encoding: .utf8).contains("\"keyStore\": \"desktop\""))
        #expect(try String(contentsOfFile: box.desk + "/status", encoding: .utf8).contains("desktop's secret store"))
        #expect(try String(contentsOfFile: box.desk + "/arguments", encoding: .utf8).contains("store --label=sbfs"))
        #expect(try String(contentsOfFile: box.desk + "/after", encoding: .utf8).isEmpty)
        #expect(!FileManager.default.fileExists(atPath: file))
        let found = try box.shell("grep -rlaF '\(AIServer.key)' '\(box.scratch.path)' | sort", exits: nil)
        #expect(found.lines == [], "\(found)")
    }

    @Test func `a key that another one follows elsewhere is removed from the store`() throws {
        box.environment["MODEL_KEY"] = AIServer.key
        let run = try onDesktop(
            """
            \(setup())
            sbfs ai setup --provider openai --url \(server.url("/keyed/v2")) --model m --key-env MODEL_KEY
            ! secret-tool lookup application sbfs address \(server.url())
            """)
        #expect(try String(contentsOfFile: file, encoding: .utf8).contains("keyVariable"), "\(run) \(errors)")
    }

    @Test func `an address that was put into the settings by hand gets no key of another`() throws {
        let id = try box.snippet("x")
        try onDesktop(
            """
            \(setup())
            sed -i s/keyed/other/ \(file)
            ! sbfs suggest-tags \(id) --yes 2>\(box.desk)/words
            """)
        let words = try String(contentsOfFile: box.desk + "/words", encoding: .utf8)
        #expect(words.contains("there is no key in the desktop's secret store"), "\(words)")
        #expect(try server.requests().count == 1)
    }

    @Test(arguments: ["no bus", "no program", "locked"])
    func `where no store is, one sentence says so and nothing is saved`(fault: String) throws {
        var start = ""
        switch fault {
        case "no bus": box.environment["DBUS_SESSION_BUS_ADDRESS"] = "unix:path=/nonexistent"
        case "no program":
            box.environment["PATH"] = Sbfs.binary.split(separator: "/").dropLast().map { "/" + $0 }.joined()
        default: start = "dbus-run-session -- "
        }
        let run = try box.shell(
            start + setup() + " 2>'\(box.desk)/errors'", screen: .whole, typing: AIServer.key + "\r", exits: 1)
        let lines = errors.split(separator: "\n").filter { $0.contains("secret store") }
        #expect(lines.count == 1, "\(run) \(errors)")
        #expect(errors.contains("Nothing was saved; --keep file needs no store"))
        #expect(!FileManager.default.fileExists(atPath: file))
    }

    @Test func `only a typed key is kept there`() throws {
        let words = ["ai", "setup", "--provider", "openai", "--url", server.url(), "--key-env", "HOME"]
        #expect(try box.sbfs(words: words + ["--keep", "desktop"], exits: 2).err.contains("typed key"))
        let run = try box.sbfs("ai", "setup", "--provider", "openai", "--keep", "cloud", exits: 2)
        #expect(run.err.contains("file or desktop"))
        #expect(server.connectionCount == 0)
    }
}
