internal import Files
internal import Glibc
public import Items
internal import Merge
public import Time

/// What became of a file that lost where two copies met.
public enum LostFileOutcome: Sendable, Equatable {
    /// The file that stood is the one of the name still; the lost one has a second name for 30 days: its path relative to the library's
    /// folder.
    case kept(String)
    /// The lost file has the name now. The one that stood is kept for 30 days under this path, or is brought back by undo: `nil`.
    case taken(former: String?)
    /// Both are here; the lost one has a name of its own: its path relative to the item's folder.
    case both(String)
}

extension Step {
    /// Ends the conflict of a lost document, or of one of the person's own files of which two devices had different ones.
    ///
    /// What goes from its place is kept for 30 days in `.sbfs`, or by the journal; undoing the step puts it back. The version that ends the conflict for other copies is noted
    /// when the step ends.
    ///
    /// - Parameters:
    ///   - path: of the file that lost, relative to the item's folder (`ItemConflicts`).
    ///   - stored: the item as read.
    ///   - choice: 0 for the file that stands, 1 for the one that lost, or both.
    ///   - time: the time of the change.
    /// - Throws: `ItemError.refused(.conflict)` for another choice, and for a path of no such file; `.conflict` if a program changed a
    ///   file meanwhile; as `attach` for a document.
    public func resolve(
        lostFile path: String, in stored: StoredItem, _ choice: ConflictResolution, at time: Timestamp = .now
    ) throws(ItemError) -> LostFileOutcome {
        let isDocument = store.lostDocuments(of: stored).contains(path)
        let outcome = try end(path, isDocument: isDocument, in: stored, choice, at: time)
        if isDocument { resolutions.withLock { $0[stored.id, default: []].append(path) } }
        return outcome
    }

    private func end(
        _ path: String, isDocument: Bool, in stored: StoredItem, _ choice: ConflictResolution, at time: Timestamp
    ) throws(ItemError) -> LostFileOutcome {
        guard let name = path.pathComponents.last, let winner = Layout.winner(of: Array(name.utf8)),
            let winnerName = String(validating: winner, as: UTF8.self), Directory.isSafe(path),
            let lost = try status(of: path, in: stored), lost.kind == .regular
        else { throw .refused(.conflict(stored.id, field: path, .notSettable)) }
        let parent = path.pathComponents.dropLast().map { $0 + "/" }.joined()
        switch choice {
        case .take(0): return .kept(try keep(path, lost, of: stored))
        case .take(1) where isDocument:
            try session.attach(
                store.root.full(stored.folder + "/" + path), to: stored, isReplacing: true, at: time)
            _ = try keep(path, lost, of: stored)
            return .taken(former: nil)
        case .take(1) where !isDocument:
            let standing = parent + winnerName
            let former = try status(of: standing, in: stored).map { seen throws(ItemError) in
                try keep(standing, seen, of: stored)
            }
            guard
                try session.moveLostFile(
                    path, as: lost, of: stored.id, in: stored.folder, to: stored.folder + "/" + standing)
            else { throw .conflict(id: stored.id, what: standing, kept: nil) }
            return .taken(former: former)
        case .both:
            for number in 2...Self.nameLimit {
                let free = parent + Self.numbered(winnerName, number)
                if try status(of: free, in: stored) != nil { continue }
                let target = stored.folder + "/" + free
                if try session.moveLostFile(path, as: lost, of: stored.id, in: stored.folder, to: target) {
                    return .both(free)
                }
            }
            throw .refused(.conflict(stored.id, field: path, .notSettable))
        default: throw .refused(.conflict(stored.id, field: path, .holdsOneValue))
        }
    }

    /// So many names are tried.
    private static let nameLimit = 1000

    /// `notes 2.txt` of `notes.txt`.
    private static func numbered(_ name: String, _ number: Int) -> String {
        guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")), dot != name.startIndex else {
            return "\(name) \(number)"
        }
        return "\(name[..<dot]) \(number)\(name[dot...])"
    }

    private func status(of path: String, in stored: StoredItem) throws(ItemError) -> FileStatus? {
        do throws(FileError) {
            return try store.root.statusIfPresent(of: stored.folder + "/" + path)
        } catch {
            throw .file(error)
        }
    }

    /// Gives a file a second name for 30 days in the place of its own.
    ///
    /// - Returns: its path now, relative to the library's folder.
    private func keep(_ path: String, _ seen: FileStatus, of stored: StoredItem) throws(ItemError) -> String {
        let target: String
        do throws(FileError) {
            guard let states = KnownStates(store), let name = path.pathComponents.last,
                let file = try ItemStore.hashed(path, in: store.root.directory(stored.folder)),
                let hash = StateHashes.hash([file])
            else { throw FileError(.open, store.root.full(stored.folder + "/" + path), .system(ENOENT)) }
            target = try states.makePlace(named: name, hash, of: stored.id)
        } catch {
            throw .file(error)
        }
        if try session.moveLostFile(path, as: seen, of: stored.id, in: stored.folder, to: target) { return target }
        // An earlier conflict left the same bytes there.
        try session.removeLostFile(path, as: seen, of: stored.id, in: stored.folder, keptAs: target)
        return target
    }
}
