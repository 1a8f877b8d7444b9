public import Items
internal import Time

/// The summary that an item has, and who made it.
public struct StoredSummary: Sendable {
    /// Some sentences; `nil` if there are key points or names alone.
    public let summary: String?
    /// The main statements.
    public let keyPoints: [String]
    /// Names of people, places, organisations and works.
    public let entities: [String]
    /// The model's id; `nil` if unknown.
    public let model: String?
    /// The day on which it was made, here; `nil` if unknown.
    public let day: String?

    /// - Returns: `nil` if the item has none.
    public init?(_ stored: StoredItem) {
        let json = stored.json
        func text(_ field: ItemField) -> String? { json.member(field.key, of: json.root).flatMap { json.string($0) } }
        let artifacts = json.member(ItemField.aiArtifacts.key, of: json.root)
        func texts(_ key: String) -> [String] {
            artifacts.flatMap { json.member(key, of: $0) }.map { json.elements($0).compactMap { json.string($0) } }
                ?? []
        }
        summary = stored.item.aiSummary
        keyPoints = texts("keyPoints")
        entities = texts("entities")
        if summary == nil, keyPoints.isEmpty, entities.isEmpty { return nil }
        model = text(.aiModelID)
        day = text(.aiUpdatedAt).flatMap { Timestamp($0) }.map { "\($0.localDate)" }
    }
}

extension StoredSummary {
    /// `made by MODEL on DAY`, as far as it is known; `nil` if the item does not say that a model made it.
    public var origin: String? {
        model.map { "made by \($0)" + (day.map { " on \($0)" } ?? "") }
    }
}
