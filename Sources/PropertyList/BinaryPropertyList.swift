/// The binary form: an array of objects that refer to each other by number, a table of their offsets, and a trailer
/// of 32 bytes with the place of the table (the format's description in CoreFoundation's CFBinaryPList.c, version
/// 00).
///
/// Many objects may refer to one object, so a small file may stand for an endless tree. `objectLimit` bounds the
/// result.
struct BinaryPropertyList {
    private let bytes: [UInt8]
    private let offsetSize: Int
    private let referenceSize: Int
    private let objectCount: Int
    private let rootNumber: Int
    private let tableOffset: Int

    /// The largest number of values in one file; each sixteen bytes of text or data count as one more.
    private static let objectLimit = 4_000_000

    init(_ bytes: [UInt8]) throws(PropertyListFault) {
        guard bytes.count >= 40 else {
            throw PropertyListFault(bytes.count, .noTrailer)
        }
        let trailer = bytes.count - 32
        self.bytes = bytes
        offsetSize = Int(bytes[trailer + 6])
        referenceSize = Int(bytes[trailer + 7])
        guard (1...8).contains(offsetSize), (1...8).contains(referenceSize),
            let count = Self.number(bytes, trailer + 8, 8), let root = Self.number(bytes, trailer + 16, 8),
            let table = Self.number(bytes, trailer + 24, 8), count > 0, root < count, table >= 8, table <= trailer,
            count <= (trailer - table) / offsetSize
        else { throw PropertyListFault(trailer, .trailerMismatch) }
        objectCount = count
        rootNumber = root
        tableOffset = table
    }

    func root() throws(PropertyListFault) -> PropertyList {
        var left = Self.objectLimit
        var open: Set<Int> = []
        return try object(rootNumber, depth: 0, &left, &open)
    }

    /// Big-endian; `nil` if it is not within the file or too large for an Int.
    private static func number(_ bytes: [UInt8], _ offset: Int, _ size: Int) -> Int? {
        guard offset >= 0, size >= 0, offset <= bytes.count - size else { return nil }
        var value: UInt64 = 0
        for byte in bytes[offset..<offset + size] { value = value << 8 | UInt64(byte) }
        return Int(exactly: value)
    }

    private func object(
        _ number: Int, depth: Int, _ left: inout Int, _ open: inout Set<Int>
    ) throws(PropertyListFault) -> PropertyList {
        guard number < objectCount, let offset = Self.number(bytes, tableOffset + number * offsetSize, offsetSize),
            offset < tableOffset
        else { throw PropertyListFault(tableOffset, .noObject(number)) }
        left -= 1
        if left < 0 { throw PropertyListFault(offset, .tooManyValues) }
        if depth > PropertyList.depthLimit { throw PropertyListFault(offset, .nestedTooDeep) }
        let kind = bytes[offset] >> 4
        let low = Int(bytes[offset] & 0x0F)
        switch kind {
        case 0x0:
            switch low {
            case 8: return .bool(false)
            case 9: return .bool(true)
            default: throw PropertyListFault(offset, .unknownObject)
            }
        case 0x1:
            guard low <= 4 else { throw PropertyListFault(offset, .longInteger) }
            let size = 1 << low
            let body = try span(offset + 1, size, offset)
            var value: UInt64 = 0
            // In 16 bytes, the upper ones only repeat the sign.
            for byte in body.suffix(8) { value = value << 8 | UInt64(byte) }
            return .integer(size < 8 ? Int(value) : Int(Int64(bitPattern: value)))
        case 0x2:
            let body = try span(offset + 1, 1 << min(low, 3), offset)
            return .real(try real(body, offset))
        case 0x3:
            return .date(try real(try span(offset + 1, 8, offset), offset))
        case 0x4:
            let (count, start) = try length(low, offset)
            left -= count / 16
            return .data(Array(try span(start, count, offset)))
        case 0x5, 0x7:
            let (count, start) = try length(low, offset)
            left -= count / 16
            return .string(String(decoding: try span(start, count, offset), as: UTF8.self))
        case 0x6:
            let (count, start) = try length(low, offset)
            guard count <= bytes.count / 2 else {
                throw PropertyListFault(offset, .textBeyondFile)
            }
            let body = try span(start, count * 2, offset)
            left -= count / 8
            let units = stride(from: body.startIndex, to: body.endIndex, by: 2).map {
                UInt16(body[$0]) << 8 | UInt16(body[$0 + 1])
            }
            return .string(String(decoding: units, as: UTF16.self))
        case 0x8:
            let body = try span(offset + 1, low + 1, offset)
            return .integer(body.suffix(7).reduce(0) { $0 << 8 | Int($1) })
        case 0xA, 0xC:
            let (count, start) = try length(low, offset)
            let numbers = try references(start, count, offset)
            return .array(try nested(number, numbers, depth, offset, &left, &open))
        case 0xD:
            let (count, start) = try length(low, offset)
            guard count <= bytes.count / 2 else {
                throw PropertyListFault(offset, .dictionaryBeyondFile)
            }
            let numbers = try references(start, count * 2, offset)
            let values = try nested(number, numbers, depth, offset, &left, &open)
            var members: [String: PropertyList] = [:]
            for index in 0..<count {
                if let key = values[index].string { members[key] = values[count + index] }
            }
            return .dictionary(members)
        default:
            throw PropertyListFault(offset, .unknownObject)
        }
    }

    private func nested(
        _ number: Int, _ numbers: [Int], _ depth: Int, _ offset: Int, _ left: inout Int, _ open: inout Set<Int>
    ) throws(PropertyListFault) -> [PropertyList] {
        guard open.insert(number).inserted else {
            throw PropertyListFault(offset, .objectInItself)
        }
        defer { open.remove(number) }
        var values: [PropertyList] = []
        for each in numbers { values.append(try object(each, depth: depth + 1, &left, &open)) }
        return values
    }

    private func references(_ start: Int, _ count: Int, _ offset: Int) throws(PropertyListFault) -> [Int] {
        guard count <= bytes.count / referenceSize else {
            throw PropertyListFault(offset, .listBeyondFile)
        }
        _ = try span(start, count * referenceSize, offset)
        return (0..<count).map { Self.number(bytes, start + $0 * referenceSize, referenceSize) ?? .max }
    }

    /// The count of an object, and the start of its content.
    private func length(_ low: Int, _ offset: Int) throws(PropertyListFault) -> (count: Int, start: Int) {
        if low < 15 { return (low, offset + 1) }
        guard offset + 1 < tableOffset, bytes[offset + 1] >> 4 == 1, bytes[offset + 1] & 0x0F <= 3 else {
            throw PropertyListFault(offset, .lengthNotInteger)
        }
        let size = 1 << Int(bytes[offset + 1] & 0x0F)
        guard let count = Self.number(bytes, offset + 2, size), count <= bytes.count else {
            throw PropertyListFault(offset, .lengthBeyondFile)
        }
        return (count, offset + 2 + size)
    }

    private func span(_ start: Int, _ count: Int, _ offset: Int) throws(PropertyListFault) -> ArraySlice<UInt8> {
        guard count >= 0, start <= tableOffset, count <= tableOffset - start else {
            throw PropertyListFault(offset, .objectBeyondOthers)
        }
        return bytes[start..<start + count]
    }

    private func real(_ body: ArraySlice<UInt8>, _ offset: Int) throws(PropertyListFault) -> Double {
        let bits = body.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        switch body.count {
        case 4: return Double(Float(bitPattern: UInt32(bits)))
        case 8: return Double(bitPattern: bits)
        default: throw PropertyListFault(offset, .unknownNumberSize)
        }
    }
}
