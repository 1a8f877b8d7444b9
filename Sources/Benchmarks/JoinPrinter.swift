import Items
import JSONFormat
import Merge

/// `sbfs-bench joins`: joins sets of versions, one a line of standard input, and prints what each set is joined to.
/// Tests/MergeModel/joins.py compares it with the model.
enum JoinPrinter {
    /// A line that is no set of versions.
    struct Malformed: Error {}

    static func run() throws {
        while let line = readLine() {
            var writer = JSONWriter(.oneLine)
            writer.write(try answer(Array(line.utf8)))
            print(String(decoding: writer.bytes, as: UTF8.self))
        }
    }

    private static func answer(_ line: [UInt8]) throws -> JSON {
        let document = try JSONDocument(parsing: line, limits: .init(byteCount: 1 << 30, depth: 8))
        func members(_ key: String) -> [(key: String, value: JSONDocument.Value)] {
            document.member(key, of: document.root).map(document.members)?.compactMap { key, value in
                document.string(key).map { ($0, value) }
            } ?? []
        }
        func hashes(_ key: String) -> Set<ContentHash> {
            Set(
                (document.member(key, of: document.root).map(document.elements) ?? []).compactMap {
                    document.string($0).flatMap { ContentHash(hex: $0.utf8) }
                })
        }
        let versions = try members("versions").map { name, bytes in
            guard let name = ContentHash(hex: name.utf8), let bytes = document.string(bytes) else { throw Malformed() }
            return try Version(name: name, bytes: Array(bytes.utf8))
        }
        var texts: [ContentHash: [UInt8]] = [:]
        for (hash, text) in members("texts") {
            if let hash = ContentHash(hex: hash.utf8), let text = document.string(text) {
                texts[hash] = Array(text.utf8)
            }
        }
        let graph = VersionGraph(versions, texts: Set(texts.keys), gone: hashes("gone"), waited: hashes("waited"))
        return answer(graph, try graph.joined { texts[$0] })
    }

    private static func answer(_ graph: VersionGraph, _ joined: Joined?) -> JSON {
        var answer: [(String, JSON?)] = [
            ("heads", .strings(graph.heads.map { graph.versions[$0].name.hex })),
            ("waiting", .strings(graph.incomplete.map(\.hex))),
        ]
        if let joined, joined.isMerge {
            let losers = joined.losers.flatMap { loser in
                loser.files.map { "\(loser.unit.rawValue) \($0.sha256.hex)" }
            }
            answer += [
                ("version", .string(String(decoding: joined.version.bytes, as: UTF8.self))),
                ("text", .string(String(decoding: joined.state.text ?? [], as: UTF8.self))),
                (
                    "conflicts",
                    .members(joined.conflicts.map { ($0.path, .string(String(decoding: $0.bytes, as: UTF8.self))) })
                ),
                ("losers", .strings(losers.sorted())),
            ]
        }
        return .members(answer)
    }
}
