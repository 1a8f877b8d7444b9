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
            if let component = copy.component {
                try absorb(copy, component)
            } else if !isDry, let document, copy.original == document.path {
                _ = try session.keepDocumentCopy(copy, beside: document, of: id, in: folder)
            }
        }
    }

    /// What a conflict copy of item.json or text.md holds.
    private struct CopiedPiece {
        let piece: Piece, value: Items.ContentHash, contents: FileContents
    }

    /// - Returns: `nil` if the copy is not one of this item, or cannot be read as what its name says.
    private func piece(of copy: ConflictCopy, _ component: Component) throws(ItemError) -> CopiedPiece? {
        guard let contents = try contents(of: copy) else { return nil }
        if component == .text {
            return CopiedPiece(
                piece: .text(contents.bytes), value: Items.ContentHash(of: contents.bytes), contents: contents)
        }
        guard let json = try? JSONDocument(parsing: contents.bytes), json.kind(json.root) == .object,
            copy.isOf(id, json)
        else { return nil }
        let members = json.exactMembers(json.root)
        let value = Items.ContentHash(of: JSONWriter.file(.object(members)))
        return CopiedPiece(piece: .item(members), value: value, contents: contents)
    }

    private mutating func absorb(_ copy: ConflictCopy, _ component: Component) throws(ItemError) {
        guard let found = try piece(of: copy, component) else { return }
        let bytes = found.contents.bytes, modified = found.contents.status.modified / 1_000_000
        noteSetAside(copy, found, component)
        var isNeedless = !graph.versions(with: component, found.value).isEmpty
        if component == .text, bytes.isEmpty {
            // A crash leaves an empty file. It says nothing, and as a version it would remove every paragraph.
            isNeedless = copy.isCertain
        } else if !isNeedless {
            if component == .text, !copy.isCertain, !isRelated(bytes) { return }
            isNeedless = try noteArrival(component, found.value, found.piece, modified: modified, isCopy: true)
            if !isNeedless { copied.insert(found.value) }
        }
        if isNeedless, drafts == nil {
            try session.removeCopy(folder + "/" + copy.path, seen: bytes, of: id)
        }
    }

    /// Looks at what tools set aside, and leaves the copies where they are.
    mutating func noteSetAside() throws(ItemError) {
        for copy in try conflictCopies() where copy.isCertain {
            guard let component = copy.component, let found = try piece(of: copy, component) else { continue }
            noteSetAside(copy, found, component)
        }
    }

    /// A person may have made a copy whose name is not certain, before an edit.
    private mutating func noteSetAside(_ copy: ConflictCopy, _ copied: CopiedPiece, _ component: Component) {
        guard copy.isCertain, live.hashes[component] != copied.value, let saved = live.status(of: component)?.changed,
            saved > copied.contents.status.changed
        else { return }
        setAside[component, default: []].insert(copied.value)
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
