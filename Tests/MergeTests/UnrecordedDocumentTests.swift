import Items
import JSONFormat
import Merge
import Testing

/// First versions of one item, of which one lacks the document that both were made with: Documentation/Merge.md § 1.
struct UnrecordedDocumentTests {
    private static let stored = ContentHash(of: [1]), edited = ContentHash(of: [2])

    private func version(_ parents: [Version], _ document: ContentHash?, title: String = "Plan") -> Version {
        let members = [
            JSON.Member("id", .string("01a19b7c-a680-7000-8f3e-5d2c9b7a61c4")), JSON.Member("title", .string(title)),
            JSON.Member("documentRelativePath", .string("document/plan.txt")),
            JSON.Member("documentSHA256", .string(Self.stored.hex)),
        ]
        let files = document.map { [Version.File(path: "document/plan.txt", sha256: $0, size: 5)] } ?? []
        return Version(parents: parents.map(\.name), item: members, files: files)
    }

    @Test func `a root without a document is the root that has the one of item json`() throws {
        let (recorded, bare) = (version([], Self.stored), version([], nil))
        let (titled, saved) = (version([recorded], Self.stored, title: "New"), version([bare], Self.edited))
        for order in [[recorded, bare, titled, saved], [saved, titled, bare, recorded]] {
            let graph = VersionGraph(order, texts: [])
            #expect(graph.node(of: bare.name) == graph.node(of: recorded.name))
            let joined = try #require(try graph.joined { _ in nil })
            #expect(joined.isMerge && joined.conflicts.isEmpty && joined.losers.isEmpty)
            #expect(joined.state.files.map(\.sha256) == [Self.edited])
            #expect(joined.state.members.contains { $0.key == "title" && $0.value == .string("New") })
        }
    }

    @Test func `another document, and another title, are another root`() {
        let bare = version([], nil)
        for other in [version([], Self.edited), version([], Self.stored, title: "Other")] {
            let graph = VersionGraph([bare, other], texts: [])
            #expect(graph.node(of: bare.name) != graph.node(of: other.name) && graph.heads.count == 2)
        }
    }

    @Test func `many roots with other documents are not all looked at`() {
        let others = (0..<2000).map { version([], ContentHash(of: [3, UInt8($0 % 256), UInt8($0 / 256)])) }
        let graph = VersionGraph(others + [version([], nil)], texts: [])
        #expect(graph.heads.count == 2001)
    }
}
