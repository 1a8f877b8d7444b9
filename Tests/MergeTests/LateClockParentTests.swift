import Items
import JSONFormat
import Merge
import Testing

/// What arrives from a device whose clock is days behind: Documentation/Merge.md § 2, rule 5.
struct LateClockParentTests {
    private func members(_ title: String, _ time: String, _ more: [JSON.Member] = []) -> [JSON.Member] {
        [JSON.Member("title", .string(title))] + more + [JSON.Member("updatedAt", .string(time))]
    }

    private func parent(of item: [JSON.Member], _ versions: [Version]) throws -> ContentHash? {
        try ParentChoice(VersionGraph(versions, texts: [])) { _ in nil }.ofArrival(.item(item), time: nil)?.parent
    }

    @Test func `what an earlier version came from is earlier, too`() throws {
        let root = Version(parents: [], item: members("Bread", "2026-11-30T09:00:00.000Z"))
        // The clock of this device was five days late.
        let key = JSON.Member("x-q", .string("kept"))
        let other = Version(parents: [root.name], item: members("Bread", "2026-11-25T18:00:00.000Z", [key]))
        let arrived = members("Rolls", "2026-11-25T18:00:03.000Z")
        #expect(try parent(of: arrived, [root, other]) == root.name)
        #expect(try parent(of: members("Rolls", "2026-11-25T18:00:03.000Z", [key]), [root, other]) == other.name)
        // A later version that comes from neither is none.
        let later = Version(parents: [root.name], item: members("Rolls", "2026-11-30T10:00:00.000Z"))
        #expect(try parent(of: arrived, [root, other, later]) == root.name)
    }
}
