internal import Characters
public import Files

/// Every name that the library has on disk, made and parsed here alone: FORMAT.md § Directory tree.
public enum Layout {
    // MARK: The library's folder

    /// The settings that travel with the library, and what makes a folder a library.
    public static let libraryFile = "library.json"
    /// The folder of all items, in shards.
    public static let items = "items"
    /// The folder of marks that items were removed for good.
    public static let tombstones = "tombstones"
    /// The folder of what is known of collections beside their names.
    public static let collections = "collections"
    /// The folder of what is known of tags beside their names.
    public static let tags = "tags"
    /// The folder of smart folders, one saved query in each file.
    public static let smart = "smart"
    /// A folder that is reserved for files that a person drops there.
    public static let inbox = "inbox"
    /// A folder that is reserved for files of `inbox` that were refused.
    public static let rejected = "inbox/rejected"
    /// The folder of the JSON Schema for editors.
    public static let schemaFolder = "schema"
    /// The JSON Schema of item.json.
    public static let schemaFile = "schema/item-1.json"
    /// The folder of Visual Studio Code's settings.
    public static let editorFolder = ".vscode"
    /// The settings that tell Visual Studio Code of the schema; written once, when the library is made.
    public static let editorFile = ".vscode/settings.json"

    /// Folders that every library has; re-created when missing, since git does not carry empty ones.
    public static let folders = [
        items, tombstones, collections, tags, smart, inbox, rejected, schemaFolder,
    ]

    // MARK: Device-local

    /// What a library is made of at the top; output is never written over it.
    public static let ownNames: Set<String> = [
        libraryFile, items, tombstones, collections, tags, smart, schemaFolder, device,
    ]
    /// The folder of what belongs to this device alone and is never replicated.
    public static let device = ".sbfs"
    /// Ties the device's folder to the machine and to itself, and says when the library was first opened here.
    public static let owner = "owner"
    /// The writer's lock: held by the one process that changes the library.
    public static let lock = "lock"
    /// The folder of files that are being written and are not yet in their place.
    public static let staging = "staging"
    /// When this device first saw items in the trash, one line each.
    public static let trashLog = "trash"
    /// Bytes that are given free where the disk is full.
    public static let reserve = "reserve"
    /// The size of `reserve` in bytes: 1 MiB.
    public static let reserveByteCount = 1 << 20
    /// The newest time that was believed.
    public static let clock = "clock"
    /// What commands changed, step by step, for undoing it: `log-` and a hash of the folder's owner.
    public static let logPrefix = "log-"
    /// The same as earlier programs named it.
    public static let earlierLog = "log"
    /// The mark that tells backup programs to leave the folder out.
    public static let cacheTag = "CACHEDIR.TAG"
    /// The search index.
    public static let index = "index"
    /// When the index was last compared with the files, and what was found.
    public static let sweep = "sweep"
    /// Held by the one process that sweeps in the background.
    public static let sweepLock = "sweep.lock"
    /// Held by the one process that rebuilds the index.
    public static let buildLock = "build.lock"
    /// Items that were changed while another process wrote the index.
    public static let pending = "pending"
    /// Held while `pending` is changed.
    public static let pendingLock = "pending.lock"
    /// Held by a living daemon, which touches it every ten seconds.
    public static let daemon = "daemon"

    // MARK: An item's folder

    /// An item's fields.
    public static let itemFile = "item.json"
    /// An item's text, Markdown in UTF-8.
    public static let textFile = "text.md"
    /// The saved page of a link.
    public static let pageFile = "page.html"
    /// The article of a saved page alone.
    public static let readerFile = "reader.html"
    /// The folder of files that a saved page needs.
    public static let assets = "assets"
    /// The folder of an item's document.
    public static let document = "document"
    /// The folder of earlier captures.
    public static let snapshots = "snapshots"
    /// A folder that is reserved for versions of item.json that a merge needs.
    public static let history = "history"
    /// The folder of versions that could not be merged; a person deletes them.
    public static let conflicts = "conflicts"

    /// Names in an item's folder that have a meaning; anything else there is a loose file.
    public static let itemNames: Set<String> = [
        itemFile, textFile, pageFile, readerFile, assets, document, snapshots, history, conflicts,
    ]

    /// Whether a regular file of this name in an item's folder is a loose one: FORMAT.md § Loose files.
    public static func isLooseName(_ name: String) -> Bool {
        !itemNames.contains(name) && !isTemporary(name) && !name.hasPrefix("favicon.")
    }

