/// The decisions about the attributes of one start tag.
struct TagDraft {
    enum Fate {
        case keep
        case drop
        case value([UInt8])
        /// Another name, and a value.
        case renamed([UInt8], [UInt8])
    }

    /// For each attribute of the tag in order.
    private(set) var names: [AttributeName] = []
    private(set) var fates: [Fate] = []
    private(set) var added: [(name: StaticString, value: [UInt8])] = []
    private(set) var isChanged = false

    mutating func begin() {
        names.removeAll(keepingCapacity: true)
        fates.removeAll(keepingCapacity: true)
        added.removeAll(keepingCapacity: true)
        isChanged = false
    }

    mutating func append(_ name: AttributeName) {
        names.append(name)
        fates.append(.keep)
    }

    mutating func set(_ index: Int, _ fate: Fate) {
        fates[index] = fate
        isChanged = true
    }

    mutating func add(_ name: StaticString, _ value: [UInt8]) {
        added.append((name, value))
        isChanged = true
    }

    mutating func touch() { isChanged = true }

    /// The first attribute with that name, which is the one that counts.
    func index(of name: AttributeName) -> Int? { names.firstIndex(of: name) }
}
