/// A set of attribute names.
///
/// Public for the same reason as `HTMLElement`.
public struct AttributeSet: Sendable {
    @usableFromInline var bits = SIMD4<UInt64>()

    /// The set of some names.
    @inlinable
    public init(_ names: [AttributeName] = []) {
        for name in names { insert(name) }
    }

    /// Whether a name is in the set.
    @inlinable
    public func contains(_ name: AttributeName) -> Bool {
        bits[Int(name.rawValue >> 6)] & 1 << UInt64(name.rawValue & 63) != 0
    }

    /// - Returns: whether it was not there before.
    @inlinable @discardableResult
    public mutating func insert(_ name: AttributeName) -> Bool {
        if contains(name) { return false }
        bits[Int(name.rawValue >> 6)] |= 1 << UInt64(name.rawValue & 63)
        return true
    }
}
