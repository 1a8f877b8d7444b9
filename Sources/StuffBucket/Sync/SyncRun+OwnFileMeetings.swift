internal import Files
internal import Items

/// What comes of the person's own files where two devices meet: Documentation/Exchange.md § 7.
extension SyncRun {
    /// Compares the person's own files of an item here with those of its state elsewhere.
    ///
    /// - Returns: how they meet; the files there that do not come now.
    func ownFileMeetings(
        _ files: [[UInt8]: OwnFile], _ own: PackedState?, _ state: PackedState
    ) -> (meetings: [OwnFileMeeting], put: [Version.File], deferred: [String]) {
        let left = Set(state.leftOut.map { Array($0.path.utf8) })
        let here = own?.ownFiles ?? [:], there = state.ownFiles, theirs = state.ownPasts
        // What is the document on one of the devices is in versions.
        let keys = Set(files.keys).union(theirs.keys).subtracting(left).subtracting(state.recordedDocuments)
            .subtracting(own?.recordedDocuments ?? [])
        var meetings: [OwnFileMeeting] = []
        var put: [Version.File] = []
        var deferredNow: [String] = []
        for key in keys.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
            let path = String(decoding: key, as: UTF8.self)
            // Versions say what becomes of a lost document that one of them lacks, unless somebody edited it.
            if PackedState.isLostDocument(path), here[key] == nil || there[key] == nil,
                let file = here[key] ?? there[key], Layout.tells(path, file.sha256)
            {
                continue
            }
            if files[key]?.isHidden ?? false { continue }
            let ours = files[key] ?? OwnFile(past: .never, isKnown: false, isNoted: false)
            let past = theirs[key] ?? .never
            if isJoiningDeferred {
                // A later one says what became of it.
                let isOld = (deferred[state.id]?[key] ?? []).contains { past.order(to: $0) == .earlier }
                if isOld {
                    put += there[key].map { [$0.version] } ?? []
                    continue
                }
            } else {
                deferred[state.id]?[key]?.append(past)
                // Another pack may say what this file was made of.
                if !ours.isNoted, here[key] != nil, let file = there[key], ours.past.order(to: past) == .apart {
                    deferred[state.id, default: [:]][key, default: [past]] += []
                    put.append(file.version)
                    deferredNow.append(path)
                    continue
                }
            }
            let meeting = OwnFileMeeting(
                path, ours, past, here: here[key]?.version, there: there[key]?.version
            ) { path, hash in
                let key = Array(path.utf8)
                return [here[key], there[key]].contains { $0.map { $0.sha256 != hash } ?? false }
            }
            // What was changed or removed here since does not come back.
            if meeting.order == .later, let there = meeting.there { put.append(there) }
            meetings.append(meeting)
        }
        return (meetings, put, deferredNow)
    }

    /// Puts what came of the person's own files in the place of what it was made of, and keeps both where two devices changed one.
    ///
    /// - Parameter isPageNew: whether the page came in the same join: then prints that go are those of the page before, which nobody
    ///   needs to hear of.
    /// - Returns: whether a file changed here; the paths that should have changed and did not, with the reasons.
    func follow(
        _ meetings: [OwnFileMeeting], of id: ItemID, _ incoming: borrowing Directory, isPageNew: Bool = false
    ) throws -> (isChanged: Bool, refused: [(path: String, reason: SyncReport.Reason)]) {
        let folder = Layout.itemFolder(id)
        guard let ours = try ownFolder(of: id) else { return (false, []) }
        var isChanged = false
        var refused: [(path: String, reason: SyncReport.Reason)] = []
        var other: OtherCopy?
        for meeting in meetings where meeting.order == .earlier || meeting.loser != nil {
            guard let here = meeting.here else { continue }
            // It has not arrived yet.
            if meeting.there != nil, try incoming.statusIfPresent(of: folder + "/" + meeting.path) == nil { continue }
            if let loser = meeting.loser, try isBlocked(ours + "/" + loser.path, loser.file.sha256) {
                refused.append((loser.path, .inTheWay))
                continue
            }
            if let loser = meeting.loser, loser.file != here, !meeting.isOfPrint {
                // It comes as a file that is not here.
                let inner = folder.pathComponents + loser.path.pathComponents
                let parent = try incoming.directory(inner.dropLast().joined(separator: "/"))
                let name = meeting.path.pathComponents[meeting.path.pathComponents.count - 1]
                try parent.replace(name, to: parent, as: inner[inner.count - 1])
                continue
            }
            if other == nil { other = OtherCopy(try ItemStore(reading: place.incomingPath), folder: folder) }
            guard let other else { continue }
            let denial = try ItemError.denial {
                if let loser = meeting.loser, loser.file != here {
                    // The other files are joined already.
                    let isPlaced = try library.session.bringOwnFile(
                        meeting.path, as: loser.path, from: other, of: id, in: ours)
                    if isPlaced { isChanged = true }
                    return
                }
                if let loser = meeting.loser {
                    guard
                        try library.session.keepOwnFile(here.path, as: loser.path, of: id, in: ours)
                            || isThere(ours + "/" + loser.path, here.sha256)
                    else { return }
                    isChanged = true
                }
                let new = meeting.there == nil ? nil : meeting.path
                if try library.session.replaceOwnFile(here, with: new, from: other, of: id, in: ours) {
                    isChanged = true
                    if new == nil, !(isPageNew && meeting.isOfPrint) {
                        name(meeting.path, of: id, in: \.removedOwnFiles)
                    }
                } else {
                    refused.append((meeting.path, .isWritten))
                }
            }
            if denial != nil { refused.append((meeting.path, .notWritable)) }
        }
        return (isChanged, refused)
    }

    /// The person's own files of a state that did not come because something here that is no file has the name of one, or something
    /// that is no folder that of its folder.
    func blockedFiles(
        of state: PackedState, _ own: (state: PackedState, folder: String, look: FolderLook, damaged: Set<String>),
        _ meetings: [OwnFileMeeting]
    ) throws -> [String] {
        let here = own.state.ownFiles
        let gone = Set(meetings.filter { $0.result.now == nil }.map { Array($0.path.utf8) })
        return try state.ownFiles.filter { here[$0.key] == nil && !gone.contains($0.key) }.map(\.value.path).sorted()
            .filter { path in
                var place = own.folder
                for part in path.pathComponents {
                    guard let status = try? store.root.statusIfPresent(of: place) else { return false }
                    if status.kind != .directory { return true }
                    place += "/" + part
                }
                return try store.root.statusIfPresent(of: place).map { $0.kind != .regular } ?? false
            }
    }

    /// Whether something else than a file has its path.
    private func isBlocked(_ path: String, _ hash: Items.ContentHash) throws -> Bool {
        try store.root.statusIfPresent(of: path) != nil && !isThere(path, hash)
    }

    private func isThere(_ path: String, _ hash: Items.ContentHash) throws -> Bool {
        guard try store.root.statusIfPresent(of: path)?.kind == .regular else { return false }
        return try store.root.fileIfPresent(path)?.sha256() == hash.hex
    }

    /// Names files that another device kept beside those of the same names, and that came now.
    ///
    /// - Parameters:
    ///   - before: the paths of the files before the meeting.
    ///   - own: the item as it is now.
    func nameKept(_ before: Set<[UInt8]>, _ own: PackedState) {
        let now = own.ownFiles
        for (key, file) in now where !before.contains(key) {
            let place = key.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0
            guard let winner = Layout.winner(of: Array(key[place...])), now[key[..<place] + winner] != nil else {
                continue
            }
            name(file.path, of: own.id, in: \.keptOwnFiles)
        }
    }

    /// What this device knows of an item's own files after they met those of another device.
    ///
    /// A meeting counts only where the files are now as it wanted them: another device would take what this one says to come from
    /// both as a successor of its own file.
    ///
    /// - Parameters:
    ///   - files: the files before the meeting.
    ///   - own: the item as it is now.
    func settled(
        _ files: [[UInt8]: OwnFile], _ meetings: [OwnFileMeeting], _ own: PackedState
    ) -> [[UInt8]: OwnFile] {
        var files = files
        let now = own.ownFiles
        for meeting in meetings {
            let key = Array(meeting.path.utf8)
            guard now[key]?.sha256 == meeting.result.now else { continue }
            if let loser = meeting.loser {
                guard now[Array(loser.path.utf8)]?.sha256 == loser.file.sha256 else { continue }
                name(loser.path, of: own.id, in: \.keptOwnFiles)
            } else if meeting.order == .apart
                || !meeting.ours.isKnown && meeting.order == .later && meeting.there == nil
                    && !meeting.theirs.marks.isEmpty
            {
                name(meeting.path, of: own.id, in: \.stayingOwnFiles)
            }
            // A file that has the bytes of one that came is perhaps not the same.
            let isKnown = meeting.ours.isKnown || meeting.order != .same && !meeting.theirs.marks.isEmpty
            files[key] = OwnFile(
                past: meeting.result, isKnown: isKnown, isNoted: isKnown || meeting.order == .same)
        }
        return files
    }

    private func name(_ path: String, of id: ItemID, in list: WritableKeyPath<SyncReport, [String]>) {
        let path = Layout.itemFolder(id) + "/" + path
        if !report[keyPath: list].contains(path) { report[keyPath: list].append(path) }
    }
}
