internal import Characters
import Characters
package import Files

/// Every name that the library uses on disk, made and parsed only here: FORMAT.md § Directory tree.
public enum Layout: Sendable {
    // MARK: The library's folder

    /// The settings that travel with the library. This file makes a folder a library.
    public static let libraryFile = "library.json"
    /// The folder of all items, in shards.
    public static let items = "items"
    /// Files that say that items were purged.
    package static let tombstones = "tombstones"
    /// Colours, icons and order of collections.
    package static let collections = "collections"
    /// Colours, icons and order of tags.
    package static let tags = "tags"
    /// Smart folders, one saved query in each file.
    package static let smart = "smart"
    /// Files that a person drops there become items.
    package static let inbox = "inbox"
    /// Files of `inbox` that cannot become items, each with one that says why.
    package static let rejected = "inbox/rejected"
    /// Ends the name of the file that says why a file is in `rejected`.
    package static let reasonSuffix = ".reason.json"
    /// Ends the name of the file with tags and text for the file beside it.
    package static let commentSuffix = ".comment"
    /// The folder of the JSON Schema for editors.
    package static let schemaFolder = "schema"
    /// The JSON Schema of item.json.
    package static let schemaFile = "schema/item-1.json"
    /// The folder of Visual Studio Code's settings.
    package static let editorFolder = ".vscode"
    /// The settings that show the schema to Visual Studio Code; written once, when the library is made.
    package static let editorFile = ".vscode/settings.json"

    /// Folders of every library; made again if missing, since git does not carry empty ones.
    package static let folders = [
        items, tombstones, collections, tags, smart, inbox, rejected, schemaFolder,
    ]

    // MARK: Device-local

    /// Names at the top of a library. Output is never written over them.
    public static let ownNames: Set<String> = [
        libraryFile, items, tombstones, collections, tags, smart, schemaFolder, device,
    ]
    /// Files of this device alone, which are never replicated.
    public static let device = ".sbfs"
    /// Ties the device's folder to the machine and to this folder, and records when the library was first opened
    /// here.
    package static let owner = "owner"
    /// The writer's lock: held by the one process that changes the library.
    package static let lock = "lock"
    /// Files that are complete before they get their final name.
    package static let staging = "staging"
    /// When this device first saw items in the trash, one line each.
    package static let trashLog = "trash"
    /// Bytes that `trash` and `purge` release on a full disk.
    package static let reserve = "reserve"
    /// The size of `reserve` in bytes: 1 MiB.
    package static let reserveByteCount = 1 << 20
    /// The newest time that was trusted.
    package static let clock = "clock"
    /// The steps that commands made, for undoing: `log-` and a hash of the folder's owner.
    package static let logPrefix = "log-"
    /// The name that earlier programs gave the journal.
    package static let earlierLog = "log"
    /// Tells backup programs to skip the folder.
    package static let cacheTag = "CACHEDIR.TAG"
    /// The search index.
    package static let index = "index"
    /// When the index was last compared with the files, and the result.
    package static let sweep = "sweep"
    /// Held by the one process that sweeps in the background.
    package static let sweepLock = "sweep.lock"
    /// Held by the one process that rebuilds the index.
    package static let buildLock = "build.lock"
    /// Items that changed while another process wrote the index.
    package static let pending = "pending"
    /// Held by the one process that takes in the files of `inbox`.
    package static let inboxLock = "inbox.lock"
    /// Held while `pending` is changed.
    package static let pendingLock = "pending.lock"
    /// What background work remembers on this device.
    package static let background = "background"
    /// When each item was last read to its end, and what it was.
    package static let verified = "verified"
    /// What this device knew last of items with versions.
    package static let known = "known"
    /// The bytes of items without versions as they were last read.
    package static let states = "states"
    /// Files of collections/, tags/ and smart/ as this device knew them last.
    package static let small = "small"
    /// Items that other programs changed, and whose versions are not looked at yet.
    package static let changed = "changed"
    /// Held by the one process that looks at the versions of items.
    package static let changedLock = "changed.lock"
    /// What this device remembers of each exchange.
    package static let sync = "sync"
    /// Items of which a program put an earlier state back since the last sync.
    package static let putBack = "put-back"
    /// Held by the one process that syncs with exchanges.
    package static let syncLock = "sync.lock"
    /// Which files of items an exchange holds and this device does not, and the visible text of their pages.
    package static let away = "away"
    /// Pages and documents that came from an exchange to be opened.
    package static let cache = "cache"
    /// Held by the one daemon that watches the library; says which process it is.
    package static let daemon = "daemon"

