extension JSONDocument {
    /// A value copied so that writing it gives the same text as the document's own value.
    ///
    /// A `String` cannot hold a lone surrogate. A string with one is carried as its spelling, as numbers are.
    package func exactCopy(_ value: Value) -> JSON {
        switch kind(value) {
        case .string
        where nodes[value.index].isEscaped && JSONString.hasLoneSurrogate(spelling(value).dropFirst().dropLast()):
            .number(String(decoding: spelling(value), as: UTF8.self))
        case .array: .array(elements(value).map(exactCopy))
        case .object: .object(exactMembers(value))
        default: copy(value)
        }
    }

    /// Whether a key in a value has a lone surrogate: no `String` can hold it, so `exactMembers` gives another one.
    package func hasLoneSurrogateInKey(_ value: Value) -> Bool {
        switch kind(value) {
        case .array: return elements(value).contains(where: hasLoneSurrogateInKey)
        case .object:
            return members(value).contains { key, value in
                let isLone =
                    nodes[key.index].isEscaped
                    && JSONString.hasLoneSurrogate(spelling(key).dropFirst().dropLast())
                return isLone || hasLoneSurrogateInKey(value)
            }
        default: return false
        }
    }

    /// The members of an object, copied as `exactCopy` does.
    package func exactMembers(_ object: Value) -> [JSON.Member] {
        members(object).map { JSON.Member(string($0.key) ?? "", exactCopy($0.value)) }
    }
}
