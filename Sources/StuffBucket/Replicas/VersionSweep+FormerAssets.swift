internal import Files
internal import Items
internal import Merge

/// Files of assets/ that belong to an earlier page: a copying program leaves what another copy removed, or brings it back. Documentation/Merge.md
/// § 3.
extension VersionSweep {
    /// Removes them, if the rest is the page of a version, and a snapshot has each of them.
    mutating func removeFormerAssets() throws(ItemError) {
        guard !isWorkTree, other == nil, drafts == nil, live.away.isEmpty, live.damaged.isEmpty,
            let value = live.hashes.page, graph.versions(with: .page, value).isEmpty
        else { return }
        let page = Set(live.files.filter { Component(of: $0) == .page })
        let documents = page.filter { !Self.isAsset($0) }
        var earlier: Set<Version.File> = [], own: Set<Version.File> = []
        for outline in outlines where outline.content.page != nil {
            let files = Set(try existing(outline.name).files.filter { Component(of: $0) == .page })
            earlier.formUnion(files.filter(Self.isAsset))
            if files.isSuperset(of: documents), files.isSubset(of: page), files.count > own.count { own = files }
        }
        let former = page.subtracting(own)
        if own.isEmpty || former.isEmpty || !former.isSubset(of: earlier) { return }
        let kept = try assetsOfSnapshots()
        if !former.allSatisfy({ kept.contains($0.path) }) { return }
        for file in former { try session.removeNeedless(file.path, of: id, in: folder) }
        try lookAgain()
    }

    private static func isAsset(_ file: Version.File) -> Bool { file.path.hasPrefix(Layout.assets + "/") }

    /// The files in the assets/ of the item's snapshots whose names tell their bytes, as paths of the item's own.
    private func assetsOfSnapshots() throws(ItemError) -> Set<String> {
        let snapshots = folder + "/" + Layout.snapshots
        var found: Set<String> = []
        do throws(FileError) {
            guard try store.root.statusIfPresent(of: snapshots)?.kind == .directory else { return [] }
            for entry in try store.root.directory(snapshots).entries() where entry.kind == .directory {
                guard let name = entry.name.string else { continue }
                let assets = snapshots + "/" + name + "/" + Layout.assets
                guard try store.root.statusIfPresent(of: assets)?.kind == .directory else { continue }
                for file in try store.root.directory(assets).entries() where file.kind == .regular {
                    if let name = file.name.string, Layout.isAssetName(name) {
                        found.insert(Layout.assets + "/" + name)
                    }
                }
            }
        } catch {
            throw .file(error)
        }
        return found
    }
}
