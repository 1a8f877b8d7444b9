internal import Confinement

/// Measures the start of a process that gives up its rights: the copy of this process alone, and with each profile.
enum ConfinementBenchmark {
    static func run(_ words: [String]) throws {
        let options = try BenchmarkOptions(words)
        let runs = options.number("runs", 500)
        let plain = try median(runs) {}
        print("a process alone: \(plain) µs (median of \(runs) starts, until its end)")
        for profile in Confinement.Profile.allCases {
            let confinement = Confinement(profile, reading: ["/usr/lib", "/etc/ssl"], writing: ["/tmp"])
            let whole = try median(runs) { confinement.apply() }
            print("with the profile \(profile.rawValue): \(whole) µs, \(whole - plain) µs more")
        }
    }

    /// Microseconds from the start of a process to its end.
    private static func median(_ runs: Int, _ body: () -> Void) throws -> Int {
        var times: [Duration] = []
        for _ in 0..<runs {
            let start = ContinuousClock.now
            let child = try ConfinedChild.start {
                body()
                return 0
            }
            _ = child.wait()
            times.append(ContinuousClock.now - start)
        }
        return Int(times.sorted()[runs / 2] / .microseconds(1))
    }
}
