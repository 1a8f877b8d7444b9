internal import Characters
internal import Files
internal import Items
internal import URLs

/// What a view shows of one item: its files, and what they are called.
struct ViewContents: Sendable {
    enum Source: Sendable {
        /// A file of the item: the path below its folder, and its status.
        case file(String, FileStatus)
        /// Bytes that are made from item.json.
        case bytes([UInt8])
    }

    struct Piece: Sendable {
        let part: ViewPart
        /// The path in the item's folder of the view.
        let name: String
        let source: Source
    }

    let stored: StoredItem
    /// The item's title.
    let title: String
    let pieces: [Piece]
    /// The name in All before it is numbered.
    let name: HumanName
    /// Whether the item is one file in All, and no folder.
    let isSingle: Bool

    /// - Parameter isDesktopEntry: the kind of file that opens a link.
    init(_ stored: StoredItem, in store: ItemStore, isDesktopEntry: Bool) throws {
        self.stored = stored
        let title = store.displayTitle(of: stored)
        self.title = title
        var pieces: [Piece] = []
        if let document = stored.document {
            let name = HumanName(fileName: document.name).numbered(1)
            pieces.append(Piece(part: .document, name: name, source: .file(document.path, document.status)))
        }
        if let status = stored.text {
            pieces.append(Piece(part: .text, name: Layout.textFile, source: .file(Layout.textFile, status)))
        } else if let text = stored.item.textContent {
            pieces.append(Piece(part: .text, name: Layout.textFile, source: .bytes(Array(text.utf8))))
        }
        try pieces.append(contentsOf: Self.page(of: stored, in: store))
        let linkExtension = LinkFile.fileExtension(isDesktopEntry: isDesktopEntry)
        if let url = stored.item.linkURL,
            let bytes = LinkFile.bytes(url: url, title: title, isDesktopEntry: isDesktopEntry)
        {
            let name = HumanName(title, fileExtension: linkExtension).numbered(1)
            pieces.append(Piece(part: .link, name: name, source: .bytes(bytes)))
        }
        if pieces.isEmpty { pieces.append(Piece(part: .text, name: Layout.textFile, source: .bytes([]))) }
        isSingle = pieces.count == 1 && [.document, .text, .link].contains(pieces[0].part)
        if !isSingle {
            // The title may be the document's own name.
            let file = HumanName(fileName: title)
            let isFileName = stored.document.map { $0.name == title } ?? false
            name = isFileName ? HumanName(file.stem) : HumanName(title)
        } else {
            switch pieces[0].part {
            case .document: name = HumanName(title, fileExtension: HumanName(fileName: pieces[0].name).fileExtension)
            case .link: name = HumanName(title, fileExtension: linkExtension)
            default: name = HumanName(title, fileExtension: ".md")
            }
        }
        self.pieces = Self.distinct(pieces)
    }

    /// page.html, reader.html and the files of assets/.
    private static func page(of stored: StoredItem, in store: ItemStore) throws(FileError) -> [Piece] {
        var pieces: [Piece] = []
        let folder = try store.root.directory(stored.folder)
        if let path = stored.pagePath, let status = try folder.statusIfPresent(of: path), status.kind == .regular {
            pieces.append(Piece(part: .page, name: Layout.pageFile, source: .file(path, status)))
        }
        if stored.parts.contains(.reader), let status = try folder.statusIfPresent(of: Layout.readerFile) {
            pieces.append(Piece(part: .reader, name: Layout.readerFile, source: .file(Layout.readerFile, status)))
        }
        guard !pieces.isEmpty, stored.parts.contains(.assets) else { return pieces }
        let assets = try folder.directory(Layout.assets)
        for entry in try assets.entries() {
            guard let name = entry.name.string, let status = try assets.statusOfKnownPath(name),
                status.kind == .regular
            else { continue }
            let path = Layout.assets + "/" + name
            pieces.append(Piece(part: .asset, name: path, source: .file(path, status)))
        }
        return pieces
    }

    /// The pieces with names that differ on every system.
    private static func distinct(_ pieces: [Piece]) -> [Piece] {
        var seen: Set<String> = [Layout.assets]
        return pieces.map { piece in
            if piece.part == .asset { return piece }
            var (name, number) = (piece.name, 1)
            while !seen.insert(HumanName.folded(name)).inserted {
                number += 1
                name = HumanName(fileName: piece.name).numbered(number)
            }
            return Piece(part: piece.part, name: name, source: piece.source)
        }
    }

    /// `user.xdg.tags`: tags between commas, of which it cannot hold any (Common Extended Attributes of freedesktop.org).
    var tagAttribute: String {
        var value = ""
        for tag in stored.item.plainTags where !tag.utf8.contains(UInt8(ascii: ",")) {
            let more = (value.isEmpty ? "" : ",") + Printable.visible(tag)
            // ext4 has room for about 4,000 bytes of all attributes.
            if value.utf8.count + more.utf8.count > 2000 { break }
            value += more
        }
        return value
    }

    /// `user.xdg.origin.url`.
    var originAttribute: String {
        let url = stored.item.linkURL.flatMap { LinkIdentity($0) == nil ? nil : $0 } ?? ""
        return url.utf8.count > 1500 ? "" : url
    }
}
