internal import Characters

/// The keys of one object, found by their bytes.
///
/// A key is a node of the document and is not copied. Hashes use the seed of the process, so no file can be made
/// whose keys collide. `bytes` and `nodes` must be those of the document in every call.
struct KeyTable: Sendable {
    private struct Slot {
        var hash: UInt32 = 0
        /// Index of a key's node; 0, the root, for a free slot.
        var node: UInt32 = 0
    }

    /// A power of two of slots; at most three quarters are used.
    private var slots = [Slot](repeating: Slot(), count: 64)
    private var count = 0

    init() {}

    /// - Returns: false if the object already has an equal key.
    mutating func insert(_ node: Int, _ bytes: [UInt8], _ nodes: [JSONDocument.Node]) -> Bool {
        let key = Self.text(node, bytes, nodes)
        let hash = Self.hash(key)
        let slot = self.slot(of: key, hash, bytes, nodes)
        if slots[slot].node != 0 { return false }
        slots[slot] = Slot(hash: hash, node: UInt32(node))
        count += 1
        if count * 4 > slots.count * 3 { grow() }
        return true
    }

    /// The node of the key with these bytes.
    func node(_ key: ArraySlice<UInt8>, _ bytes: [UInt8], _ nodes: [JSONDocument.Node]) -> Int? {
        let node = slots[slot(of: key, Self.hash(key), bytes, nodes)].node
        return node == 0 ? nil : Int(node)
    }

    /// The slot of the key, or the free slot for it.
    private func slot(
        of key: ArraySlice<UInt8>, _ hash: UInt32, _ bytes: [UInt8], _ nodes: [JSONDocument.Node]
    ) -> Int {
        let mask = slots.count - 1
        var place = Int(hash) & mask
        while slots[place].node != 0 {
            if slots[place].hash == hash, Self.text(Int(slots[place].node), bytes, nodes) == key { return place }
            place = (place + 1) & mask
        }
        return place
    }

    private mutating func grow() {
        let old = slots
        slots = [Slot](repeating: Slot(), count: old.count * 2)
        let mask = slots.count - 1
        for slot in old where slot.node != 0 {
            var place = Int(slot.hash) & mask
            while slots[place].node != 0 { place = (place + 1) & mask }
            slots[place] = slot
        }
    }

    private static func hash(_ key: ArraySlice<UInt8>) -> UInt32 {
        var hasher = Hasher()
        key.withUnsafeBytes { hasher.combine(bytes: $0) }
        return UInt32(truncatingIfNeeded: hasher.finalize())
    }

    /// The bytes of a key with its escapes decoded.
    static func text(_ node: Int, _ bytes: [UInt8], _ nodes: [JSONDocument.Node]) -> ArraySlice<UInt8> {
        let inner = bytes[Int(nodes[node].start) + 1..<Int(nodes[node].end) - 1]
        return nodes[node].isEscaped ? Array(JSONString.decode(inner).utf8)[...] : inner
    }
}

/// The keys of an object during parsing: a few are compared one by one, many are hashed.
struct UniqueKeys {
    private var count = 0
    private var table: KeyTable?

    /// Up to this number of keys, comparing is cheaper than hashing.
    private static let fewCount = 24

    init() {}

    /// Adds the next key of an object.
    ///
    /// - Parameters:
    ///   - key: the last node so far.
    ///   - object: the node of the object; all its members before the key are complete.
    /// - Returns: false if the object already has the key.
    mutating func insert(_ key: Int, of object: Int, _ bytes: [UInt8], _ nodes: [JSONDocument.Node]) -> Bool {
        if table == nil {
            // An escaped key would be decoded for each comparison.
            if count < Self.fewCount, !nodes[key].isEscaped {
                count += 1
                return isNew(key, of: object, bytes, nodes)
            }
            var table = KeyTable()
            forEachKey(before: key, of: object, nodes) { _ = table.insert($0, bytes, nodes) }
            self.table = table
        }
        return table?.insert(key, bytes, nodes) ?? true
    }

    private func isNew(_ key: Int, of object: Int, _ bytes: [UInt8], _ nodes: [JSONDocument.Node]) -> Bool {
        let text = KeyTable.text(key, bytes, nodes)
        var isNew = true
        forEachKey(before: key, of: object, nodes) { other in
            let length = nodes[other].end - nodes[other].start
            if length == nodes[key].end - nodes[key].start, KeyTable.text(other, bytes, nodes) == text { isNew = false }
        }
        return isNew
    }

    private func forEachKey(before key: Int, of object: Int, _ nodes: [JSONDocument.Node], _ body: (Int) -> Void) {
        var index = object + 1
        while index < key {
            body(index)
            index = Int(nodes[index + 1].next)
        }
    }
}
