import StuffBucket

/// Shows the conflicts of an item.
enum ConflictPrinter {
    private static let document = "document"
    /// One of the person's own files.
    static let ownFile = "file"

    static func lines(_ all: ItemConflicts, _ style: Style) -> [String] {
        var result = all.conflicts.flatMap { lines($0, style) }
        for path in all.documents {
            result.append(style.bold(document))
            if let standing = all.standingDocument { result.append(first(standing, style)) }
            result.append("  2  " + Printable.line(lastName(path)))
            result.append(style.dim("  compare the two, then delete the second"))
        }
        for file in all.ownFiles {
            result.append(style.bold(ownFile))
            result.append(first(file.standing, style))
            result.append("  2  " + Printable.line(file.path))
            result.append(
                style.dim("  two devices changed this file of yours: compare the two, then delete the second"))
        }
        return result
    }

    private static func first(_ value: String, _ style: Style) -> String {
        "  1  " + Printable.line(value) + style.dim("  (now)")
    }

    /// The number of conflicts, and of the items that have them.
    static func counts(_ conflicts: Int, _ items: Int) -> String {
        "\(conflicts) in \(items) item\(items == 1 ? "" : "s")"
    }

    static func rows(_ all: ItemConflicts, _ stored: StoredItem) -> [String] {
        var rows = all.conflicts.map { row($0, stored) }
        for path in all.documents {
            rows.append(row(document, lastName(path), all.standingDocument, stored))
        }
        for file in all.ownFiles { rows.append(row(ownFile, file.path, file.standing, stored)) }
        return rows
    }

    private static func row(_ field: String, _ lost: String, _ standing: String?, _ stored: StoredItem) -> String {
        let fields = [stored.id.description, field, lost, standing ?? "", lost, "", standing == nil ? "" : "1"]
        return fields.map(Printable.field).joined(separator: "\t")
    }

    static func json(_ all: ItemConflicts, _ stored: StoredItem) -> [JSON] {
        var objects = all.conflicts.map { json($0, stored) }
        for path in all.documents {
            objects.append(json(document, path, lastName(path), all.standingDocument, stored))
        }
        for file in all.ownFiles {
            objects.append(json(ownFile, stored.folder + "/" + file.path, file.path, file.standing, stored))
        }
        return objects
    }

    private static func json(
        _ field: String, _ path: String, _ lost: String, _ standing: String?, _ stored: StoredItem
    ) -> JSON {
        .members([
            ("id", .string(stored.id.description)), ("field", .string(field)), ("path", .string(path)),
            ("base", .null), ("values", .array([standing.map(JSON.string) ?? .null, .string(lost)])),
            ("standing", standing == nil ? .null : .integer(1)),
        ])
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
