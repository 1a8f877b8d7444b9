public import Items
public import Time

/// What a sync with an exchange did.
public struct SyncReport: Sendable {
    /// What the edits of other devices did here.
    public internal(set) var taken = MergeReport()
    /// The number of packs of other devices that were taken.
    public internal(set) var takenPackCount = 0
    /// Items whose state was written into the exchange.
    public internal(set) var sent: [ItemID] = []
    /// The number of objects that were written, packs among them.
    public internal(set) var sentObjectCount = 0
    /// The number of bytes that were written.
    public internal(set) var sentByteCount = 0
    /// The number of other devices with a head in the exchange.
    public internal(set) var deviceCount = 0
    /// What could not be taken, and why. The next sync tries again.
    public internal(set) var left: [Left] = []
    /// Devices of which a pack was waited for in vain for a day. Each writes it again when it syncs; if it will not come back, `forget`
    /// ends the waiting.
    public internal(set) var notHeardOf: [ItemID] = []
    /// Items that this device had, that no command purged, and whose folders are gone; `repair` brings them back.
    public internal(set) var missing: [ItemID] = []
    /// Items that a purge removed and that came back as they were, as from a backup: they stay on this device alone.
    public internal(set) var broughtBack: [ItemID] = []
    /// Items that came, or whose tombstones did, and that are purged and hidden, though they have files or versions that the purge did not
    /// see. Their folders stay. They are not among `taken.added`.
    public internal(set) var hidden: [ItemID] = []
    /// Items that could not be read, and so were not written; `check` says why.
    public internal(set) var unreadable: [ItemID] = []
    /// Files that are damaged here, relative to the library's folder: their bytes changed, though neither their size nor their
    /// time did, or they are empty now. They were not written; `repair` brings them back.
    public internal(set) var damaged: [String] = []
    /// Pages and documents, relative to the library's folder, in whose place is a link, a folder or another thing that is no file.
    /// Nothing was written of them.
    public internal(set) var notFiles: [String] = []
    /// Files of the person's own that two devices changed at once: the one that did not keep its name, beside the other one. Relative to
    /// the library's folder.
    public internal(set) var keptOwnFiles: [String] = []
    /// Files of the person's own that one device removed and another one changed, or has of its own: they stay. Relative to the
    /// library's folder.
    public internal(set) var stayingOwnFiles: [String] = []
    /// Files of the person's own that were removed here because another device removed them. Relative to the library's folder.
    public internal(set) var removedOwnFiles: [String] = []
    /// Whether what this device remembered of the exchange was damaged: it read everything again, and has a new id there.
    public internal(set) var hasNewDevice = false
    /// Files that are above the limit for documents and bundles, or have a name that cannot travel.
    public internal(set) var leftOut: [LeftOutFile] = []
    /// Files and folders of the person's own in collections/, tags/ and smart/ that this sync found first: they stay on this device. Relative
    /// to the library's folder.
    public internal(set) var notSmallFiles: [String] = []

    /// Whether the sync changed nothing here and wrote nothing.
    public var hasNothing: Bool { taken.hasNothing && sentObjectCount == 0 && takenPackCount == 0 }

    init() {}

    /// Something of the exchange that was not taken.
    public struct Left: Sendable {
        /// Relative to the exchange's folder.
        public let path: String
        /// Why.
        public let reason: Reason
        /// The item and its file, relative to the item's folder, that lack an object: `page.html` for a bundle of a saved page. `nil` of
        /// everything else.
        public internal(set) var lacking: (item: ItemID, file: String)?

        init(_ path: String, _ reason: Reason) {
            self.path = path
            self.reason = reason
        }
    }

    /// Why something of the exchange was not taken.
    public enum Reason: Sendable, Equatable {
        /// A head or a pack names it, and it is not there yet.
        case notHereYet
        /// The pack came after others that are not taken yet.
        case comesLater
        /// Its bytes do not have the hash of its name, or are no tar file; what the unpacker says. It may still be arriving.
        case damaged(String)
        /// It unpacks to more than any library writes.
        case tooLarge
        /// It unpacks to more than the files have that the state of its item names. Its unpacking ended there.
        case largerThanNamed
        /// It is of another library.
        case otherLibrary
        /// It was written by a newer program.
        case tooNew
        /// An item or a small file of the pack could not be joined; the reason is among `taken.left`.
        case notJoined
        /// A folder, a link or another thing that is no file has the name of this file of the person's own, or something that is no
        /// folder that of its folder; the next sync tries again.
        case inTheWay
        /// Its folder in the library cannot be written; the next sync tries again.
        case notWritable
        /// A file or a link is in the place of this folder of an item: its versions or conflicts cannot be read, so nothing of the
        /// item comes. The next sync tries again.
        case noFolder
        /// Permissions of this device do not let it be read; the next sync tries again.
        case notReadable
        /// Another file takes its place, or it was removed; a program has it open here, or saved it just now.
        case isWritten

        /// Whether its bytes are not there.
        var isOfBytes: Bool {
            switch self {
            case .notHereYet, .damaged: true
            default: false
            }
        }
    }

    /// A file of an item that is not in the exchange.
    public struct LeftOutFile: Sendable {
        /// The item.
        public let item: ItemID
        /// Relative to the item's folder; empty for the whole saved page, a folder in snapshots/ for that snapshot.
        public let path: String
        /// In bytes; 0 if it cannot travel at any size.
        public let byteCount: Int
        /// Why it is not in the exchange.
        public let reason: Reason

        /// Why a file is not in the exchange.
        public enum Reason: String, Sendable {
            /// It is above the limit for documents and bundles.
            case tooLarge
            /// It is not on this device: another exchange holds it.
            case away
            /// Its name cannot travel.
            case name
            /// It is a link, a FIFO, a socket or a device.
            case kind
            /// It is a folder below too many others.
            case depth
        }
    }
}

/// What a library and an exchange do not have of each other, and how the last attempts went.
public struct SyncStatus: Sendable {
    /// The id of this device in the exchange; `nil` if it was never synced.
    public internal(set) var device: ItemID?
    /// When the last complete sync ended.
    public internal(set) var completedAt: Timestamp?
    /// When the last attempt began.
    public internal(set) var attemptedAt: Timestamp?
    /// Attempts that failed since the last one that did not.
    public internal(set) var failureCount = 0
    /// Why the last attempt failed.
    public internal(set) var failure: String?
    /// When to try again after a failure: a minute later, twice as long after each further one, at most a day.
    public internal(set) var nextAttempt: Timestamp?
    /// Packs of other devices that are not taken, and the bytes of those that are there.
    public internal(set) var packCount = 0
    /// The bytes of the packs that are there and not taken.
    public internal(set) var packByteCount = 0
    /// Items whose files look changed since they were last written into the exchange.
    public internal(set) var itemCount = 0
    /// The bytes of these items' files.
    public internal(set) var itemByteCount = 0
    /// Files of collections/, tags/, smart/ and tombstones/ that changed since.
    public internal(set) var smallFileCount = 0
    /// The bytes of these files.
    public internal(set) var smallFileByteCount = 0
    /// What the last sync could not take.
    public internal(set) var unfinished: [String] = []
    /// Heads of other devices, lists of their packs, and items here that cannot be read now, so that they are not counted.
    public internal(set) var left: [SyncReport.Left] = []
    /// Files that are left out.
    public internal(set) var leftOut: [SyncReport.LeftOutFile] = []
    /// Files and folders of the person's own in collections/, tags/ and smart/, which stay on this device. Relative to the library's folder.
    public internal(set) var notSmallFiles: [String] = []

    init() {}
}
