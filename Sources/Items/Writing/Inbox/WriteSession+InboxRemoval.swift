internal import Files
internal import Glibc

/// Removes files from inbox/ once their items are durable.
///
/// A file is renamed into the session first and compared there: a version that another program saved meanwhile, or still
/// writes, goes back.
extension WriteSession {
    /// Removes files that were taken in. The removal is durable when this returns.
    ///
    /// - Returns: for each file whether it was removed. False if it changed or is gone.
    package func removeFromInbox(_ versions: [InboxVersion]) throws(ItemError) -> [Result<Bool, ItemError>] {
        if versions.isEmpty { return [] }
        let session = try staging()
        let list = InboxRemovalList(versions)
        try files { () throws(FileError) in
            try session.stage(list.bytes, as: list.name)
            try session.directory.sync()
        }
        var results: [Result<Bool, ItemError>] = []
        for start in stride(from: 0, to: versions.count, by: 500) {
            try locked { () throws(ItemError) in
                for number in start..<min(start + 500, versions.count) {
                    do throws(FileError) {
                        let version = versions[number]
                        results.append(
                            .success(
                                try remove(list, number, from: session.directory) { version.isUntouched($0) }))
                    } catch {
                        results.append(.failure(.file(error)))
                    }
                }
            }
        }
        syncInbox(versions.map(\.folder))
        // What failed is completed by the next opening, which needs the list.
        let isComplete = results.allSatisfy { if case .success = $0 { true } else { false } }
        if isComplete { try? session.directory.removeFile(list.name) }
        return results
    }

    /// - Parameter isUntouched: whether the file at its place is still the one that was taken in.
    private func remove(
        _ list: InboxRemovalList, _ number: Int, from session: borrowing Directory,
        isUntouched: (FileStatus) -> Bool
    ) throws(FileError) -> Bool {
        let line = list.lines[number]
        let folder: Directory
        do throws(FileError) {
            folder = try store.inboxFolder(line.folder)
        } catch let error where error.isAbsent || error.isEscape {
            return false
        }
        guard let now = try folder.status(named: line.name), isUntouched(now) else { return false }
        do throws(FileError) {
            try folder.move(named: line.name, to: session, as: list.staged(number))
        } catch let error where error.isAbsent {
            return false
        } catch let error where error.number == EXDEV {
            // The inbox is a mount of its own.
            if isWritten(line.name, in: folder) { return false }
            try folder.removeFile(named: line.name)
            return true
        }
        return try finish(list, number, in: session)
    }

    /// Deletes a file that was renamed into the session, or puts it back if it is another version.
    private func finish(
        _ list: InboxRemovalList, _ number: Int, in session: borrowing Directory
    ) throws(FileError) -> Bool {
        let staged = list.staged(number)
        let line = list.lines[number]
        if let now = try session.status(named: staged), line.isOf(now), !isWritten(staged, in: session) {
            try session.removeFile(named: staged)
            return true
        }
        try putBack(staged, of: line, from: session)
        return false
    }

    private func putBack(
        _ staged: FileName, of line: InboxRemovalList.Line, from session: borrowing Directory
    ) throws(FileError) {
        let folder: Directory
        do throws(FileError) {
            folder = try store.inboxFolder(line.folder)
        } catch let error where error.isAbsent || error.isEscape {
            folder = try store.inboxFolder([])
        }
        var name = line.name
        for number in 2... {
            do throws(FileError) {
                return try session.move(named: staged, to: folder, as: name)
            } catch {
                guard error.isTaken, number < 1000 else { throw error }
                name = line.name.marked(" (\(number))")
            }
        }
    }

    func syncInbox(_ folders: [[FileName]]) {
        for path in Set(folders) { try? store.inboxFolder(path).sync() }
    }

    // MARK: Recovery

    /// Completes the removals of a process that died: their items were durable.
    func recoverInbox(_ name: String, in session: borrowing Directory) {
        guard let contents = try? session.contents(of: name, limit: 1 << 30),
            let list = InboxRemovalList(name: name, bytes: contents.bytes)
        else { return }
        _ = try? lockedIfFree(patience: 0) { () throws(ItemError) in
            try files { () throws(FileError) in
                for number in list.lines.indices {
                    if try session.status(named: list.staged(number)) != nil {
                        _ = try finish(list, number, in: session)
                    } else {
                        _ = try remove(list, number, from: session) {
                            list.lines[number].isUntouched($0)
                        }
                    }
                }
                syncInbox(list.lines.map(\.folder))
                try session.removeFile(name)
            }
        }
    }
}
