import JSONFormat

/// The members of an object, found by the bytes of their keys.
struct Members: Sendable {
    let list: [JSON.Member]
    private let places: [[UInt8]: Int]

    init(_ list: [JSON.Member]) {
        self.list = list
        places = Dictionary(list.enumerated().map { (Array($1.key.utf8), $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// The members of an object; none of any other value.
    init(_ value: JSON?) {
        if case .object(let members) = value { self.init(members) } else { self.init([]) }
    }

    subscript(key: String) -> JSON? { self[Array(key.utf8)] }
    subscript(key: [UInt8]) -> JSON? { places[key].map { list[$0].value } }

    /// A value that is not null. Null and an absent key mean the same for every key of the format.
    func given(_ key: String) -> JSON? {
        if let value = self[key], value != .null { value } else { nil }
    }

    /// The keys of all objects, each once, in their order.
    static func keys(_ objects: Members...) -> [[UInt8]] {
        var seen: Set<[UInt8]> = []
        return objects.flatMap(\.list).map { Array($0.key.utf8) }.filter { seen.insert($0).inserted }
    }
}

extension JSON {
    /// Whether two values are equal. The order of an object's members does not matter here; the spelling of numbers does.
    static func areSame(_ a: JSON?, _ b: JSON?) -> Bool {
        switch (a, b) {
        case (.object(let a), .object(let b)):
            if a == b { return true }
            if a.count != b.count { return false }
            let others = Members(b)
            return a.allSatisfy { member in others[member.key].map { areSame(member.value, $0) } ?? false }
        case (.array(let a), .array(let b)): return a.count == b.count && zip(a, b).allSatisfy { areSame($0, $1) }
        default: return a == b
        }
    }
}
