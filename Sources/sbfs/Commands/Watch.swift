import Glibc
import StuffBucket
import Synchronization

extension Commands {
    static let watch = Command(
        "watch", .care, "Keep the library live",
        details: """
            Starts a daemon in the background and returns when the index follows all files. From then on every command \
            finds each change of the library at once, by an editor, git, rsync, Syncthing or another sbfs. \
            Files that you put into the library's folder inbox/ become items (see "sbfs help inbox"), and views are \
            kept up to date (see "sbfs help view"). Remotes are synced: a folder as soon as it or the library changes, a cloud \
            every 15 minutes and half a minute after a change. Waiting pages are saved, expired items leave the trash, and all files \
            are read within 30 days to find damage ("sbfs config" lists the settings watch.…). One daemon at a time watches a library. Commands work the same without it.

            --foreground stays in this terminal and prints what happens, for a service manager: it understands \
            Type=notify, WatchdogSec and SIGHUP. --once updates the index, takes in the inbox, refreshes views, and ends. --stop ends the daemon.
            """,
        options: [
            Option("foreground", "stay in this terminal; print what happens on standard error"),
            Option("once", "do what is due now, and end"), Option("stop", "end the daemon"),
            Option("log-json", "print what happens as one JSON object a line"),
        ],
        examples: [
            .init("sbfs watch", "from now on, everything is found at once"),
            .init("sbfs watch --once", "from a timer instead of a daemon"),
            .init("sbfs watch --stop", "end it"),
        ]
    ) { invocation in
        guard invocation.positionals.isEmpty else { throw invocation.usage("watch takes no arguments") }
        let ways = ["foreground", "once", "stop"].filter(invocation.has)
        if ways.count > 1 { throw invocation.usage("say --\(ways[0]) or --\(ways[1]), not both") }
        if invocation.has("stop") { return try WatchProcess.stop(invocation) }
        if !ways.isEmpty { return try WatchProcess.run(invocation) }
        return try WatchProcess.start(invocation)
    }
}

/// The daemon as a process: in this terminal, in the background, and its end.
enum WatchProcess {
    /// How long the background process may take until it follows all files. It goes on after that.
    private static let patience = 60.0

    // MARK: In the background

    static func start(_ invocation: Invocation) throws -> ExitStatus {
        let library = try invocation.library()
        if let status = library.watchStatus() { throw running(status.process) }
        if let process = library.watchingProcess {
            throw CommandFailure(.locked, silence(process, library.path))
        }
        Program.runSelfDetached(["--library", library.path, "watch", "--foreground"])
        for _ in 0..<Int(patience * 20) {
            usleep(50_000)
            guard let status = library.watchStatus(), status.phase == .ready else { continue }
            invocation.talk.say(
                "process \(status.process) watches \(library.path), \(itemCount(status.watchedItems))"
                    + "; \"sbfs status\" shows it, \"sbfs watch --stop\" ends it")
            return .done
        }
        throw CommandFailure(
            .failed, "the daemon does not answer yet; \"sbfs watch --foreground\" shows what it does")
    }

    static func stop(_ invocation: Invocation) throws -> ExitStatus {
        let library = try invocation.library()
        guard let process = library.watchStatus()?.process ?? library.watchingProcess else {
            invocation.talk.say("no daemon watches \(library.path)")
            return .nothingFound
        }
        guard kill(process, SIGTERM) == 0 else {
            throw CommandFailure(.failed, "cannot end process \(process): \(String(cString: strerror(errno)))")
        }
        // One that was stopped gets the signal only when it goes on.
        kill(process, SIGCONT)
        for _ in 0..<200 where library.watchingProcess == process { usleep(50_000) }
        if library.watchingProcess == process {
            throw CommandFailure(.failed, "process \(process) has not ended yet")
        }
        invocation.talk.say("process \(process) has ended")
        return .done
    }

    /// What is known of a daemon that does not answer.
    static func silence(_ process: Int32, _ path: String) -> String {
        "process \(process) watches \(path) and does not answer: it begins, is busy, or was stopped; \"kill -CONT "
            + "\(process)\" lets a stopped one go on, \"sbfs watch --stop\" ends it"
    }

