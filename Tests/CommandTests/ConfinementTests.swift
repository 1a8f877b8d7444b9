import Glibc
import TestSupport
import Testing

/// What a worker can do after a hostile page has taken it over: an order tells the worker itself to try.
///
/// Each refused action is also tried without confinement, where it must succeed. So no test passes because the action
/// is impossible anyway.
struct ConfinementTests {
    static let worker = Sbfs.binary + "-worker"

    /// - Returns: the outcome of each trial, `done` or the error's name.
    private func outcomes(
        _ sandbox: Sandbox, _ profile: String, _ trials: [(action: String, target: String)], more: String = "",
        screen: Launch.Screen = .none
    ) throws -> [String] {
        let orders = trials.map { trial in
            "{\"do\":\"trial\",\"profile\":\"\(profile)\",\"action\":\"\(trial.action)\",\"target\":\"\(trial.target)\"\(more)}"
        }
        try sandbox.file("orders", orders.joined(separator: "\n") + "\n")
        let run = try sandbox.shell(
            "\(Self.worker) serve <orders" + (screen == .none ? "" : " 2>/dev/tty"), screen: screen)
        return run.lines.map { line in
            line.split(separator: "\"").last { !["}", "}}"].contains($0) }.map(String.init) ?? line
        }
    }

    private func file(_ sandbox: Sandbox, _ name: String) throws -> String {
        try sandbox.scratch.write(name, "secret\n")
        return sandbox.scratch.full(name)
    }

    @Test(arguments: ["parse", "fetch", "helper"])
    func `files outside of the order are not read or written`(profile: String) throws {
        let sandbox = try Sandbox(isLibraryMade: false)
        let key = try file(sandbox, "home/.ssh/id_ed25519")
        let note = try file(sandbox, "home/note")
        let folder = sandbox.home
        let trials = [
            ("read", key), ("read", "/etc/passwd"), ("list", folder), ("write", folder + "/new"), ("write", note),
            ("remove", note), ("mode", key),
        ]
        let free = try outcomes(sandbox, "none", trials.filter { $0.0 != "remove" })
        #expect(free == Array(repeating: "done", count: 6))
        let confined = try outcomes(sandbox, profile, trials)
        #expect(confined.count == trials.count)
        for (trial, outcome) in zip(trials, confined) {
            #expect(["EACCES", "EPERM"].contains(outcome), "\(profile) \(trial)")
        }
        #expect(try sandbox.scratch.text("home/note") == "secret\n")
    }

    @Test func `the order's file is read, and its folder written`() throws {
        let sandbox = try Sandbox(isLibraryMade: false)
        let page = try file(sandbox, "page.html")
        try sandbox.scratch.makeDirectory("staging/own")
        try sandbox.scratch.makeDirectory("staging/other")
        let staging = sandbox.scratch.full("staging")
        let more = ",\"file\":\"\(page)\",\"folder\":\"\(staging)/own\""
        let trials = [
            ("read", page), ("write", staging + "/own/page.html"), ("write", page),
            ("write", staging + "/other/page.html"),
            ("write", staging + "/own/../other/page.html"),
        ]
        #expect(try outcomes(sandbox, "parse", trials, more: more) == ["done", "done", "EACCES", "EACCES", "EACCES"])
        #expect(try sandbox.scratch.names("staging/other") == [])
    }

    @Test func `the process that parses pages has no network`() throws {
        let sandbox = try Sandbox(isLibraryMade: false)
        let server = try TestServer { _ in .text("hello") }
        defer { server.close() }
        let trials = [("connect", "\(server.port)"), ("datagram", "\(server.port)"), ("local", ""), ("listen", "")]
        #expect(try outcomes(sandbox, "none", trials) == ["done", "done", "done", "done"])
        #expect(try outcomes(sandbox, "parse", trials) == ["EPERM", "EPERM", "EPERM", "EPERM"])
        #expect(try outcomes(sandbox, "helper", trials) == ["EPERM", "EPERM", "EPERM", "EPERM"])
        // A fetching process connects over IP, but reaches no service of this machine and offers none.
        #expect(try outcomes(sandbox, "fetch", trials) == ["done", "done", "EPERM", "EPERM"])
    }

