internal import Files
internal import Items
internal import JSONFormat

/// Conflict copies of copying tools: Documentation/Merge.md § 5.
extension VersionSweep {
    /// A copy beside item.json or text.md.
    struct ConflictCopy {
        /// Relative to the item's folder.
        let path: String
        let component: Component
    }

    /// The conflict copies of item.json and text.md, sorted by path.
    func conflictCopies() throws(ItemError) -> [ConflictCopy] {
        var copies: [ConflictCopy] = []
        for name in try names(in: "") where Layout.isConflictCopy(name) {
            if name.hasPrefix("item"), name.hasSuffix(".json") {
                copies.append(ConflictCopy(path: name, component: .item))
            } else if name.hasPrefix("text"), name.hasSuffix(".md") {
                copies.append(ConflictCopy(path: name, component: .text))
            }
        }
        return copies
    }

    /// Notes what conflict copies hold, and removes those whose bytes a version has.
    mutating func absorbCopies() throws(ItemError) {
        // The names in these folders are those of the content: the original is whole, or comes again.
        for folder in [Layout.history, Layout.conflicts] {
            for name in try names(in: folder) where Layout.isConflictCopy(name) {
                try session.removeNeedless(folder + "/" + name, of: id, in: self.folder)
            }
        }
        for copy in try conflictCopies() {
            guard let contents = try copyContents(copy) else { continue }
            let piece: Piece, value: Items.ContentHash
            switch copy.component {
            case .text:
                piece = .text(contents.bytes)
                value = Items.ContentHash(of: contents.bytes)
            default:
                guard let json = try? JSONDocument(parsing: contents.bytes), json.kind(json.root) == .object,
                    ownID(json)
                else { continue }
                let members = json.exactMembers(json.root)
                piece = .item(members)
                value = Items.ContentHash(of: JSONWriter.file(.object(members)))
            }
            var isNoted = !graph.versions(with: copy.component, value).isEmpty
            if !isNoted {
                let modified = contents.status.modified / 1_000_000
                isNoted = try noteArrival(copy.component, value, piece, modified: modified, isCopy: true)
            }
            if isNoted { try session.removeNeedless(copy.path, of: id, in: folder) }
        }
    }

    /// Whether item.json says that it is of this item.
    private func ownID(_ json: JSONDocument) -> Bool {
        guard let value = json.member(ItemField.id.key, of: json.root) else { return true }
        return json.string(value).flatMap { ItemID($0) } == id
    }

    private func copyContents(_ copy: ConflictCopy) throws(ItemError) -> FileContents? {
        do throws(FileError) {
            return try store.root.contentsIfPresent(of: folder + "/" + copy.path, limit: Layout.textByteLimit)
        } catch {
            if case .tooLarge = error.reason { return nil }
            throw .file(error)
        }
    }

    /// The names of the regular files in the item's folder or one below it, sorted; none if the folder is missing.
    private func names(in name: String) throws(ItemError) -> [String] {
        do throws(FileError) {
            let directory = try store.root.directory(name.isEmpty ? folder : folder + "/" + name)
            return try directory.entries().filter { $0.kind == .regular }.compactMap(\.name.string).sorted()
        } catch {
            if error.isAbsent { return [] }
            throw .file(error)
        }
    }
}
