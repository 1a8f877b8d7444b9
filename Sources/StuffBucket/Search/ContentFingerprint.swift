/// A fingerprint of an item's indexed content, to detect that it is unchanged: 64 bits, by multiplication and folding.
///
/// It is not meant for security: a person who makes two texts with one hash only hides changes from their own index.
struct ContentFingerprint {
    private(set) var value: UInt64 = 0x2545_F491_4F6C_DD1D

    mutating func add(_ number: UInt64) {
        let product = (value ^ number).multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
        value = product.high ^ product.low &+ 0xA076_1D64_78BD_642F
    }

    mutating func add(_ bytes: [UInt8]) {
        add(UInt64(bytes.count))
        bytes.withUnsafeBytes { raw in
            var at = 0
            while at + 8 <= raw.count {
                add(raw.loadUnaligned(fromByteOffset: at, as: UInt64.self))
                at += 8
            }
            var rest: UInt64 = 0
            while at < raw.count {
                rest = rest << 8 | UInt64(raw[at])
                at += 1
            }
            add(rest)
        }
    }
}
