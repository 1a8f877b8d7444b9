internal import Items
public import JSONFormat
public import Time

/// What background work does about pages that wait.
public struct PagesStatus: Sendable, Equatable {
    /// Items whose page is pending.
    public var pendingCount = 0
    /// Pages that are being saved now.
    public var savingCount = 0
    /// Why no page is saved although some wait; `nil` if nothing holds them back.
    public var hold: ArchiveSchedule.Hold?
    /// When the next page is due; `nil` if that depends on a change.
    public var next: Timestamp?

    /// The status without pages.
    public init() {}

    /// All values under their names.
    public var json: JSON {
        .members([
            ("pending", .integer(pendingCount)), ("saving", .integer(savingCount)),
            ("held", hold.map { .string($0.word) }), ("free", freeByteCount.map { .integer($0) }),
            ("next", next.map { .string($0.rfc3339) }),
        ])
    }

    /// Free bytes, where they hold pages back.
    private var freeByteCount: Int? { if case .lowSpace(let count, _)? = hold { count } else { nil } }

    init?(_ json: JSONDocument, _ value: JSONDocument.Value) {
        func member(_ key: String) -> JSONDocument.Value? { json.member(key, of: value) }
        guard let pending = member("pending").flatMap({ json.count($0) }),
            let saving = member("saving").flatMap({ json.count($0) })
        else { return nil }
        pendingCount = pending
        savingCount = saving
        hold = member("held").flatMap { json.string($0) }.flatMap {
            ArchiveSchedule.Hold(word: $0, pending: pending, free: member("free").flatMap { json.count($0) } ?? 0)
        }
        next = member("next").flatMap { json.string($0) }.flatMap { Timestamp($0) }
    }
}

extension ArchiveSchedule.Hold {
    /// A word for it, for programs.
    public var word: String {
        switch self {
        case .switchedOff: "switchedOff"
        case .offline: "offline"
        case .onBattery: "onBattery"
        case .lowSpace: "lowSpace"
        case .waitsForConsent: "consent"
        case .machine: "machine"
        case .connection: "connection"
        }
    }

    /// - Parameters:
    ///   - pending: the number of pages that wait.
    ///   - free: the number of free bytes.
    init?(word: String, pending: Int, free: Int) {
        switch word {
        case "switchedOff": self = .switchedOff
        case "offline": self = .offline
        case "onBattery": self = .onBattery
        case "lowSpace": self = .lowSpace(freeByteCount: free, kept: Library.archiveSpaceKept)
        case "consent": self = .waitsForConsent(pendingCount: pending, limit: Library.archiveConsentCount)
        case "machine": self = .machine
        case "connection": self = .connection
        default: return nil
        }
    }
}
