internal import Files
internal import Items

/// Files that are away, that the exchange does not hold any more, and that nothing needs: Documentation/Exchange.md § 9.
extension SyncRun {
    /// Whether a state follows from the item here, so that no page and no document here loses against it.
    ///
    /// The other device has all versions that are here, one version there follows all others and has the page and the document of the
    /// state, and an earlier one is what is here.
    func isSucceeded(_ live: LiveState, in folder: String, by state: PackedState) throws -> Bool {
        let here = try VersionFolder(of: folder, in: store).list().outlines
        if !Set(here.map { $0.name.hex + ".json" }).isSubset(of: state.history) { return false }
        let there = try VersionFolder(of: Layout.itemFolder(state.id), in: ItemStore(reading: place.incomingPath))
            .list()
        let versions = here + there.outlines
        let followed = Set(versions.flatMap(\.parents))
        let heads = Dictionary(versions.map { ($0.name, $0) }) { first, _ in first }.filter {
            !followed.contains($0.key)
        }
        guard heads.count == 1, let head = heads.first?.value else { return false }
        return head.content.page == StateHashes.hash(state.pageFiles)
            && head.content.document == StateHashes.hash(state.documentFiles)
            && versions.contains { $0.name != head.name && Self.isState($0, live) }
    }

    /// Whether a version is the item here. Where a program changed the document before the first version, that version has none, and
    /// only its item.json tells the hash.
    private static func isState(_ version: VersionOutline, _ live: LiveState) -> Bool {
        let (then, now) = (version.content, live.hashes)
        if then == now { return true }
        return then.document == nil && version.parents.isEmpty && then.item == now.item && then.text == now.text
            && then.page == now.page && live.documentHash != nil && !live.hasEditedDocument
    }
}

extension PackedState {
    /// The files of the saved page.
    fileprivate var pageFiles: [Version.File] { files(ofBundle: "").map(\.version) }

    /// The document, as a list for `StateHashes`.
    fileprivate var documentFiles: [Version.File] {
        let extras = Set(extras)
        return files.map(\.version).filter {
            Self.isDocument($0.path) && !extras.contains($0.path) && !Self.isLostDocument($0.path)
        }
    }
}
