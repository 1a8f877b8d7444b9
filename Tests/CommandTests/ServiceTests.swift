import Foundation
import Glibc
import TestSupport
import Testing

/// `sbfs service`, with a program in the place of systemctl, and the unit as systemd itself reads it.
struct ServiceTests {
    let box: Sandbox

    init() throws {
        box = try Sandbox()
        box.environment["XDG_CONFIG_HOME"] = nil
        try useSystemctl()
    }

    /// A program that notes how it is called, and fails for the verbs in `fails`.
    private func useSystemctl(_ show: String = "", fails: String = "none") throws {
        try box.scratch.write(
            "bin/systemctl",
            """
            #!/bin/sh
            echo "$*" >> '\(box.scratch.full("calls"))'
            case "$*" in
            *" \(fails)"*) echo "systemctl: no bus" >&2; exit 1 ;;
            *" show "*) printf '\(show)' ;;
            esac

            """)
        chmod(box.scratch.full("bin/systemctl"), 0o755)
        let path = try #require(box.environment["PATH"])
        box.environment["PATH"] = box.scratch.full("bin") + ":" + path
    }

    /// The calls since the last time, without the options that each has.
    private func calls() throws -> [String] {
        guard box.scratch.exists("calls") else { return [] }
        let lines = try box.scratch.text("calls").split(separator: "\n").map(String.init)
        try box.scratch.removeFile("calls")
        return lines.map { $0.replacingOccurrences(of: "--user --no-pager ", with: "") }
    }

    private let folder = "home/.config/systemd/user"

    private func units() throws -> [String] { box.scratch.exists(folder) ? try box.scratch.names(folder) : [] }

    @Test func `install writes a unit and starts it, remove undoes both`() throws {
        // The first opening makes the files of .sbfs.
        try box.sbfs("check")
        let before = try box.snapshot()
        #expect(try box.sbfs("service", "install").err.contains("sbfs watch runs now and after each login"))
        let name = try #require(try units().first)
        #expect(try units().count == 1 && name.hasPrefix("sbfs-watch-") && name.utf8.count == 35)
        #expect(try calls() == ["daemon-reload", "enable --now \(name)"])
        let text = try box.scratch.text(folder + "/" + name)
        #expect(text.contains("--library \"\(box.library)\" watch --foreground\n"))
        for line in ["Type=notify", "NoNewPrivileges=yes", "ProtectSystem=strict", "WantedBy=default.target"] {
            #expect(text.contains("\n\(line)\n"))
        }
        #expect(try #require(text.firstMatch(of: /\nWatchdogSec=(\d+)\n/).flatMap { Int($0.1) }) >= 120)
        // Again: nothing is restarted that did not change.
        try box.sbfs("service", "install")
        #expect(try calls() == ["daemon-reload", "enable --now \(name)"])
        try box.sbfs("--offline", "service", "install")
        #expect(try calls() == ["daemon-reload", "enable --now \(name)", "restart \(name)"])
        #expect(try box.sbfs("service", "remove").err.contains("removed \(name)"))
        #expect(try calls() == ["disable --now \(name)", "daemon-reload"])
        #expect(try units().isEmpty)
        #expect(try box.changes(since: before, in: "library").isEmpty)
        try box.sbfs("service", "remove", exits: 3)
    }

    @Test func `each library has a unit of its own, by its real path`() throws {
        try box.sbfs("init", box.scratch.full("other"), exits: nil)
        try box.scratch.link("linked", to: box.library)
        try box.sbfs("--library", box.scratch.full("other"), "init", exits: nil)
        for library in [box.library, box.scratch.full("linked"), box.scratch.full("other")] {
            try box.sbfs("--library", library, "service", "install")
        }
        #expect(try units().count == 2)
    }

    @Test func `pause stops it until resume`() throws {
        try box.sbfs("service", "pause", exits: 3)
        try box.sbfs("service", "install")
        let name = try #require(try units().first)
        _ = try calls()
        try box.sbfs("service", "pause")
        #expect(try calls() == ["disable --now \(name)"])
        #expect(try units() == [name])
        try box.sbfs("service", "resume")
        #expect(try calls() == ["enable --now \(name)"])
    }

