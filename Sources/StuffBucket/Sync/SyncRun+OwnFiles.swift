internal import Files
internal import Items

/// Files of the person's own that were changed or removed on a device: Documentation/Exchange.md § 7.
extension SyncRun {
    /// A file of the person's own, here.
    struct OwnFile {
        var past: OwnFilePast
        /// Whether this device had it when it synced last. Otherwise nobody knows what it was made of.
        let isKnown: Bool
        /// Whether this device remembers the past: another device had the same bytes.
        var isNoted: Bool
        /// Something hides the file, or it is above the limit: it counts as it was.
        var isHidden = false
        var modified: Int64 = 0
    }

    /// A file of the person's own, here and on another device.
    struct OwnFileMeeting {
        let path: String
        /// What this device knows of the file, whatever comes of the meeting.
        let ours: OwnFile
        let theirs: OwnFilePast
        /// How the one here is to the other one.
        let order: OwnFilePast.Order
        /// The file here; `nil` without one.
        let here: Version.File?
        /// The file there; `nil` without one.
        let there: Version.File?
        /// What the file is after the meeting.
        let result: OwnFilePast
        /// Which file lies under another name after the meeting, and its path; `nil` for none.
        let loser: (file: Version.File, path: String)?
    }

    // MARK: The past

    /// The person's own files of an item, with what was changed or removed since this device synced last.
    ///
    /// - Parameters:
    ///   - own: the item as it is now.
    ///   - folder: the item's, relative to the library's.
    func ownFiles(of own: PackedState, in folder: String) throws -> [[UInt8]: OwnFile] {
        let last = state(of: own.id)
        let before = isOwn(last) ? last?.ownFiles ?? [:] : [:]
        let now = own.ownFiles, records = ownRecord[own.id]
        var files: [[UInt8]: OwnFile] = [:]
        for key in Set(now.keys).union(before.keys).union(records.keys) {
            let known = records[key]?.past ?? before[key].map { OwnFilePast($0.sha256) }
            let isKnown = records[key]?.isKnown ?? (known != nil)
            if let file = now[key] {
                var past = known ?? OwnFilePast(file.sha256)
                if past.now != file.sha256 { past = past.changed(to: file.sha256, modified: file.modified) }
                files[key] = OwnFile(
                    past: past, isKnown: isKnown, isNoted: known != nil, modified: file.modified)
            } else if let known {
                let path = String(decoding: key, as: UTF8.self)
                if known.now == nil {
                    files[key] = OwnFile(past: known, isKnown: true, isNoted: true)
                } else if try isRemoved(path, in: folder) {
                    files[key] = OwnFile(past: known.changed(to: nil, modified: 0), isKnown: true, isNoted: true)
                } else {
                    files[key] = OwnFile(past: known, isKnown: true, isNoted: true, isHidden: true)
                }
            }
        }
        return files
    }

    /// What a state says of the past of an item's own files: of those that were changed or removed.
    func former(_ files: [[UInt8]: OwnFile]) -> [PackedState.Former] {
        files.filter { !$0.value.isHidden && !$0.value.past.isUnchanged && !$0.value.past.marks.isEmpty }
            .sorted { $0.key.lexicographicallyPrecedes($1.key) }
            .map { .init(path: String(decoding: $0.key, as: UTF8.self), marks: $0.value.past.marks) }
    }

    /// Remembers an item's own files as this device knows them.
    ///
    /// - Parameter isWhole: whether the exchange has the item as it is here: then its state tells the files that never changed.
    func note(_ files: [[UInt8]: OwnFile], of id: ItemID, isWhole: Bool) {
        let old = ownRecord[id]
        ownRecord[id] = files.filter { key, file in
            file.isNoted && (!isWhole || !file.past.isUnchanged || old[key] != nil || !file.isKnown)
        }.mapValues { .init(past: $0.past, isKnown: $0.isKnown) }
    }

    /// Whether a state says all that this device knows of an item's own files.
    func isTold(_ files: [[UInt8]: OwnFile], by state: PackedState) -> Bool {
        let told = state.ownPasts
        return files.allSatisfy { key, file in file.isHidden || file.past.isWithin(told[key] ?? .never) }
    }

    /// Whether a person removed a file. A link in the place of a folder hides what is below.
    private func isRemoved(_ path: String, in folder: String) throws -> Bool {
        // The end of such a conflict is in a version. In a work tree of git, files go with a checkout.
        if PackedState.isLostDocument(path) || isWorkTree { return false }
        let parts = path.pathComponents
        for count in 1...parts.count {
            let status: FileStatus?
            do throws(FileError) {
                status = try store.root.statusIfPresent(
                    of: folder + "/" + parts.prefix(count).joined(separator: "/"))
            } catch {
                if error.concernsOneFile || error.isEscape || error.isNoFile { return false }
                throw error
            }
            guard let status else { return true }
            let isLast = count == parts.count
            // A folder took the place of the file, or a file that of its folder.
            if status.kind == (isLast ? .directory : .regular) { return true }
            if isLast || status.kind != .directory { return false }
        }
        return false
    }

    // MARK: Meeting

