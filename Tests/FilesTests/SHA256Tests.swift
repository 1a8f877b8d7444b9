import Files
import Testing

/// Vectors: FIPS 180-4's example values as published by NIST (csrc.nist.gov, Cryptographic Standards and Guidelines,
/// "SHA256.pdf") and RFC 6234, section 8.5.
struct SHA256Tests {
    struct Vector: CustomStringConvertible {
        let description: String
        let message: [UInt8]
        let digest: String

        init(_ name: String, _ message: String, _ digest: String) {
            description = name
            self.message = Array(message.utf8)
            self.digest = digest
        }
    }

    static let twoBlocks = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"

    @Test(arguments: [
        Vector("empty", "", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        Vector("abc", "abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        Vector("two blocks", twoBlocks, "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"),
        Vector(
            "112 bytes",
            "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrst"
                + "nopqrstu", "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"),
        Vector(
            "640 digits",
            String(repeating: "0123456701234567012345670123456701234567012345670123456701234567", count: 10),
            "594847328451bdfa85056225462cc1d867d877fb388df0ce35f25ab5562bfbb5"),
        Vector(
            "a million times a", String(repeating: "a", count: 1_000_000),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"),
    ])
    func `published messages have their published digests`(_ vector: Vector) {
        #expect(SHA256.hex(vector.message) == vector.digest)
    }

    @Test func `the digest does not depend on how the message is cut into chunks`() {
        let message = (0..<200).map { UInt8(truncatingIfNeeded: $0 * 7) }
        let whole = SHA256.hex(message)
        for first in 0...message.count {
            for second in [first, min(first + 1, message.count), min(first + 64, message.count), message.count] {
                var hash = SHA256()
                hash.update(Array(message[..<first]))
                hash.update(Array(message[first..<second]))
                hash.update(Array(message[second...]))
                #expect(hash.finish() == whole, "cut at \(first) and \(second)")
            }
        }
    }

    @Test(arguments: [1, 3, 55, 56, 57, 63, 64, 65, 127, 128, 129])
    func `a million bytes in equal chunks have one digest`(_ size: Int) {
        let chunk = [UInt8](repeating: UInt8(ascii: "a"), count: size)
        var hash = SHA256()
        var count = 0
        while count + size <= 1_000_000 {
            hash.update(chunk)
            count += size
        }
        hash.update(Array(chunk.prefix(1_000_000 - count)))
        #expect(hash.finish() == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
    }

    @Test func `messages of every length around the padding's edges have digests of their own`() {
        let digests = Set((0...130).map { SHA256.hex([UInt8](repeating: 0, count: $0)) })
        #expect(digests.count == 131)
        #expect(digests.allSatisfy { $0.utf8.count == 64 && $0 == $0.lowercased() })
    }

    @Test func `the processor's instructions and plain words give the same digests`() {
        var numbers = SystemRandomNumberGenerator()
        for count in Array(0...300) + [4_096, 100_003] {
            let message = (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &numbers) }
            var plain = SHA256(usesInstructions: false)
            plain.update(message)
            #expect(plain.finish() == SHA256.hex(message), "\(count) bytes")
        }
    }
}
