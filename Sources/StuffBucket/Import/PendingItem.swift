internal import Exchange
internal import Items
internal import JSONFormat

/// An item that an import is going to write.
struct PendingItem {
    var item: NewItem
    let slot: Int32
    var externalIDs: [String]
    var values: SourceValues
    let source: ImportReportLine

    /// The approximate number of bytes that it uses in memory.
    var byteCount: Int { 600 + (item.text?.count ?? 0) + (item.title?.utf8.count ?? 0) + memberByteCount }
    private let memberByteCount: Int

    init(
        _ item: NewItem, slot: Int32, externalID: String?, values: SourceValues, memberByteCount: Int,
        source: ImportReportLine
    ) {
        self.item = item
        self.slot = slot
        externalIDs = externalID.map { [$0] } ?? []
        self.values = values
        self.memberByteCount = memberByteCount
        self.source = source
    }

    /// The new item with the ids of its other sources and their values.
    var newItem: NewItem {
        var item = item
        if externalIDs.count > 1 {
            item.members.append(JSON.Member(ItemField.sourceExternalIDs.key, .strings(Array(externalIDs.dropFirst()))))
        }
        if let values = values.json { item.members.append(JSON.Member(ItemField.sourceValues.key, values)) }
        return item
    }
}
