internal import Files
internal import Items

/// A sync of a device on which files are away.
extension SyncRun {
    /// The state to write of an item: what is away is not copied. The exchange has it, or it is left out.
    func withAway(_ found: StateReading.Found) throws -> PackedState {
        var state = found.state
        try forgetReplaced(found)
        guard !found.away.isEmpty, let away = store.awayRecord(of: state.id) else { return state }
        var left: [PackedState.LeftOut] = []
        let page = state.files(ofBundle: "")
        if page.contains(where: { found.away.contains($0.path) }), !state.bundles.contains(where: { $0.folder.isEmpty })
        {
            if let bundle = away.bundle, holds(away, .page, of: state.id) {
                state.bundles.append(.init(folder: "", sha256: bundle))
            } else {
                left.append(.init(path: "", reason: .away, byteCount: page.reduce(0) { $0 + $1.size }))
            }
        }
        if let document = away.document, found.away.contains(document.file.path), !holds(away, .document, of: state.id)
        {
            left.append(.init(path: document.file.path, reason: .away, byteCount: document.file.size))
        }
        noteLeftOut(left, of: state.id)
        state.leftOut += left
        state.leftOut.sort { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
        return state
    }

    /// Whether the exchange has what is away of a component: as far as names and sizes tell, or in a cloud, if a state of it says so.
    private func holds(_ away: AwayFiles, _ component: Component, of id: ItemID) -> Bool {
        if !exchange.isCloud { return lack(of: away, component) == nil }
        return isNamed(away, component, in: state(of: id))
    }

    /// Takes out of the record what another program put a page or a document in the place of: it does not come back when
    /// that goes. A document whose path no file has stays in the record: its bytes are nowhere else here.
    private func forgetReplaced(_ found: StateReading.Found) throws {
        guard let record = store.awayRecord(of: found.state.id), !record.isEmpty,
            let stored = try? store.item(found.state.id, in: found.folder), var away = stored.away
        else { return }
        away.document = try away.document ?? store.awayDocument(of: found.state.id, in: found.folder)
        away = try away.adding(replacedElsewhere(stored))
        if away.all.count >= record.all.count { return }
        let session = WriteSession(beside: library.session)
        if away.isEmpty, !away.isKept {
            session.forgetAway(of: found.state.id)
        } else {
            try session.note(away, of: found.state.id)
        }
    }

    /// Whether files that the exchange lacks because they were away are here again, or files that were too large are not any
    /// more.
    func isBackHere(_ found: StateReading.Found, _ last: PackedState?) -> Bool {
        let large = Set(found.state.leftOut.filter { $0.reason == .tooLarge }.map(\.path))
        return last?.leftOut.contains { left in
            switch left.reason {
            case .away: !found.away.contains { left.path.isEmpty ? !PackedState.isDocument($0) : $0 == left.path }
            case .tooLarge: !large.contains(left.path)
            case .name, .kind, .depth: false
            }
        } ?? false
    }

    /// Brings back a page or a document that is away and that a join may replace: what loses is kept where its bytes are. One that the
    /// exchange does not hold any more is forgotten where nothing loses.
    ///
    /// - Returns: the object that is missing or damaged; then the item is not joined now.
    func bringAway(for state: PackedState) throws -> String? {
        guard let folder = try ownFolder(of: state.id) else { return nil }
        // Bringing or dropping other files writes the record again.
        try keepReplaced(of: state.id, in: folder)
        guard let stored = try? store.item(state.id, in: folder), let away = stored.away, !away.isEmpty,
            let live = try store.live(state.id, in: folder)
        else { return nil }
        let extras = Set(state.extras)
        let components = [Component.page, .document].filter { component in
            func isOf(_ file: Version.File) -> Bool { Component(of: file) == component }
            let theirs = state.files.filter { file in
                component == .page
                    ? PackedState.bundle(of: file.path)?.isEmpty == true
                    : PackedState.isDocument(file.path) && !extras.contains(file.path)
            }
            // One that the other device lacks takes nothing away.
            return !away.files(of: component).isEmpty && !theirs.isEmpty
                && Set(theirs.map(\.version)) != Set(live.files.filter(isOf))
        }
        if components.isEmpty { return nil }
        // A thin replica drops them after the join, also if that is interrupted.
        if self.folder.isThin, !away.isKept { try noteArriving(components.map(away.files), of: state.id) }
        let outcome = try keep(stored, components, isKept: false, WriteSession(beside: library.session))
        if outcome.missing.isEmpty { return nil }
        if try isSucceeded(live, in: folder, by: state) {
            // What the other device has takes their place.
            try WriteSession(beside: library.session)
                .forgetAway(Set(outcome.missing.map { Component(ofFileAt: $0.path) }), of: state.id)
            return nil
        }
        for fault in outcome.missing { leave(fault.object, fault.reason) }
        return outcome.missing.first?.object
    }
}

extension SyncReport.LeftOutFile.Reason {
    init(_ reason: PackedState.LeftOut.Reason) {
        switch reason {
        case .tooLarge: self = .tooLarge
        case .away: self = .away
        case .name: self = .name
        case .kind: self = .kind
        case .depth: self = .depth
        }
    }
}