    // MARK: An item's folder

    /// An item's fields.
    public static let itemFile = "item.json"
    /// An item's text, Markdown in UTF-8.
    public static let textFile = "text.md"
    /// The saved page of a link.
    public static let pageFile = "page.html"
    /// The article of the saved page.
    public static let readerFile = "reader.html"
    /// The print of the saved page.
    public static let printFile = "page.pdf"
    /// The picture of the saved page.
    public static let pictureFile = "page.png"
    /// The files of a capture besides those in assets/.
    package static let captureFiles = [pageFile, readerFile, printFile, pictureFile]
    /// The files that the saved page needs.
    package static let assets = "assets"
    /// The folder of an item's document.
    package static let document = "document"
    /// The folder of earlier captures.
    package static let snapshots = "snapshots"
    /// Versions of the item, which a merge of replicas needs.
    package static let history = "history"
    /// The ending of the name of a damaged file of history/ that was set aside.
    package static let damagedEnding = ".damaged"
    /// Versions that could not be merged; a person deletes them.
    public static let conflicts = "conflicts"

    /// Names with a meaning in an item's folder; any other is a loose file.
    package static let itemNames: Set<String> = [
        itemFile, textFile, pageFile, readerFile, printFile, pictureFile, assets, document, snapshots, history,
        conflicts,
    ]

    /// Whether a name in an item's folder is that of a file or of a folder; `nil` for a name of the person's own.
    package static func isFile(ofItem name: String) -> Bool? {
        switch name {
        case itemFile, textFile, pageFile, readerFile, printFile, pictureFile: true
        case assets, document, snapshots, history, conflicts: false
        default: nil
        }
    }

    /// The record of what is away of an item, relative to `.sbfs`.
    package static func awayRecord(_ id: ItemID) -> String { "\(away)/\(id.shard)/\(id)" }

    /// The visible text of a page that is away, relative to `.sbfs`.
    package static func awayText(_ id: ItemID, _ text: AwayText) -> String { "\(awayRecord(id)).\(text.rawValue)" }

    /// Whether a regular file of this name in an item's folder is loose: FORMAT.md § Loose files.
    package static func isLooseName(_ name: String) -> Bool {
        !itemNames.contains(name) && !isTemporary(name) && !name.hasPrefix("favicon.") && !isBesideItemFile(name)
            && !isConflictName(Array(name.utf8))
    }

    /// Whether a name is one that programs give to a file while they replace one of the item's own, or to its backup
    /// or copy: `text.md.new`, `item.json.bak`, `text 2.md`, `text-LAPTOP.md`.
    private static func isBesideItemFile(_ name: String) -> Bool {
        let bytes = Array(name.utf8)
        return besideItemFiles.contains { stem, suffix in
            guard bytes.starts(with: stem) else { return false }
            let rest = bytes[stem.count...]
            if rest.starts(with: suffix) { return true }
            guard let next = rest.first else { return false }
            let isWord = next.isDigit || next.isLetter || next >= 0x80
            return !isWord && rest.suffix(suffix.count).elementsEqual(suffix)
        }
    }

    private static let besideItemFiles: [(stem: [UInt8], suffix: [UInt8])] = [
        (Array("item".utf8), Array(".json".utf8)), (Array("text".utf8), Array(".md".utf8)),
        (Array("page".utf8), Array(".html".utf8)), (Array("reader".utf8), Array(".html".utf8)),
    ]

    /// Whether a capture could have made this name in assets/: 16 or more hexadecimal digits of the content's
    /// SHA-256, a dot and an extension.
    package static func isAssetName(_ name: String) -> Bool {
        guard let dot = name.utf8.firstIndex(of: UInt8(ascii: ".")) else { return false }
        let stem = name.utf8[..<dot]
        return stem.count >= 16 && stem.allSatisfy { Hexadecimal.value(of: $0) != nil }
    }

