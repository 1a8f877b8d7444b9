import StuffBucket

extension Library.Detail {
    /// The note behind a completion: kind and day of an item, or the number of items with a name.
    var wording: String {
        switch self {
        case .items(_, let kind, let day): "\(kind.rawValue), \(day)"
        case .count(let count): "\(count) item\(count == 1 ? "" : "s")"
        }
    }
}
