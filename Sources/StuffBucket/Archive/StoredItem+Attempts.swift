internal import Items
internal import Time
internal import WorkerProtocol

extension StoredItem {
    /// The number of attempts to save the page, as item.json claims; at most a million, so that one more can be counted.
    var archiveAttempts: Int {
        json.member(ItemField.archiveAttempts.key, of: json.root)
            .flatMap { Int(String(decoding: json.spelling($0), as: UTF8.self)) }.map { max(0, min($0, 1_000_000)) } ?? 0
    }

    /// When the last attempt to save the page was made, as item.json claims.
    var archivedAt: Timestamp? {
        json.member(ItemField.archivedAt.key, of: json.root).flatMap { json.string($0) }.flatMap { Timestamp($0) }
    }

    /// Why the page is partial or failed; `nil` if unknown.
    public var captureReason: CaptureReason? { item.archiveReason.flatMap(CaptureReason.init(stored:)) }
}
