import Items
import JSONFormat
import Merge
import Testing

/// First versions that programs changed before anything noted them: Documentation/Merge.md § 1.
struct EditedRootTests {
    private func root(_ title: String, second: Int, isEdited: Bool = false) -> Version {
        let members = [
            JSON.Member("title", .string(title)),
            JSON.Member("updatedAt", .string("2026-11-21T10:15:0\(second).000Z")),
        ]
        return Version(parents: [], item: members, isEdited: isEdited)
    }

    private func child(_ parent: Version, _ title: String, tags: [String]) -> Version {
        let members = [
            JSON.Member("title", .string(title)), JSON.Member("tags", .strings(tags)),
            JSON.Member("updatedAt", .string("2026-11-21T10:16:00.000Z")),
        ]
        return Version(parents: [parent.name], item: members)
    }

    private func comes(_ edited: Version, from base: Version, among all: [Version]) -> Bool {
        VersionGraph(all, texts: []).isAncestor(base.name, of: edited.name)
    }

    @Test func `it comes from the only other root that has its time`() throws {
        let base = root("Bread", second: 0), edited = root("Rolls", second: 0, isEdited: true)
        let tagged = child(base, "Bread", tags: ["rye"])
        for all in [[base, edited, tagged], [tagged, edited, base]] {
            #expect(comes(edited, from: base, among: all))
            let joined = try #require(try VersionGraph(all, texts: []).joined { _ in nil })
            #expect(joined.isMerge && joined.conflicts.isEmpty)
            #expect(joined.state.members.contains { $0.key == "title" && $0.value == .string("Rolls") })
            #expect(joined.state.members.contains { $0.key == "tags" && $0.value == .strings(["rye"]) })
        }
    }

    @Test func `two edited ones come from the same root`() {
        let base = root("Bread", second: 0)
        let one = root("Rolls", second: 0, isEdited: true), two = root("Buns", second: 0, isEdited: true)
        let graph = VersionGraph([base, one, two], texts: [])
        #expect(Set(graph.heads.map { graph.versions[$0].name }) == [one.name, two.name])
        #expect(comes(one, from: base, among: [base, one, two]) && comes(two, from: base, among: [base, one, two]))
    }

    @Test func `it stays a root where nothing tells what it came from`() {
        let edited = root("Rolls", second: 0, isEdited: true)
        let base = root("Bread", second: 0), other = root("Loaf", second: 0), later = root("Cake", second: 1)
        #expect(!comes(edited, from: later, among: [edited, later]))
        let since = root("Rolls", second: 1, isEdited: true)
        #expect(!comes(since, from: base, among: [since, base]))
        #expect(!comes(edited, from: base, among: [edited, base, other]))
        #expect(comes(edited, from: base, among: [edited, base, later]))
        let two = root("Buns", second: 0, isEdited: true)
        #expect(VersionGraph([edited, two], texts: []).heads.count == 2)
    }

    @Test func `one of equal content with a root that nobody changed is that root`() {
        let base = root("Bread", second: 0), found = root("Bread", second: 0, isEdited: true)
        let graph = VersionGraph([base, found], texts: [])
        #expect(base.name != found.name && graph.node(of: base.name) == graph.node(of: found.name))
        let edited = root("Rolls", second: 0, isEdited: true)
        #expect(comes(edited, from: base, among: [base, found, edited]))
    }

    @Test func `only a root says it, and only as true`() throws {
        let edited = root("Rolls", second: 0, isEdited: true)
        #expect(try Version(name: edited.name, bytes: edited.bytes).isEdited)
        #expect(!Version(parents: [edited.name], item: edited.item, isEdited: true).isEdited)
        let text = String(decoding: edited.bytes, as: UTF8.self)
        func read(_ old: String, _ new: String) throws(VersionFault) -> Version {
            let bytes = Array(text.replacing(old, with: new).utf8)
            return try Version(name: ContentHash(of: bytes), bytes: bytes)
        }
        #expect(try !read("\"edited\": true", "\"edited\": false").isEdited)
        #expect(try !read("\"parents\": []", "\"parents\": [\"\(edited.name.hex)\"]").isEdited)
        #expect(throws: VersionFault.lacks("edited")) { try read("\"edited\": true", "\"edited\": 1") }
    }
}
