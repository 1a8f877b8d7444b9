import StuffBucket

extension Commands {
    static let serviceInstall = Command(
        "service install", .care, "Start sbfs watch at every login",
        details: """
            Writes a systemd user unit for this library and starts it; each library has its own. The service may write in \
            your home folder, in the folder of the library, and in what --allow adds. It may not write to what runs at \
            login, nor read ~/.ssh and ~/.gnupg. Where systemd does not run, sbfs shows the unit and says where to put it.

            The service runs while you are logged in; "loginctl enable-linger" keeps it running. Its messages are in \
            "journalctl --user -u 'sbfs-watch-*'".
            """,
        options: [
            Option(
                "allow", value: "DIR", isRepeatable: true, "let the service write to DIR, for a view outside your home"),
            Option.dryRun,
        ],
        examples: [
            .init("sbfs service install", "for your library"),
            .init("sbfs service install --allow /mnt/stick", "with a view on another disk"),
            .init("sbfs service install --dry-run", "show the unit"),
        ],
        run: { try ServiceCommand($0).install() })

    static let serviceRemove = Command(
        "service remove", .care, "Stop sbfs watch, and do not start it again",
        details: "Removes the unit that \"sbfs service install\" wrote. The library stays as it is.",
        options: [Option.dryRun],
        examples: [.init("sbfs service remove", "undo the installation")],
        run: { try ServiceCommand($0).remove() })

    static let serviceStatus = Command(
        "service status", .care, "Show whether the service is installed and runs",
        details: """
            Prints the state (running, starting, paused, stopped, failed or not installed) and the unit's file. The exit \
            code is 3 if no service is installed. "sbfs status" shows what the service does.
            """,
        options: [Option.json],
        examples: [.init("sbfs service status", "is it running?")],
        run: { try ServiceCommand($0).status() })

    static let servicePause = Command(
        "service pause", .care, "Stop the service until you resume it",
        details: "It does not start at the next login either. \"sbfs service resume\" starts it again.",
        options: [Option.dryRun],
        examples: [.init("sbfs service pause", "before a long journey, say")],
        run: { try ServiceCommand($0).pause() })

    static let serviceResume = Command(
        "service resume", .care, "Start a paused service again", options: [Option.dryRun],
        examples: [.init("sbfs service resume", "after a pause")],
        run: { try ServiceCommand($0).resume() })
}

/// One run of a `service` command.
private struct ServiceCommand {
    let invocation: Invocation
    private let systemctl = Systemctl()
    private let folder = UnitFolder()
    /// The library's folder without links; as it is spelt, if it is gone.
    private let library: String

    init(_ invocation: Invocation) throws {
        self.invocation = invocation
        if !invocation.positionals.isEmpty { throw invocation.usage("\(invocation.command.name) takes no arguments") }
        let path = FilePath.absolute(try LibraryLocation.find(invocation))
        library = FilePath.real(path) ?? path
    }

    private var name: String { ServiceUnit.name(for: library) }
    private var file: String { folder.full(name) }

    // MARK: Installing

    func install() throws -> ExitStatus {
        // Opening it makes sure that it is a library.
        _ = try invocation.library()
        let text = try unit().text()
        let earlier = try folder.read(name)
        if invocation.isDryRun {
            try invocation.output.write(Array(text.utf8))
            invocation.talk.say("would write \(file)")
            return .done
        }
        try folder.write(name, text)
        if let why = try systemctl.failure("daemon-reload") {
            if let earlier { try folder.write(name, earlier) } else { try folder.remove(name) }
            return try tellByHand(text, why)
        }
        let isChanged = earlier.map { $0 != text } ?? false
        if let why = try systemctl.failure("enable", "--now", name)
            ?? (isChanged ? systemctl.failure("restart", name) : nil)
        {
            throw CommandFailure(
                .failed,
                "the service is installed, and did not start (\(why)); journalctl --user -u \(name) says more")
        }
        invocation.talk.say(
            earlier == nil ? "installed \(name); sbfs watch runs now and after each login" : "updated \(name)")
        return .done
    }

