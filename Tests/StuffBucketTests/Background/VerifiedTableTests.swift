import Files
import Items
import TestSupport
import Testing
import Time

@testable import StuffBucket

/// The bytes of `.sbfs/verified`.
struct VerifiedTableTests {
    private func sample(_ count: Int = 3) -> VerifiedTable {
        var table = VerifiedTable(salt: (0x0102_0304_0506_0708, 0x1112_1314_1516_1718))
        for number in 0..<count {
            let key = table.key(ItemID(high: 7, low: UInt64(number)))
            table.put(
                VerifiedRecord(
                    key: key, day: UInt16(2500 + number), hasFault: number == 1,
                    edited: .init(look: 0xDEAD_BEEF, content: 0xABCDEF), saved: .init(look: 1, content: 0xFFFFFF)))
        }
        table.settle()
        return table
    }

    @Test func `24 bytes an item, and the same records again`() throws {
        for count in [0, 1, 3, 500] {
            let table = sample(count)
            #expect(table.bytes.count == 32 + 24 * count + 16)
            let read = try #require(VerifiedTable(parsing: table.bytes))
            #expect(read.records == table.records)
            #expect(read.salt == table.salt)
            #expect(read.bytes == table.bytes)
        }
    }

    @Test func `every cut and every changed byte is found`() {
        let bytes = sample().bytes
        for end in 0..<bytes.count { #expect(VerifiedTable(parsing: Array(bytes[..<end])) == nil) }
        for place in bytes.indices {
            var damaged = bytes
            damaged[place] ^= 1
            #expect(VerifiedTable(parsing: damaged) == nil, "byte \(place)")
        }
        #expect(VerifiedTable(parsing: bytes + [0]) == nil)
    }

    @Test func `records are found, replaced and sorted in`() {
        var table = sample(300)
        #expect(table.records.map(\.key) == table.records.map(\.key).sorted())
        let key = table.key(ItemID(high: 7, low: 200))
        #expect(table[key]?.day == 2700)
        var record = VerifiedRecord(key: key, day: 9)
        table.put(record)
        #expect(table[key] == record && table.records.count == 300)
        record = VerifiedRecord(key: table.key(ItemID(high: 9, low: 9)), day: 10)
        table.put(record)
        #expect(table[record.key] == record)
        table.settle()
        #expect(table.records.count == 301 && table[record.key] == record)
        #expect(table[table.key(ItemID(high: 9, low: 10))] == nil)
    }

    @Test func `items that are gone are forgotten, unless most are`() {
        var table = sample(10)
        table.prune([true, false] + Array(repeating: true, count: 8))
        #expect(table.records.count == 9)
        table.prune(Array(repeating: false, count: 9))
        #expect(table.records.count == 9)
        table.prune([false])
        #expect(table.records.count == 9)
    }

    @Test func `keys differ from id to id and from device to device`() {
        let (one, other) = (VerifiedTable(), VerifiedTable())
        let ids = (0..<5000).map { ItemID(high: UInt64($0 / 100), low: UInt64($0 % 100)) }
        #expect(Set(ids.map(one.key)).count == ids.count)
        #expect(Set(ids.map(one.key)).isDisjoint(with: ids.map(other.key)))
    }

    @Test(arguments: [
        ("2019-05-05T00:00:00Z", 0), ("2020-01-01T00:00:00Z", 0), ("2020-01-01T23:59:59Z", 0),
        ("2020-01-02T00:00:00Z", 1), ("2026-11-22T15:00:00Z", 2517), ("2099-12-31T00:00:00Z", 29_219),
        ("9999-01-01T00:00:00Z", 32_767),
    ])
    func `days are counted from 2020`(text: String, day: UInt16) throws {
        #expect(VerifiedDay.day(of: try SampleLibrary.time(text)) == day)
    }
}
