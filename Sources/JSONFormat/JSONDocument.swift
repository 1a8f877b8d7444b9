/// A parsed JSON text that keeps its spelling: every value is a span of the source bytes.
///
/// The nodes are in one array in document order, so parsing allocates only twice. Strings are decoded only on
/// request. Unchanged values are written in their original spelling (`JSONWriter`).
///
/// Bounds: those of `Limits`. An object may contain a key only once. Grammar: RFC 8259, with an optional UTF-8 byte
/// order mark.
public struct JSONDocument: Sendable {
    /// The largest file of a library: 16 MiB. An ordinary item.json has one or two KiB.
    public static let byteLimit = 16 << 20
    /// The deepest nesting of arrays and objects in the files of a library.
    package static let depthLimit = 64

    /// Limits for reading JSON; exceeding one is an error.
    package struct Limits: Sendable {
        /// At most 4 GiB, because offsets are 32 bits wide.
        package let byteCount: Int
        /// Nested arrays and objects; parsing is recursive.
        package let depth: Int

        /// Makes limits. A `byteCount` above 4 GiB and a `depth` above 1000 are lowered.
        package init(byteCount: Int, depth: Int) {
            self.byteCount = min(byteCount, Int(UInt32.max))
            self.depth = min(depth, 1000)
        }

        /// The limits for the files of a library.
        package static let file = Limits(byteCount: byteLimit, depth: depthLimit)
    }

    /// The kind of a value.
    public enum Kind: UInt8, Sendable {
        case null, `true`, `false`, number, string, array, object
    }

    struct Node {
        var kind: Kind
        /// Whether a string contains a backslash.
        var isEscaped = false
        /// Byte offset of the first byte; of the opening quote for a string.
        var start: UInt32
        /// Byte offset after the last byte.
        var end: UInt32 = 0
        /// Index of the node after this one and its contents.
        var next: UInt32 = 0
    }

    /// The whole text, as parsed.
    public let bytes: [UInt8]
    var nodes: [Node]

    /// Parses a text of at most 16 MiB with at most 64 nested lists and objects.
    ///
    /// - Throws: `JSONError` with line and column of the first byte that does not fit.
    public init(parsing bytes: [UInt8]) throws(JSONError) { try self.init(parsing: bytes, limits: .file) }

    /// - Throws: `JSONError` with line and column of the first byte that does not fit.
    package init(parsing bytes: [UInt8], limits: Limits) throws(JSONError) {
        var parser = JSONParser(bytes: bytes, limits: limits)
        try parser.parseDocument()
        self.bytes = bytes
        nodes = parser.nodes
    }

    /// A value in the document.
    public struct Value: Sendable, Equatable {
        let index: Int
    }

    /// The outermost value, which contains all others.
    public var root: Value { Value(index: 0) }

    /// The kind of a value.
    public func kind(_ value: Value) -> Kind { nodes[value.index].kind }

    /// Byte offset of a value, for messages.
    package func offset(_ value: Value) -> Int { Int(nodes[value.index].start) }

    /// The start of a value, in lines and columns from 1.
    package func position(_ value: Value) -> TextPosition { TextPosition(of: offset(value), in: bytes) }

    /// The bytes of a value, as spelt.
    public func spelling(_ value: Value) -> ArraySlice<UInt8> {
        bytes[Int(nodes[value.index].start)..<Int(nodes[value.index].end)]
    }

    /// The text of a string; lone surrogates read as U+FFFD. `nil` for other kinds.
    public func string(_ value: Value) -> String? {
        let node = nodes[value.index]
        guard node.kind == .string else { return nil }
        let inner = bytes[Int(node.start) + 1..<Int(node.end) - 1]
        return node.isEscaped ? JSONString.decode(inner) : String(decoding: inner, as: UTF8.self)
    }

    /// The nodes inside an array or object.
    func nodes(in value: Value) -> Range<Int> { value.index + 1..<node(behind: value) }

    /// The node after a value and its contents.
    func node(behind value: Value) -> Int { Int(nodes[value.index].next) }

    /// The elements of an array; empty for other kinds.
    public func elements(_ value: Value) -> [Value] {
        guard nodes[value.index].kind == .array else { return [] }
        var elements: [Value] = []
        var index = value.index + 1
        while index < Int(nodes[value.index].next) {
            elements.append(Value(index: index))
            index = Int(nodes[index].next)
        }
        return elements
    }

    /// The members of an object in order; empty for other kinds.
    public func members(_ value: Value) -> [(key: Value, value: Value)] {
        guard nodes[value.index].kind == .object else { return [] }
        var members: [(key: Value, value: Value)] = []
        var index = value.index + 1
        while index < Int(nodes[value.index].next) {
            members.append((Value(index: index), Value(index: index + 1)))
            index = Int(nodes[index + 1].next)
        }
        return members
    }

    /// The value of a key of an object.
    public func member(_ key: String, of object: Value) -> Value? {
        guard nodes[object.index].kind == .object else { return nil }
        var index = object.index + 1
        while index < Int(nodes[object.index].next) {
            if isKey(Value(index: index), key) { return Value(index: index + 1) }
            index = Int(nodes[index + 1].next)
        }
        return nil
    }

    /// The bytes of a key; keys that are only canonically equivalent are different keys.
    public func keyBytes(_ key: Value) -> ArraySlice<UInt8> { KeyTable.text(key.index, bytes, nodes) }

    /// The bytes between the quotes of a string without a backslash; `nil` for any other value.
    package func plainBytes(_ value: Value) -> ArraySlice<UInt8>? {
        let node = nodes[value.index]
        if node.isEscaped || node.kind != .string { return nil }
        return bytes[Int(node.start) + 1..<Int(node.end) - 1]
    }

    /// Whether a string of the document equals this key.
    package func isKey(_ value: Value, _ key: String) -> Bool {
        let node = nodes[value.index]
        if node.isEscaped { return string(value).map { $0.utf8.elementsEqual(key.utf8) } ?? false }
        return bytes[Int(node.start) + 1..<Int(node.end) - 1].elementsEqual(key.utf8)
    }

    /// A value copied out of the document; numbers keep their spelling.
    public func copy(_ value: Value) -> JSON {
        switch kind(value) {
        case .null: .null
        case .true: .bool(true)
        case .false: .bool(false)
        case .number: .number(String(decoding: spelling(value), as: UTF8.self))
        case .string: .string(string(value) ?? "")
        case .array: .array(elements(value).map(copy))
        case .object: .object(members(value).map { JSON.Member(string($0.key) ?? "", copy($0.value)) })
        }
    }
}
