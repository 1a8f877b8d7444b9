/// Writes Apple's binary property lists: `bplist00`, the objects, a table of their offsets, and a trailer of 32 bytes.
package struct BinaryList {
    package indirect enum Value {
        case text(String)
        case data([UInt8])
        case list([Value])
        case members([(String, Value)])
    }

    private var bytes: [UInt8] = Array("bplist00".utf8)
    private var offsets: [Int] = []

    package static func bytes(_ root: Value) -> [UInt8] {
        var list = BinaryList()
        let number = list.add(root)
        let table = list.bytes.count
        for offset in list.offsets { list.bytes += bigEndian(offset, 4) }
        return list.bytes + [0, 0, 0, 0, 0, 0, 4, 2] + bigEndian(list.offsets.count, 8) + bigEndian(number, 8)
            + bigEndian(table, 8)
    }

    /// Parts come before the object that contains them.
    private mutating func add(_ value: Value) -> Int {
        let body: [UInt8]
        switch value {
        case .text(let text):
            let isASCII = text.utf8.allSatisfy { $0 < 0x80 }
            body =
                isASCII
                ? Self.head(5, text.utf8.count) + Array(text.utf8)
                : Self.head(6, text.utf16.count) + text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
        case .data(let data): body = Self.head(4, data.count) + data
        case .list(let values):
            let numbers = values.map { add($0) }
            body = Self.head(0xA, numbers.count) + numbers.flatMap { Self.bigEndian($0, 2) }
        case .members(let members):
            let keys = members.map { add(.text($0.0)) }
            let values = members.map { add($0.1) }
            body = Self.head(0xD, members.count) + (keys + values).flatMap { Self.bigEndian($0, 2) }
        }
        offsets.append(bytes.count)
        bytes += body
        return offsets.count - 1
    }

    private static func head(_ kind: UInt8, _ count: Int) -> [UInt8] {
        count < 15 ? [kind << 4 | UInt8(count)] : [kind << 4 | 0x0F, 0x12] + bigEndian(count, 4)
    }

    private static func bigEndian(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }

    /// One resource of a .webarchive.
    package static func resource(_ url: String, _ type: String, _ body: [UInt8]) -> Value {
        .members([
            ("WebResourceURL", .text(url)), ("WebResourceMIMEType", .text(type)), ("WebResourceData", .data(body)),
            ("WebResourceTextEncodingName", .text("UTF-8")),
        ])
    }
}
