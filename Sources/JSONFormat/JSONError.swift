/// Why bytes are no JSON that this library reads, and where.
public struct JSONError: Error, Equatable, Sendable {
    /// Line, counted from 1; a line ends at LF.
    public let line: Int
    /// Column in Unicode scalar values, counted from 1.
    public let column: Int
    /// Byte offset in the file, counted from 0.
    public let offset: Int
    /// What was expected there.
    package let expected: Expectation
    /// What was found there.
    package let found: Found

    /// What JSON allows at the place, and what is there instead: "expected a comma or ], found the end of the file".
    public var mismatch: String { "expected \(expected), found \(found)" }

    /// Computes line and column of a byte offset.
    init(at offset: Int, in bytes: [UInt8], expected: Expectation, found: Found) {
        let position = TextPosition(of: offset, in: bytes)
        line = position.line
        column = position.column
        self.offset = offset
        self.expected = expected
        self.found = found
    }
}

extension JSONError: CustomStringConvertible {
    /// Line, column, and what was expected and found, for a person.
    public var description: String { "\(line):\(column): \(mismatch)" }
}

/// Line and column of a byte in a text, both counted from 1.
public struct TextPosition: Equatable, Sendable {
    /// Counted from 1; a line ends at LF.
    public let line: Int
    /// In Unicode scalar values.
    public let column: Int

    init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }

    /// Computes the position of a byte offset. An offset beyond the end counts as the end.
    package init(of offset: Int, in bytes: [UInt8]) {
        let before = bytes[..<min(offset, bytes.count)]
        let lineStart = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
        line = before.count { $0 == 0x0A } + 1
        // Continuation bytes (10xxxxxx) belong to the scalar before them.
        column = before[lineStart...].count { $0 & 0xC0 != 0x80 } + 1
    }
}

/// Computes line and column of several offsets in rising order, in one walk through the text.
package struct PositionCounter: Sendable {
    private var offset = 0
    private var line = 1
    private var column = 1

    /// Makes a counter at the start of a text.
    package init() {}

    /// - Parameter place: a byte offset; one before the previous offset restarts the count.
    package mutating func position(of place: Int, in bytes: [UInt8]) -> TextPosition {
        let place = min(place, bytes.count)
        if place < offset { self = PositionCounter() }
        bytes.withUnsafeBufferPointer { bytes in
            for byte in bytes[offset..<place] {
                if byte == 0x0A {
                    line += 1
                    column = 1
                } else if byte & 0xC0 != 0x80 {
                    // Continuation bytes (10xxxxxx) belong to the scalar before them.
                    column += 1
                }
            }
        }
        offset = place
        return TextPosition(line: line, column: column)
    }
}
