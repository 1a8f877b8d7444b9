import StuffBucket

/// One run of `sbfs purge --background`.
struct BackgroundPurge {
    let invocation: Invocation
    let library: Library

    func run() throws -> ExitStatus {
        if invocation.isDryRun { return try tellWhatIsDue() }
        var report = ChangeReport(done: "purged")
        switch try library.purgeExpired(command: invocation.stepHeader().command) {
        case .purged(let ids, let failures):
            for id in ids { report.changed(id) }
            for failure in failures { report.failed(failure.id, failure.error) }
            if ids.isEmpty, failures.isEmpty { invocation.talk.say("nothing in the trash is due") }
            return try report.finish(invocation)
        case .waitsForConsent(let count, let itemCount):
            throw CommandFailure(.failed, Self.sentence(.purging(count: count, itemCount: itemCount)))
        case .notBefore(let time):
            invocation.talk.say("purged less than a day ago; the next time is \(time.localDate) \(time.localTime)")
            return .done
        case .clockInDoubt(let doubt): throw CommandFailure(.failed, doubt.wording)
        }
    }

    private func tellWhatIsDue() throws -> ExitStatus {
        let trash = try library.expiredTrash()
        if let doubt = trash.doubt { throw CommandFailure(.failed, doubt.wording) }
        for entry in trash.due {
            invocation.talk.say("would purge \(entry.stored.id.short)  \(library.displayTitle(of: entry.stored))")
        }
        for (id, obstacle) in trash.kept {
            let why = obstacle == .conflict ? "it has conflicts to review" : "it has versions that are not joined yet"
            invocation.talk.say("would leave \(id.short): \(why)")
        }
        if trash.due.isEmpty, trash.kept.isEmpty { invocation.talk.say("nothing in the trash is due") }
        if !trash.due.isEmpty, trash.waitsForConsent {
            throw CommandFailure(
                .failed, Self.sentence(.purging(count: trash.due.count, itemCount: trash.itemCount)))
        }
        return .done
    }

    private static func sentence(_ consent: Consent) -> String { "\(consent.wording): \(consent.command)" }
}
