internal import Files
internal import Items
internal import JSONFormat
internal import Merge

/// Conflict copies of copying tools: Documentation/Merge.md § 5.
extension VersionSweep {
    /// The copies in the item's folder, sorted by path.
    func conflictCopies() throws(ItemError) -> [ConflictCopy] {
        try store.conflictCopies(in: folder, document: document?.path.pathComponents.last)
    }

    /// The live document, if it is in document/.
    private var document: Version.File? { live.files.first { Component(of: $0) == .document } }

    /// Notes what conflict copies hold, and removes those whose bytes a version has.
    mutating func absorbCopies() throws(ItemError) {
        // A dry run removes nothing.
        let isDry = drafts != nil
        // The names in these folders are those of the content: the original is whole, or comes again.
        for folder in [Layout.history, Layout.conflicts] {
            for name in try store.fileNames(in: self.folder + "/" + folder) where !isDry && CopyName.isMarked(name) {
                try session.removeNeedless(folder + "/" + name, of: id, in: self.folder)
            }
        }
        for copy in try conflictCopies() {
            switch copy.original {
            case Layout.itemFile: try absorb(copy, .item)
            case Layout.textFile: try absorb(copy, .text)
            default:
                if !isDry, let document, copy.original == document.path {
                    _ = try session.keepDocumentCopy(copy, beside: document, of: id, in: folder)
                }
            }
        }
    }

    private mutating func absorb(_ copy: ConflictCopy, _ component: Component) throws(ItemError) {
        guard let contents = try contents(of: copy) else { return }
        let piece: Piece, value: Items.ContentHash
        if component == .text {
            piece = .text(contents.bytes)
            value = Items.ContentHash(of: contents.bytes)
        } else {
            guard let json = try? JSONDocument(parsing: contents.bytes), json.kind(json.root) == .object,
                copy.isOf(id, json)
            else { return }
            let members = json.exactMembers(json.root)
            piece = .item(members)
            value = Items.ContentHash(of: JSONWriter.file(.object(members)))
        }
        var isNeedless = !graph.versions(with: component, value).isEmpty
        if component == .text, contents.bytes.isEmpty {
            // A crash leaves an empty file. It says nothing, and as a version it would remove every paragraph.
            isNeedless = copy.isCertain
        } else if !isNeedless {
            if component == .text, !copy.isCertain, !isRelated(contents.bytes) { return }
            let modified = contents.status.modified / 1_000_000
            isNeedless = try noteArrival(component, value, piece, modified: modified, isCopy: true)
            if !isNeedless { copied.insert(value) }
        }
        if isNeedless, drafts == nil {
            try session.removeCopy(folder + "/" + copy.path, seen: contents.bytes, of: id)
        }
    }

    /// So many texts are looked at, the first by name.
    private static let textLimit = 64

    /// Whether a text has most of its paragraphs in common with a version's text. Another one may be the person's own, though
    /// its name is like that of a copy.
    private func isRelated(_ bytes: [UInt8]) -> Bool {
        let names = Set(outlines.compactMap(\.text)).sorted().prefix(Self.textLimit)
        let known = names.lazy.compactMap { text($0) }
        return live.text.map { SharedParagraph.areMost(in: $0, and: bytes) } == true
            || known.contains { SharedParagraph.areMost(in: $0, and: bytes) }
    }

    private func contents(of copy: ConflictCopy) throws(ItemError) -> FileContents? {
        do throws(FileError) {
            return try store.root.contentsIfPresent(of: folder + "/" + copy.path, limit: Layout.textByteLimit)
        } catch {
            if case .tooLarge = error.reason { return nil }
            throw .file(error)
        }
    }
}
