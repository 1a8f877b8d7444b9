internal import MergeHistories

/// `sbfs-bench histories`: random histories of versions that devices edit, join and receive, and whether each one joins
/// as it must. `MergeTests.HistoryTests` runs a sample.
enum HistoryFuzz {
    static func run(_ words: [String]) throws {
        let options = try BenchmarkOptions(words)
        let first = UInt64(max(0, options.number("seed", 1))), cases = options.number("cases", 10_000)
        var failed = 0, merges = 0, conflicts = 0
        for seed in first..<first + UInt64(max(0, cases)) {
            let check = try HistoryCheck(seed: seed)
            merges += check.isMerge ? 1 : 0
            conflicts += check.conflictCount
            failed += check.violations.isEmpty ? 0 : 1
            for violation in check.violations { print(violation) }
        }
        print("\(cases) histories, of which \(merges) have several heads, with \(conflicts) conflicts: \(failed) fail")
        if failed > 0 { throw BenchmarkError(description: "\(failed) histories fail") }
    }
}
