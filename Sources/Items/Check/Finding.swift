/// One thing that `check` has to say.
public struct Finding: Sendable {
    /// How bad a finding is.
    public enum Severity: String, Sendable, Comparable {
        /// Something is wrong and is not read as meant.
        case error
        /// Something is odd and may surprise.
        case warning
        /// Worth knowing; nothing is wrong.
        case note

        /// Whether `a` is worse: errors come before warnings, these before notes.
        public static func < (a: Severity, b: Severity) -> Bool { a.rank < b.rank }
        private var rank: Int { self == .error ? 0 : self == .warning ? 1 : 2 }
    }

    /// What `check --repair` can do about it, after asking.
    public enum Repair: Sendable {
        /// Moves an item's folder to the shard that its id asks for.
        case moveToShard(folder: String, id: ItemID)
        /// Gives a copied folder an id of its own.
        case newID(folder: String)
        /// Removes a tombstone whose item lives.
        case removeTombstone(ItemID)
        /// Records the hash of a document that was changed on purpose.
        case recordHash(ItemID, sha256: String)

        /// What will be done, as a question's first half.
        public var phrase: String {
            switch self {
            case .moveToShard(_, let id): "move it to \(Layout.itemFolder(id))"
            case .newID: "give it an id of its own"
            case .removeTombstone: "remove the tombstone"
            case .recordHash: "record the document as it is now"
            }
        }
    }

    /// How bad it is.
    public let severity: Severity
    /// Relative to the library's folder; with `:line:column` where a place in the file is meant.
    public let path: String
    /// What is wrong, as a phrase for a person.
    public let message: String
    /// What the program can do about it; `nil` where that is nothing.
    public var repair: Repair?

    /// Makes a finding about a path relative to the library's folder.
    public init(_ severity: Severity, _ path: String, _ message: String, repair: Repair? = nil) {
        self.severity = severity
        self.path = path
        self.message = message
        self.repair = repair
    }
}
