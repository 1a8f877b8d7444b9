internal import Characters
internal import Files

/// The contents of an item's folder from one listing: which names with a meaning exist, and the first loose file.
package struct ItemParts: OptionSet, Sendable {
    /// The bits of the parts below.
    package let rawValue: UInt8

    /// Makes a set of the bits of the parts below.
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// text.md, as a regular file.
    package static let text = ItemParts(rawValue: 1)
    /// page.html, as a regular file.
    package static let page = ItemParts(rawValue: 2)
    /// reader.html, as a regular file.
    package static let reader = ItemParts(rawValue: 4)
    /// document/, as a folder.
    package static let documentFolder = ItemParts(rawValue: 8)
    /// An entry of another kind named document. Then no loose file is the document.
    package static let otherDocument = ItemParts(rawValue: 16)
    /// assets/, as a folder.
    package static let assets = ItemParts(rawValue: 32)
    /// snapshots/, as a folder.
    package static let snapshots = ItemParts(rawValue: 64)
    /// conflicts/, as a folder.
    package static let conflicts = ItemParts(rawValue: 128)

    /// - Parameters:
    ///   - directory: the item's folder, opened for this.
    ///   - loose: the loose file whose name is first by its bytes (FORMAT.md § Loose files).
    init(in directory: borrowing Directory, loose: inout String?) throws(FileError) {
        var parts: ItemParts = []
        var first: [UInt8]?
        var unknown: [[UInt8]] = []
        try directory.forEachNameOnce { name, kind in
            if kind == .unknown {
                unknown.append(Array(name))
            } else {
                Self.take(name, kind, &parts, &first)
            }
        }
        // Some file systems do not list kinds.
        for name in unknown {
            guard let text = String(validating: name, as: UTF8.self),
                let status = try directory.statusIfPresent(of: text)
            else { continue }
            name.withUnsafeBufferPointer { Self.take($0, status.kind, &parts, &first) }
        }
        self = parts
        loose = first.map { String(decoding: $0, as: UTF8.self) }
    }

    private static func take(
        _ name: UnsafeBufferPointer<UInt8>, _ kind: FileKind, _ parts: inout ItemParts, _ loose: inout [UInt8]?
    ) {
        if let place = names.firstIndex(where: { $0.name.elementsEqual(name) }) {
            let known = names[place]
            if kind == known.kind {
                parts.insert(known.part)
            } else if known.part == .documentFolder {
                parts.insert(.otherDocument)
            }
            return
        }
        guard kind == .regular, !name.elementsEqual(itemFile),
            loose.map({ name.lexicographicallyPrecedes($0) }) ?? true,
            let text = String(validating: name, as: UTF8.self), Layout.isLooseName(text)
        else { return }
        loose = Array(name)
    }

    private static let itemFile = Array(Layout.itemFile.utf8)
    private static let names: [(name: [UInt8], kind: FileKind, part: ItemParts)] = [
        (Array(Layout.textFile.utf8), .regular, .text), (Array(Layout.pageFile.utf8), .regular, .page),
        (Array(Layout.readerFile.utf8), .regular, .reader), (Array(Layout.document.utf8), .directory, .documentFolder),
        (Array(Layout.assets.utf8), .directory, .assets), (Array(Layout.snapshots.utf8), .directory, .snapshots),
        (Array(Layout.conflicts.utf8), .directory, .conflicts),
    ]
}
