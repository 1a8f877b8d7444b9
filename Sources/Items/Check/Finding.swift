/// One problem or note that `check` reports.
public struct Finding: Sendable {
    /// How bad a finding is.
    public enum Severity: String, Sendable, Comparable {
        /// A file is wrong, so sbfs does not read it as intended.
        case error
        /// Something is odd and may surprise.
        case warning
        /// Worth knowing; nothing is wrong.
        case note

        /// Whether `a` is worse: errors come before warnings, these before notes.
        public static func < (a: Severity, b: Severity) -> Bool { a.rank < b.rank }
        private var rank: Int { self == .error ? 0 : self == .warning ? 1 : 2 }
    }

    /// What `Step.repair` can do about it.
    public enum Repair: Sendable {
        /// Moves an item's folder to the shard of its id.
        case moveToShard(folder: String, id: ItemID)
        /// Gives a copied folder an id of its own.
        case newID(folder: String)
        /// Puts the item.json of the item's last version in the place of one that cannot be used.
        case itemFile(ItemID, folder: String)
        /// Removes the tombstone of an item that still exists.
        case removeTombstone(ItemID)
        /// Records the hash of a document that was changed on purpose.
        case recordHash(ItemID, sha256: String)

        /// What a repair did.
        public enum Outcome: Sendable {
            /// The item's folder has another place, relative to the library's folder.
            case moved(folder: String, to: String)
            /// The copied folder is an item of its own.
            case gaveID(ItemID, folder: String)
            /// item.json is that of the item's last version.
            case broughtBack(ItemID)
            /// The tombstone is gone.
            case removedTombstone(ItemID)
            /// item.json has the hash of the document as it is.
            case recordedHash(ItemID)
        }
    }

    /// How bad it is.
    public let severity: Severity
    /// Relative to the library's folder; an exchange's full path if the finding is about it; followed by `:line:column` if the finding is about a place in the file.
    public let path: String
    /// What is wrong.
    public let kind: Kind
    /// The repair that the program offers; `nil` if there is none.
    public var repair: Repair?
    /// The item whose item.json cannot be used and has no version in history/, if an exchange has the item: `Library.repair` from that
    /// exchange may bring it back.
    public var heldItem: ItemID?

    /// Makes a finding about a path relative to the library's folder.
    package init(_ severity: Severity, _ path: String, _ kind: Kind, repair: Repair? = nil, heldItem: ItemID? = nil) {
        self.severity = severity
        self.path = path
        self.kind = kind
        self.repair = repair
        self.heldItem = heldItem
    }
}
