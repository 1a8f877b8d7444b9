internal import Items
public import JSONFormat

extension LibraryChange {
    /// The change as an object: `change` is its kind; `id`, `fields`, `files`, `folder` and `name` where there are any. No title, URL or
    /// text is in it.
    public var json: JSON {
        let (kind, more): (String, [(String, JSON?)]) =
            switch self {
            case .added: ("added", [])
            case .changed(_, let details): ("changed", Self.members(details))
            case .trashed: ("trashed", [])
            case .restored: ("restored", [])
            case .removed: ("removed", [])
            case .fault(let fault): ("fault", [("folder", .string(fault.folder))])
            case .faultGone: ("faultGone", [])
            case .names(let folder): ("names", [("name", .string(folder.rawValue))])
            case .settings: ("settings", [])
            case .inbox: ("inbox", [])
            case .everything: ("everything", [])
            }
        return .members(
            [("change", .string(kind)), ("id", item.map { .string($0.description) })] + more)
    }

    private static func members(_ details: Details) -> [(String, JSON?)] {
        let fields = ItemField.allCases.filter(details.fields.contains).map(\.key)
        let files = File.allCases.filter(details.files.contains).map(\.rawValue)
        return [
            ("fields", .strings(fields)), ("files", .strings(files)),
            ("otherKeys", details.hasOtherKeys ? .bool(true) : nil),
        ]
    }
}