    @Test func `status says what systemd says`() throws {
        #expect(try box.sbfs("service", "status", exits: 3).out == "not installed\n")
        try box.sbfs("service", "install")
        let file = box.scratch.full(folder) + "/" + (try #require(try units().first))
        for (show, state) in [
            (
                "ActiveState=active\\nUnitFileState=enabled\\nExecMainStartTimestamp=Sun 2026-11-22\\nStatusText=3 pages = wait\\n",
                "running, since Sun 2026-11-22; 3 pages = wait"
            ), ("ActiveState=inactive\\nUnitFileState=disabled\\n", "paused"),
            ("ActiveState=inactive\\nUnitFileState=enabled\\n", "stopped"), ("ActiveState=failed\\n", "failed"),
            ("ActiveState=activating\\n", "starting"), ("", "unknown, since systemd does not answer"),
        ] {
            try useSystemctl(show)
            #expect(try box.sbfs("service", "status").out == "\(state)\n\(file)\n")
        }
        let object = try #require(try box.sbfs("service", "status", "--json").array().first)
        #expect(object["file"] as? String == file)
        #expect(object["library"] as? String == box.library)
    }

    @Test(arguments: ["daemon-reload", "none"])
    func `without systemd it says what to put where, and installs nothing`(_ verb: String) throws {
        try useSystemctl(fails: verb)
        if verb == "none" {
            try box.scratch.removeFile("bin/systemctl")
            box.environment["PATH"] = box.scratch.full("bin")
        }
        let run = try box.sbfs("service", "install", exits: 1)
        #expect(run.err.contains(verb == "none" ? "there is no program systemctl" : "(systemctl: no bus)"))
        #expect(run.out.hasPrefix("# Written by") && run.out.contains("[Service]\n"))
        #expect(run.err.contains("put the unit on standard output into \(box.home)/.config/systemd/user/sbfs-watch-"))
        #expect(run.err.contains("sbfs --library \(box.library) watch"))
        #expect(try units().isEmpty)
    }

    @Test func `a service that does not start is reported, and a dry run changes nothing`() throws {
        #expect(try box.sbfs("service", "install", "--dry-run").out.contains("[Service]"))
        #expect(try units().isEmpty && calls() == [])
        try useSystemctl(fails: "enable")
        #expect(try box.sbfs("service", "install", exits: 1).err.contains("journalctl --user -u sbfs-watch-"))
        _ = try calls()
        for verb in ["remove", "pause", "resume"] { try box.sbfs("service", verb, "--dry-run") }
        #expect(try units().count == 1 && calls() == [])
    }

    @Test func `a unit of somebody else is left alone`() throws {
        try box.sbfs("service", "install")
        let name = try #require(try units().first)
        try box.scratch.write(folder + "/" + name, "[Service]\nExecStart=/bin/true\n")
        for verb in ["install", "remove", "pause", "status"] {
            #expect(try box.sbfs("service", verb, exits: 1).err.contains("was not written by sbfs"))
        }
        #expect(try box.scratch.text(folder + "/" + name) == "[Service]\nExecStart=/bin/true\n")
    }

    @Test func `no library, no service`() throws {
        try box.sbfs("--library", box.scratch.full("none"), "service", "install", exits: 1)
        try box.sbfs("--library", box.scratch.full("none"), "service", "remove", exits: 3)
        try box.sbfs("service", "install", "more", exits: 2)
        try box.sbfs("service", "install", "--allow", box.scratch.full("none"), exits: 1)
        #expect(try units().isEmpty)
    }

    // MARK: Spelling

    static let names = [
        "plain", "with spaces", "100 %n %% %h", "\"quoted\" 'single'", "back\\slash\\", "$HOME ${HOME}", "; rm -rf",
        "ünïcødé ☃", "-x", "ends in space ", "#hash", "@at",
    ]

    @Test(arguments: names)
    func `systemd reads the paths that were meant`(_ name: String) throws {
        let library = box.scratch.full("libraries/" + name)
        try box.scratch.makeDirectory("libraries")
        try box.sbfs("--library", library, "init")
        try box.scratch.makeDirectory("views/" + name)
        box.environment["XDG_STATE_HOME"] = box.scratch.full("state " + name)
        let view = box.scratch.full("views/" + name)
        try box.sbfs("--library", library, "service", "install", "--allow", view)
        let unit = try #require(try units().first)
        let dump = try systemd(unit)
        #expect(dump.contains("ProtectSystem: strict"), "\(dump.suffix(3000))")
        #expect(
            dump.contains("Environment: XDG_CACHE_HOME=\(box.home)/cache\n")
                || dump.contains("XDG_STATE_HOME=\(box.scratch.full("state " + name))\n"))
        let paths = try #require(dump.split(separator: "\n").first { $0.contains("ReadWritePaths:") })
        #expect(paths.contains("-\(view)") && paths.contains("-\(box.scratch.full("libraries"))"), "\(paths)")
        #expect(try argument(of: dump) == library)
    }

    /// The library in the command line of systemd's dump, which is quoted as for a shell; each `$$` is one `$` when
    /// the command starts.
    private func argument(of dump: String) throws -> String {
        let line = try #require(
            dump.split(separator: "\n").first { $0.contains("Command Line:") && $0.contains("--library") })
        let quoted = try #require(line.firstMatch(of: /--library (.*) watch --foreground/)).1
        let run = try box.shell("printf %s \(quoted)")
        return run.out.replacingOccurrences(of: "$$", with: "$")
    }

    /// systemd's own dump of the unit that it read, after systemd-analyze found nothing wrong in it.
    private func systemd(_ unit: String) throws -> String {
        try box.scratch.makeDirectory("units")
        try box.scratch.write("units/" + unit, try box.scratch.bytes(folder + "/" + unit))
        try box.scratch.write("units/default.target", "[Unit]\nWants=\(unit)\n")
        let user = geteuid() == 0 ? "setpriv --reuid=65534 --regid=65534 --clear-groups" : ""
        let script = """
            set -eu
            unset SBFS_LIBRARY
            rm -rf '\(box.scratch.full("run"))'; mkdir -m 700 '\(box.scratch.full("run"))'
            export XDG_RUNTIME_DIR='\(box.scratch.full("run"))'
            systemd-analyze verify --man=no --user '\(box.scratch.full("units"))/\(unit)' 2>&1
            \(geteuid() == 0 ? "chown 65534:65534 \"$XDG_RUNTIME_DIR\"" : ":")
            cd /
            SYSTEMD_LOG_TARGET=console SYSTEMD_UNIT_PATH='\(box.scratch.full("units")):' \(user) \
            /lib/systemd/systemd --user --test --unit=default.target < /dev/null 2>&1
            """
        let run = try box.shell(script)
        #expect(!run.out.hasPrefix(box.scratch.full("units")), "\(run.out.prefix(2000))")
        return run.out
    }

    @Test func `a path that a unit cannot hold is refused`() throws {
        let library = box.scratch.full("a\nExecStartPre=/bin/touch x")
        try box.sbfs("--library", library, "init")
        let run = try box.sbfs("--library", library, "service", "install", exits: 1)
        #expect(run.err.contains("a systemd unit cannot hold the path"))
        #expect(try units().isEmpty && calls() == [])
    }
}
