internal import Files

/// Undoing how a step ended a conflict of two files: each file is put back.
extension WriteSession {
    /// A file that goes back.
    struct MoveBack {
        /// Where it is and where it goes, relative to the library's folder.
        let from: String
        let to: String
        let seen: FileStatus
        let hash: ContentHash
    }

    /// What undoing the moves of a step moves, in this order; empty if all is back.
    ///
    /// - Throws: `ItemError.changedSince` if a program changed a file since, and `.refused` if one is kept no longer.
    func movesBack(_ moves: [JournalRecord.MovedFile], of stored: StoredItem) throws(ItemError) -> [MoveBack] {
        var back: [MoveBack] = []
        for move in moves.reversed() {
            guard let hash = ContentHash(hex: move.sha256.utf8) else {
                throw .refused(.fileNotKept(path: move.from))
            }
            let places = try places(for: move.from, hash, of: stored)
            // Each of the names was resolved once.
            if places.isEmpty { throw .refused(.taken(path: store.root.full(move.from))) }
            if try isFile(move.to, hash), let seen = try status(move.to) {
                back.append(MoveBack(from: move.to, to: move.from, seen: seen, hash: hash))
                continue
            }
            var isBack = false
            for path in places where !isBack { isBack = try isFile(path, hash) }
            if isBack { continue }
            if try status(move.to) == nil { throw .refused(.fileNotKept(path: move.from)) }
            throw .changedSince(stored.id, what: move.to.pathComponents.last ?? move.to)
        }
        return back
    }

    /// Moves the files back. A lost document whose conflict a version ended gets another of its conflict names: with the first one, it would go
    /// again.
    func moveBack(_ moves: [MoveBack], of stored: StoredItem) throws(ItemError) {
        for move in moves {
            var isMoved = false
            for target in try places(for: move.to, move.hash, of: stored) where !isMoved {
                try files { () throws(FileError) in try makeFolder(of: target) }
                isMoved = try moveBack(move, of: stored, to: target)
            }
            if !isMoved { throw .changedSince(stored.id, what: move.to.pathComponents.last ?? move.to) }
        }
    }

    private func moveBack(_ move: MoveBack, of stored: StoredItem, to target: String) throws(ItemError) -> Bool {
        let parts = move.from.pathComponents
        let folder = parts[0] == Layout.items ? stored.folder : parts.prefix(2).joined(separator: "/")
        return try moveLostFile(
            String(move.from.dropFirst(folder.count + 1)), as: move.seen, of: stored.id, in: folder, to: target)
    }

    private func makeFolder(of path: String) throws(FileError) {
        var made = ""
        for part in path.pathComponents.dropLast() {
            made += (made.isEmpty ? "" : "/") + part
            try store.root.makeDirectory(made)
        }
    }

    /// Where a file may go back to: a lost document to each of its conflict names whose conflict no version ended.
    private func places(
        for path: String, _ hash: ContentHash, of stored: StoredItem
    ) throws(ItemError) -> [String] {
        let parts = path.pathComponents
        guard parts.count == 5, parts[0] == Layout.items, parts[3] == Layout.document,
            let winner = Layout.winner(of: Array(parts[4].utf8)), let name = String(validating: winner, as: UTF8.self)
        else { return [path] }
        let ended = try Set(VersionFolder(of: stored.folder, in: store).list().outlines.flatMap(\.resolved))
        let names = [parts[4]] + Layout.conflictNames(of: name, hash).filter { $0 != parts[4] }
        return names.map { Layout.document + "/" + $0 }.filter { !ended.contains($0) }.map { stored.folder + "/" + $0 }
    }

    private func status(_ path: String) throws(ItemError) -> FileStatus? {
        try files { () throws(FileError) in try store.root.statusIfPresent(of: path) }
    }

    private func isFile(_ path: String, _ hash: ContentHash) throws(ItemError) -> Bool {
        guard try status(path)?.kind == .regular else { return false }
        return try files { () throws(FileError) in try store.root.file(path).sha256() } == hash.hex
    }
}
