internal import Items
internal import JSONFormat

/// A hash of each field of an item.json, by which two versions of an item are compared without the earlier file.
struct FieldHashes: Equatable {
    /// Bytes of one field: its number in `ItemField.allCases`, and its hash.
    static let byteCount = 5
    /// The number of all keys that are no field.
    private static let others: UInt8 = 255

    private var hashes: [UInt8: UInt32] = [:]

    init() {}

    init(of json: JSONDocument) {
        var others = ContentFingerprint()
        var hasOthers = false
        for (key, value) in json.members(json.root) {
            let name = json.keyBytes(key)
            if let number = Self.numbers[Array(name)] {
                var hash = ContentFingerprint()
                hash.add(Array(json.spelling(value)))
                hashes[number] = UInt32(truncatingIfNeeded: hash.value)
            } else {
                hasOthers = true
                others.add(Array(name))
                others.add(Array(json.spelling(value)))
            }
        }
        if hasOthers { hashes[Self.others] = UInt32(truncatingIfNeeded: others.value) }
    }

    /// Reads the stored form, `byteCount` bytes for each field.
    init(_ bytes: UnsafeRawBufferPointer) {
        for offset in stride(from: 0, to: bytes.count - Self.byteCount + 1, by: Self.byteCount) {
            hashes[bytes[offset]] = UInt32(
                littleEndian: bytes.loadUnaligned(fromByteOffset: offset + 1, as: UInt32.self))
        }
    }

    /// A count, and the fields in the order of their numbers.
    var bytes: [UInt8] {
        var bytes = [UInt8(hashes.count)]
        for (number, hash) in hashes.sorted(by: { $0.key < $1.key }) {
            bytes.append(number)
            withUnsafeBytes(of: hash.littleEndian) { bytes.append(contentsOf: $0) }
        }
        return bytes
    }

    /// The fields that differ, and whether any other key does.
    func differences(from other: FieldHashes) -> (fields: Set<ItemField>, others: Bool) {
        var fields: Set<ItemField> = []
        for (place, field) in ItemField.allCases.enumerated() where hashes[UInt8(place)] != other.hashes[UInt8(place)] {
            fields.insert(field)
        }
        return (fields, hashes[Self.others] != other.hashes[Self.others])
    }

    private static let numbers = Dictionary(
        uniqueKeysWithValues: ItemField.allCases.enumerated().map { (Array($1.key.utf8), UInt8($0)) })
}
