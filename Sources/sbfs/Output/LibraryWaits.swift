import StuffBucket

/// What waits in a library, as `sbfs status` shows it. It is the same with and without a daemon.
struct LibraryWaits {
    private let consents: [Consent]
    private let failed: FailedPages
    private let verified: VerificationStatus
    private let pendingCount: Int
    private let inboxCount: Int
    private let conflicts: (conflicts: Int, items: Int)
    private let changedCount: Int
    private let brokenCount: Int
    private let waitingCount: Int

    /// Failed pages that are shown.
    private static let failedLimit = 5
    /// Damaged items that are shown in lines.
    private static let damagedLimit = 10

    init(_ library: Library) throws {
        let settings = (try? LocalSettings.background()) ?? BackgroundSettings()
        consents = try library.waiting(settings)
        failed = try library.failedPages(limit: Self.failedLimit)
        verified = try library.verificationStatus()
        pendingCount = try library.waitingPages(limit: 1).pendingCount
        conflicts = try library.conflictTotals()
        changedCount = library.changesToTakeIn
        brokenCount = library.brokenChanges.count
        waitingCount = try library.waitingJoins().count + library.waitingSmallFiles().count
        inboxCount = try library.inbox().count { if case .hidden = $0.state { false } else { true } }
    }

    static func time(_ time: Timestamp) -> String { "\(time.localDate) \(time.localTime)" }

    // MARK: Lines

    /// - Parameter pages: what the daemon does about the pages; `nil` without one.
    func lines(_ pages: PagesStatus?) -> [(String, String)] {
        var lines: [(String, String)] = []
        if inboxCount > 0 {
            lines.append(
                ("inbox", "\(inboxCount) file\(inboxCount == 1 ? " waits" : "s wait"); see \"sbfs inbox --dry-run\""))
        }
        if changedCount > 0 {
            let items = "\(changedCount) item\(changedCount == 1 ? "" : "s")"
            lines.append(("changed", "\(items) by other programs; the next command that writes takes that in"))
        }
        if brokenCount > 0 {
            let items = "\(brokenCount) item\(brokenCount == 1 ? " has" : "s have") no item.json that can be read"
            let them = brokenCount == 1 ? "it" : "them"
            let see = "see \"sbfs check\" and \"sbfs repair --dry-run\""
            lines.append(("broken", "\(items), so nothing finds \(them); \(see)"))
        }
        if waitingCount > 0 {
            let files =
                "\(waitingCount) item\(waitingCount == 1 ? "" : "s") or small file\(waitingCount == 1 ? "" : "s")"
            lines.append(("waiting", "\(files) to be joined; see \"sbfs conflicts\""))
        }
        if conflicts.conflicts > 0 {
            let counts = ConflictPrinter.counts(conflicts.conflicts, conflicts.items)
            lines.append(("conflicts", "\(counts); see \"sbfs conflicts\""))
        }
        if pendingCount > 0 || (pages?.savingCount ?? 0) > 0 { lines.append(("pages", line(pages))) }
        if failed.retryCount + failed.finalCount > 0 {
            lines.append(
                (
                    "failed",
                    "\(failed.retryCount) are tried again, \(failed.finalCount) only by \"sbfs archive\""
                ))
        }
        for page in failed.pages {
            let why =
                page.kind.map(ArchiveWords.reason) ?? page.reason ?? "for an unknown reason"
            let last = page.lastAttempt.map { ", last \(Self.time($0))" } ?? ""
            let next = page.nextAttempt.map { ", next \(Self.time($0))" } ?? ", not again by itself"
            lines.append(("", "\(page.row.id): \(why), attempt \(page.attempts)\(last)\(next)"))
        }
        for consent in consents { lines.append(("consent", "\(consent.wording): \(consent.command)")) }
        lines.append(("verified", "\(Int(verified.share * 100)) % of items within 30 days"))
        if !verified.faulty.isEmpty {
            let ids = verified.faulty.prefix(Self.damagedLimit).map(\.description).joined(separator: ", ")
            let rest = verified.faulty.count - Self.damagedLimit
            lines.append(("damaged", ids + (rest > 0 ? " and \(rest) more" : "") + "; see \"sbfs check\""))
        }
        return lines
    }

    private func line(_ pages: PagesStatus?) -> String {
        var line = "\(pendingCount) wait\(pendingCount == 1 ? "s" : "") to be saved"
        guard let pages else { return line }
        if pages.savingCount > 0 { line += ", \(pages.savingCount) now" }
        if let next = pages.next { line += ", next \(Self.time(next))" }
        if let hold = pages.hold { line += "; held: \(hold.wording)" }
        return line
    }

    // MARK: JSON

    var json: [(String, JSON?)] {
        [
            ("inboxFiles", .integer(inboxCount)), ("changedItems", .integer(changedCount)),
            ("brokenItems", .integer(brokenCount)),
            ("waitingJoins", .integer(waitingCount)),
            ("conflicts", .integer(conflicts.conflicts)), ("conflictedItems", .integer(conflicts.items)),
            ("pendingPages", .integer(pendingCount)),
            (
                "failedPages",
                .members([("retry", .integer(failed.retryCount)), ("final", .integer(failed.finalCount))])
            ),
            (
                "lastFailures",
                .array(
                    failed.pages.map { page in
                        .members([
                            ("id", .string(page.row.id.description)), ("reason", page.reason.map { .string($0) }),
                            ("attempts", .integer(page.attempts)),
                            ("lastAttempt", page.lastAttempt.map { .string($0.rfc3339) }),
                            ("nextAttempt", page.nextAttempt.map { .string($0.rfc3339) }),
                        ])
                    })
            ),
            (
                "consent",
                .array(
                    consents.map { consent in
                        .members([
                            ("what", .string(consent.word)), ("message", .string(consent.wording)),
                            ("command", .string(consent.command)),
                        ])
                    })
            ),
            ("verifiedPercent", .integer(Int(verified.share * 100))),
            ("damaged", .strings(verified.faulty.map(\.description))),
        ]
    }
}