    private static func running(_ process: Int32?) -> CommandFailure {
        CommandFailure(
            .locked, "a daemon watches this library already" + (process.map { " (process \($0))" } ?? ""))
    }

    // MARK: In this process

    /// What the daemon does beside keeping the index current.
    private static func works(_ invocation: Invocation, _ log: WatchLog) throws -> [DaemonWork] {
        let settings: @Sendable () -> BackgroundSettings = { (try? LocalSettings.background()) ?? BackgroundSettings() }
        let makeWorker: @Sendable () -> CaptureWorker? = { try? WorkerProgram.worker() }
        let works: [DaemonWork] = [.versions, .inbox(makeWorker: makeWorker), .views]
        // What takes its time, or waits for its day, is not for a single run.
        if invocation.has("once") { return works }
        return works + [
            .pages(
                settings, isOffline: invocation.isOffline, try invocation.archiveOptions(), makeWorker: makeWorker),
            .sync(
                try invocation.syncRemotes(), settings, isOffline: invocation.isOffline, makeWorker: makeWorker
            ) { log.tell($1) },
            .trash(settings), .consent(settings) { ConsentNotification.show($0) }, .index,
            .verification(settings) { log.tell($0, $1) },
        ]
    }

    static func run(_ invocation: Invocation) throws -> ExitStatus {
        let path = try invocation.library().path
        let log = WatchLog(isJSON: invocation.has("log-json"))
        Signals.catchAll()
        while true {
            let library = try Invocation.open(path)
            let daemon = try LibraryDaemon(library, works: works(invocation, log)) { log.tell($0) }
            Signals.daemon.withLock { $0 = daemon }
            defer { Signals.daemon.withLock { $0 = nil } }
            Signals.beginForwarding()
            // A signal may have come while there was no daemon.
            if Signals.isEnding.load(ordering: .relaxed) { daemon.stop() }
            do {
                let end = try daemon.run(invocation.has("once") ? .once : .untilStopped)
                if invocation.has("once") { return .done }
                switch end {
                case .settingsChanged: log.say("settings", "library.json changed; its settings are read again")
                case .reloadAsked: log.say("settings", "the settings are read again")
                case .stopped:
                    log.say("ended", "ended by a signal")
                    return .done
                }
            } catch DaemonFault.running(let process) {
                throw running(process)
            } catch let end as WatchEnd {
                throw CommandFailure(.failed, end.wording)
            }
        }
    }
}

/// The signals that a daemon obeys: SIGTERM and SIGINT end it, SIGHUP makes it read its settings again.
private enum Signals {
    static let daemon = Mutex<LibraryDaemon?>(nil)
    static let isEnding = Atomic<Bool>(false)
    private static let pipeEnds: [Int32] = {
        var ends: [Int32] = [-1, -1]
        _ = pipe(&ends)
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return ends
    }()
    /// The end of the pipe that a handler writes to.
    private static let output = Atomic<Int32>(-1)
    private static let isForwarding = Atomic<Bool>(false)

    static func catchAll() {
        output.store(pipeEnds[1], ordering: .relaxed)
        for number in [SIGTERM, SIGINT, SIGHUP] {
            // A handler may only write, and must not allocate memory: the signal may have come within an allocation, which holds
            // a lock. The thread below does the rest.
            signal(number) { number in
                let before = errno
                var byte = UInt8(truncatingIfNeeded: number)
                _ = write(Signals.output.load(ordering: .relaxed), &byte, 1)
                errno = before
            }
        }
    }

    /// Starts the thread that hands signals to the daemon of the moment.
    static func beginForwarding() {
        if isForwarding.exchange(true, ordering: .relaxed) { return }
        try? BackgroundThread.start {
            var byte: UInt8 = 0
            while true {
                let count = read(Signals.pipeEnds[0], &byte, 1)
                if count < 0, errno == EINTR { continue }
                if count <= 0 { return }
                let isReload = Int32(byte) == SIGHUP
                if !isReload { isEnding.store(true, ordering: .relaxed) }
                let running = daemon.withLock { $0 }
                if isReload { running?.reload() } else { running?.stop() }
            }
        }
    }
}
