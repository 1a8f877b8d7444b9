import Items
import Merge

/// What must hold for the random history of a seed: nothing is lost, nothing comes back, equal sets join to equal bytes,
/// and then nothing new appears.
package struct HistoryCheck {
    /// A sentence for each violation.
    package private(set) var violations: [String] = []
    package private(set) var isMerge = false
    package private(set) var conflictCount = 0

    /// - Throws: the error of a join.
    package init(seed: UInt64) throws {
        var replicas = Replicas(seed: seed, steps: Int(4 + seed % 20))
        guard let joined = try replicas.meet() else {
            violations.append("seed \(seed): nothing counts")
            return
        }
        isMerge = joined.isMerge
        conflictCount = joined.conflicts.count
        let live = Replicas.tokens(joined.state)
        for (token, life) in replicas.lives.sorted(by: { $0.key < $1.key }) {
            if life.deaths.isEmpty {
                let isKept = live.contains(token) || replicas.inConflicts.contains(token)
                if !isKept { violations.append("seed \(seed): \(token) is lost") }
            } else if live.contains(token) {
                violations.append("seed \(seed): \(token) is back")
            }
        }
        try checkRest(&replicas, joined, seed)
    }

    /// The others join the same, in whatever order versions are given; then there is one head.
    private mutating func checkRest(_ replicas: inout Replicas, _ joined: Joined, _ seed: UInt64) throws {
        for device in 1..<replicas.devices.count {
            let other = try replicas.settle(device)
            if other?.version.bytes != joined.version.bytes || other?.conflicts != joined.conflicts {
                violations.append("seed \(seed): device \(device) joins to something else")
            }
        }
        let names = replicas.devices[0].sorted { $0.hex.reversed().lexicographicallyPrecedes($1.hex.reversed()) }
        let graph = replicas.graph(names)
        if graph.heads.map({ graph.versions[$0].name }) != [joined.version.name] {
            violations.append("seed \(seed): there are several heads")
        }
        let again = try graph.joined { [texts = replicas.texts] in texts[$0] }
        if again?.isMerge != false { violations.append("seed \(seed): something new appears") }
    }
}