    /// Whether a path relative to an item's folder is that of a file of the person's own in assets/ or snapshots/: no capture gives such
    /// a name.
    package static func isOwnAmongPages(_ path: String) -> Bool {
        let parts = path.pathComponents
        switch parts[0] {
        case assets: return parts.count > 2 || parts.count == 2 && !isAssetName(parts[1])
        case snapshots: return parts.count == 2 || parts.count > 2 && !isSnapshotName(parts[1])
        default: return false
        }
    }

    /// Whether a name in snapshots/ is that of a capture: `20261121T101500Z-<hash8>`.
    package static func isSnapshotName(_ name: String) -> Bool {
        let bytes = Array(name.utf8)
        guard bytes.count >= 25, bytes[8] == UInt8(ascii: "T"), bytes[15] == UInt8(ascii: "Z"),
            bytes[16] == UInt8(ascii: "-")
        else { return false }
        return bytes[..<8].allSatisfy(\.isDigit)
            && bytes[17..<25].allSatisfy { Hexadecimal.value(of: $0) != nil }
            && bytes[25...].allSatisfy { $0 == UInt8(ascii: "-") || $0.isDigit }
    }

    /// An item's folder in its own shard, relative to the library's.
    package static func itemFolder(_ id: ItemID) -> String { items + "/" + id.shard + "/" + id.description }

    /// The folder of an item in the given shard, which may be the wrong one.
    package static func itemFolder(_ id: ItemID, shard: UInt8) -> String {
        items + "/" + Hexadecimal.pair(shard) + "/" + id.description
    }

    /// The file that says that an item was purged, relative to the library's folder.
    package static func tombstone(_ id: ItemID) -> String {
        tombstones + "/" + id.shard + "/" + id.description + ".json"
    }

    /// Whether a name is two lower-case hexadecimal digits.
    package static func isShard(_ name: String) -> Bool {
        name.utf8.count == 2 && name.utf8.allSatisfy { Hexadecimal.value(of: $0) != nil } && name == name.lowercased()
    }

    // MARK: Limits

    /// A text longer than this is a document: 64 MiB.
    public static let textByteLimit = 64 << 20
    /// Settings files (library.json, collections/, tags/, smart/): 1 MiB.
    package static let settingsByteLimit = 1 << 20
    /// Bytes of a document's name in an item; longer ones are cut before their extension.
    package static let documentNameByteLimit = 200
    /// Tags of one item that can be searched.
    package static let searchedTagLimit = 10_000
    /// Bytes of a tag that count for filters. Longer tags are not compared by canonical equivalence.
    package static let tagByteLimit = 254
    /// Levels of a collection's name; after that a `/` is an ordinary character.
    package static let levelLimit = 32
    /// Keys of an item.json; `check` reports more.
    package static let keyLimit = 10_000

    // MARK: Names from elsewhere

    /// Whether a path from item.json stays in the item's folder, judged by its spelling. A path longer than PATH_MAX
    /// cannot be opened and is not safe.
    package static func isSafeHint(_ path: String) -> Bool {
        path.utf8.count <= 4096 && Directory.isSafe(path)
            && !path.unicodeScalars.contains { $0.properties.generalCategory == .control }
    }

    /// Whether a name belongs to an unfinished file of an editor, a download or a replication program.
    ///
    /// Hidden names (vim's `.item.json.swp`, rsync's `.item.json.Ab3dEf`), backups (`~`), Emacs's `#…#`, Office's
    /// `~$…`, GNU sed's `sedAb3dEf`, vim's write test `4913`, partial downloads, and conflict copies of Syncthing and
    /// Dropbox, which only a merge may touch.
    package static func isTemporary(_ name: String) -> Bool {
        let bytes = Array(name.utf8)
        func begins(_ text: String) -> Bool { bytes.starts(with: text.utf8) }
        func ends(_ text: String) -> Bool { bytes.suffix(text.utf8.count).elementsEqual(text.utf8) }
        if begins(".") || ends("~") || begins("~$") || bytes.elementsEqual("4913".utf8) { return true }
        if begins("#"), ends("#") { return true }
        if [".tmp", ".part", ".partial", ".crdownload", ".swp"].contains(where: ends) { return true }
        if bytes.count == 9, begins("sed"), !bytes.contains(UInt8(ascii: ".")) { return true }
        return CopyName.isMarked(name)
    }

    /// The name of a document that lost against another one, beside it: `<name>.conflict-<hash8>.<extension>`.
    ///
    /// The name is cut before the mark so that 255 bytes remain, the longest name of Linux' file systems.
    package static func conflictName(of name: String, _ hash: ContentHash) -> String {
        conflictName(of: name, digits: hash.hex.prefix(8))
    }

