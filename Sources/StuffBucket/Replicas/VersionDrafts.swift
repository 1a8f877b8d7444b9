internal import Items

/// Versions and texts that a dry run would write into history/, in memory.
struct VersionDrafts: Sendable {
    private(set) var versions: [Items.ContentHash: Version] = [:]
    private(set) var texts: [Items.ContentHash: [UInt8]] = [:]

    mutating func add(_ version: Version, text: [UInt8]?) {
        versions[version.name] = version
        if let text, let hash = version.text { texts[hash] = text }
    }
}

extension VersionSweep {
    /// Writes a version and its text into history/, durably; in a dry run into memory.
    mutating func write(_ version: Version, text: [UInt8]?) throws(ItemError) {
        if drafts == nil {
            try session.note(version, text: text, of: id, in: folder, isSynced: true)
        } else {
            drafts?.add(version, text: text)
        }
    }

    /// A version that is known to be there.
    func existing(_ name: Items.ContentHash) throws(ItemError) -> Version {
        if let draft = drafts?.versions[name] { return draft }
        return try versionFolder.existing(name)
    }
}
