import Items
import JSONFormat

/// Values of fields that somebody replaced, but that stood on both sides of a join: Documentation/Merge.md § 3, "Replaced values".
///
/// States are joined two at a time. Where histories crossed, or a third head replaced the value, neither side shows it.
struct ReplacedValues {
    private let graph: VersionGraph
    private let heads: [Int]
    /// The nodes that the heads come from, with the heads.
    private let nodes: [Int]
    private var members: [Int: Members] = [:]
    /// So many versions are asked at most; of more, none is.
    private static let versionLimit = 1000

    /// - Throws: the error of the graph's loader.
    init(_ graph: VersionGraph, heads: [Int]) throws(ItemError) {
        self.graph = graph
        self.heads = heads
        let isOlder = graph.ancestors(of: heads)
        let nodes = graph.counting.filter { isOlder[$0] }
        self.nodes = nodes.count > Self.versionLimit ? [] : nodes
        for node in self.nodes { members[node] = Members(try graph.load(graph.versions[node].name).item) }
    }

    /// The members of a joined state, with the values that took the place of replaced ones.
    func settled(_ joined: [JSON.Member]) -> [JSON.Member] {
        let heads = heads.compactMap { members[$0] }
        let result = Members(joined)
        if heads.isEmpty || ([result] + heads).contains(where: { $0.given("deletedAt") != nil }) { return joined }
        var settled = joined
        for key in heads.reduce(Members.keys(result), { $0 + Members.keys($1) }) where FieldMerge.isPlain(key) {
            guard let value = standing(key, instead: result[key]) else { continue }
            let name = String(decoding: key, as: UTF8.self)
            let place = settled.firstIndex { $0.key.utf8.elementsEqual(key) }
            switch (place, value) {
            case (let place?, let value?): settled[place] = JSON.Member(name, value)
            case (let place?, nil): settled.remove(at: place)
            case (nil, let value?): settled.append(JSON.Member(name, value))
            case (nil, nil): break
            }
        }
        return settled
    }

    /// What stands instead of a value.
    ///
    /// - Returns: `nil` if the value was not replaced; a value may be absent.
    private func standing(_ key: [UInt8], instead value: JSON?) -> JSON?? {
        func parents(_ node: Int) -> Set<Int> { Set((graph.parents[node] ?? []).map { graph.nodes[$0] }) }
        let puts = nodes.filter { node in
            !parents(node).contains { JSON.areSame(members[$0]?[key], members[node]?[key]) }
        }
        let isReplaced = graph.ancestors(of: puts.flatMap(parents))
        let last = puts.filter { !isReplaced[$0] }
        let values = last.map { members[$0]?[key] } + [value]
        if last.contains(where: { JSON.areSame(members[$0]?[key], value) }) || values.contains(where: Self.isObject) {
            return nil
        }
        // What a join passed over is a conflict already; a value that a head has comes first.
        let live = last.filter { put in heads.contains { JSON.areSame(members[$0]?[key], members[put]?[key]) } }
        let latest = (live.isEmpty ? last : live).max { a, b in
            let times = (updated(a), updated(b))
            return times.0 == times.1 ? a < b : times.0 < times.1
        }
        return latest.map { members[$0]?[key] }
    }

    private func updated(_ node: Int) -> Int64 { members[node]?["updatedAt"]?.instant ?? 0 }

    private static func isObject(_ value: JSON?) -> Bool { if case .object = value { true } else { false } }
}
