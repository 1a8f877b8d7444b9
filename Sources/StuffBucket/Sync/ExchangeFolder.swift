/// A folder through which devices sync one library: Documentation/Exchange.md.
///
/// Any program may replicate the folder, at any time and in any order: a cloud folder, a network share, a stick.
public struct ExchangeFolder: Sendable {
    /// The folder, in which symbolic links are followed; or `rclone:REMOTE:PATH` for a cloud that the program rclone
    /// reaches.
    public var path: String
    /// Whether only what other devices wrote is taken, and nothing is written into the folder.
    public var isReadOnly = false
    /// Whether pages and documents that come stay in the exchange until they are opened: `Library.drop`.
    public var isThin = false
    /// rclone is ended when it was silent for so long. It writes a line every five seconds as long as it works.
    public var patience = Duration.seconds(120)
    /// Whether the network must not be used: a cloud is not asked, and only what was brought before is read.
    public var isOffline = false
    /// If set, only items of this collection, and of those in it, are written. One that is taken out of the collection is written
    /// once more, so that other devices learn that, and then no more. What other devices wrote is synced in any case.
    public var collection: String?

    /// Makes a value; nothing is opened.
    ///
    /// - Parameter path: the folder, or `rclone:REMOTE:PATH`.
    public init(path: String) { self.path = path }

    /// What `path` begins with if the exchange is in a cloud.
    public static let cloudPrefix = "rclone:"

    /// `REMOTE:PATH` of an exchange in a cloud, as rclone names it; `nil` for a folder.
    public var cloud: String? {
        path.hasPrefix(Self.cloudPrefix) ? String(path.dropFirst(Self.cloudPrefix.count)) : nil
    }

    /// Whether `path` is a folder, or names a place in a cloud as rclone does: a remote's name with a colon behind it, or
    /// `:BACKEND:`, and a path. Without a colon, rclone would take it for a folder of this machine; with a hyphen at its
    /// beginning, for an option.
    var isValid: Bool {
        guard let cloud else { return true }
        let rest = cloud.hasPrefix(":") ? cloud.dropFirst() : cloud[...]
        guard let colon = rest.utf8.firstIndex(of: UInt8(ascii: ":")) else { return false }
        let name = rest[..<colon]
        return !name.isEmpty && !name.hasPrefix("-") && !name.utf8.contains(UInt8(ascii: "/"))
            && !cloud.unicodeScalars.contains { $0.value < 0x20 }
    }
}
