internal import Glibc

/// The number of generated cases of a test: a sample, or `FUZZ_CASES`, starting at `FUZZ_SEED` (`Scripts/fuzz`).
package enum FuzzSetting {
    package static func cases(_ sample: Int) -> Int {
        getenv("FUZZ_CASES").flatMap { Int(String(cString: $0)) } ?? sample
    }

    package static var seed: UInt64 { getenv("FUZZ_SEED").flatMap { UInt64(String(cString: $0)) } ?? 1 }
}

extension SeededGenerator {
    package static var forFuzzing: SeededGenerator { SeededGenerator(seed: FuzzSetting.seed) }
}
