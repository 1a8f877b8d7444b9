internal import Files
internal import Items

/// Files of history/ whose bytes do not have the hash of their name: Documentation/Merge.md § 2.
extension VersionSweep {
    /// Writes damaged versions again from their second names or from what is live, or sets them aside: then a copying program brings
    /// them again from another device, and until then they are not here.
    mutating func mend(_ strangers: [VersionFolder.Stranger]) throws(ItemError) {
        for stranger in strangers {
            guard case .otherHash = stranger.fault, drafts == nil else { continue }
            if let version = states.keptVersion(stranger.name, of: id) {
                try write(version, text: nil)
                outlines.append(VersionOutline(version))
            } else if let version = liveVersion(stranger.name) {
                try write(version, text: nil)
                states.forgetHistory(stranger.name.hex + ".json", of: id)
                outlines.append(VersionOutline(version))
            } else {
                try setAside(stranger.name.hex + ".json")
            }
        }
    }

    /// The version with a name, if it is of the live state and comes from one other version or none: its name then says so.
    private func liveVersion(_ name: Items.ContentHash) -> Version? {
        for parents in [[]] + outlines.map({ [$0.name] }) {
            let version = live.version(parents)
            if version.name == name { return version }
        }
        return nil
    }

    /// Takes the texts that a join wanted, and that are damaged, for missing ones.
    ///
    /// - Returns: whether there are any.
    mutating func setAsideUnreadTexts() throws(ItemError) -> Bool {
        let damaged = unread.hashes.intersection(texts)
        unread.hashes = []
        if damaged.isEmpty { return false }
        texts.subtract(damaged)
        if drafts == nil { for hash in damaged.sorted() { try setAside(hash.hex + ".md") } }
        try completeText(of: live)
        if let other { try completeText(of: other.live) }
        updateGraph()
        return true
    }

    private func setAside(_ name: String) throws(ItemError) {
        guard let path = try session.setAside(name, of: id, in: folder) else { return }
        // It is one file with the damaged one, mostly.
        states.forgetHistory(name, of: id)
        store.tell(.damagedHistory(id, kept: path))
    }
}

/// The texts that somebody asked for and that could not be read.
final class UnreadTexts {
    var hashes: Set<Items.ContentHash> = []
}
