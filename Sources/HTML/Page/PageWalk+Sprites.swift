internal import URLs

/// SVG sprites: `use` of a fragment of another file, which browsers refuse in pages from a file.
extension PageWalk {
    /// Writes an element of a sprite, and the elements that it refers to, before the current tag.
    ///
    /// - Returns: the reference to it, or `nil` if the sprite does not have it.
    func sprite(_ file: [UInt8], _ url: WebURL) -> [UInt8]? {
        guard tokens.isInForeignContent || output == .xml, let fragment = url.fragment else { return nil }
        let name = PercentEncoding.decoded(fragment.utf8)
        let whole = url.withoutFragment
        let sprite = sprites.file(whole.href) { SpriteFile(file) }
        guard let spans = sprite.file.spans(of: name) else { return nil }
        let scope = scopes.last ?? 0
        let prefix = Array("sbfs-\(sprite.number)-".utf8)
        let wanted = [0x23] + prefix + name
        let missing = spans.filter { sprites.written.insert([scope, sprite.number, $0.lowerBound]).inserted }
        if missing.isEmpty { return wanted }
        var size = 0
        for span in missing { size += span.count }
        guard sprites.spend(size) else { return nil }
        let inside = PageContext(url: whole, syntax: .xhtml, hasRunScripts: context.hasRunScripts)
        let resolver = ReferenceResolver(documentURL: whole, base: whole, replace: self.resolver.replace)
        bytes += "<defs>".utf8
        for span in missing {
            bytes += file[span].withUnsafeBufferPointer { buffer in
                let walk = PageWalk(
                    buffer, inside, output, resolver, depth: depth + 1, fixedOffset: offset, idPrefix: prefix,
                    isFragment: true)
                walk.tokens.enterSVG()
                return walk.run()
            }
        }
        bytes += "</defs>".utf8
        writeSheet(of: sprite.file, for: missing, prefix, resolver)
        return wanted
    }

    /// Writes the sprite's own style, for the elements that were written from it and no others.
    private func writeSheet(
        of file: SpriteFile, for spans: [Range<Int>], _ prefix: [UInt8], _ resolver: ReferenceResolver
    ) {
        guard !file.sheet.isEmpty, sprites.spend(file.sheet.count) else { return }
        let ids = file.ids(of: spans).filter { id in id.allSatisfy { $0 > 0x20 && !"\"\\<>&".utf8.contains($0) } }
        if ids.isEmpty { return }
        let sheet = file.sheet.withUnsafeBufferPointer {
            StyleWalk.rewritten($0, resolver, for: .element, offset: offset, idPrefix: prefix) ?? file.sheet
        }
        bytes += "<style>@scope (".utf8
        for (number, id) in ids.enumerated() {
            if number > 0 { bytes.append(0x2C) }
            bytes += "[id=\"".utf8
            bytes += prefix
            bytes += id
            bytes += "\"]".utf8
        }
        bytes += ") {".utf8
        Markup.appendText(sheet, to: &bytes)
        bytes += "}</style>".utf8
    }
}

/// The sprites of one page, and which of their elements are written.
struct SpriteSet {
    private static let byteLimit = 16 << 20
    private static let spanLimit = 256 << 10

    private var files: [String: (number: Int, file: SpriteFile)] = [:]
    /// The scope, the number of the file, and the place in it.
    var written: Set<[Int]> = []
    private var byteCount = 0

    mutating func file(_ url: String, _ make: () -> SpriteFile) -> (number: Int, file: SpriteFile) {
        if let known = files[url] { return known }
        let new = (files.count + 1, make())
        files[url] = new
        return new
    }

    /// Whether that many bytes may still be written.
    mutating func spend(_ count: Int) -> Bool {
        guard count <= Self.spanLimit, byteCount + count <= Self.byteLimit else { return false }
        byteCount += count
        return true
    }
}
