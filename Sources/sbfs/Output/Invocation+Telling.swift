import StuffBucket
import Synchronization

extension Invocation {
    /// Names the first five items or files that could not be read, without duplicates.
    ///
    /// - Parameter more: sentences about further ones.
    func tell(_ faults: [ItemFault], _ more: [String] = []) { tell(faults: faults.map(\.description) + more) }

    func tell(faults: [String]) {
        var seen: Set<String> = []
        let faults = faults.filter { seen.insert($0).inserted }
        for fault in faults.prefix(5) { talk.warn(fault) }
        if faults.count > 5 {
            talk.warn("and \(faults.count - 5) more; \"sbfs check\" names all of them")
        }
    }

    /// Runs long work and shows its progress in a bar on a terminal.
    func withProgress<Result>(
        _ what: String, _ work: (Monitor) throws -> Result
    ) rethrows -> Result {
        let bar = SharedProgress(what, talk)
        defer { bar.clear() }
        return try work(Monitor { bar.show($0, $1) })
    }
}
