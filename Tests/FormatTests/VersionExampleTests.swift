import Items
import JSONFormat
import Merge
import Testing

/// The versions that the documents show: their names, their bytes, and what they are joined to.
struct VersionExampleTests {
    /// The blocks below lines such as `history/<hash>.json`, by their paths. A text has no final LF.
    private func blocks(_ name: FormatDocument.Name) throws -> [(path: String, bytes: [UInt8])] {
        let lines = try FormatDocument(name).lines
        return lines.indices.compactMap { index in
            let path = FormatDocument.code(lines[index]).first ?? ""
            guard lines[index] == "`\(path)`", path.hasPrefix("history/") || path.hasPrefix("conflicts/") else {
                return nil
            }
            let body = lines[(index + 1)...].drop { $0 != "```text" }.dropFirst().prefix { $0 != "```" }
            let text = body.joined(separator: "\n") + (path.hasSuffix(".md") ? "" : "\n")
            return (path, Array(text.utf8))
        }
    }

    private func version(_ block: (path: String, bytes: [UInt8])) throws -> Version {
        let name = try #require(ContentHash(hex: block.path.dropFirst(8).dropLast(5).utf8))
        return try Version(name: name, bytes: block.bytes)
    }

    @Test func `FORMAT.md shows a version with all keys, and sbfs writes the same bytes`() throws {
        let versions = try blocks(.library).map(version)
        #expect(versions.count == 2)
        for version in versions {
            let again = Version(
                parents: version.parents.reversed(), item: version.item, text: version.text,
                files: version.files.reversed(), resolved: version.resolved.reversed())
            #expect(again.bytes == version.bytes)
            #expect(again.name == version.name)
        }
        #expect(versions.last?.parents == versions.first.map { [$0.name] })
        #expect(versions.last?.files.map(\.path) == ["document/plan.pdf", "page.html"])
        #expect(versions.last?.resolved.count == 1)
    }

    @Test func `the example of Merge.md is joined as it says`() throws {
        let blocks = try blocks(.merge)
        let versions = try blocks.filter { $0.path.hasPrefix("history/") && $0.path.hasSuffix(".json") }.map(version)
        #expect(versions.count == 4)
        let texts = [
            "Feed the starter.\n\nWait a night.\n\nBake.", "Feed the starter.\n\nWait for twelve hours.\n\nBake.",
            "Feed the starter.\n\nWait a night.\n\nBake.\n\nCool on a rack.",
        ]
        let known = Dictionary(uniqueKeysWithValues: texts.map { (ContentHash(of: Array($0.utf8)), Array($0.utf8)) })
        let graph = VersionGraph(Array(versions.prefix(3)), texts: Set(known.keys))
        let joined = try #require(try graph.joined { known[$0] })
        #expect(joined.version.bytes == versions[3].bytes)
        #expect(joined.state.text == blocks.first { $0.path.hasSuffix(".md") }?.bytes)
        #expect(joined.conflicts.map(\.path) == blocks.filter { $0.path.hasPrefix("conflicts/") }.map(\.path))
        #expect(joined.conflicts.map(\.bytes) == blocks.filter { $0.path.hasPrefix("conflicts/") }.map(\.bytes))
    }
}
