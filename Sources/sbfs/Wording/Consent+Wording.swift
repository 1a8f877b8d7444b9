import StuffBucket

extension Consent {
    /// What waits, in one line without a full stop.
    var wording: String {
        switch self {
        case .archiving(let count):
            "\(count) pages wait to be saved; sbfs saves more than \(Library.archiveConsentCount) only with consent"
        case .purging(let count, let total):
            "\(count) of \(total) items can be purged from the trash; sbfs purges more than "
                + "\(ExpiredTrash.limit.count), or \(ExpiredTrash.limit.percent) % of the library, only with consent"
        }
    }

    /// The command that gives the consent.
    var command: String {
        switch self {
        case .archiving: "sbfs archive --pending --consent"
        case .purging: "sbfs purge"
        }
    }

    /// The word for it in JSON.
    var word: String {
        switch self {
        case .archiving: "archive"
        case .purging: "purge"
        }
    }
}

extension ArchiveSchedule.Hold {
    /// Why no page is saved, in one line without a full stop.
    var wording: String {
        switch self {
        case .switchedOff: "saving pages is switched off (sbfs config watch.archive on)"
        case .offline: "the network must not be used"
        case .onBattery: "the machine runs on its battery"
        case .lowSpace(let free, let kept):
            "only \(free / 1_000_000) MB are free on the library's disk; sbfs saves pages from \(kept / 1_000_000) MB on"
        case .waitsForConsent(let count, _): Consent.archiving(pendingCount: count).wording
        case .machine: "the last page met an error of this machine"
        case .connection: "several sites in a row could not be reached"
        }
    }
}

/// Tells a person on the desktop what waits for consent, once.
enum ConsentNotification {
    /// - Returns: whether it was shown.
    static func show(_ consent: Consent, by notification: DesktopNotification = DesktopNotification()) -> Bool {
        notification.show("StuffBucket asks for consent", "\(consent.wording): \(consent.command)")
    }
}
