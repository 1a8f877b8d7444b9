internal import JSONFormat

/// A highlight with its note, or a note on the whole item (FORMAT.md § 5.4).
public struct Annotation: Sendable, Equatable {
    /// The highlighted words; `nil` for a note on the whole item.
    public let quote: String?
    /// The note; `nil` if there is none.
    public let note: String?
}

extension StoredItem {
    /// The annotations in their order. A string is a note; elements with neither a quote nor a note are left out.
    public var annotations: [Annotation] {
        guard let list = json.member(ItemField.annotations.key, of: json.root), json.kind(list) == .array else {
            return []
        }
        return json.elements(list).compactMap { element in
            if let note = json.string(element) { return note.isEmpty ? nil : Annotation(quote: nil, note: note) }
            guard json.kind(element) == .object else { return nil }
            func text(_ key: String) -> String? {
                json.member(key, of: element).flatMap { json.string($0) }.flatMap { $0.isEmpty ? nil : $0 }
            }
            let (quote, note) = (text("quote"), text("note"))
            return quote == nil && note == nil ? nil : Annotation(quote: quote, note: note)
        }
    }
}
