import Items
import JSONFormat
import Merge
import Testing

/// Of equally near texts, the one from which fewer steps lead to an edit is its parent: Documentation/Merge.md § 2, rule 6.
struct EquallyNearTests {
    private static let known = "Feed the starter every day.\n\nBake.\n"
    private static let arrived = "Feed the old starter in the morning.\n\nBake.\n"

    /// The text of the parent of an edit, where the known text was live last and the others arrived, each on its own.
    private func parent(of edit: String, arrived: [String]) throws -> String {
        let texts = Dictionary(
            uniqueKeysWithValues: (["Feed.\n", Self.known] + arrived).map { (ContentHash(of: Array($0.utf8)), $0) })
        func version(_ text: String, _ parents: [Version]) -> Version {
            Version(
                parents: parents.map(\.name), item: [JSON.Member("title", .string("Bread"))],
                text: ContentHash(of: Array(text.utf8)))
        }
        let root = version("Feed.\n", []), here = version(Self.known, [root])
        let all = [root, here] + arrived.map { version($0, [root]) }
        let choice = ParentChoice(VersionGraph(all, texts: Set(texts.keys))) { texts[$0].map { Array($0.utf8) } }
        let name = try choice.ofLocal(.text(Array(edit.utf8)), at: here.name)
        let found = try #require(all.first { $0.name == name }?.text)
        return try #require(texts[found])
    }

    @Test func `the text that shares the words of the changed paragraph is the parent`() throws {
        let edit = "Feed the old starter early in the morning.\n\nBake.\n"
        #expect(try parent(of: edit, arrived: [Self.arrived]) == Self.arrived)
        #expect(try parent(of: "Feed the starter twice every day.\n\nBake.\n", arrived: [Self.arrived]) == Self.known)
    }

    @Test func `of two that share half of the words, the one of which more stayed is the parent`() throws {
        let edit = "Feed the starter every cold day.\n\nBake.\n"
        let nearer = "Feed the starter every cold and wet day.\n\nBake.\n"
        #expect(try parent(of: edit, arrived: [nearer]) == nearer)
        #expect(try parent(of: edit, arrived: ["Feed the starter on a day.\n\nBake.\n"]) == Self.known)
    }

    @Test func `a moved paragraph is one step`() throws {
        let edit = "Knead.\n\nFeed the starter every day.\n"
        // From the known text, one paragraph was taken out, and one put in.
        let other = "Feed the starter every day.\n\nKnead.\n"
        #expect(try parent(of: edit, arrived: [other]) == other)
    }

    @Test func `of a paragraph with other words, the last state known is the parent`() throws {
        #expect(try parent(of: "Something else.\n\nBake.\n", arrived: [Self.arrived]) == Self.known)
    }

    @Test func `a paragraph that another text has is not written again`() throws {
        let other = "Knead it well.\n\nRest.\n\nBake.\n"
        // From the known text, "Knead it well." would have been written in the place of a paragraph.
        #expect(try parent(of: "Knead it well.\n\nBake.\n", arrived: [other]) == other)
        #expect(try parent(of: "Knead it slowly.\n\nBake.\n", arrived: [other]) == Self.known)
    }

    @Test func `of more than sixteen texts none is nearer`() throws {
        let edit = "Feed the old starter early in the morning.\n\nBake.\n"
        func others(_ count: Int) -> [String] { (0..<count).map { "Number \($0).\n\nBake.\n" } }
        #expect(try parent(of: edit, arrived: [Self.arrived] + others(14)) == Self.arrived)
        #expect(try parent(of: edit, arrived: [Self.arrived] + others(15)) == Self.known)
    }
}
