package import Items
internal import JSONFormat
package import Time
package import Work

/// What a check found of one link.
package struct LinkFinding: Sendable {
    package let status: Item.LinkStatus
    /// HTTP status of the last answer.
    package let httpStatus: Int?
    /// Where permanent redirects lead.
    package let movedTo: String?
    /// Whether the server turned the check away, so that nothing is known.
    package let isBlocked: Bool
    /// Why there was no answer, as the item keeps it.
    package let kind: CaptureReason?
    /// The same for a person who looks on now; never stored.
    package let error: String?

    /// - Returns: `nil` if the message is no finding.
    package init?(_ message: Message) {
        guard let status = message.string("status").flatMap(Item.LinkStatus.init) else { return nil }
        self.status = status
        httpStatus = message.integer("http")
        movedTo = message.string("movedTo")
        isBlocked = message.bool("blocked")
        kind = message.string("kind").flatMap(CaptureReason.init(rawValue:))
        error = message.string("error")
    }

    var evidence: JSON {
        .members([
            ("status", httpStatus.map(JSON.integer)), ("movedTo", movedTo.map(JSON.string)),
            ("blocked", isBlocked ? .bool(true) : nil), ("error", kind.map { .string($0.rawValue) }),
        ])
    }
}

extension Library {
    /// Writes what a check found into the item.
    ///
    /// A link that is as it was at its last check, less than 30 days ago, is left alone: a check of all links must not
    /// make all items look changed.
    ///
    /// - Returns: whether anything was written.
    @discardableResult
    package func record(_ finding: LinkFinding, of row: Row, at time: Timestamp = .now) throws -> Bool {
        // What was not asked, or could not be, says nothing of the link.
        if let kind = finding.kind, !kind.isStored { return false }
        let stored = try item(row)
        let json = stored.json
        func there(_ field: ItemField) -> JSON? { json.member(field.key, of: json.root).map { json.copy($0) } }
        let checkedAt = there(.lastCheckedDate).flatMap { value -> Timestamp? in
            if case .string(let text) = value { Timestamp(text) } else { nil }
        }
        let isSame = stored.item.linkStatus == finding.status && there(.linkStatusEvidence) == finding.evidence
        if isSame, let checkedAt, time < checkedAt.adding(seconds: 30 * 86_400) { return false }
        var edit = ItemEdit(base: json)
        edit.set(.linkStatus, .string(finding.status.rawValue))
        edit.set(.linkStatusEvidence, finding.evidence)
        edit.set(.lastCheckedDate, .string(time.rfc3339))
        return try store.update(stored, edit, at: time)
    }

    /// Puts a site's icon into the item's assets.
    ///
    /// - Parameter path: of the icon in the staged archive.
    package func takeFavicon(_ path: String, from staged: StagedArchive, into row: Row) throws {
        let stored = try item(row)
        try store.addAsset(path, from: staged, to: stored)
        var edit = ItemEdit(base: stored.json)
        edit.set(.favicon, .string(path))
        try store.update(stored, edit)
    }

    /// Bytes that can still be written to the library's file system; the largest number where that is not told.
    package var freeByteCount: Int { (try? store.root.freeByteCount()) ?? .max }
}