    @Test(arguments: ["parse", "fetch"])
    func `no other program is started, and no other process touched`(profile: String) throws {
        let sandbox = try Sandbox(isLibraryMade: false)
        let own = "\(getpid())"
        let trials = [("execute", "/bin/true"), ("fork", ""), ("signal", own), ("limit", ""), ("executable", "")]
        #expect(try outcomes(sandbox, "none", Array(trials.dropFirst())) == ["done", "done", "done", "done"])
        #expect(
            try outcomes(sandbox, profile, trials + [("trace", own), ("namespace", ""), ("mount", ""), ("keys", "")])
                == Array(repeating: "EPERM", count: 9))
        // The C library then uses the older call.
        #expect(try outcomes(sandbox, profile, [("new-call", "")]) == ["ENOSYS"])
    }

    @Test func `nothing is typed into the terminal`() throws {
        let sandbox = try Sandbox(isLibraryMade: false)
        let outcome = try outcomes(sandbox, "parse", [("type", "x")], screen: .asking)
        #expect(outcome == ["ENOTTY"])
        let free = try outcomes(sandbox, "none", [("type", "x")], screen: .asking)
        #expect(free == (geteuid() == 0 ? ["done"] : free) && free != outcome)
    }

    @Test(.enabled(if: isX86)) func `a call of another architecture ends the process, and its order gets an answer`()
        throws
    {
        let sandbox = try Sandbox(isLibraryMade: false)
        #expect(try outcomes(sandbox, "none", [("foreign", "")]) == ["done"])
        try sandbox.file(
            "orders", "{\"do\":\"trial\",\"profile\":\"parse\",\"action\":\"foreign\"}\n{\"do\":\"nothing\"}\n")
        let lines = try sandbox.shell("\(Self.worker) serve <orders").lines
        #expect(
            lines == [
                "{\"error\":[\"forbiddenCall\"]}",
                "{\"error\":[\"invalidOrder\",\"there is no order nothing\"]}",
            ])
    }

    private static var isX86: Bool {
        #if arch(x86_64)
            true
        #else
            false
        #endif
    }

    @Test func `a helper is one program, which can start no other`() throws {
        let sandbox = try Sandbox(isLibraryMade: false)
        let page = try file(sandbox, "page")
        let key = try file(sandbox, "key")
        let helper = Self.worker + " helper"
        #expect(try sandbox.shell("\(helper) --read \(page) /bin/cat \(page)").out == "secret\n")
        #expect(
            try sandbox.shell("\(helper) --read \(page) /bin/cat \(key)", exits: 1).err.contains("Permission denied"))
        let run = try sandbox.shell("\(helper) /bin/sh -c 'exec /bin/cat /etc/hosts'", exits: 126)
        #expect(run.err.contains("Permission denied"))
        #expect(try sandbox.shell("\(helper) /bin/sh -c '/bin/true; echo on'", exits: 2).err.contains("Cannot fork"))
    }

    @Test(arguments: ["parse", "fetch", "helper"]) func `the parts in force are printed, one a line`(profile: String)
        throws
    {
        let sandbox = try Sandbox(isLibraryMade: false)
        let lines = try sandbox.shell("\(Self.worker) --confinement \(profile)").lines
        #expect(
            lines.map { String($0.prefix { $0 != ":" }) } == [
                "no_new_privs", "limits", "Landlock files", "Landlock TCP", "Landlock scopes", "seccomp",
            ])
        #expect(lines.contains { $0.hasPrefix("seccomp: in force") })
    }

    @Test func `root who cannot become nobody and names a browser is told so`() throws {
        let sandbox = try Sandbox(isLibraryMade: false)
        let server = try TestServer { _ in .text("Water wears stones down.") }
        defer { server.close() }
        // Root of a user namespace that has no other user.
        let run = try sandbox.shell(
            "env -u SBFS_OFFLINE unshare -Ur sbfs capture http://127.0.0.1:\(server.port)/ saved --allow-private --browser /bin/true",
            exits: 1)
        #expect(run.err.contains("cannot run it as the user nobody here"), "\(run)")
    }

    @Test func `pages are read and links listed by a user who is nobody`() throws {
        let sandbox = try Sandbox(isLibraryMade: false)
        try #require(geteuid() == 0, "run as root, so that another user can be taken")
        chmod(sandbox.scratch.path, 0o755)
        chmod(sandbox.desk, 0o755)
        let page = try sandbox.file("page.html", "<title>Stones</title><p>Water wears <a href=/x>stones</a> down.</p>")
        try sandbox.file("orders", "{\"do\":\"links\",\"file\":\"\(page)\",\"url\":\"http://a.example/\"}\n")
        let run = try sandbox.shell(
            "setpriv --reuid=nobody --regid=nogroup --clear-groups \(Self.worker) serve <orders")
        #expect(run.out.contains("http://a.example/x"), "\(run)")
    }
}
