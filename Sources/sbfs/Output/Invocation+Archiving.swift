import StuffBucket
import Synchronization

extension Invocation {
    /// Whether the network must not be used: `--offline`, or SBFS_OFFLINE set to anything but 0.
    var isOffline: Bool {
        has("offline") || Environment.isOffline
    }

    /// - Throws: `CommandFailure` if the network must not be used.
    func refuseOffline() throws {
        if isOffline {
            throw CommandFailure(.failed, "this needs the network, and --offline or SBFS_OFFLINE forbids it")
        }
    }

    /// Prints the outcome for each page: sentences, or with `--json` one object a line. Safe from any thread.
    ///
    /// - Parameter isJSON: whether to print JSON; `nil` if `--json` decides.
    func archiveTeller(_ library: Library, isJSON: Bool? = nil) -> @Sendable (StoredItem?, ArchiveOutcome) -> Void {
        let turn = Mutex(())
        let isJSON = isJSON ?? has("json")
        let isSilent = has("background")
        let talk = talk
        let output = SharedOutput(output)
        return { stored, outcome in
            turn.withLock { _ in
                if isSilent { return }
                if isJSON {
                    output.line(JSONLine.bytes(stored, outcome))
                    return
                }
                let name = stored.map { "\($0.id.short) \(library.displayTitle(of: $0))" } ?? "an item"
                switch outcome {
                case .failed, .refused: talk.warn("\(name) \(outcome.sentence(of: stored))")
                default: talk.say("\(name) \(outcome.sentence(of: stored))")
                }
            }
        }
    }

    /// A progress bar that several threads may use.
    func progressBar(_ what: String, of total: Int) -> SharedProgress { SharedProgress(what, talk) }
}

/// Sendable because the callers use standard output from one thread at a time.
private struct SharedOutput: @unchecked Sendable {
    private let output: Output

    init(_ output: Output) { self.output = output }

    func line(_ bytes: [UInt8]) {
        try? output.write(bytes + [0x0A])
        try? output.flush()
    }
}

/// The output of `archive --json` for one page.
private enum JSONLine {
    static func bytes(_ stored: StoredItem?, _ outcome: ArchiveOutcome) -> [UInt8] {
        let (result, report, snapshot, why): (String, CaptureReport?, String?, String?) =
            switch outcome {
            case .saved(let report, let snapshot): ("saved", report, snapshot, report.wording)
            case .unchanged: ("unchanged", nil, nil, nil)
            case .keptEarlier(let report, let why, let snapshot): ("kept", report, snapshot, why.wording)
            case .failed(let report): ("failed", report, nil, report.wording)
            case .refused(let why): ("refused", nil, nil, ArchiveWords.refusal(why, of: stored))
            }
        let json = JSON.members([
            ("id", stored.map { .string($0.id.description) }), ("url", stored?.item.linkURL.map(JSON.string)),
            ("result", .string(result)), ("status", report.map { .string($0.status.rawValue) }),
            ("capturedBy", report?.capturedBy.map(JSON.string)),
            ("kind", report?.kind.map { .string($0.rawValue) }), ("reason", why.map(JSON.string)),
            ("snapshot", snapshot.map(JSON.string)), ("assets", report.map { .integer($0.assetCount) }),
            ("missing", report.map { .integer($0.missingCount) }),
        ])
        return Printable.json(json.oneLine)
    }
}
