internal import Items
internal import JSONFormat
internal import Merge

/// What a program saved here, and another one replaced before a sweep saw it: Documentation/Merge.md § 2, rule 4.
extension VersionSweep {
    /// Notes what was saved, on what this device knew when it was saved.
    mutating func noteSaved() throws(ItemError) {
        var groups: [Items.ContentHash: [Component: Piece]] = [:]
        for (component, save) in saved {
            guard let (piece, value) = Piece.of(component, save.bytes), value != live.hashes[component],
                graph.versions(with: component, value).isEmpty
            else { continue }
            let bytes = evidence(component, piece)
            let at = save.at.flatMap { graph.node(of: $0) == nil ? nil : $0 } ?? (isBaseKnown ? memory.at : nil)
            let parent: Items.ContentHash?
            if let at {
                parent = try choice.ofLocal(bytes, at: at)
            } else {
                parent = try choice.ofArrival(bytes, time: save.status.modified / 1_000_000)?.parent ?? memory.at
            }
            if let parent { groups[parent, default: [:]][component] = piece }
        }
        for parent in groups.keys.sorted() {
            let name = try note(groups[parent] ?? [:], on: parent, isWrittenHere: true)
            if memory.at == parent { memory.at = name }
        }
    }
}
