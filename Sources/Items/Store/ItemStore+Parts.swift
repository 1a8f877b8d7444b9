internal import Files

/// The files beside item.json.
extension ItemStore {
    /// The item's folder was opened a moment ago and is no link, so its entries are checked by their whole path.
    func regular(_ path: String) throws(FileError) -> FileStatus? {
        let status = try root.statusOfKnownPath(path)
        return status?.kind == .regular ? status : nil
    }

    /// Whether the saved page named by item.json exists; `false` if item.json names none.
    func hasPromisedPage(_ item: Item, in folder: String, _ parts: ItemParts) throws(FileError) -> Bool {
        switch item.htmlRelativePath {
        case nil: return false
        case Layout.pageFile: return parts.contains(.page)
        case Layout.readerFile: return parts.contains(.reader)
        case let path?:
            do throws(FileError) {
                return try root.statusIfPresent(of: folder + "/" + path)?.kind == .regular
            } catch let error where error.isEscape {
                return false
            }
        }
    }

    /// The document: FORMAT.md § Which file is the document.
    ///
    /// - Parameter away: the path of a document that is away. It counts as a file in document/.
    /// - Returns: `nil` without a document, and if it is the one that is away.
    func document(
        of item: Item, in folder: String, _ parts: ItemParts, loose: String?, away: String?
    ) throws(FileError) -> StoredDocument? {
        let prefix = Layout.document + "/"
        let away = away.flatMap { path in
            path.utf8.starts(with: prefix.utf8) ? String(Substring(path.utf8.dropFirst(prefix.utf8.count))) : nil
        }
        var isFolderEmpty = away == nil
        if parts.contains(.documentFolder) {
            if let document = try document(of: item, in: folder, away: away, isFolderEmpty: &isFolderEmpty) {
                return document
            }
        }
        guard let loose, isFolderEmpty, item.documentRelativePath == nil, !parts.contains(.otherDocument),
            let status = try regular(folder + "/" + loose)
        else { return nil }
        return StoredDocument(name: loose, status: status, isLoose: true)
    }

    /// The file in document/ that documentRelativePath names, or the only one that did not lose.
    ///
    /// - Parameters:
    ///   - away: the name of a document that is away.
    ///   - isFolderEmpty: set to false if document/ holds any regular file.
    private func document(
        of item: Item, in folder: String, away: String?, isFolderEmpty: inout Bool
    ) throws(FileError) -> StoredDocument? {
        let path = folder + "/" + Layout.document
        let prefix = Layout.document + "/"
        let hint = item.documentRelativePath.flatMap { path in
            path.utf8.starts(with: prefix.utf8) ? String(Substring(path.utf8.dropFirst(prefix.utf8.count))) : nil
        }
        if let hint, !hint.utf8.contains(UInt8(ascii: "/")), let status = try regular(path + "/" + hint) {
            return StoredDocument(name: hint, status: status)
        }
        var names: [String] = []
        for entry in try root.directory(path).entries() where entry.kind == .regular {
            isFolderEmpty = false
            if let name = entry.name.string, !Layout.isTemporary(name) { names.append(name) }
        }
        if let away, !names.contains(where: { $0.utf8.elementsEqual(away.utf8) }) {
            // As if it were here. Where no rule chooses, it stays the document, too.
            if let hint, hint.utf8.elementsEqual(away.utf8) { return nil }
            names.append(away)
        }
        // String equality is canonical equivalence, so an NFD name matches an NFC hint.
        var chosen = names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.first { $0 == hint }
        if chosen == nil { chosen = Self.onlyStanding(names) }
        guard let chosen, let status = try regular(path + "/" + chosen) else { return nil }
        return StoredDocument(name: chosen, status: status)
    }

    /// The only name that is not that of a lost document: such a document is none, also where the other one was taken out of the
    /// item.
    private static func onlyStanding(_ names: [String]) -> String? {
        let standing = names.filter { !Layout.isConflictName(Array($0.utf8)) }
        return standing.count == 1 ? standing[0] : nil
    }

    /// The file that becomes the document when the one of this name goes, and item.json names none.
    func onlyDocument(in folder: String, besides name: String) throws(FileError) -> String? {
        let path = folder + "/" + Layout.document
        if try root.statusIfPresent(of: path)?.kind != .directory { return nil }
        let names = try root.directory(path).entries().filter { $0.kind == .regular }
            .compactMap(\.name.string)
        return Self.onlyStanding(names.filter { !Layout.isTemporary($0) && !$0.utf8.elementsEqual(name.utf8) })
    }
}
