internal import Items
public import Time

/// Something that background work does not do without a person's consent.
public enum Consent: Hashable, Sendable {
    /// More pages are pending than are saved without a person. `Library.allowArchiving` gives the consent.
    case archiving(pendingCount: Int)
    /// More expired items are in the trash than are purged without a person. `Step.purge` purges them.
    case purging(count: Int, itemCount: Int)

    /// The word under which the device remembers that a person was told.
    var word: String {
        switch self {
        case .archiving: "archive"
        case .purging: "purge"
        }
    }
}

extension Library {
    /// What waits for a person's consent now.
    ///
    /// - Parameters:
    ///   - settings: what is switched off waits for nothing.
    ///   - now: the current time.
    /// - Throws: As `find` and `expiredTrash`.
    public func waiting(
        _ settings: BackgroundSettings = BackgroundSettings(), at now: Timestamp = .now
    ) throws -> [Consent] {
        var waiting: [Consent] = []
        if settings.archives {
            let count = try find(ItemRequest(.filter(.status(.pending)), order: .oldest, limit: 1)).count
            let consent = archiveConsent
            if count > max(Self.archiveConsentCount, consent) {
                waiting.append(.archiving(pendingCount: count))
            } else if consent > 0, count <= Self.archiveConsentCount {
                // Pages that wait later need a consent of their own.
                try? session.remember { $0.archiveConsent = 0 }
            }
        }
        if settings.purges {
            let trash = try expiredTrash(at: now)
            if !trash.due.isEmpty, trash.waitsForConsent {
                waiting.append(.purging(count: trash.due.count, itemCount: trash.itemCount))
            }
        }
        return waiting
    }

    /// Tells a person what waits for consent, once for each kind until it no longer waits.
    ///
    /// - Parameters:
    ///   - waiting: the value of `waiting`.
    ///   - tell: tells a person; returns false if that failed. It is then tried again the next time.
    /// - Throws: `ItemError` if this device cannot remember what it told. It then tells nothing, because it would tell
    ///   it again and again.
    package func tellOnce(of waiting: [Consent], _ tell: (Consent) -> Bool) throws {
        let words = Set(waiting.map(\.word))
        let told = session.backgroundMemory.told.intersection(words)
        let new = waiting.filter { !told.contains($0.word) }
        // Noted before it is told: a full disk must not make a notification every minute.
        try session.remember { $0.told = words }
        let failed = new.filter { !tell($0) }.map(\.word)
        if !failed.isEmpty { try session.remember { $0.told.subtract(failed) } }
    }
}
