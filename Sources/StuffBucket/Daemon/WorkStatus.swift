internal import Items
public import JSONFormat
public import Time

/// What a work of a daemon did last.
public struct WorkStatus: Sendable, Equatable {
    /// `DaemonWork.name`.
    public var name: String
    /// When it last did something; `nil` if it has not.
    public var doneAt: Timestamp?
    /// How much it did then.
    public var count = 0
    /// Why its last run failed; it is tried again. `nil` if it did not.
    public var problem: WatchProblem?

    /// The status of a work that has not run.
    public init(_ name: String) { self.name = name }

    /// All values under their names.
    public var json: JSON {
        .members([
            ("name", .string(name)), ("doneAt", doneAt.map { .string($0.rfc3339) }), ("count", .integer(count)),
            ("problem", problem?.json),
        ])
    }

    init?(_ json: JSONDocument, _ value: JSONDocument.Value) {
        func member(_ key: String) -> JSONDocument.Value? { json.member(key, of: value) }
        guard let name = member("name").flatMap({ json.string($0) }) else { return nil }
        self.name = name
        doneAt = member("doneAt").flatMap { json.string($0) }.flatMap { Timestamp($0) }
        count = member("count").flatMap { json.count($0) } ?? 0
        problem = member("problem").flatMap { WatchProblem(json, $0) }
    }
}
