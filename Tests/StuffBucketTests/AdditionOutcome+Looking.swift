import Items
import StuffBucket

extension AdditionOutcome {
    var addedID: ItemID? { if case .added(let item) = self { item.id } else { nil } }
    var knownID: ItemID? { if case .known(let row, _) = self { row.id } else { nil } }
    var isKnownChanged: Bool? { if case .known(_, let isChanged) = self { isChanged } else { nil } }
    var isTrashed: Bool { if case .trashed = self { true } else { false } }
    var refusal: (name: String, error: any Error)? {
        if case .refused(let name, let error) = self { (name, error) } else { nil }
    }
}
