internal import Files
internal import Items

/// Files and folders at the top of a library that a person put there: a README, notes. A merge takes none of them.
struct OwnFiles {
    private let store: ItemStore

    init(of store: ItemStore) { self.store = store }

    /// Those that another copy lacks, or has with other bytes; names, sorted.
    func missing(in other: ItemStore) throws(FileError) -> [String] {
        var names: [String] = []
        for entry in try store.root.entries() {
            guard let name = entry.name.string else {
                names.append(entry.name.repaired)
                continue
            }
            // Names that begin with a dot are of programs: git, editors, file managers.
            if Layout.ownNames.contains(name) || name == Layout.inbox || Layout.isTemporary(name) { continue }
            if try !isSame(name, in: other) { names.append(name) }
        }
        return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    private func isSame(_ name: String, in other: ItemStore) throws(FileError) -> Bool {
        guard let here = try store.root.statusIfPresent(of: name), let there = try other.root.statusIfPresent(of: name)
        else { return false }
        if here.kind != there.kind { return false }
        if here.kind != .regular { return here.kind == .directory }
        if here.byteCount != there.byteCount { return false }
        return try store.root.file(name).sha256() == other.root.file(name).sha256()
    }
}
