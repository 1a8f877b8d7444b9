import StuffBucket

/// Shows the conflicts of an item.
enum ConflictPrinter {
    private static let document = "document"

    static func lines(_ all: ItemConflicts, _ style: Style) -> [String] {
        all.conflicts.flatMap { lines($0, style) }
            + all.documents.flatMap { path in
                [style.bold(document)]
                    + (all.standingDocument.map { ["  1  " + Printable.line($0) + style.dim("  (now)")] } ?? [])
                    + [
                        "  2  " + Printable.line(lastName(path)),
                        style.dim("  compare the two, then delete the second"),
                    ]
            }
    }

    static func rows(_ all: ItemConflicts, _ stored: StoredItem) -> [String] {
        all.conflicts.map { row($0, stored) }
            + all.documents.map { path in
                let standing = all.standingDocument
                return [
                    stored.id.description, document, lastName(path), standing ?? "", lastName(path), "",
                    standing == nil ? "" : "1",
                ].map(Printable.field).joined(separator: "\t")
            }
    }

    static func json(_ all: ItemConflicts, _ stored: StoredItem) -> [JSON] {
        all.conflicts.map { json($0, stored) }
            + all.documents.map { path in
                let standing = all.standingDocument
                return .members([
                    ("id", .string(stored.id.description)), ("field", .string(document)), ("path", .string(path)),
                    ("base", .null), ("values", .array([standing.map(JSON.string) ?? .null, .string(lastName(path))])),
                    ("standing", standing == nil ? .null : .integer(1)),
                ])
            }
    }

    private static func lastName(_ path: String) -> String { path.split(separator: "/").last.map(String.init) ?? path }

    private static func lines(_ conflict: ItemConflict, _ style: Style) -> [String] {
        let values = conflict.values.enumerated().map { place, value in
            "  \(place + 1)  " + shown(value) + (conflict.standing == place ? style.dim("  (now)") : "")
        }
        return [style.bold(Printable.line(conflict.field)) + style.dim("  \(conflict.name.prefix(8))")] + values
            + [style.dim("  was  " + shown(conflict.base))]
    }

    private static func row(_ conflict: ItemConflict, _ stored: StoredItem) -> String {
        ([stored.id.description, conflict.field, conflict.name] + conflict.values.map(text)
            + [text(conflict.base), conflict.standing.map { "\($0 + 1)" } ?? ""])
            .map(Printable.field).joined(separator: "\t")
    }

    private static func json(_ conflict: ItemConflict, _ stored: StoredItem) -> JSON {
        .members([
            ("id", .string(stored.id.description)), ("field", .string(conflict.field)),
            ("path", .string(stored.folder + "/" + conflict.path)), ("base", conflict.base),
            ("values", .array(conflict.values)),
            ("standing", conflict.standing.map { .integer($0 + 1) } ?? .null),
        ])
    }

    /// A string as it is, other values as JSON.
    static func text(_ value: JSON) -> String {
        switch value {
        case .string(let text): text
        case .null: ""
        default: String(decoding: value.oneLine, as: UTF8.self)
        }
    }

    private static func shown(_ value: JSON) -> String {
        let line = Printable.line(text(value))
        if value == .null { return "(none)" }
        return line.unicodeScalars.count > 200 ? String(line.prefix(199)) + "…" : line
    }
}
