import StuffBucket

extension WaitingJoin {
    /// What waits, as a list for a person.
    var wording: String {
        var parts: [String] = []
        if versionCount > 0 { parts.append("\(versionCount) versions to join") }
        if incompleteCount > 0 {
            parts.append("\(incompleteCount) version\(incompleteCount == 1 ? "" : "s") not whole yet")
        }
        switch (isChanged, isHeld) {
        case (true, true):
            parts.append(
                "a change that came without its version; it is joined after a day, or when a command changes the item")
        case (false, true):
            parts.append("what came without its version, and was replaced since; it is joined after a day")
        case (true, false): parts.append("a change by another program")
        case (false, false): break
        }
        let joined = copies.filter { !copiesForPerson.contains($0) }
        if !joined.isEmpty { parts.append(Self.list(joined)) }
        if !copiesForPerson.isEmpty {
            parts.append(Self.list(copiesForPerson) + ", which sbfs cannot join: compare, then delete")
        }
        if isPurgedElsewhere {
            parts.append(
                "a purge in another copy, made before the item was in the trash here; \"sbfs merge\" of that copy removes it, as do \"sbfs trash\" and \"sbfs purge\"; any change keeps it"
            )
        }
        return parts.joined(separator: "; ")
    }

    private static func list(_ copies: [String]) -> String {
        let names = copies.prefix(3).map { $0.split(separator: "/").last.map(String.init) ?? $0 }
        let rest = copies.count > 3 ? " and \(copies.count - 3) more" : ""
        return "the conflict cop\(copies.count == 1 ? "y" : "ies") " + names.joined(separator: ", ") + rest
    }

    /// The same for programs.
    var json: JSON {
        .members([
            ("versions", versionCount == 0 ? nil : .integer(versionCount)),
            ("incomplete", incompleteCount == 0 ? nil : .integer(incompleteCount)),
            ("changed", isChanged ? .bool(true) : nil), ("held", isHeld ? .bool(true) : nil),
            ("copies", copies.isEmpty ? nil : .strings(copies)),
            ("copiesForPerson", copiesForPerson.isEmpty ? nil : .strings(copiesForPerson)),
            ("purgedElsewhere", isPurgedElsewhere ? .bool(true) : nil),
        ])
    }
}
