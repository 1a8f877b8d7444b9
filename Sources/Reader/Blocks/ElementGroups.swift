import Characters
internal import HTML

/// The elements of a page in groups: an element and its ancestors that hold the same blocks are one group.
///
/// All figures are passed on from parents to children, so time is linear however deep the elements nest.
struct ElementGroups {
    /// The innermost element of the next larger group, or -1.
    private(set) var outer: [Int32]
    /// The number of siblings with the same tag and class, the most in the group.
    private(set) var repetition: [Int32]
    /// A hash of the tags and classes on the path from the root.
    private(set) var path: [UInt64]
    /// A hash of the tags alone.
    private(set) var tagPath: [UInt64]
    private(set) var depth: [UInt16]

    init(_ tree: borrowing PageTree, _ sums: borrowing BlockSums) {
        let count = tree.nodes.count
        outer = Array(repeating: -1, count: count)
        repetition = Array(repeating: 0, count: count)
        path = Array(repeating: 0, count: count)
        tagPath = Array(repeating: 0, count: count)
        depth = Array(repeating: 0, count: count)
        /// The siblings of a kind, by parent and signature.
        var siblings: [UInt64: Int32] = [:]
        siblings.reserveCapacity(count / 8)
        var keys = [UInt64](repeating: 0, count: count)
        let traits = Tag.traits
        for index in 1..<max(1, count) {
            let node = tree.nodes[index]
            if node.tag == .text { continue }
            let parent = Int(node.parent)
            depth[index] = depth[parent] + 1
            let signature = Self.signature(tree, index)
            path[index] = (path[parent] ^ signature) &* 0x9E37_79B9_7F4A_7C15
            tagPath[index] = (tagPath[parent] ^ UInt64(node.tag.rawValue + 1)) &* 0xBF58_476D_1CE4_E5B9
            // Inline elements repeat in every text.
            if traits[Int(node.tag.rawValue)].contains(.block) || node.tag == .a || node.tag == .other {
                let key = (UInt64(parent) &* 0x9E37_79B9_7F4A_7C15) ^ signature
                keys[index] = key
                siblings[key, default: 0] += 1
            }
        }
        for index in 1..<max(1, count) where tree.nodes[index].tag != .text {
            let parent = Int(tree.nodes[index].parent)
            var most = keys[index] == 0 ? 0 : siblings[keys[index]] ?? 0
            if sums.range(parent) == sums.range(index) {
                outer[index] = outer[parent]
                most = max(most, repetition[parent])
            } else {
                outer[index] = Int32(parent)
            }
            repetition[index] = most
        }
    }

    /// A hash of tag and class.
    private static func signature(_ tree: borrowing PageTree, _ index: Int) -> UInt64 {
        var hash = UInt64(tree.nodes[index].tag.rawValue) &+ 0xCBF2_9CE4_8422_2325
        if let name = tree.value(index, .class) {
            for byte in name.prefix(256) where !byte.isDigit { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        }
        return hash ^ (hash >> 29)
    }
}