    /// Whether a name in assets/ is one that a capture makes: 16 or more hexadecimal digits of the content's SHA-256, a
    /// dot and an extension.
    public static func isAssetName(_ name: String) -> Bool {
        guard let dot = name.utf8.firstIndex(of: UInt8(ascii: ".")) else { return false }
        let stem = name.utf8[..<dot]
        return stem.count >= 16 && stem.allSatisfy { Hexadecimal.value(of: $0) != nil }
    }

    /// Whether a name in snapshots/ is a capture's: `20261121T101500Z-<hash8>`.
    public static func isSnapshotName(_ name: String) -> Bool {
        let bytes = Array(name.utf8)
        guard bytes.count >= 25, bytes[8] == UInt8(ascii: "T"), bytes[15] == UInt8(ascii: "Z"),
            bytes[16] == UInt8(ascii: "-")
        else { return false }
        return bytes[..<8].allSatisfy { $0 >= 0x30 && $0 <= 0x39 }
            && bytes[17..<25].allSatisfy { Hexadecimal.value(of: $0) != nil }
            && bytes[25...].allSatisfy { $0 == UInt8(ascii: "-") || $0 >= 0x30 && $0 <= 0x39 }
    }

    /// An item's folder in its own shard, relative to the library's.
    public static func itemFolder(_ id: ItemID) -> String { items + "/" + id.shard + "/" + id.description }

    /// The folder of an item in the given shard, which may be the wrong one.
    public static func itemFolder(_ id: ItemID, shard: UInt8) -> String {
        items + "/" + Hexadecimal.pair(shard) + "/" + id.description
    }

    /// The file that says that an item was purged, relative to the library's folder.
    public static func tombstone(_ id: ItemID) -> String {
        tombstones + "/" + id.shard + "/" + id.description + ".json"
    }

    /// Whether a name is two lower-case hexadecimal digits.
    public static func isShard(_ name: String) -> Bool {
        name.utf8.count == 2 && name.utf8.allSatisfy { Hexadecimal.value(of: $0) != nil } && name == name.lowercased()
    }

    // MARK: Limits

    /// A text longer than this is a document: 64 MiB.
    public static let textByteLimit = 64 << 20
    /// Settings files (library.json, collections/, tags/, smart/): 1 MiB.
    public static let settingsByteLimit = 1 << 20
    /// Bytes of a document's name in an item; longer ones are cut before their extension.
    public static let documentNameByteLimit = 200
    /// Tags of an item that are searched, and bytes of each that count for filters.
    public static let searchedTagLimit = 10_000
    /// Bytes of a tag that count for filters; longer tags are not compared by canonical equivalence.
    public static let tagByteLimit = 254
    /// Levels of a collection's name; behind that a `/` is a character like any other.
    public static let levelLimit = 32
    /// Keys of an item.json; above it `check` says so.
    public static let keyLimit = 10_000

    // MARK: Names from elsewhere

    /// Whether a path from item.json stays in the item's folder by its spelling; longer than PATH_MAX, none can be opened.
    public static func isSafeHint(_ path: String) -> Bool {
        path.utf8.count <= 4096 && Directory.isSafe(path)
            && !path.unicodeScalars.contains { $0.properties.generalCategory == .control }
    }

    /// Whether a name belongs to an editor, a download or a replication program in mid-work.
    ///
    /// Hidden names (vim's `.item.json.swp`, rsync's `.item.json.Ab3dEf`), backups (`~`), Emacs's `#…#`, Office's
    /// `~$…`, GNU sed's `sedAb3dEf`, vim's write test `4913`, partial downloads, and conflict copies of Syncthing and
    /// Dropbox, which only a merge may touch.
    public static func isTemporary(_ name: String) -> Bool {
        let bytes = Array(name.utf8)
        func begins(_ text: String) -> Bool { bytes.starts(with: text.utf8) }
        func ends(_ text: String) -> Bool { bytes.suffix(text.utf8.count).elementsEqual(text.utf8) }
        if begins(".") || ends("~") || begins("~$") || bytes.elementsEqual("4913".utf8) { return true }
        if begins("#"), ends("#") { return true }
        if [".tmp", ".part", ".partial", ".crdownload", ".swp"].contains(where: ends) { return true }
        if bytes.count == 9, begins("sed"), !bytes.contains(UInt8(ascii: ".")) { return true }
        return conflictMarks.contains { !bytes.ranges(of: Array($0.utf8)).isEmpty }
    }

