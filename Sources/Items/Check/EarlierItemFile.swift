internal import Characters
internal import Files
internal import JSONFormat

/// An item.json that cannot be used, of an item whose history/ has a version: `Library.repair` puts the item.json of the last version
/// in its place.
enum EarlierItemFile {
    /// Whether history/ has a whole version of the item.
    ///
    /// An item.json with git's conflict markers is half of a merge. git ends it, and an earlier one would lose it: then false.
    ///
    /// - Parameter folder: the item's.
    static func isThere(of id: ItemID, in folder: borrowing Directory) -> Bool {
        if isUnmerged(folder) { return false }
        guard let history = try? folder.directory(Layout.history), let entries = try? history.entries() else {
            return false
        }
        for entry in entries where entry.kind == .regular {
            guard entry.name.bytes.count == 69, let name = entry.name.string, name.hasSuffix(".json"),
                let hash = ContentHash(hex: name.utf8.prefix(64)),
                let bytes = (try? history.contentsIfPresent(of: name, limit: Version.byteLimit))??.bytes,
                let version = try? Version(name: hash, bytes: bytes)
            else { continue }
            if version.isOf(id) { return true }
        }
        return false
    }

    private static func isUnmerged(_ folder: borrowing Directory) -> Bool {
        let contents = (try? folder.contentsIfPresent(of: Layout.itemFile, limit: JSONDocument.byteLimit)) ?? nil
        guard let bytes = contents?.bytes else { return false }
        let marker = Array("<<<<<<< ".utf8)
        return bytes.starts(with: marker) || bytes.firstRange(ofBytes: [0x0A] + marker) != nil
    }
}

extension ItemError {
    /// The item whose item.json this error is about, if history/ has an earlier one: `Library.repair` puts that in its place.
    ///
    /// Reads history/.
    public var repairableItem: ItemID? {
        let path: String
        switch self {
        case .malformed(let place, _): path = place
        case .fault(let place, let fault) where fault.makesNoItem: path = place
        default: return nil
        }
        let parts = path.pathComponents
        guard parts.last == Layout.itemFile, parts.count > 1, let id = ItemID(parts[parts.count - 2]),
            let folder = try? Directory(path: String(path.dropLast(Layout.itemFile.count + 1)))
        else { return nil }
        return EarlierItemFile.isThere(of: id, in: folder) ? id : nil
    }
}
