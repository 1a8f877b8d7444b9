internal import JSONFormat

/// The JSON Schema (draft-07, which every common editor knows) for item.json, built from the field table.
package enum ItemSchema {
    /// The whole schema file, as canonical JSON in UTF-8.
    package static let bytes = JSONWriter.file(schema)

    private static var schema: JSON {
        .members([
            ("$schema", .string("http://json-schema.org/draft-07/schema#")),
            ("$id", .string("item-1.json")),
            ("title", .string("StuffBucket item")),
            ("description", .string("One item of a StuffBucket library, format 1. Unknown keys are kept.")),
            ("type", .string("object")),
            (
                "properties",
                .object(ItemField.allCases.map { JSON.Member($0.key, property($0)) })
            ),
            ("additionalProperties", .bool(true)),
        ])
    }

    private static func property(_ field: ItemField) -> JSON {
        guard case .object(let constraints) = constraints(field.kind) else { return .null }
        return .object([JSON.Member("description", .string(field.summary))] + constraints)
    }

    private static func constraints(_ kind: ItemField.Kind) -> JSON {
        switch kind {
        case .uuid:
            .members([
                ("type", .string("string")),
                ("pattern", .string("^[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}$")),
            ])
        case .string: .members([("type", nullable("string"))])
        case .word(let words):
            .members([
                ("type", nullable("string")),
                ("anyOf", .array([.members([("enum", .strings(words))]), .members([("type", nullable("string"))])])),
            ])
        case .strings:
            .members([
                ("type", nullable("array")), ("items", .members([("type", .string("string"))])),
            ])
        case .bool: .members([("type", nullable("boolean"))])
        case .number: .members([("type", nullable("number"))])
        case .count: .members([("type", nullable("integer")), ("minimum", .integer(0))])
        case .time:
            .members([
                ("type", nullable("string")),
                (
                    "pattern",
                    .string(
                        "^[0-9]{4}-[0-9]{2}-[0-9]{2}([Tt ][0-9]{2}:[0-9]{2}:[0-9]{2}(\\.[0-9]+)?"
                            + "([Zz]|[+-][0-9]{2}:[0-9]{2}))?$")
                ),
            ])
        case .url:
            .members([("type", nullable("string")), ("pattern", .string("^[Hh][Tt][Tt][Pp][Ss]?://[^\\s]+$"))])
        case .path:
            .members([
                ("type", nullable("string")), ("pattern", .string("^(?!/)(?!.*(^|/)\\.{1,2}(/|$))[^/].*$")),
            ])
        case .sha256: .members([("type", nullable("string")), ("pattern", .string("^[0-9A-Fa-f]{64}$"))])
        case .object: .members([("type", nullable("object"))])
        case .annotations:
            .members([
                ("type", nullable("array")),
                ("items", .members([("type", .strings(["string", "object"]))])),
            ])
        case .any: .members([])
        }
    }

    /// A null is the same as an absent key.
    private static func nullable(_ type: String) -> JSON { .strings([type, "null"]) }
}