    /// What Syncthing's and Dropbox's names of conflict copies hold.
    private static let conflictMarks = [".sync-conflict-", "conflicted copy"]

    /// The name under which a document is stored.
    ///
    /// The original, except that control characters, `/`, NUL and bytes that are not UTF-8 become `_`, that names above
    /// 200 bytes are cut before their extension, and that names of temporary files get a `_`.
    ///
    /// - Returns: the name, and the original's spelling (controls and stray bytes as `\xNN`) where it is another one.
    public static func documentName(for original: FileName) -> (name: String, original: String?) {
        var spelling = ""
        var name = ""
        var index = 0
        while index < original.bytes.count {
            let length = UTF8Sequence.length(in: original.bytes, at: index)
            let bytes = original.bytes[index..<index + max(1, length)]
            let text = String(decoding: bytes, as: UTF8.self)
            let isControl = text.unicodeScalars.allSatisfy { $0.properties.generalCategory == .control }
            if length == 0 || isControl || text == "/" {
                spelling += text == "/" ? text : bytes.map { "\\x" + Hexadecimal.pair($0) }.joined()
                name += "_"
            } else {
                spelling += text
                name += text
            }
            index += bytes.count
        }
        if isTemporary(name) || name.isEmpty {
            // What other programs take for a temporary file would not be seen as a document.
            for part in conflictMarks {
                let bytes = Array(part.utf8)
                let safe = bytes.map { $0 == UInt8(ascii: ".") || $0 == 0x20 ? UInt8(ascii: "_") : $0 }
                name = String(decoding: Array(name.utf8).replacing(bytes, with: safe), as: UTF8.self)
            }
            name = ["_" + name, name + "_", "_" + name + "_"].first { !isTemporary($0) } ?? "_"
        }
        if name.utf8.count > documentNameByteLimit {
            name = shortened(name)
            // Cut behind a "~" or ".tmp" that stood inside.
            if isTemporary(name) { name = name.dropLast() + "_" }
        }
        return (name, name == spelling ? nil : spelling)
    }

    private static func shortened(_ name: String) -> String {
        let dot = name.lastIndex(of: ".") ?? name.endIndex
        var suffix = name[dot...]
        if suffix.utf8.count > 20 || dot == name.startIndex { suffix = "" }
        var stem = name.dropLast(suffix.count)
        while stem.utf8.count + suffix.utf8.count > documentNameByteLimit {
            // Whole characters as long as there are several; one of hundreds of marks is cut within.
            if stem.count > 1 { stem.removeLast() } else { stem.unicodeScalars.removeLast() }
        }
        return String(stem + suffix)
    }

    /// The file of a collection, tag or smart folder: `<slug>-<hash8>.json`.
    ///
    /// The slug is for people: ASCII letters and digits of the lower-cased name, other runs as one hyphen, 40 bytes at
    /// most. The hash is the first 8 digits of the SHA-256 of the folded name: NFC of the lower-cased name.
    public static func settingsFile(named name: String) -> String {
        let folded = CanonicalComposition.nfc(name.lowercased())
        let words = folded.utf8.split { !(0x61...0x7A).contains($0) && !(0x30...0x39).contains($0) }
        let slug = words.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "-").prefix(40)
        return slug + (slug.isEmpty ? "" : "-") + SHA256.hex(Array(folded.utf8)).prefix(8) + ".json"
    }

    /// Where a version of a file outside of the items is kept if it could not be merged: `<file>-<hash8>.json`, beside it.
    package static func keptName(_ file: String, _ bytes: [UInt8]) -> String {
        let stem = file.hasSuffix(".json") ? String(file.dropLast(5)) : file
        return stem + "-" + SHA256.hex(bytes).prefix(8) + ".json"
    }

    /// Whether `keptName` gives such a name to a version of library.json.
    package static func isKeptSettingsName(_ name: String) -> Bool {
        let parts = name.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0] == "library", parts[1].hasSuffix(".json") else { return false }
        let digits = parts[1].utf8.dropLast(5)
        return digits.count == 8 && digits.allSatisfy { Hexadecimal.value(of: $0) != nil }
    }

    /// A version that could not be merged: `20261121T101500Z-<hash8>.item.json`, by time and content.
    public static func conflictName(_ file: String, _ bytes: [UInt8], at time: String) -> String {
        time + "-" + SHA256.hex(bytes).prefix(8) + "." + file
    }
}
