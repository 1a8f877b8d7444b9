import MergeHistories
import TestSupport
import Testing

/// What holds for every history. `sbfs-bench histories --cases 1000000` runs a million.
struct HistoryTests {
    @Test func `nothing is lost, nothing comes back, and equal sets join to equal bytes`() throws {
        var merges = 0, conflicts = 0
        let first = FuzzSetting.seed
        for seed in first..<first + UInt64(FuzzSetting.cases(300)) {
            let check = try HistoryCheck(seed: seed)
            merges += check.isMerge ? 1 : 0
            conflicts += check.conflictCount
            #expect(check.violations == [])
        }
        #expect(merges > 0)
        #expect(conflicts > 0)
    }
}
