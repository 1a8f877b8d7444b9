internal import Items
internal import JSONFormat
internal import Merge

/// What a merge of one file left out because sbfs did not join it, as on a forge: Documentation/Merge.md § 6.
///
/// A pure function of the versions: it opens no file.
public struct MergeAgain: Sendable, Equatable {
    /// The versions of the file that one merge has to do with.
    public struct Versions: Sendable {
        /// What both sides came from; `nil` without one.
        public let base: [UInt8]?
        /// One side of the merge.
        public let ours: [UInt8]
        /// The other side.
        public let theirs: [UInt8]
        /// What the merge made of them; `nil` if that cannot be read, as with conflict markers.
        public let merged: [UInt8]?

        /// Names the versions.
        public init(base: [UInt8]?, ours: [UInt8], theirs: [UInt8], merged: [UInt8]?) {
            self.base = base
            self.ours = ours
            self.theirs = theirs
            self.merged = merged
        }

        /// All versions of an item.json with one version's fields of the page and the document.
        fileprivate func withFields(of item: [UInt8]?) -> Versions {
            guard let item, let fields = MergeAgain.fields(item) else { return self }
            func given(_ bytes: [UInt8]?) -> [UInt8]? {
                guard let bytes, let json = MergeAgain.object(bytes) else { return bytes }
                let others = json.exactMembers(json.root).filter { !MergeAgain.staying.contains($0.key) }
                return JSONWriter.file(.object(others + fields))
            }
            return Versions(
                base: given(base), ours: given(ours) ?? ours, theirs: given(theirs) ?? theirs, merged: given(merged))
        }
    }

    /// The fields that a merge of one file knows nothing of, and those that say nothing of either side.
    static let staying = Set(
        ConflictField.ownFields.filter { ![.id, .updatedAt, .trashedAt].contains($0) }.map(\.key))

    /// The file with what the merge left out. What a person changed in the merge, or since, stays.
    public let bytes: [UInt8]
    /// Places that both sides changed, and for which the merge and the file have one of the two values; and those where a person changed
    /// something since that the merge left out.
    public let conflicts: [FileJoin.Conflict]

    /// What is left to do of a merge that a caller knows more about.
    public init(bytes: [UInt8], conflicts: [FileJoin.Conflict]) {
        self.bytes = bytes
        self.conflicts = conflicts
    }

    /// Compares a merge with the join of its sides.
    ///
    /// - Parameters:
    ///   - kind: how the versions are read.
    ///   - versions: those of the merge.
    ///   - live: the file as it is now; `nil` if that is what the merge made, which cannot be read.
    /// - Returns: `nil` if the file lacks nothing of either side.
    /// - Throws: `FileJoin.Failure` if a side or the file cannot be read.
    public init?(_ kind: FileJoin.Kind, _ versions: Versions, live: [UInt8]?) throws(FileJoin.Failure) {
        let merged = versions.merged
        let driver = try FileJoin(kind, base: versions.base, ours: versions.ours, theirs: versions.theirs)
        // The time in a joined item is that of no side. A joined text may be that of one side, and so may a joined small file.
        let tellsJoin = kind != .text && FileJoin.updatedAt(versions.ours) != nil
        if driver.bytes == versions.merged, tellsJoin || driver.conflicts.isEmpty { return nil }
        // The page and the document stay, so their fields are alike on all sides.
        let versions = versions.withFields(of: kind == .object ? live ?? versions.merged : nil)
        let join = try FileJoin(kind, base: versions.base, ours: versions.ours, theirs: versions.theirs)
        var other: [FileJoin.Conflict] = []
        func completed(_ base: [UInt8]?, _ own: [UInt8], _ more: [UInt8]) throws(FileJoin.Failure) -> [UInt8] {
            let made = try FileJoin(kind, base: base, ours: own, theirs: more, standing: .ours)
            other += made.conflicts
            return Self.areSame(made.bytes, own, kind) ? own : made.bytes
        }
        let whole: [UInt8]
        if let made = versions.merged {
            whole = try completed(versions.base, made, join.bytes)
            // A merge of lines has no field that is as on neither side: a person chose it.
            if kind != .text { other = [] }
        } else {
            whole = join.bytes
        }
        let result =
            if let live, live != merged { try completed(versions.merged ?? versions.base, live, whole) } else { whole }
        // The same fields in another order are no change.
        bytes = live.map { Self.areSame(result, $0, kind) ? $0 : result } ?? result
        let asked = join.conflicts.filter { Self.isOpen($0, [versions.merged, live].compactMap { $0 }, kind) }
        let known = join.conflicts.flatMap(Self.values)
        conflicts =
            asked
            + other.filter { conflict in
                !Self.values(conflict).contains { value in known.contains { JSON.areSameValue($0, value) } }
            }
        if bytes == live, conflicts.isEmpty { return nil }
    }

    /// Whether two files say the same, but for when they were changed.
    private static func areSame(_ one: [UInt8], _ two: [UInt8], _ kind: FileJoin.Kind) -> Bool {
        if one == two { return true }
        guard kind != .text, let a = members(one), let b = members(two) else { return false }
        return JSON.areSameValue(.object(a), .object(b))
    }

    private static func object(_ bytes: [UInt8]) -> JSONDocument? {
        guard let json = try? JSONDocument(parsing: bytes), json.kind(json.root) == .object else { return nil }
        return json
    }

    /// The fields of an item.json that stay; `nil` for another file.
    private static func fields(_ bytes: [UInt8]) -> [JSON.Member]? {
        guard let json = object(bytes), json.member(ItemField.id.key, of: json.root) != nil else { return nil }
        return json.exactMembers(json.root).filter { staying.contains($0.key) }
    }

    private static func members(_ bytes: [UInt8]) -> [JSON.Member]? {
        guard let json = object(bytes) else { return nil }
        return json.exactMembers(json.root).filter { $0.key != ItemField.updatedAt.key }
    }

    /// Both values of a conflict.
    private static func values(_ conflict: FileJoin.Conflict) -> [JSON] {
        (try? ConflictFile(name: conflict.name, bytes: conflict.bytes))?.values ?? []
    }

    /// Whether nobody decided for a value of a conflict: the merge and the file have the same of the two.
    private static func isOpen(_ conflict: FileJoin.Conflict, _ files: [[UInt8]], _ kind: FileJoin.Kind) -> Bool {
        guard let file = try? ConflictFile(name: conflict.name, bytes: conflict.bytes) else { return true }
        let field = ConflictField(file)
        let standing = files.map { bytes in
            kind == .text ? field.standing(in: [], bytes) : field.standing(in: members(bytes) ?? [], nil)
        }
        return standing.allSatisfy { $0 != nil && $0 == standing[0] }
    }
}
