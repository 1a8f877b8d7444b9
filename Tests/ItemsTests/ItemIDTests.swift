import Files
internal import Synchronization
import Testing

@testable import Items
@testable import Time

struct ItemIDTests {
    static let text = "0198c0de-1234-7abc-8def-0123456789ab"

    @Test func `a UUID of either case is read and written in lower case`() {
        #expect(ItemID(Self.text)?.description == Self.text)
        #expect(ItemID(Self.text.uppercased())?.description == Self.text)
        #expect(ItemID(Self.text.uppercased()) == ItemID(Self.text))
    }

    @Test(arguments: [
        "", "0198c0de", "0198c0de12347abc8def0123456789ab", "0198c0de-1234-7abc-8def-0123456789a",
        "0198c0de-1234-7abc-8def-0123456789abc", "{0198c0de-1234-7abc-8def-0123456789ab}",
        "0198c0de-1234-7abc-8def0-123456789ab", "0198c0de_1234_7abc_8def_0123456789ab",
        "0198c0de-1234-7abc-8def-0123456789ag", "0198c0de-1234-7abc-8def-0123456789a ",
        " 198c0de-1234-7abc-8def-0123456789ab",
        "0198c0de-1234-7abc-8def-0123456789aé", "+198c0de-1234-7abc-8def-0123456789ab",
        "urn:uuid:0198c0de-1234-7abc-8def-0123456789ab", "0198c0de\u{2010}1234-7abc-8def-0123456789ab",
        "00000000-0000-0000-0000-000000000000",
    ])
    func `anything else, and the nil UUID, is no id`(_ text: String) {
        #expect(ItemID(text) == nil)
    }

    @Test func `parts are the last digits`() throws {
        let id = try #require(ItemID(Self.text))
        #expect(id.shard == "ab")
        #expect(id.short == "456789ab")
        #expect(String(decoding: id.digits, as: UTF8.self) == "0198c0de12347abc8def0123456789ab")
        #expect(Layout.itemFolder(id) == "items/ab/" + Self.text)
        #expect(Layout.tombstone(id) == "tombstones/ab/" + Self.text + ".json")
    }

    @Test func `the time of a version 7 UUID is its creation, others have none`() {
        // RFC 9562, appendix A.6: 2022-02-22T19:22:22Z.
        #expect(ItemID("017F22E2-79B0-7CC3-98C4-DC0C0C07398F")?.creation?.rfc3339 == "2022-02-22T19:22:22.000Z")
        #expect(ItemID("919108f7-52d1-4320-9bac-f847db4148a8")?.creation == nil)
        #expect(ItemID("ffffffff-ffff-ffff-ffff-ffffffffffff")?.creation == nil)
    }

    @Test func `ten thousand new ids rise, and are version 7 of the standard's variant`() {
        let before = Timestamp.now
        let ids = (0..<10_000).map { _ in ItemID.make() }
        #expect(zip(ids, ids.dropFirst()).allSatisfy { $0 < $1 })
        #expect(zip(ids, ids.dropFirst()).allSatisfy { $0.description < $1.description })
        #expect(ids.allSatisfy { $0.high >> 12 & 15 == 7 && $0.low >> 62 == 2 })
        #expect(ids.allSatisfy { ItemID($0.description) == $0 })
        #expect((ids[0].creation ?? Timestamp(milliseconds: 0)) >= before)
    }

    @Test func `new ids spread over the shards`() {
        let shards = Set((0..<10_000).map { _ in ItemID.make().shard })
        #expect(shards.count == 256)
    }

    @Test func `ids made by several threads are all different`() throws {
        let all = Mutex<Set<ItemID>>([])
        try Workers.run(8, threads: 4) { _ in
            let ids = (0..<1000).map { _ in ItemID.make() }
            all.withLock { $0.formUnion(ids) }
        }
        #expect(all.withLock { $0.count } == 8000)
    }
}
