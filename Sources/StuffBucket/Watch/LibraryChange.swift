public import Items

/// Something that an editor, a replication program, a command or this program changed in a library.
public enum LibraryChange: Sendable {
    /// A new item can be found.
    case added(ItemID)
    /// An item's fields or files changed.
    case changed(ItemID, Details)
    /// An item went into the trash.
    case trashed(ItemID)
    /// An item came out of the trash.
    case restored(ItemID)
    /// An item is gone: purged, or its folder was removed.
    case removed(ItemID)
    /// An item cannot be read; searches find its last good version.
    case fault(ItemFault)
    /// An item can be read again, or is gone.
    case faultGone(ItemID)
    /// A file in collections/, tags/ or smart/ changed.
    case names(NamedFolder)
    /// library.json changed.
    case settings
    /// A name in inbox/ came, went or changed.
    case inbox
    /// More changed than is told one by one: look at everything again.
    case everything

    /// What changed in an item.
    public struct Details: Sendable, Equatable {
        /// The fields of item.json with another value than before.
        public var fields: Set<ItemField> = []
        /// Whether a key of item.json changed that is no field.
        public var hasOtherKeys = false
        /// The files with other bytes, or whose names came or went.
        public var files: Set<File> = []

        /// Makes details.
        public init(fields: Set<ItemField> = [], files: Set<File> = []) {
            self.fields = fields
            self.files = files
        }

        /// Both changes.
        mutating func add(_ other: Details) {
            fields.formUnion(other.fields)
            files.formUnion(other.files)
            if other.hasOtherKeys { hasOtherKeys = true }
        }
    }

    /// A file of an item beside item.json.
    public enum File: String, Sendable, CaseIterable {
        case text, reader, page, document, conflicts, history
    }

    /// The item that the change is about; `nil` if it is not about one.
    public var item: ItemID? {
        switch self {
        case .added(let id), .changed(let id, _), .trashed(let id), .restored(let id), .removed(let id),
            .faultGone(let id):
            id
        case .fault(let fault): ItemID(String(fault.folder.suffix(36)))
        case .names, .settings, .inbox, .everything: nil
        }
    }
}
