internal import Files
internal import Items

/// Every name in an exchange folder, made and parsed only here: Documentation/Exchange.md § 1.
enum ExchangeLayout {
    /// Makes a folder an exchange, and says of which library.
    static let file = "exchange.json"
    /// Immutable files, named by the SHA-256 of their unpacked bytes, in folders of the first two digits.
    static let objects = "objects"
    /// One file for each device.
    static let heads = "heads"
    /// The format that this program writes, and the newest that it reads.
    static let format = 1

    /// The largest exchange.json and head that are read, in bytes.
    static let fileByteLimit = 1 << 16
    static let headByteLimit = 64 << 20
    /// So many names of objects are written into a head, and read of one.
    static let needLimit = 1_000
    /// A pack or a bundle may unpack to so many bytes: the largest limit of a library, and room for what a tar file adds.
    static let unpackedByteLimit = 5 << 30

    /// A bundle of files of these sizes may unpack to so many bytes: the sum, and room for what a tar or zip file adds.
    static func unpackedByteLimit(of sizes: some Sequence<Int>) -> Int {
        var limit = 16 << 10
        for size in sizes {
            // A state may name any size.
            guard (0...unpackedByteLimit).contains(size) else { return unpackedByteLimit }
            limit += size + size >> 10 + 8 << 10
            if limit >= unpackedByteLimit { return unpackedByteLimit }
        }
        return limit
    }

    /// How an object is stored.
    enum Form: String, CaseIterable {
        /// A file as it is.
        case raw = ""
        /// A tar file, packed by zstd.
        case tar = ".tar.zst"
        /// A zip file whose one file has the hash: how the original packed documents. Only read.
        case zip = ".zip"
    }

    static func object(_ hash: Items.ContentHash, _ form: Form) -> String {
        "\(objects)/\(hash.hex.prefix(2))/\(hash.hex)\(form.rawValue)"
    }

    /// The name and the form of an object's file.
    static func object(named name: String) -> (hash: Items.ContentHash, form: Form)? {
        guard let hash = Items.ContentHash(hex: name.utf8.prefix(64)),
            let form = Form(rawValue: String(Substring(name.utf8.dropFirst(64))))
        else { return nil }
        return (hash, form)
    }

    static func head(_ device: ItemID) -> String { "\(heads)/\(device).json" }

    /// The device whose head has this name.
    static func device(ofHead name: String) -> ItemID? {
        guard name.hasSuffix(".json"), let id = ItemID(String(name.dropLast(5))), name == "\(id).json" else {
            return nil
        }
        return id
    }

    // MARK: In a pack

    /// The first file of a pack.
    static let packFile = "pack.json"
    /// The folder of the states of items.
    static let states = "states"

    static func state(_ id: ItemID) -> String { "\(states)/\(id.shard)/\(id).json" }

    /// What a path in a pack is.
    enum Place {
        case pack
        case state(ItemID)
        /// A file of an item; its path below the item's folder.
        case item(ItemID, String)
        case tombstone(ItemID)
        /// A file of collections/, tags/ or smart/.
        case small
    }

    /// - Returns: `nil` for a path that no pack has.
    static func place(inPack path: String) -> Place? {
        if path == packFile { return .pack }
        let parts = path.pathComponents
        guard Directory.isSafe(path), let name = parts.last, !name.isEmpty else { return nil }
        switch parts[0] {
        case states:
            guard parts.count == 3, let id = ownID(name, parts[1]), path == state(id) else { return nil }
            return .state(id)
        case Layout.tombstones:
            guard parts.count == 3, let id = ownID(name, parts[1]), path == Layout.tombstone(id) else { return nil }
            return .tombstone(id)
        case Layout.collections, Layout.tags, Layout.smart:
            guard parts.count == 2, name.hasSuffix(".json"), !Layout.isTemporary(name) else { return nil }
            return .small
        case Layout.items:
            guard parts.count >= 4, let id = ItemID(parts[2]), parts[1] == id.shard, parts[2] == id.description else {
                return nil
            }
            let rest = parts[3...].joined(separator: "/")
            switch parts.count {
            case 4 where rest == Layout.itemFile || rest == Layout.textFile: return .item(id, rest)
            case 5 where parts[3] == Layout.history && isHistoryName(name): return .item(id, rest)
            case 5 where parts[3] == Layout.conflicts && isConflictName(name): return .item(id, rest)
            default: return nil
            }
        default: return nil
        }
    }

    /// Whether a file of history/ travels: a version or a text.
    static func isHistoryName(_ name: String) -> Bool {
        let rest = String(Substring(name.utf8.dropFirst(64)))
        return Items.ContentHash(hex: name.utf8.prefix(64)) != nil && (rest == ".json" || rest == ".md")
    }

    /// Whether a file of conflicts/ travels.
    static func isConflictName(_ name: String) -> Bool { !Layout.isTemporary(name) && name.utf8.count <= 255 }

    private static func ownID(_ name: String, _ shard: String) -> ItemID? {
        guard name.hasSuffix(".json"), let id = ItemID(String(name.dropLast(5))), id.shard == shard else { return nil }
        return id
    }
}
