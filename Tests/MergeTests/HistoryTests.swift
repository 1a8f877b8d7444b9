import Items
import JSONFormat
import Merge
import TestSupport
import Testing

/// What holds for every history. `FUZZ_CASES=1000000 swift test --filter MergeTests.HistoryTests` runs a million.
struct HistoryTests {
    @Test func `nothing is lost, nothing comes back, and equal sets join to equal bytes`() throws {
        var merges = 0, conflicts = 0
        let first = FuzzSetting.seed
        for seed in first..<first + UInt64(FuzzSetting.cases(300)) {
            var replicas = Replicas(seed: seed, steps: Int(4 + seed % 20))
            let met = try replicas.meet()
            let joined = try #require(met)
            merges += joined.isMerge ? 1 : 0
            conflicts += joined.conflicts.count
            let live = Replicas.tokens(joined.state)
            for (token, life) in replicas.lives {
                if life.deaths.isEmpty {
                    #expect(
                        live.contains(token) || replicas.inConflicts.contains(token), "seed \(seed): \(token) is lost")
                } else {
                    #expect(!live.contains(token), "seed \(seed): \(token) is back")
                }
            }
            try checkRest(&replicas, joined, seed)
        }
        #expect(merges > 0)
        #expect(conflicts > 0)
    }

    /// The others join the same, in whatever order versions are given; then there is one head.
    private func checkRest(_ replicas: inout Replicas, _ joined: Joined, _ seed: UInt64) throws {
        for device in 1..<replicas.devices.count {
            let settled = try replicas.settle(device)
            let other = try #require(settled)
            #expect(other.version.bytes == joined.version.bytes, "seed \(seed)")
            #expect(other.conflicts == joined.conflicts, "seed \(seed)")
        }
        let names = replicas.devices[0].sorted { $0.hex.reversed().lexicographicallyPrecedes($1.hex.reversed()) }
        let graph = replicas.graph(names)
        #expect(graph.heads.map { graph.versions[$0].name } == [joined.version.name], "seed \(seed)")
        let again = try graph.joined { [texts = replicas.texts] in texts[$0] }
        #expect(again?.isMerge == false, "seed \(seed): something new appears")
    }
}
