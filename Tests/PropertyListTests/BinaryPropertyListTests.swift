import TestSupport
import Testing

@testable import PropertyList

struct BinaryPropertyListTests {
    /// A file of these objects, with tables of one or two bytes a number.
    static func file(_ objects: [[UInt8]], root: Int = 0, referenceSize: UInt8 = 1) -> [UInt8] {
        var bytes = Array("bplist00".utf8)
        var offsets: [Int] = []
        for object in objects {
            offsets.append(bytes.count)
            bytes += object
        }
        let table = bytes.count
        for offset in offsets { bytes += (0..<4).reversed().map { UInt8(offset >> ($0 * 8) & 255) } }
        bytes += [0, 0, 0, 0, 0, 0, 4, referenceSize]
        for number in [objects.count, root, table] {
            bytes += (0..<8).reversed().map { UInt8(number >> ($0 * 8) & 255) }
        }
        return bytes
    }

    @Test func `all kinds of values are read`() throws {
        let list = try PropertyList(
            Self.file([
                [0xA9, 1, 2, 3, 4, 5, 6, 7, 8, 9], [0x08], [0x09], [0x10, 5],
                [0x13] + [UInt8](repeating: 255, count: 8),
                [0x23, 0x3F, 0xF8, 0, 0, 0, 0, 0, 0], [0x33, 0x40, 0, 0, 0, 0, 0, 0, 0], [0x42, 1, 2],
                [0x53] + Array("abc".utf8), [0x61, 0x20, 0xAC],
            ]))
        #expect(
            list.elements == [
                .bool(false), .bool(true), .integer(5), .integer(-1), .real(1.5), .date(2), .data([1, 2]),
                .string("abc"), .string("€"),
            ])
    }

    @Test func `a dictionary has keys before values`() throws {
        let list = try PropertyList(Self.file([[0xD1, 1, 2], [0x51, 0x61], [0x10, 7]]))
        #expect(list["a"] == .integer(7))
    }

    @Test func `ten thousand nested lists are refused, and do not exhaust the stack`() throws {
        var objects: [[UInt8]] = (1...10_000).map { next in [0xA1, UInt8(next >> 8), UInt8(next & 255)] }
        objects.append([0xA0])
        let error = #expect(throws: PropertyListFault.self) { try PropertyList(Self.file(objects, referenceSize: 2)) }
        #expect(error?.phrase == "it is nested too deeply")
    }

    @Test func `an object that holds itself is refused`() throws {
        let error = #expect(throws: PropertyListFault.self) { try PropertyList(Self.file([[0xA1, 1], [0xA1, 0]])) }
        #expect(error?.phrase == "an object holds itself")
    }

    @Test func `a small file that unfolds to billions of values is refused`() throws {
        // Each list contains the next one ten times.
        var objects: [[UInt8]] = (1...12).map { next in [0xAA] + [UInt8](repeating: UInt8(next), count: 10) }
        objects.append([0x08])
        let error = #expect(throws: PropertyListFault.self) { try PropertyList(Self.file(objects)) }
        #expect(error?.phrase == "it unfolds to too many values")
    }

    @Test func `one long text that is referred to often is bounded`() throws {
        let text: [UInt8] = [0x5F, 0x12, 0, 0x10, 0, 0] + [UInt8](repeating: 0x61, count: 1 << 20)
        let list: [UInt8] = [0xAF, 0x11, 0xFF, 0xFF] + [UInt8](repeating: 1, count: 0xFFFF)
        let error = #expect(throws: PropertyListFault.self) { try PropertyList(Self.file([list, text])) }
        #expect(error?.phrase == "it unfolds to too many values")
    }

    @Test func `every byte of a file may be anything, and every end may be missing`() throws {
        let whole = Self.file([[0xA3, 1, 2, 3], [0xD1, 2, 3], [0x53] + Array("abc".utf8), [0x10, 5]])
        for count in 0..<whole.count { _ = try? PropertyList(Array(whole.prefix(count))) }
        var random = SeededGenerator.forFuzzing
        for _ in 0..<FuzzSetting.cases(5000) {
            var bytes = whole
            for _ in 0...Int.random(in: 0...3, using: &random) {
                bytes[Int.random(in: 8..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            _ = try? PropertyList(bytes)
        }
    }
}
