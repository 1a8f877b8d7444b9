/// Boosted trees: a sum of small decision trees over the features of a block, which gives the probability that the block
/// is main text.
///
/// The bytes, each below 0x80, are made by `Scripts/train-reader`:
/// the number of features (2 bytes, 7 bits each, low ones first), the number of trees (2), the start value (2: 14 bits,
/// as all values: 8192 is zero and 1024 is one); for each feature the count of its thresholds (1) and the thresholds (3
/// bytes each: the upper 21 bits of a 32-bit float); for each tree the number of its nodes (1) and four bytes a node, in
/// preorder: the feature (2; 16383 in a leaf), the number of the threshold and the distance to the right child, or the
/// value (2).
package struct BlockModel: Sendable {
    private struct Node {
        /// The threshold, or the value of a leaf.
        var value: Float
        var feature: UInt16
        /// The distance to the right child, 0 in a leaf. The left child is the next node.
        var right: UInt16
    }

    package let featureCount: Int
    private let nodes: [Node]
    private let roots: [Int32]
    private let start: Float

    /// The model that came with the program.
    static let shared = BlockModel(table: BlockModelTable.bytes)

    private init(table: StaticString) {
        let bytes = UnsafeBufferPointer(start: table.utf8Start, count: table.utf8CodeUnitCount)
        guard let model = BlockModel(Array(bytes)) else { preconditionFailure("the table of the model is damaged") }
        self = model
    }

    /// - Returns: `nil` if the bytes are no model.
    package init?(_ bytes: [UInt8]) {
        var at = 0
        func byte() -> Int? {
            guard at < bytes.count, bytes[at] < 0x80 else { return nil }
            at += 1
            return Int(bytes[at - 1])
        }
        func pair() -> Int? {
            guard let low = byte(), let high = byte() else { return nil }
            return low | high << 7
        }
        func value(_ number: Int) -> Float { Float(number - 8192) / 1024 }
        guard let featureCount = pair(), let treeCount = pair(), let first = pair() else { return nil }
        var thresholds: [[Float]] = []
        for _ in 0..<featureCount {
            guard let count = byte() else { return nil }
            var own: [Float] = []
            for _ in 0..<count {
                guard let low = pair(), let high = byte() else { return nil }
                own.append(Float(bitPattern: UInt32(low | high << 14) << 11))
            }
            thresholds.append(own)
        }
        var nodes: [Node] = []
        var roots: [Int32] = []
        for _ in 0..<treeCount {
            guard let count = byte(), count > 0 else { return nil }
            roots.append(Int32(nodes.count))
            for place in 0..<count {
                guard let feature = pair() else { return nil }
                if feature == 16383 {
                    guard let number = pair() else { return nil }
                    nodes.append(Node(value: value(number), feature: 0, right: 0))
                } else {
                    guard let threshold = byte(), let right = byte(), feature < featureCount,
                        threshold < thresholds[feature].count, right > 1, place + right < count
                    else { return nil }
                    nodes.append(
                        Node(value: thresholds[feature][threshold], feature: UInt16(feature), right: UInt16(right)))
                }
            }
            // The last node has no child after it.
            guard nodes.last?.right == 0 else { return nil }
        }
        guard at == bytes.count else { return nil }
        self.featureCount = featureCount
        self.nodes = nodes
        self.roots = roots
        start = value(first)
    }

    /// The probability that a block with these features is main text.
    func probability(_ features: UnsafeBufferPointer<Float>) -> Float {
        precondition(features.count == featureCount, "a model for other features")
        var sum = start
        nodes.withUnsafeBufferPointer { nodes in
            for root in roots {
                var at = Int(root)
                while true {
                    let node = nodes[at]
                    if node.right == 0 {
                        sum += node.value
                        break
                    }
                    at += features[Int(node.feature)] <= node.value ? 1 : Int(node.right)
                }
            }
        }
        return Logistic.of(sum)
    }
}
