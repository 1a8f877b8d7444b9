internal import Items
internal import Merge

/// A saved page of which an interrupted join placed some files: Documentation/Merge.md § 2.
extension VersionSweep {
    /// Whether the live page is no edit, but a page that was not live here yet: some files of it are here, perhaps all, and else only files of
    /// earlier pages.
    func isPageUnfinished() throws(ItemError) -> Bool { try unfinishedPage() != nil }

    /// - Returns: the files of all earlier pages; `nil` if the live page is an edit, or whole.
    func unfinishedPage() throws(ItemError) -> Set<Version.File>? {
        guard !isWorkTree, let value = live.hashes.page,
            graph.versions(with: .page, value, isCounting: true).isEmpty
        else { return nil }
        let files = Set(live.files.filter { Component(of: $0) == .page })
        let (coming, earlier) = try knownPages(isShowing: memory.showing[.page] == value)
        let isUnfinished = coming.contains { page in
            let placed = files.intersection(page)
            return !placed.isSubset(of: earlier) && files.subtracting(placed).isSubset(of: earlier)
        }
        return isUnfinished ? earlier : nil
    }

    /// The pages that were not live here, and the files of those that were.
    ///
    /// - Parameter isShowing: whether the live page stayed when the last state known was noted: the page of that is still to come.
    private func knownPages(
        isShowing: Bool
    ) throws(ItemError) -> (coming: [Set<Version.File>], earlier: Set<Version.File>) {
        let at = memory.at.flatMap { graph.node(of: $0) }
        let known = Set(at.map(graph.lineage) ?? [])
        let shown = isShowing ? outline(memory.at)?.content.page : nil
        var coming: [Items.ContentHash: Set<Version.File>] = [:], earlier: [Items.ContentHash: Set<Version.File>] = [:]
        for place in graph.counting {
            let version = graph.versions[place]
            guard let page = version.content.page else { continue }
            let isEarlier = known.contains(place) && page != shown
            if isEarlier ? earlier[page] != nil : coming[page] != nil { continue }
            let files = Set(try existing(version.name).files.filter { Component(of: $0) == .page })
            if isEarlier { earlier[page] = files } else { coming[page] = files }
        }
        return (Array(coming.values), earlier.values.reduce(into: []) { $0.formUnion($1) })
    }
}
