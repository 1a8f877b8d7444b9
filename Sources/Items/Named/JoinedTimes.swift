package import JSONFormat

/// `changedAt` of a small file that was joined over the state that both sides came from: FORMAT.md § 9.2.
package enum JoinedTimes {
    /// Whether one of two sides has times.
    package static func are(_ one: [JSON.Member], _ two: [JSON.Member]) -> Bool {
        !NamedKeys.times(one).isEmpty || !NamedKeys.times(two).isEmpty
    }

    /// The members of a version without its times.
    package static func without(_ members: [JSON.Member]) -> [JSON.Member] {
        members.filter { !NamedKeys.isTimes($0.key) }
    }

    /// Puts the times of both sides to the joined members. The times of a key are those of the side that has its value; of both, and of
    /// none, the later ones. Nothing is a conflict here.
    package static func put(
        _ one: [JSON.Member], _ two: [JSON.Member], to joined: [JSON.Member]
    ) -> [JSON.Member] {
        let sides = [NamedKeys.times(one), NamedKeys.times(two)]
        let values = Dictionary(joined.map { (Array($0.key.utf8), $0.value) }) { first, _ in first }
        var times: [[UInt8]: KeyTime] = [:]
        for key in Set(sides.flatMap(\.keys)) {
            let known = sides.compactMap { $0[key] }
            let fitting = known.filter { $0.fits(values[key]) }
            let all = fitting.isEmpty ? known : fitting
            guard let latest = all.map(\.mark).max() else { continue }
            times[key] = KeyTime(latest, former: all.flatMap(\.former))
        }
        return joined + [JSON.Member(NamedKeys.timesKey, NamedKeys.object(times))]
    }
}
