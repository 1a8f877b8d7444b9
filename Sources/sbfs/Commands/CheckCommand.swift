import StuffBucket
import Synchronization

extension Commands {
    static let check = Command(
        "check", .care, "Check the files of the library",
        details: """
            Checks the structure, the JSON, the names, the files that item.json names, and the versions in history/. An error is something that \
            sbfs cannot read as intended. Warnings are unusual, notes are for information (--notes). A file that \
            another device has not sent yet is a warning; an item.json that is absent beside a text, page or document \
            is an error. sbfs changes nothing without --repair, which asks before \
            each repair. An item.json that cannot be used is put back from the item's last version in history/, as by "sbfs repair"; \
            if history/ has none, the message says what may bring it back. The exit code is 1 if there are errors or a repair failed.
            """,
        options: [
            Option("read-data", "also read every file whose hash is recorded, in exchanges too, and compare"),
            Option("portable", "also name files that Windows, Android or a disk without case cannot hold"),
            Option("repair", "offer repairs"), Option("notes", "show notes too"), Option.yes,
            Option.dryRun, Option.json,
        ],
        examples: [
            .init("sbfs check", "a quick look"), .init("sbfs check --read-data", "read everything"),
            .init("sbfs check --repair", "mend what can be mended"),
        ]
    ) { invocation in
        let library = try invocation.library()
        var options: Check.Options = invocation.has("read-data") ? .data : []
        if invocation.has("portable") { options.insert(.portability) }
        var check = library.check(options)
        let talk = invocation.talk
        let progress = SharedProgress("checking", talk)
        let reading = SharedProgress("MB read", talk)
        let readBytes = Mutex(0)
        check.didRead = { count in
            let bytes = readBytes.withLock { bytes in
                bytes += count
                return bytes
            }
            // A document of gigabytes takes a while. For small ones, the count of items shows the progress.
            if bytes >= 1 << 30 { reading.show(bytes >> 20) }
        }
        let monitor = Monitor { progress.show($0, $1) }
        func look() throws -> Check.Report {
            var report = try check.run(monitor)
            if options.contains(.data) {
                let damage = try library.damage(monitor)
                // The hash of a document that is damaged must not be recorded as that of an edited one.
                let damaged = Set(damage.map(\.path))
                report.findings.removeAll { finding in
                    if case .documentDiffers = finding.kind { damaged.contains(finding.path) } else { false }
                }
                // A note says nothing of the bytes.
                let known = Set(report.findings.filter { $0.severity != .note }.map(\.path))
                report.findings += damage.filter { !known.contains($0.path) }
                let awayDamage = try awayDamage(library, invocation, monitor)
                // "sbfs keep" cannot bring these.
                let unavailable = Set(awayDamage.filter { $0.severity == .error }.map(\.path))
                report.findings.removeAll { finding in
                    if case .away = finding.kind { unavailable.contains(finding.path) } else { false }
                }
                report.findings += awayDamage
                report.findings.sort { ($0.severity, $0.path) < ($1.severity, $1.path) }
            }
            report.findings = report.findings.map(library.explained)
            reading.clear()
            progress.clear()
            return report
        }
        var report = try look()
        var repairs = Repairs()
        if invocation.has("repair") {
            repairs = try repairAll(report, invocation)
            if repairs.isAny { report = try look() }
            // A repair may have moved what another one was about.
            if repairs.done > 0, !repairs.failures.isEmpty {
                repairs = try repairAll(report, invocation)
                if repairs.isAny { report = try look() }
            }
            for failure in repairs.failures { talk.warn(failure) }
        }
        if invocation.has("json") {
            try invocation.output.write(Printable.json(JSON.array(report.findings.map(json)).file))
        } else {
            try print(report, invocation)
        }
        for line in UnmergedFiles(library.path)?.advice ?? [] { talk.warn(line) }
        let notes = report.findings.count - report.errorCount - report.warningCount
        talk.say(
            "\(counted(report.itemCount, "item")): \(counted(report.errorCount, "error")), "
                + "\(counted(report.warningCount, "warning")), \(counted(notes, "note"))"
                + (notes > 0 && !Self.showsNotes(invocation) && !invocation.has("json") ? "; --notes shows them" : ""))
        if report.findings.contains(where: \.isOfBytes) {
            talk.say("\"sbfs repair --from DIR|REMOTE\" brings right bytes back from another copy or an exchange")
        }
        return report.errorCount == 0 && repairs.failures.isEmpty ? .done : .failed
    }

    /// What is wrong with files that are in exchanges only.
    private static func awayDamage(
        _ library: Library, _ invocation: Invocation, _ monitor: Monitor
    ) throws -> [Finding] {
        let remotes = try Remotes(of: library).list
        let used = remotes.filter { $0.folder.cloud == nil || !invocation.isOffline }
        for remote in remotes where !used.contains(where: { $0.name == remote.name }) && library.awayCount() > 0 {
            invocation.talk.warn("\(remote.name) was not looked into: --offline or SBFS_OFFLINE forbids the network")
        }
        return try library.awayDamage(
            in: used.map(\.folder), areAll: used.count == remotes.count, { try WorkerProgram.worker() }, monitor)
    }

    private static func counted(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }

    private static func showsNotes(_ invocation: Invocation) -> Bool {
        invocation.has("notes") || invocation.has("read-data") || invocation.has("portable")
    }

    private static func print(_ report: Check.Report, _ invocation: Invocation) throws {
        let style = invocation.style
        let showsNotes = showsNotes(invocation)
        for finding in report.findings where finding.severity != .note || showsNotes {
            let severity =
                switch finding.severity {
                case .error: style.error("error")
                case .warning: style.warning("warning")
                case .note: style.dim("note")
                }
            let hint = finding.repair == nil ? "" : style.dim(" [--repair]")
            try invocation.output.line(
                "\(severity): \(Printable.line(finding.path)): \(Printable.line(finding.wording))\(hint)")
        }
    }

    private static func json(_ finding: Finding) -> JSON {
        .members([
            ("severity", .string(finding.severity.rawValue)), ("path", .string(finding.path)),
            ("message", .string(finding.wording)), ("isRepairable", .bool(finding.repair != nil)),
        ])
    }

    /// What became of the repairs.
    private struct Repairs {
        var done = 0
        /// Why the others failed.
        var failures: [String] = []
        var isAny: Bool { done > 0 || !failures.isEmpty }
    }

    private static func repairAll(_ report: Check.Report, _ invocation: Invocation) throws -> Repairs {
        var repairs = Repairs()
        for finding in report.findings {
            guard let repair = finding.repair else { continue }
            if invocation.isDryRun {
                invocation.talk.say("would \(repair.wording): \(finding.path)")
                continue
            }
            let question = "\(finding.path): \(finding.wording).\nShall sbfs \(repair.wording)?"
            if !invocation.has("yes") {
                guard let answer = Prompt.confirm(question) else {
                    throw CommandFailure(
                        .failed, "\(question)\nThere is no terminal to ask on; --yes answers yes")
                }
                if !answer { continue }
            }
            do {
                invocation.talk.say(try invocation.step().repair(repair).wording)
                repairs.done += 1
            } catch {
                repairs.failures.append(error.wording)
            }
        }
        return repairs
    }
}

extension Finding {
    /// Whether a file is missing, or its bytes are not those that were recorded.
    fileprivate var isOfBytes: Bool {
        switch kind {
        case .missing, .missingAsset, .documentDiffers, .assetDiffers, .versionDiffers, .changedUnseen, .wrongWhenRead:
            true
        case .malformed: path.hasPrefix("tombstones/")
        default: false
        }
    }
}