    /// The names that such a file may have, in order: where other bytes have one, the next 8 digits of the hash are in it.
    package static func conflictNames(of name: String, _ hash: ContentHash) -> [String] {
        conflictDigits(of: hash).map { conflictName(of: name, digits: $0) }
    }

    /// The 8 digits that may be in a conflict name.
    static func conflictDigits(of hash: ContentHash) -> [Substring] {
        let digits = hash.hex
        return stride(from: 0, to: digits.count, by: 8).map { digits.dropFirst($0).prefix(8) }
    }

    private static func conflictName(of name: String, digits: Substring) -> String {
        let mark = ".conflict-" + digits
        let bytes = Array(name.utf8)
        let dot = bytes.lastIndex(of: UInt8(ascii: ".")).flatMap { $0 > 0 && bytes.count - $0 <= 20 ? $0 : nil }
        let ending = dot.map { String(decoding: bytes[$0...], as: UTF8.self) } ?? ""
        var end = min(dot ?? bytes.count, 255 - mark.utf8.count - ending.utf8.count)
        while end < bytes.count, UTF8.isContinuation(bytes[end]) { end -= 1 }
        return String(decoding: bytes[..<end], as: UTF8.self) + mark + ending
    }

    /// The name under which a document is stored.
    ///
    /// It is the original name with these changes: control characters, `/`, NUL and bytes that are not UTF-8 become
    /// `_`; names above 200 bytes are cut before their extension; names of temporary files get a `_`.
    ///
    /// - Returns: the name, and the original's spelling (controls and stray bytes as `\xNN`) if it differs.
    package static func documentName(for original: FileName) -> (name: String, original: String?) {
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
            // A name that looks temporary to other programs would not count as a document.
            for part in CopyName.marks {
                name = name.replacing(text: part, with: String(part.map { $0 == "." || $0 == " " ? "_" : $0 }))
            }
            name = ["_" + name, name + "_", "_" + name + "_"].first { !isTemporary($0) } ?? "_"
        }
        if name.utf8.count > documentNameByteLimit {
            name = shortened(name)
            // The cut may end the name with "~" or ".tmp".
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
            // Cuts whole characters while there are several. A single character of hundreds of combining marks is cut
            // inside.
            if stem.count > 1 { stem.removeLast() } else { stem.unicodeScalars.removeLast() }
        }
        return String(stem + suffix)
    }

    /// The file name of a collection, tag or smart folder: `<slug>-<hash8>.json`.
    ///
    /// The slug is for people: ASCII letters and digits of the lower-case name, any other run as one hyphen, at most
    /// 40 bytes. The hash is the first 8 digits of the SHA-256 of the folded name: the lower-case name in NFC.
    package static func settingsFile(named name: String) -> String {
        let folded = CanonicalComposition.nfc(name.lowercased())
        let words = folded.utf8.split { !(0x61...0x7A).contains($0) && !$0.isDigit }
        let slug = words.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "-").prefix(40)
        return slug + (slug.isEmpty ? "" : "-") + SHA256.hex(Array(folded.utf8)).prefix(8) + ".json"
    }

    /// The name `<file>-<hash8>.json` of a version of a file outside of the items that could not be merged. It is
    /// kept beside the file.
    package static func keptName(_ file: String, _ bytes: [UInt8]) -> String {
        let stem = file.hasSuffix(".json") ? String(file.dropLast(5)) : file
        return stem + "-" + SHA256.hex(bytes).prefix(8) + ".json"
    }

    /// Whether a name is `keptName`'s for a version of library.json.
    package static func isKeptSettingsName(_ name: String) -> Bool {
        let parts = name.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0] == "library", parts[1].hasSuffix(".json") else { return false }
        let digits = parts[1].utf8.dropLast(5)
        return digits.count == 8 && digits.allSatisfy { Hexadecimal.value(of: $0) != nil }
    }

    /// The name of a version that could not be merged: `20261121T101500Z-<hash8>.item.json`, from time and content.
    package static func conflictName(_ file: String, _ bytes: [UInt8], at time: String) -> String {
        time + "-" + SHA256.hex(bytes).prefix(8) + "." + file
    }
}
