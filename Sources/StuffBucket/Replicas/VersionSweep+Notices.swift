internal import Items
internal import JSONFormat
internal import Merge

/// What a person of this copy decided, and a join does not keep, though it is no conflict: the person is told.
extension VersionSweep {
    /// - Parameter isMerge: whether versions are joined here; another copy may have joined them before.
    mutating func noteWhatLost(to state: ItemState, isMerge: Bool) throws(ItemError) {
        guard let at = memory.at, let here = graph.node(of: at), graph.heads != [here] else { return }
        let own = try existing(at)
        let joined = Version(
            parents: [], item: state.members, text: state.text.map { Items.ContentHash(of: $0) }, files: state.files)
        if try !resolvedTwice(here).isDisjoint(with: own.changed(since: joined)) { notices.append(.resolvedTwice(id)) }
        // One that another copy joined knew of this copy's name.
        guard isMerge else { return }
        let documents = [own, joined].map { version in version.files.filter { Component(of: $0) == .document } }
        guard let mine = documents[0].first, let standing = documents[1].first, documents.allSatisfy({ $0.count == 1 }),
            !mine.isAt(standing.path), case let former = try formerNames(of: mine, before: here),
            mine.sha256 == standing.sha256 ? !former.isEmpty : former.contains(where: standing.isAt)
        else { return }
        notices.append(.renamedElsewhere(id, own: Self.name(mine), standing: Self.name(standing)))
    }

    /// The other paths that a document had in the versions that a node comes from.
    private func formerNames(of file: Version.File, before here: Int) throws(ItemError) -> [String] {
        var paths: [String] = []
        for place in graph.lineage(of: here) where graph.versions[place].content.document != nil {
            for old in try existing(graph.versions[place].name).files
            where Component(of: old) == .document && old.sha256 == file.sha256 && !old.isAt(file.path) {
                paths.append(old.path)
            }
        }
        return paths
    }

    private static func name(_ file: Version.File) -> String { file.path.pathComponents.last ?? file.path }

    /// What was changed where one conflict was resolved in versions from here and in others, none of which came from the other. The
    /// copy that joined them first may have been another one.
    private func resolvedTwice(_ here: Int) throws(ItemError) -> Set<String> {
        func resolving(_ nodes: Set<Int>) -> [Int] { nodes.filter { !graph.versions[$0].resolved.isEmpty } }
        let own = Set(graph.lineage(of: here))
        let others = graph.heads.reduce(into: Set<Int>()) { $0.formUnion(graph.lineage(of: $1)) }.subtracting(own)
        var nodes: Set<Int> = []
        for theirs in resolving(others) {
            let before = Set(graph.lineage(of: theirs))
            for ours in resolving(own) where !before.contains(ours) {
                let isSame = !Set(graph.versions[ours].resolved).isDisjoint(with: graph.versions[theirs].resolved)
                if isSame { nodes.formUnion([ours, theirs]) }
            }
        }
        var changed: Set<String> = []
        for node in nodes {
            let version = try existing(graph.versions[node].name)
            guard version.parents.count == 1, let parent = outline(version.parents[0]) else { continue }
            changed.formUnion(version.changed(since: try existing(parent.name)))
        }
        return changed
    }
}

extension Version {
    /// The fields that differ from another version's, but for the time of the change, and `text.md` if the text does.
    fileprivate func changed(since other: Version) -> Set<String> {
        let (now, before) = (values, other.values)
        var keys = Set(now.keys).union(before.keys).filter { now[$0] != before[$0] }
        if text != other.text { keys.insert(Layout.textFile) }
        keys.remove(ItemField.updatedAt.key)
        return keys
    }

    private var values: [String: JSON] {
        Dictionary(item.map { ($0.key, $0.value) }, uniquingKeysWith: { first, _ in first })
    }
}
