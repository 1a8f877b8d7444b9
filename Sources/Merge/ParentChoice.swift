package import Items
package import JSONFormat

/// Which version bytes came from that no sbfs wrote: Documentation/Merge.md § 2, rules 4 to 6.
package struct ParentChoice {
    /// The bytes of a component.
    package enum Bytes {
        /// The members of item.json.
        case item([JSON.Member])
        case text([UInt8])
        /// A page or a document, of which the names and hashes of files alone are known; the file of a document, if there is one.
        case page, document(Version.File?)

        var component: Component {
            switch self {
            case .item: .item
            case .text: .text
            case .page: .page
            case .document: .document
            }
        }
    }

    private let graph: VersionGraph
    private let text: (ContentHash) -> [UInt8]?
    /// So many versions are compared, the latest: a bound of the work on a folder with a million of them.
    private static let candidateLimit = 400
    /// Of so many equally near texts, the steps are counted.
    private static let stepLimit = 16

    /// - Parameter text: gives the bytes of a text that is here.
    package init(_ graph: VersionGraph, text: @escaping (ContentHash) -> [UInt8]?) {
        self.graph = graph
        self.text = text
    }

    /// The parent of bytes that were written here.
    ///
    /// - Parameters:
    ///   - at: the last version known here.
    ///   - setAside: hashes of what a tool had put aside as conflict copies before the bytes were written: they come from none of these.
    ///   - found: versions that have the bytes. Somebody put them back in the place of others.
    ///   - written: when the bytes were written, in milliseconds since 1970, if that was before other bytes were live here.
    ///     `nil` otherwise.
    ///   - birth: when a version came to this device or was made here, in the same unit.
    /// - Returns: `at`, a nearer version that arrived since, or one that was here when the bytes were written.
    /// - Throws: the error of the graph's loader.
    package func ofLocal(
        _ bytes: Bytes, at: ContentHash, setAside: Set<ContentHash> = [], found: [ContentHash] = [],
        written: Int64? = nil,
        birth: (ContentHash) -> Int64 = { _ in .max }
    ) throws(ItemError) -> ContentHash {
        guard let here = graph.node(of: at) else { return at }
        switch bytes {
        case .page, .document: return graph.versions[here].name
        case .item, .text: break
        }
        let lineage = graph.lineage(of: here), older = Set(lineage)
        func isAside(_ place: Int) -> Bool { self.isAside(place, bytes.component, setAside) }
        let same = Set(found.compactMap { graph.node(of: $0) })
        // What a tool put aside was the latest of its device: no tool brought what that came from.
        let before = graph.lineages(of: graph.counting.filter(isAside))
        var candidates = [here] + graph.counting.filter { !older.contains($0) && !before.contains($0) }
        candidates.removeAll { isAside($0) || same.contains($0) }
        if candidates.isEmpty { candidates = lineage.filter { !isAside($0) } }
        if candidates.isEmpty { candidates = [here] }
        if let written {
            // A root is noted only when it changes.
            let seen = lineage.filter { place in
                let name = graph.versions[place].name
                return (graph.origins(of: place).isEmpty ? graph.updated(place) : birth(name)) <= written
            }
            let last = seen.max { a, b in
                let depths = (graph.lineage(of: a).count, graph.lineage(of: b).count)
                return depths.0 == depths.1 ? graph.versions[a].name < graph.versions[b].name : depths.0 < depths.1
            }
            if let last {
                let all = candidates + seen.filter { $0 != here }
                return graph.versions[try nearest(bytes, among: all, first: last, countsSteps: true) ?? last].name
            }
        }
        var fits = carried(bytes, among: candidates)
        if fits.isEmpty {
            let others = graph.counting.filter { older.contains($0) || !before.contains($0) }
            fits = carried(bytes, among: others).filter { !isAside($0) && !same.contains($0) }
        }
        let place = try nearest(bytes, among: fits.isEmpty ? candidates : fits, first: here, countsSteps: true)
        return graph.versions[place ?? here].name
    }

    /// Whether bytes of an earlier version, which were written here, may have been made of a version that arrived since as well as of the
    /// last one known here: that version comes from the earlier one, too, and is as near to it.
    ///
    /// - Parameters:
    ///   - found: the versions that have the bytes.
    ///   - at: the last version known here.
    ///   - setAside: as for `ofLocal`.
    /// - Throws: the error of the graph's loader.
    package func mayComeFromArrival(
        _ bytes: Bytes, of found: [ContentHash], at: ContentHash, setAside: Set<ContentHash> = []
    ) throws(ItemError) -> Bool {
        guard let here = graph.node(of: at) else { return false }
        let older = Set(graph.lineage(of: here)), known = try distance(bytes, to: here).0
        let later = graph.descendants(of: found.compactMap { graph.node(of: $0) })
        let arrived = later.filter { !older.contains($0) && !isAside($0, bytes.component, setAside) }
        var seen: Set<ContentHash?> = []
        for place in latest(arrived.sorted()) {
            // Many versions have one text.
            if bytes.component == .text, !seen.insert(graph.versions[place].text).inserted { continue }
            if try distance(bytes, to: place).0 <= known { return true }
        }
        return false
    }

    private func isAside(_ place: Int, _ component: Component, _ setAside: Set<ContentHash>) -> Bool {
        graph.versions[place].content[component].map(setAside.contains) ?? false
    }

    /// As many as are compared.
    private func latest(_ places: [Int]) -> [Int] {
        if places.count <= Self.candidateLimit { return places }
        return places.sorted { graph.updated($0) > graph.updated($1) }.prefix(Self.candidateLimit).sorted()
    }

    /// The parent of bytes that came from elsewhere.
    ///
    /// - Parameters:
    ///   - time: when the bytes were modified, in milliseconds since 1970; `nil` if unknown. Of item.json, its
    ///     `updatedAt` counts instead.
    ///   - isCopy: whether the bytes are a conflict copy of a copying tool. They lost against something that came later.
    ///   - live: the hash of what a copy lies beside. It lost against that: it does not come from a head with these bytes.
    ///   - beside: the version whose item.json lies beside the bytes, in a copy that was read at once. Of equally near ones it is taken. A
    ///     page or a document is an edit of that version's, if that is the only one that there was.
    ///   - isLocal: whether the bytes were written here, though this device knew no version: no other save of theirs is on its way.
    ///   - known: the versions that the copy has from which the bytes come; they come from one of these. Empty if that is not known.
    /// - Returns: `nil` if no version counts, or none that the bytes can come from. The parent is certain if the bytes carry its time, or lie beside it.
    /// - Throws: the error of the graph's loader.
    package func ofArrival(
        _ bytes: Bytes, time: Int64?, isCopy: Bool = false, live: ContentHash? = nil, beside: ContentHash? = nil,
        isLocal: Bool = false, known: Set<ContentHash> = []
    ) throws(ItemError) -> (parent: ContentHash, isCertain: Bool)? {
        var candidates = graph.counting
        let ofCopy = candidates.filter { known.contains(graph.versions[$0].name) }
        if !ofCopy.isEmpty { candidates = ofCopy }
        let heads = isCopy ? Set(graph.heads) : []
        if let live {
            candidates.removeAll { graph.versions[$0].content[bytes.component] == live && heads.contains($0) }
        }
        if candidates.isEmpty { return nil }
        let fits = carried(bytes, among: candidates)
        if !fits.isEmpty {
            // An editor may have saved twice under one time, and the first save may arrive after the second. A copy that is at hand has
            // what an editor changed there.
            let older = isLocal || !ofCopy.isEmpty ? fits : Set(fits.flatMap { graph.lineage(of: $0) }).sorted()
            if let place = try nearest(bytes, among: older) { return (graph.versions[place].name, true) }
        }
        switch bytes {
        case .page:
            if let only = versionOfOnly(.page, beside: beside) { return (only, true) }
            return (beforeLastChange(.page), false)
        case .document(let file):
            if let found = try versionOfDocument(at: file?.path, beside: beside) { return found }
            if let file, let found = try versionOfRenamed(file, among: candidates) { return (found, true) }
            return (beforeLastChange(.document), false)
        case .item, .text: break
        }
        var time = time
        if case .item(let members) = bytes { time = Self.updated(members) }
        if let time {
            // A program that edits does not set the time back, so they come from nothing later. What an earlier version came from is
            // earlier, whatever a wrong clock says.
            let earlier = graph.lineages(of: candidates.filter { graph.updated($0) <= time })
            if !earlier.isEmpty { candidates = candidates.filter(earlier.contains) }
        }
        if isCopy {
            let older = candidates.filter { !heads.contains($0) }
            if !older.isEmpty { candidates = older }
        }
        let first = beside.flatMap { graph.node(of: $0) }
        return try nearest(bytes, among: candidates, first: first).map { (graph.versions[$0].name, false) }
    }

    /// The nodes whose `updatedAt` is in the bytes: editors leave it alone.
    private func carried(_ bytes: Bytes, among places: [Int]) -> [Int] {
        guard case .item(let members) = bytes, let time = Self.updated(members) else { return [] }
        return places.filter { graph.updated($0) == time }
    }

    private static func updated(_ members: [JSON.Member]) -> Int64? {
        members.first { $0.key.utf8.elementsEqual("updatedAt".utf8) }?.value.instant
    }

    /// The nearest; of equally near ones `first`, then the earliest state (a value that stays is better than a loss), and
    /// of several nodes with that state the latest.
    ///
    /// - Parameter countsSteps: whether, of equally near texts, the one is nearer from which fewer steps lead to the bytes, and then the
    ///   one of which more words stayed.
    private func nearest(
        _ bytes: Bytes, among places: [Int], first: Int? = nil, countsSteps: Bool = false
    ) throws(ItemError) -> Int? {
        let places = latest(places)
        struct Candidate {
            let place: Int, distance: Int, isFirst: Bool, depth: Int
            var began: Int
        }
        var candidates: [Candidate] = [], began: [State: Int] = [:], states: [State] = []
        for place in places {
            let (distance, state) = try distance(bytes, to: place)
            let depth = graph.lineage(of: place).count
            began[state] = min(began[state] ?? depth, depth)
            states.append(state)
            candidates.append(
                Candidate(place: place, distance: distance, isFirst: place == first, depth: depth, began: depth))
        }
        for index in candidates.indices { candidates[index].began = began[states[index]] ?? 0 }
        if countsSteps, case .text(let new) = bytes, let least = candidates.map(\.distance).min() {
            candidates.removeAll { $0.distance > least }
            let best = fewestSteps(to: new, from: Set(candidates.map { graph.versions[$0.place].text }))
            candidates.removeAll { !best.contains(graph.versions[$0.place].text) }
        }
        return candidates.min { a, b in
            if a.distance != b.distance { return a.distance < b.distance }
            if a.isFirst != b.isFirst { return a.isFirst }
            if a.began != b.began { return a.began < b.began }
            return a.depth == b.depth ? a.place < b.place : a.depth > b.depth
        }?.place
    }

    /// The texts from which the fewest steps lead to a text; of several, those of which the most words stayed. But a text that lacks fewer of
    /// the paragraphs that others of them have is nearer: nobody writes such a one again, byte for byte.
    private func fewestSteps(to new: [UInt8], from texts: Set<ContentHash?>) -> Set<ContentHash?> {
        if texts.count < 2 || texts.count > Self.stepLimit { return texts }
        let new = ParagraphText(new).paragraphs
        var all = texts.map { hash in (hash: hash, paragraphs: ParagraphText(hash.flatMap(text) ?? []).paragraphs) }
        let known = Set(new).intersection(all.flatMap(\.paragraphs))
        let lacked = all.map { known.subtracting($0.paragraphs).count }, least = lacked.min()
        all = zip(all, lacked).filter { $0.1 == least }.map(\.0)
        if all.count == 1 { return [all[0].hash] }
        let counted = all.map { hash, old in
            let (steps, keptWords) = ParagraphSide(old, new).steps(from: old)
            return (hash: hash, steps: steps, keptWords: keptWords)
        }
        let fewest = counted.map(\.steps).min(), near = counted.filter { $0.steps == fewest }
        let most = near.map(\.keptWords).max()
        return Set(near.filter { $0.keptWords == most }.map(\.hash))
    }

    /// What makes two nodes the same state here.
    private enum State: Hashable {
        case item([UInt8])
        case text(ContentHash?)
    }

    private func distance(_ bytes: Bytes, to place: Int) throws(ItemError) -> (Int, State) {
        let outline = graph.versions[place]
        switch bytes {
        case .item(let members):
            let other = try graph.load(outline.name).item
            let timeless = other.filter { !$0.key.utf8.elementsEqual("updatedAt".utf8) }
            return (Self.difference(Members(members), Members(other)), .item(JSONWriter.file(.object(timeless))))
        case .text(let one):
            let two = outline.text.flatMap(text) ?? []
            let a = ParagraphText(one).paragraphs, b = ParagraphText(two).paragraphs
            return (max(a.count, b.count) - Alignment.pairs(a, b).count, .text(outline.text))
        case .page, .document:
            return (0, .text(nil))
        }
    }

    /// How many members, tags and notes differ between two objects.
    static func difference(_ one: Members, _ two: Members) -> Int {
        let lists = ["tags", "annotations"]
        var count = 0
        for key in Members.keys(one, two) {
            if key.elementsEqual("updatedAt".utf8) || lists.contains(where: { key.elementsEqual($0.utf8) }) { continue }
            if !JSON.areSame(one[key], two[key]) { count += 1 }
        }
        for name in lists {
            let a = values(one[name]), b = values(two[name])
            count += max(a.subtracting(b).count, b.subtracting(a).count)
        }
        return count
    }

    private static func values(_ list: JSON?) -> Set<[UInt8]> {
        guard case .array(let values)? = list else { return [] }
        return Set(values.map { JSONWriter.file($0) })
    }

    /// The latest version with other files than the head's: a conflict that shows both is better than a loss. One whose files lost in a join
    /// and that nobody replaced is none: they would be lost.
    private func beforeLastChange(_ component: Component) -> ContentHash {
        guard let head = graph.heads.last else { return graph.versions[graph.counting[0]].name }
        func value(_ place: Int) -> ContentHash? { graph.versions[place].content[component] }
        let lineage = graph.lineage(of: head)
        var replaced: Set<ContentHash?> = []
        for place in lineage {
            let origins = graph.origins(of: place)
            if origins.count == 1, let only = origins.first, value(only) != value(place) {
                replaced.insert(value(only))
            }
        }
        let older = lineage.filter { value($0) != value(head) }
        let former = older.filter { replaced.contains(value($0)) }
        var latest = head, depth = -1
        for place in former.isEmpty ? older : former {
            let count = graph.lineage(of: place).count
            if count >= depth { (latest, depth) = (place, count) }
        }
        return graph.versions[latest].name
    }

    /// So many documents are compared by their paths, or by their bytes.
    private static let documentLimit = 64

    /// The version that lies beside the bytes, if no version has another page, or another document, than that one.
    private func versionOfOnly(_ component: Component, beside: ContentHash?) -> ContentHash? {
        guard let beside, let place = graph.node(of: beside), let value = graph.versions[place].content[component],
            graph.counting.allSatisfy({ (graph.versions[$0].content[component] ?? value) == value })
        else { return nil }
        return beside
    }

    /// The latest version whose document has the bytes of one under another name: somebody renamed that one. The latest 64 documents are
    /// looked at.
    ///
    /// - Throws: the error of the graph's loader.
    private func versionOfRenamed(_ file: Version.File, among places: [Int]) throws(ItemError) -> ContentHash? {
        var renamed: Set<ContentHash> = [], asked: Set<ContentHash> = []
        for place in places.sorted(by: { graph.updated($0) > graph.updated($1) }) {
            guard let value = graph.versions[place].content.document, asked.insert(value).inserted else { continue }
            if asked.count > Self.documentLimit { break }
            let files = try graph.load(graph.versions[place].name).files
            if files.contains(where: { Component(of: $0) == .document && $0.sha256 == file.sha256 }) {
                renamed.insert(value)
            }
        }
        func isRenamed(_ place: Int) -> Bool { graph.versions[place].content.document.map(renamed.contains) ?? false }
        return places.filter(isRenamed).map { (depth: graph.lineage(of: $0).count, place: $0) }.max { $0 < $1 }
            .map { graph.versions[$0.place].name }
    }

    /// The version of which a document is an edit, where no other can be: the head, if it has none, and none before had this path. Or the
    /// one whose item.json lies beside the bytes, if it has the only document of all, with this path.
    ///
    /// - Throws: the error of the graph's loader.
    private func versionOfDocument(
        at path: String?, beside: ContentHash?
    ) throws(ItemError) -> (parent: ContentHash, isCertain: Bool)? {
        guard let path, let head = graph.heads.last else { return nil }
        let only = versionOfOnly(.document, beside: beside)
        if graph.versions[head].content.document != nil, only == nil { return nil }
        var places: [ContentHash: Int] = [:]
        for place in graph.counting {
            if let value = graph.versions[place].content.document, places[value] == nil { places[value] = place }
        }
        if places.count > Self.documentLimit { return nil }
        for place in places.values.sorted() {
            let files = try graph.load(graph.versions[place].name).files
            let hasPath = files.contains { Component(of: $0) == .document && $0.isAt(path) }
            if hasPath != (only != nil) { return nil }
        }
        return (only ?? graph.versions[head].name, only != nil)
    }
}

extension VersionGraph {
    /// `updatedAt` of a version in milliseconds since 1970; 0 without one.
    func updated(_ place: Int) -> Int64 { versions[place].updatedAt?.milliseconds ?? 0 }
}
