import StuffBucket
import Synchronization

extension Invocation {
    /// Names the first five items or files that could not be read, without duplicates.
    ///
    /// - Parameter more: sentences about further ones.
    func tell(_ faults: [ItemFault], _ more: [String] = []) {
        // What to do about a fault is looked up in the item's folder.
        let told = faults.prefix(Self.toldFaults).map(\.wording)
        tell(faults: told + faults.dropFirst(Self.toldFaults).map(\.description) + more)
    }

    private static let toldFaults = 5

    func tell(faults: [String]) {
        var seen: Set<String> = []
        let faults = faults.filter { seen.insert($0).inserted }
        for fault in faults.prefix(Self.toldFaults) { talk.warn(fault) }
        if faults.count > Self.toldFaults {
            talk.warn("and \(faults.count - Self.toldFaults) more; \"sbfs check\" names all of them")
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
