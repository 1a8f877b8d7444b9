import Foundation
import Glibc
import TestSupport
import Testing

/// `sbfs watch`, `status` and `events`: the daemon as a person meets it.
final class WatchCommandTests {
    private let sandbox: Sandbox

    init() throws {
        sandbox = try Sandbox()
        sandbox.environment["XDG_RUNTIME_DIR"] = sandbox.home + "/run"
    }

    deinit { _ = try? sandbox.sbfs("watch", "--stop", exits: nil) }

    private func text(_ id: String) -> String { "library/items/\(id.suffix(2))/\(id)/text.md" }

    private func add(_ text: String) throws -> String {
        try sandbox.sbfs("add", "-", input: text).out.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    private func process() throws -> Int32 {
        let json = try sandbox.sbfs("status", "--json").out
        let object = try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
        return try #require(object["process"] as? Int32)
    }

    @Test func `a daemon starts, answers, and ends`() throws {
        let id = try add("first soup")
        #expect(try sandbox.sbfs("status", exits: 3).err.contains("\"sbfs watch\" starts one"))
        #expect(try sandbox.sbfs("status", "--json", exits: 3).out.contains("\"absent\""))
        let start = try sandbox.sbfs("watch")
        #expect(start.err.contains("watches \(sandbox.library), 1 item"))
        #expect(try sandbox.sbfs("status").out.contains("1 watched"))
        for word in ["stew", "peas", "bread"] {
            try sandbox.scratch.write(text(id), word)
            #expect(try sandbox.sbfs("search", "--ids", word).out == id + "\n")
        }
        #expect(try sandbox.sbfs("watch", exits: 6).err.contains("watches this library already"))
        #expect(try sandbox.sbfs("watch", "--stop").err.contains("has ended"))
        try sandbox.sbfs("watch", "--stop", exits: 3)
        #expect(try sandbox.sbfs("search", "--ids", "bread").out == id + "\n")
    }

    @Test func `two daemons carry each change through a folder`() throws {
        let id = try add("first soup")
        let exchange = sandbox.scratch.full("exchange")
        try sandbox.sbfs("watch")
        // The daemon sees the remote that is added while it runs.
        try sandbox.sbfs("remote", "add", "box", exchange)
        try sandbox.shell("until ls '\(exchange)'/heads/*.json > /dev/null 2>&1; do sleep 0.05; done")
        let other = try Sandbox(isLibraryMade: false)
        other.environment["XDG_RUNTIME_DIR"] = other.home + "/run"
        defer { _ = try? other.sbfs("watch", "--stop", exits: nil) }
        try other.sbfs("init", "--from", exchange)
        try other.sbfs("watch")
        let wait = { (device: Sandbox, text: String) in
            _ = try device.shell("until grep -rqs '\(text)' '\(device.library)/items'; do sleep 0.05; done")
        }
        try wait(other, "first soup")
        // An editor here, a command there.
        try sandbox.scratch.write(text(id), "stew")
        try wait(other, "stew")
        try other.sbfs("title", id, "Dinner")
        try wait(sandbox, "Dinner")
        #expect(try other.sbfs("search", "--ids", "stew").out == id + "\n")
        // Off, nothing is written.
        try other.sbfs("config", "watch.sync", "off")
        try sandbox.sbfs("log")
        #expect(try !sandbox.sbfs("log").out.contains("watch: sync"))
    }

    @Test func `a daemon answers where no login manager made a folder for sockets`() throws {
        let id = try add("first soup")
        sandbox.environment["XDG_RUNTIME_DIR"] = nil
        try sandbox.sbfs("watch")
        #expect(try sandbox.sbfs("status").out.contains("1 watched"))
        try sandbox.scratch.write(text(id), "stew")
        #expect(try sandbox.sbfs("search", "--ids", "stew").out == id + "\n")
        #expect(try sandbox.sbfs("watch", "--stop").err.contains("has ended"))
    }

    @Test func `a daemon that is killed leaves nothing that stops the next one`() throws {
        let id = try add("first soup")
        for word in ["stew", "peas"] {
            try sandbox.sbfs("watch")
            kill(try process(), SIGKILL)
            try sandbox.scratch.write(text(id), word)
            #expect(try sandbox.sbfs("search", "--ids", word).out == id + "\n")
        }
        try sandbox.sbfs("watch")
        #expect(try sandbox.sbfs("status").out.contains("1 watched"))
    }

    @Test func `a daemon that does not answer is not waited for`() throws {
        let id = try add("first soup")
        try sandbox.sbfs("watch")
        let daemon = try process()
        kill(daemon, SIGSTOP)
        defer { kill(daemon, SIGCONT) }
        try sandbox.scratch.write(text(id), "stew")
        #expect(try sandbox.sbfs("search", "--ids", "stew").out == id + "\n")
    }

    @Test func `once brings the index up to date and ends`() throws {
        let id = try add("first soup")
        try sandbox.scratch.write(text(id), "stew")
        try sandbox.sbfs("watch", "--once")
        try sandbox.sbfs("status", exits: 3)
        #expect(try sandbox.sbfs("search", "--ids", "stew").out == id + "\n")
    }

    @Test func `the log names items by their ids alone`() throws {
        let id = try add("Budget of Mallory")
        let run = try sandbox.shell(
            """
            sbfs watch --foreground 2> log & daemon=$!
            while ! sbfs status > /dev/null 2>&1; do sleep 0.05; done
            echo 'secret words' > ../\(text(id)); sbfs add -t hidden-tag https://example.org/quiet > /dev/null
            while ! grep -q added log; do sleep 0.05; done
            kill -TERM $daemon; wait $daemon; echo "ended $?"; cat log
            """)
        #expect(run.out.contains("ended 0") && run.out.contains("ready") && run.out.contains("changed \(id)"))
        for word in ["Budget", "Mallory", "secret", "hidden", "example.org", "text.md", sandbox.library] {
            #expect(!run.out.contains(word), "\(word) in \(run.out)")
        }
    }

    @Test func `the log can be lines of JSON`() throws {
        _ = try add("soup")
        let run = try sandbox.sbfs("watch", "--once", "--log-json")
        let lines = run.err.split(separator: "\n")
        #expect(!lines.isEmpty)
        for line in lines {
            let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            #expect(object?["event"] is String && object?["time"] is String)
        }
    }

    @Test func `events are one object a line, and settings are read again`() throws {
        let id = try add("soup")
        let run = try sandbox.shell(
            """
            sbfs watch; sbfs events >> events & events=$!
            while ! grep -q changed events; do echo "stew $RANDOM$$" >> ../\(text(id)); sleep 0.3; done
            kill $events; wait $events 2> /dev/null
            was=$(sbfs status --json | grep since); sbfs config name Other > /dev/null
            for i in $(seq 2000); do [ "$(sbfs status --json | grep since)" != "$was" ] && break; sleep 0.05; done
            [ "$(sbfs status --json | grep since)" != "$was" ] && echo again; cat events
            """)
        #expect(run.out.contains("again"))
        let line = run.out.split(separator: "\n").first { $0.contains("\"changed\"") }
        let object = try JSONSerialization.jsonObject(with: Data((line ?? "{}").utf8)) as? [String: Any]
        #expect(object?["id"] as? String == id && object?["files"] as? [String] == ["text"])
    }

    @Test func `a daemon that was stopped by a signal is named, and can be ended`() throws {
        _ = try add("soup")
        let run = try sandbox.shell(
            """
            sbfs watch --foreground 2> log & daemon=$!
            while ! sbfs status > /dev/null 2>&1; do sleep 0.05; done
            kill -STOP $daemon; sbfs status; echo "status $?"; sbfs watch --stop; echo "stop $?"
            wait $daemon; echo "ended $?"; sbfs status; echo "status $?"
            """)
        #expect(run.err.contains("does not answer") && run.err.contains("kill -CONT"), "\(run)")
        #expect(run.out.contains("status 1") && run.out.contains("stop 0") && run.out.contains("ended 0"), "\(run)")
        #expect(run.out.contains("status 3"))
    }

    @Test func `a daemon ends when .sbfs is removed, and the next one makes it again`() throws {
        let id = try add("soup")
        let run = try sandbox.shell(
            """
            sbfs watch --foreground 2> log & daemon=$!
            while ! sbfs status > /dev/null 2>&1; do sleep 0.05; done
            mv ../library/.sbfs ../former; wait $daemon; echo "ended $?"; cat log; sbfs watch --once; sbfs list --ids
            """)
        #expect(run.out.contains("ended 1") && run.out.contains(".sbfs was moved or removed"), "\(run)")
        #expect(run.out.hasSuffix(id + "\n"))
    }

    @Test func `a library that moves away ends the daemon with an error`() throws {
        _ = try add("soup")
        let run = try sandbox.shell(
            """
            sbfs watch --foreground 2> log & daemon=$!
            while ! sbfs status > /dev/null 2>&1; do sleep 0.05; done
            mv ../library ../elsewhere; wait $daemon; echo "ended $?"; cat log; mv ../elsewhere ../library
            """)
        #expect(run.out.contains("ended 1") && run.out.contains("was moved, removed or unmounted"))
    }

    @Test func `a service manager is told when the daemon is ready and that it lives`() throws {
        _ = try add("soup")
        let script = """
            import os, socket, subprocess, sys
            path = os.path.join(os.getcwd(), "notify")
            listener = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
            listener.bind(path)
            listener.settimeout(60)
            environment = dict(os.environ, NOTIFY_SOCKET=path, WATCHDOG_USEC="400000")
            daemon = subprocess.Popen(["sbfs", "watch", "--foreground"], env=environment, stderr=subprocess.DEVNULL)
            said = []
            def listen(until):
                global said
                while not until():
                    try:
                        said += listener.recv(4096).decode().split("\\n")
                    except TimeoutError:
                        sys.exit("silent after %s, status %s" % (said, daemon.poll()))
            listen(lambda: "READY=1" in said and said.count("WATCHDOG=1") > 2)
            daemon.terminate()
            listen(lambda: "STOPPING=1" in said)
            print("ended", daemon.wait(), [word for word in said if word != "WATCHDOG=1"])
            """
        try sandbox.file("notify.py", script)
        #expect(
            try sandbox.shell("python3 notify.py").out
                == "ended 0 ['READY=1', 'STATUS=items watched: 1', 'STOPPING=1']\n")
    }

