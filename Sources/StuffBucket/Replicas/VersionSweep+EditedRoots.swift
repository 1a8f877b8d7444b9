internal import Items
internal import Merge

/// First versions that copies noted without each other: Documentation/Merge.md § 2, rule 2.
extension VersionSweep {
    /// Two first versions that differ in the text alone and have one `updatedAt`: sbfs wrote one of them, and an editor made the other before
    /// that copy noted a version. Notes the edit once more, as a version that comes from what sbfs wrote.
    ///
    /// The file of a first version's text has the time at which that was saved. The one within two seconds of `updatedAt` is what sbfs
    /// wrote; the earlier one if both are. Of more than two such versions, nothing is noted.
    mutating func noteEditedRoots() throws(ItemError) {
        if isWorkTree { return }
        let roots = outlines.filter { outline in
            outline.parents.isEmpty && outline.text != nil && outline.updatedAt != nil
                && graph.node(of: outline.name).map { graph.origins(of: $0).isEmpty } ?? false
        }
        guard roots.count == 2, roots[0].updatedAt == roots[1].updatedAt, roots[0].text != roots[1].text,
            roots[0].content.item == roots[1].content.item, roots[0].content.page == roots[1].content.page,
            roots[0].content.document == roots[1].content.document, let updated = roots[0].updatedAt?.milliseconds
        else { return }
        guard let one = roots[0].text.flatMap(saved), let two = roots[1].text.flatMap(saved), one != two else { return }
        let base = one < two ? roots[0] : roots[1], edit = one < two ? roots[1] : roots[0]
        let made = try LiveState.time(.createdAt, in: existing(base.name).item) ?? .min
        let time = min(one, two) / 1_000_000
        guard time <= updated + 2000, made == .min || time >= min(made, updated) - 500 else { return }
        let version = try existing(edit.name)
        guard let bytes = edit.text.flatMap(text) else { return }
        try note(
            Version(parents: [base.name], item: version.item, text: version.text, files: version.files), text: bytes)
    }

    /// When a text of a first version was saved, in nanoseconds since 1970. In a dry run it may be in the other copy alone.
    private func saved(_ text: Items.ContentHash) -> Int64? {
        if let saved = versionFolder.modified(ofText: text) { return saved }
        guard let other, !other.isFromExchange else { return nil }
        return VersionFolder(of: other.copy.folder, in: other.copy.store).modified(ofText: text)
    }
}
