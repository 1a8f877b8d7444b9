internal import Characters
import Characters
package import Files

/// The files of assets/ that a saved page needs, found in its bytes: FORMAT.md § assets/.
///
/// In a page, `assets/` and an asset's name are a reference if they follow a quote, a bracket, a comma, a semicolon,
/// an equals sign or white space. Style sheets, drawings and frames name other files in the same way, without
/// `assets/`. No HTML is parsed, so a page of any length can be read in pieces.
package struct AssetReferences {
    /// Needed names that are no regular files in assets/, sorted.
    package let missing: [String]
    /// The number of needed names.
    package let count: Int

    /// - Parameter folder: an item's, or a snapshot's.
    package init(in folder: borrowing Directory) throws(FileError) {
        var there: Set<String> = []
        if try folder.statusIfPresent(of: Layout.assets)?.kind == .directory {
            for entry in try folder.directory(Layout.assets).entries() where entry.kind == .regular {
                if let name = entry.name.string { there.insert(name) }
            }
        }
        var needed: Set<String> = []
        for name in [Layout.pageFile, Layout.readerFile]
        where try folder.statusIfPresent(of: name)?.kind == .regular {
            try Self.scan(folder.file(name), prefix: Array((Layout.assets + "/").utf8), &needed)
        }
        // Follows the references of the files that exist.
        var waiting = needed.filter(Self.mayRefer)
        while let name = waiting.popFirst() {
            guard there.contains(name) else { continue }
            var found: Set<String> = []
            try Self.scan(folder.file(Layout.assets + "/" + name), prefix: [], &found)
            for new in found where needed.insert(new).inserted && Self.mayRefer(new) { waiting.insert(new) }
        }
        missing = needed.subtracting(there).sorted()
        count = needed.count
    }

    private static func mayRefer(_ name: String) -> Bool {
        [".css", ".svg", ".html"].contains { name.hasSuffix($0) }
    }

    /// Digits of the hash in a name.
    private static let digitCount = 16
    /// Bytes of the longest extension.
    private static let extensionLimit = 8
    private static let pieceByteCount = 1 << 20

    private static func scan(
        _ file: borrowing Descriptor, prefix: [UInt8], _ names: inout Set<String>
    ) throws(FileError) {
        // The end of a piece may hold the first part of a name, and the byte before it.
        let overlap = prefix.count + digitCount + extensionLimit + 3
        var rest: [UInt8] = []
        var read = 0
        while true {
            let piece = try file.readChunk(pieceByteCount)
            read += piece.count
            // A page is bounded; reading stops if the file grows meanwhile.
            let isLast = piece.isEmpty || read > ItemStore.pageByteLimit
            let bytes = rest + piece
            scan(bytes, prefix: prefix, isBeginning: read == bytes.count, isEnd: isLast, &names)
            if isLast { return }
            rest = Array(bytes.suffix(overlap))
        }
    }

    /// Finds the names whose dot is in these bytes, and checks the bytes around them.
    private static func scan(
        _ bytes: [UInt8], prefix: [UInt8], isBeginning: Bool, isEnd: Bool, _ names: inout Set<String>
    ) {
        let lead = prefix.count + digitCount
        bytes.withUnsafeBufferPointer { bytes in
            var place = 0
            while let dot = bytes[place...].firstIndex(of: UInt8(ascii: ".")) {
                place = dot + 1
                guard dot >= lead, isBeginning && dot == lead || dot > lead && isDelimiter(bytes[dot - lead - 1]),
                    bytes[(dot - lead)..<(dot - digitCount)].elementsEqual(prefix),
                    bytes[(dot - digitCount)..<dot].allSatisfy(isDigit)
                else { continue }
                var end = place
                while end < bytes.count, end - place <= extensionLimit, isLetterOrNumber(bytes[end]) { end += 1 }
                // A name that is cut off here is found in the next piece.
                if end == bytes.count, !isEnd { continue }
                guard end > place, end - place <= extensionLimit, end == bytes.count || !continuesName(bytes[end])
                else {
                    continue
                }
                names.insert(String(decoding: bytes[(dot - digitCount)..<end], as: UTF8.self))
            }
        }
    }

    private static func isDelimiter(_ byte: UInt8) -> Bool {
        byte <= 0x20 || [0x22, 0x27, 0x28, 0x2C, 0x3B, 0x3D].contains(byte)
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        byte.isDigit || byte >= 0x61 && byte <= 0x66
    }

    private static func isLetterOrNumber(_ byte: UInt8) -> Bool {
        byte.isDigit || byte >= 0x61 && byte <= 0x7A
    }

    /// Whether the name continues and is therefore another one: a capital letter, `_`, `-`, `.`, `/` or `%`.
    private static func continuesName(_ byte: UInt8) -> Bool {
        byte >= 0x41 && byte <= 0x5A || [0x5F, 0x2D, 0x2E, 0x2F, 0x25].contains(byte)
    }
}

extension ItemStore {
    /// The files of assets/ that the item's saved page needs.
    package func assetReferences(of stored: StoredItem) throws(ItemError) -> AssetReferences {
        try files { () throws(FileError) in try AssetReferences(in: root.directory(stored.folder)) }
    }
}