    private func unit() throws -> ServiceUnit {
        guard let program = RunningProgram.path else {
            throw CommandFailure(.failed, "the place of sbfs is unknown without /proc; start sbfs by its full path")
        }
        var unit = ServiceUnit(program: program, library: library, home: Environment.home)
        // The service manager does not know variables that only a shell sets.
        unit.variables = ["XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"].compactMap { name in
            Environment[name].flatMap { $0.hasPrefix("/") ? (name, $0) : nil }
        }
        unit.writable = try invocation.values("allow").map { path in
            let path = LibraryLocation.expand(path)
            guard let real = FilePath.real(path) else {
                throw CommandFailure(.failed, "there is no folder \(path); make it first")
            }
            return real
        }
        unit.isOffline = invocation.has("offline")
        return unit
    }

    /// Without systemd the unit is data, and what to do with it is a message.
    private func tellByHand(_ text: String, _ why: String) throws -> ExitStatus {
        try invocation.output.write(Array(text.utf8))
        try invocation.output.flush()
        throw CommandFailure(
            .failed,
            """
            systemd does not run your services here (\(why)), so nothing was installed.
            With systemd: put the unit on standard output into \(file), then run: systemctl --user enable --now \(name)
            Without it: let your session start this command: sbfs --library \(TypedLine.quoted(library)) watch
            """)
    }

    // MARK: Afterwards

    func remove() throws -> ExitStatus {
        try requireInstalled()
        if invocation.isDryRun { return dry("remove \(file)") }
        // Without systemd nothing runs, and the file goes all the same.
        let isManaged = try systemctl.failure("disable", "--now", name) == nil
        try folder.remove(name)
        if isManaged { _ = try systemctl.failure("daemon-reload") }
        invocation.talk.say("removed \(name)")
        return .done
    }

    func pause() throws -> ExitStatus {
        try requireInstalled()
        if invocation.isDryRun { return dry("stop \(name), and not start it at login") }
        try require("disable", "stopped")
        invocation.talk.say("paused; \"sbfs service resume\" starts it again")
        return .done
    }

    func resume() throws -> ExitStatus {
        try requireInstalled()
        if invocation.isDryRun { return dry("start \(name), now and at each login") }
        try require("enable", "started")
        invocation.talk.say("sbfs watch runs again")
        return .done
    }

    func status() throws -> ExitStatus {
        let isInstalled = try folder.read(name) != nil
        let keys = ["ActiveState", "UnitFileState", "ExecMainStartTimestamp", "StatusText"]
        let properties = isInstalled ? try systemctl.properties(of: name, keys) : [:]
        let state = Self.state(isInstalled, properties)
        let since = state == "running" ? properties["ExecMainStartTimestamp"].flatMap { $0.isEmpty ? nil : $0 } : nil
        let text = properties["StatusText"].flatMap { $0.isEmpty ? nil : $0 }
        if invocation.has("json") {
            let object = JSON.members([
                ("state", .string(state)), ("library", .string(library)), ("unit", .string(name)),
                ("file", isInstalled ? .string(file) : nil), ("since", since.map(JSON.string)),
                ("status", text.map(JSON.string)),
            ])
            try invocation.output.write(Printable.json(JSON.array([object]).file))
        } else {
            let details = [since.map { "since \($0)" }, text].compactMap(\.self).joined(separator: "; ")
            try invocation.output.line(Printable.line(state + (details.isEmpty ? "" : ", " + details)))
            if isInstalled { try invocation.output.line(Printable.line(file)) }
        }
        return isInstalled ? .done : .nothingFound
    }

    private static func state(_ isInstalled: Bool, _ properties: [String: String]) -> String {
        if !isInstalled { return "not installed" }
        switch properties["ActiveState"] {
        case "active", "reloading": return "running"
        case "activating": return "starting"
        case "deactivating": return "stopping"
        case "failed": return "failed"
        case "inactive": return properties["UnitFileState"] == "disabled" ? "paused" : "stopped"
        default: return "unknown, since systemd does not answer"
        }
    }

    private func requireInstalled() throws {
        if try folder.read(name) == nil {
            throw CommandFailure(.nothingFound, "no service is installed for \(library); see: sbfs service install")
        }
    }

    private func require(_ verb: String, _ done: String) throws {
        if let why = try systemctl.failure(verb, "--now", name) {
            throw CommandFailure(.failed, "the service could not be \(done): \(why)")
        }
    }

    private func dry(_ what: String) -> ExitStatus {
        invocation.talk.say("would \(what)")
        return .done
    }
}
