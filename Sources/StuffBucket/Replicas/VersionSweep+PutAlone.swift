internal import Files
internal import Items
internal import Merge

/// A document that a program which copies single files put in the place of another one: Documentation/Merge.md § 2, rule 4.
extension VersionSweep {
    /// The document, if it came without its folder, no version has it, and the item.json of the last state known lies beside it.
    ///
    /// A tool that carries the library from elsewhere gives folders their times, too, and then the folder's status changed after the time that
    /// it tells. What puts one file there (`cp -p`, `rsync` of a file) leaves the folder with one moment for both.
    ///
    /// - Parameter known: the last state known here.
    func documentPutAlone(since known: StateHashes) throws(ItemError) -> FileStatus? {
        guard other == nil, known.document != nil, live.hashes.item == known.item,
            graph.versions(with: .document, live.hashes.document).isEmpty,
            let path = live.documentPath, live.paths(of: .document) == [path], !live.away.contains(path),
            let document = live.statuses[path], try !hasUnrecordedDocument()
        else { return nil }
        return try isDocumentFolderCarried() ? nil : document
    }

    /// Whether document/ has a time that a tool gave it, or is not there.
    func isDocumentFolderCarried() throws(ItemError) -> Bool {
        do throws(FileError) {
            let around = try store.root.statusIfPresent(of: folder + "/" + Layout.document)
            return around?.kind != .directory || around?.changed != around?.modified
        } catch {
            throw .file(error)
        }
    }
}
