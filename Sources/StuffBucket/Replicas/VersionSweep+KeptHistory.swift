internal import Items

/// What somebody deleted in history/: Documentation/Merge.md § 2.
extension VersionSweep {
    /// Writes versions and texts again that history/ lacks and that the last state known, or another version, comes from.
    ///
    /// Not in a git work tree: there, files of history/ go with a checkout of an earlier state.
    mutating func bringBackHistory() throws(ItemError) {
        var looked = Set(outlines.map(\.name))
        var wanted = outlines.flatMap(\.parents)
        if let at = memory.at { wanted.append(at) }
        while let name = wanted.popLast() {
            guard looked.insert(name).inserted,
                let version = states.keptVersion(name, of: id) ?? versionFolder.setAside(name)
            else { continue }
            try write(version, text: nil)
            outlines.append(VersionOutline(version))
            hasBroughtBackHistory = true
            wanted += version.parents
        }
        for outline in outlines {
            guard let hash = outline.text, !texts.contains(hash), let text = states.keptText(hash, of: id) else {
                continue
            }
            try write(existing(outline.name), text: text)
            texts.insert(hash)
        }
    }

    /// Gives all that is in history/ now second names.
    func keepHistory() { states.keepHistory(outlines.map(\.name), texts, of: id, in: folder, store) }
}