    @Test func `a service that reads its settings again does not tell its manager that it ends`() throws {
        _ = try add("soup")
        let script = """
            import os, signal, socket, subprocess, sys
            path = os.path.join(os.getcwd(), "notify")
            listener = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
            listener.bind(path)
            listener.settimeout(60)
            environment = dict(os.environ, NOTIFY_SOCKET=path)
            daemon = subprocess.Popen(["sbfs", "watch", "--foreground"], env=environment, stderr=subprocess.DEVNULL)
            said = []
            def listen(word, count):
                global said
                while said.count(word) < count:
                    try:
                        said += listener.recv(4096).decode().split("\\n")
                    except TimeoutError:
                        sys.exit("silent after %s, status %s" % (said, daemon.poll()))
            listen("READY=1", 1)
            daemon.send_signal(signal.SIGHUP)
            listen("READY=1", 2)
            subprocess.run(["sbfs", "config", "name", "Other"], check=True, stdout=subprocess.DEVNULL)
            listen("READY=1", 3)
            daemon.terminate()
            listen("STOPPING=1", 1)
            print("ended", daemon.wait(), [word for word in said if not word.startswith("STATUS=")])
            """
        try sandbox.file("notify.py", script)
        #expect(
            try sandbox.shell("python3 notify.py").out
                == "ended 0 ['READY=1', 'READY=1', 'READY=1', 'STOPPING=1']\n")
    }

    @Test func `events come from the daemon, and go on when it ends and starts again`() throws {
        let id = try add("soup")
        let run = try sandbox.shell(
            """
            wait_for() { for i in $(seq 6000); do eval "$1" && return; sleep 0.05; done; echo "no: $1"; }
            sbfs watch; sbfs events >> events & events=$!
            wait_for 'echo stew$i >> ../\(text(id)); grep -q changed events'
            # Of inotify, a program that is told the changes has no descriptor.
            ls -l /proc/$events/fd | grep -c inotify
            sbfs config name Other > /dev/null; wait_for 'grep -q everything events'
            ls -l /proc/$events/fd | grep -c inotify
            : > events; wait_for 'echo peas$i >> ../\(text(id)); grep -q changed events'
            sbfs watch --stop; : > events
            wait_for 'grep -q everything events'; ls -l /proc/$events/fd | grep -c inotify
            : > events; wait_for 'echo rice$i >> ../\(text(id)); grep -q changed events'
            kill $events; wait $events 2> /dev/null; cat events
            """)
        #expect(run.lines.first == "0" && run.lines.dropFirst().first == "0" && run.lines.dropFirst(2).first == "1")
        #expect(!run.out.contains("no: ") && run.out.contains("\"id\":\"\(id)\""), "\(run)")
    }

    @Test func `the status shows what waits, with and without a daemon`() throws {
        let link = try sandbox.link("https://example.org/quiet")
        let failed = try sandbox.link("https://example.org/gone")
        try sandbox.plant(
            failed,
            """
            {"linkURL": "https://example.org/gone", "archiveStatus": "failed", "archiveAttempts": 3,
            "archiveReason": "timeout", "archivedAt": "2026-01-02T03:04:05Z"}
            """)
        try sandbox.scratch.write("library/inbox/.keep", "")
        #expect(try sandbox.item(link)["archiveStatus"] as? String == "pending")
        for hasDaemon in [false, true] {
            if hasDaemon { try sandbox.sbfs("watch") }
            let lines = try sandbox.shell(
                "for i in $(seq 2000); do sbfs status > out; code=$?; grep -q '\(hasDaemon ? "held" : "pages")' out && break; sleep 0.05; done; cat out; echo $code"
            ).lines
            #expect(lines.last == (hasDaemon ? "0" : "3"))
            let held = hasDaemon ? "; held: the network must not be used" : ""
            #expect(lines.contains("pages       1 waits to be saved\(held)"), "\(lines)")
            #expect(lines.contains("failed      1 are tried again, 0 only by \"sbfs archive\""))
            #expect(
                lines.contains {
                    $0.hasPrefix(
                        "            \(failed): it took too long, attempt 3, last 2026-01-02 03:04, next 2026-01-02")
                })
            #expect(lines.contains("verified    0 % of items within 30 days"))
            let json = try sandbox.sbfs("status", "--json", exits: hasDaemon ? 0 : 3).out
            let object = try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
            #expect(object["pendingPages"] as? Int == 1 && object["verifiedPercent"] as? Int == 0)
            let failures = try #require(object["lastFailures"] as? [[String: Any]])
            #expect(failures.map { $0["id"] as? String } == [failed] && failures[0]["attempts"] as? Int == 3)
            #expect((object["pages"] as? [String: Any])?["held"] as? String == (hasDaemon ? "offline" : nil))
        }
    }

    @Test func `files of the inbox become items, once and while the daemon runs`() throws {
        try sandbox.scratch.write("library/inbox/before.txt", "soup before\n")
        try sandbox.sbfs("watch")
        try sandbox.scratch.write("library/inbox/Work/after.txt", "soup after\n")
        let run = try sandbox.shell(
            """
            for i in $(seq 6000); do [ "$(sbfs list --ids soup | wc -l)" = 2 ] && break; sleep 0.1; done
            sbfs list --ids soup | wc -l; sbfs list --ids collection:Work | wc -l; find ../library/inbox -type f | wc -l
            """)
        #expect(run.out.split(separator: "\n").map { $0.filter(\.isNumber) } == ["2", "1", "0"])
        #expect(try sandbox.sbfs("log").out.contains("watch: inbox"))
    }

    @Test func `a view follows the library while the daemon runs`() throws {
        let id = try add("# First soup\n")
        try sandbox.sbfs("view", "add", sandbox.desk + "/shown", "--profile", "full")
        try sandbox.sbfs("watch")
        try sandbox.scratch.write(text(id), "# Second stew\n")
        let run = try sandbox.shell(
            "for i in $(seq 6000); do find shown | grep -q 'Second stew' && break; sleep 0.1; done; find shown")
        #expect(run.out.contains("Second stew") && !run.out.contains("First soup"))
    }

    @Test func `two ways at once are an error`() throws {
        #expect(try sandbox.sbfs("watch", "--once", "--stop", exits: 2).err.contains("not both"))
        try sandbox.sbfs("watch", "now", exits: 2)
        try sandbox.sbfs("status", "now", exits: 2)
        try sandbox.sbfs("events", "now", exits: 2)
    }
}
