import TestSupport
import Testing

@testable import Search

struct MergePolicyTests {
    @Test(arguments: [
        ([], 0), ([1], 1), ([1, 1, 1], 1), ([1, 1, 1, 1], 4), ([100, 1, 1, 1], 1), ([3, 3, 3, 3], 4),
        ([16, 16, 16, 4, 4, 4, 4], 7), ([1, 16, 16, 16], 4), ([64, 16, 16, 16], 1), ([64, 4, 4, 4, 4], 4),
    ])
    func `the last ones of about the same size become one`(_ sizes: [Int], count: Int) {
        #expect(MergePolicy.files.mergeCount(sizes) == count)
    }

    @Test(arguments: [
        ([1, 1], 1), ([1, 1, 1], 1), ([1, 1, 1, 1], 4), ([4, 1, 1, 1], 1), ([4, 1, 1, 1, 1], 5),
        ([16, 8, 4, 1, 1, 1, 1], 7), ([16, 4, 1, 1, 1, 1], 5), ([3, 3, 3], 1), ([3, 3, 3, 3], 4), ([1, 8], 2),
        ([4, 5], 2),
    ])
    func `in the log four of the smallest become one, and two of those above`(_ sizes: [Int], count: Int) {
        #expect(MergePolicy.log.mergeCount(sizes) == count)
    }

    @Test(arguments: [(MergePolicy.files, 40, 11), (MergePolicy.log, 20, 20)])
    func `few are left, and each document is copied a few times`(policy: MergePolicy, limit: Int, copies: Int) {
        var generator = SeededGenerator(seed: 61)
        for largest in [1, 3, 200] {
            var sizes: [Int] = []
            var (copied, total) = (0, 0)
            for _ in 0..<5_000 {
                let size = Int.random(in: 1...largest, using: &generator)
                total += size
                sizes.append(size)
                let count = policy.mergeCount(sizes)
                if count > 1 {
                    let merged = sizes.suffix(count).reduce(0, +)
                    copied += merged
                    sizes.removeLast(count)
                    sizes.append(merged)
                }
                #expect(sizes.count <= limit)
            }
            #expect(sizes.reduce(0, +) == total)
            #expect(copied <= total * copies)
        }
    }
}