    /// Compares the person's own files of an item here with those of its state elsewhere.
    ///
    /// - Returns: how they meet; the files there that do not come now.
    func ownFileMeetings(
        _ files: [[UInt8]: OwnFile], _ own: PackedState?, _ state: PackedState
    ) -> (meetings: [OwnFileMeeting], put: [Version.File], deferred: [String]) {
        let left = Set(state.leftOut.map { Array($0.path.utf8) })
        let here = own?.ownFiles ?? [:], there = state.ownFiles, theirs = state.ownPasts
        let keys = Set(files.keys).union(theirs.keys).subtracting(left)
        var meetings: [OwnFileMeeting] = []
        var put: [Version.File] = []
        var deferredNow: [String] = []
        for key in keys.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
            let path = String(decoding: key, as: UTF8.self)
            if PackedState.isLostDocument(path), here[key] == nil || there[key] == nil { continue }
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
            let meeting = meeting(path, ours, past, here[key]?.version, there[key]?.version)
            // What was changed or removed here since does not come back.
            if meeting.order == .later, let there = meeting.there { put.append(there) }
            meetings.append(meeting)
        }
        return (meetings, put, deferredNow)
    }

    private func meeting(
        _ path: String, _ ours: OwnFile, _ theirs: OwnFilePast, _ here: Version.File?, _ there: Version.File?
    ) -> OwnFileMeeting {
        var past = ours.past
        // Nobody knows whether this is the file that was removed there: it counts as made after that.
        if !ours.isKnown, let now = past.now, theirs.now == nil, past.order(to: theirs) == .earlier {
            past = theirs.changed(to: now, modified: ours.modified)
        }
        let order = past.order(to: theirs)
        var isOurs = true
        switch order {
        case .same, .later: break
        case .earlier: isOurs = false
        // An edit wins over a removal that did not see it. Of two, that with the larger hash has the name, on every device.
        case .apart:
            if let now = theirs.now { isOurs = past.now.map { now < $0 } ?? false }
        }
        var loser: (file: Version.File, path: String)?
        if order == .apart, let here, let there {
            let file = isOurs ? there : here
            var parts = path.pathComponents
            parts.append(Layout.conflictName(of: parts.removeLast(), file.sha256))
            loser = (file, parts.joined(separator: "/"))
        }
        let result =
            order == .same ? (ours.isNoted ? past.joined(with: theirs) : theirs)
            : isOurs ? past.standing(over: theirs) : theirs.standing(over: past)
        return OwnFileMeeting(
            path: path, ours: ours, theirs: theirs, order: order, here: here, there: there, result: result, loser: loser)
    }

    /// Puts what came of the person's own files in the place of what it was made of, and keeps both where two devices changed one.
    ///
    /// - Returns: whether a file changed here; the paths that should have changed and that a program keeps.
    func follow(
        _ meetings: [OwnFileMeeting], of id: ItemID, _ incoming: borrowing Directory
    ) throws -> (isChanged: Bool, refused: [String]) {
        let folder = Layout.itemFolder(id)
        guard let ours = try library.session.folders(of: id).first else { return (false, []) }
        var isChanged = false
        var refused: [String] = []
        var other: OtherCopy?
        for meeting in meetings where meeting.order == .earlier || meeting.loser != nil {
            guard let here = meeting.here else { continue }
            // It has not arrived yet.
            if meeting.there != nil, try incoming.statusIfPresent(of: folder + "/" + meeting.path) == nil { continue }
            if let loser = meeting.loser, loser.path.pathComponents.contains(where: { $0.utf8.count > 255 }) { continue }
            if let loser = meeting.loser, loser.file != here {
                // It comes as a file that is not here.
                let inner = folder.pathComponents + loser.path.pathComponents
                let parent = try incoming.directory(inner.dropLast().joined(separator: "/"))
                let name = meeting.path.pathComponents[meeting.path.pathComponents.count - 1]
                try parent.replace(name, to: parent, as: inner[inner.count - 1])
                continue
            }
            if other == nil { other = OtherCopy(try ItemStore(reading: place.incomingPath), folder: folder) }
            guard let other else { continue }
            if let loser = meeting.loser {
                guard
                    try library.session.keepOwnFile(here.path, as: loser.path, of: id, in: ours)
                        || isThere(ours + "/" + loser.path, here.sha256)
                else { continue }
                isChanged = true
            }
            let new = meeting.there == nil ? nil : meeting.path
            if try library.session.replaceOwnFile(here, with: new, from: other, of: id, in: ours) {
                isChanged = true
            } else {
                refused.append(meeting.path)
            }
        }
        return (isChanged, refused)
    }

    private func isThere(_ path: String, _ hash: Items.ContentHash) throws -> Bool {
        try store.root.fileIfPresent(path)?.sha256() == hash.hex
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
            } else if meeting.order == .apart || !meeting.ours.isKnown && meeting.order == .later && meeting.there == nil
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

extension PackedState {
    /// The files of the person's own whose changes travel, by the bytes of their paths.
    fileprivate var ownFiles: [[UInt8]: File] {
        Dictionary(
            files.filter { Self.isOwnFile($0.path) }.map { (Array($0.path.utf8), $0) },
            uniquingKeysWith: { first, _ in first })
    }

    /// What the state says of the past of the person's own files.
    var ownPasts: [[UInt8]: OwnFilePast] {
        var pasts = ownFiles.mapValues { OwnFilePast($0.sha256) }
        for former in former where !former.marks.isEmpty {
            let key = Array(former.path.utf8)
            pasts[key] = OwnFilePast(now: pasts[key]?.now, marks: former.marks)
        }
        return pasts
    }
}
