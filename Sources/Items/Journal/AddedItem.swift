internal import JSONFormat

/// A new item as the journal records it. DeviceFiles.md § D6.
public struct AddedItem: Sendable {
    /// The item's id.
    public let id: ItemID
    /// What a person may have changed of it since, as a hash; `nil` in steps of earlier programs.
    let state: String?

    init(_ id: ItemID, state: String?) {
        self.id = id
        self.state = state
    }

    /// - Parameters:
    ///   - json: the item's item.json.
    ///   - text: the bytes of its text.md; `nil` for none.
    init(_ id: ItemID, _ json: JSONDocument, text: [UInt8]?) {
        self.init(id, state: Self.state(json, text: text))
    }

    /// Fields that change without a person: saving the page, checking the link, the trash.
    private static let unattended: Set<[UInt8]> = Set(
        [
            ItemField.linkTitle, .linkAuthor, .linkSite, .linkLanguage, .linkPublishedDate, .linkCanonicalURL, .favicon,
            .archiveStatus, .capturedBy, .archiveReason, .archiveAttempts, .archivedAt, .htmlRelativePath, .linkStatus,
            .linkStatusEvidence, .lastCheckedDate, .documentRelativePath, .documentName, .documentSHA256, .updatedAt,
            .trashedAt,
        ].map { Array($0.key.utf8) })

    /// 16 digits of the SHA-256 of the other members, as one line of JSON with the keys in the order of their bytes,
    /// and the text.
    static func state(_ json: JSONDocument, text: [UInt8]?) -> String {
        let members = json.members(json.root).filter { !unattended.contains(Array(json.keyBytes($0.key))) }
            .map { JSON.Member(json.string($0.key) ?? "", json.copy($0.value)) }
            .sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
        return StagedName.hash(JSON.object(members).oneLine + (text ?? []))
    }

    /// Whether changes of item.json concern such fields alone.
    static func isUnattended(_ change: JSONDocument) -> Bool {
        change.members(change.root).allSatisfy { unattended.contains(Array(change.keyBytes($0.key))) }
    }
}
