internal import Exchange
internal import Items

extension LibraryImport {
    private static let groupSize = 2000

    // MARK: Folders

    func useFolder(_ path: [String]) {
        var path = path[...]
        while !path.isEmpty, usedFolders.insert(FolderPath.joined(Array(path)).lowercased()).inserted {
            path = path.dropLast()
        }
    }

    /// The levels of a collection for a folder of the source (FORMAT.md § 5.7). The first entry of one that has another
    /// name here gets a remark.
    func levels(of folder: [String], _ line: ImportReportLine) -> [String] {
        if folder.isEmpty { return [] }
        if folder == lastFolder.source { return lastFolder.levels }
        let levels = FolderPath.cleaned(folder)
        lastFolder = (folder, levels)
        let here = CollectionName(FolderPath.joined(levels))
        let isSame = here?.levels.elementsEqual(folder) { $0.utf8.elementsEqual($1.utf8) } ?? false
        if !isSame, renamedFolders.insert(folder.joined(separator: "/")).inserted {
            counts.renamedFolders += 1
            note(line, .renamedFolder(folder.joined(separator: "/"), here: here?.name))
        }
        return levels
    }

    func writeFolders() throws {
        for folder in folders {
            let path = levels(
                of: folder.path,
                ImportReportLine(place: .entry(counts.total), url: nil, title: folder.path.last, outcome: .same))
            let isUsed = usedFolders.contains(FolderPath.joined(path).lowercased())
            let isPlain = folder.colour == nil && folder.icon == nil && folder.order == nil
            guard let name = CollectionName(FolderPath.joined(path)), !(isUsed && isPlain) else { continue }
            let isNew =
                try options.isDryRun
                || library.session.addCollection(
                    name, colour: folder.colour.map { ImportedEntry.cut($0, 200) },
                    icon: folder.icon.map { ImportedEntry.cut($0, 200) }, order: folder.order)
            if isNew { counts.collections += 1 }
        }
        folders = []
    }

    // MARK: New items

    func writePending() throws {
        guard !pending.isEmpty else { return }
        for start in stride(from: 0, to: pending.count, by: Self.groupSize) {
            try monitor.check()
            let group = pending[start..<min(start + Self.groupSize, pending.count)]
            let refused = options.isDryRun ? try refusals(group) : try add(group)
            for each in group {
                if let why = refused[each.item.id] {
                    end(each.source, .skipped(.error(why)))
                } else {
                    known.move(each.slot, to: options.isDryRun ? .planned : .stored(each.item.id, isTrashed: false))
                    end(each.source, .new, each.item.id)
                }
            }
        }
        pending.removeAll(keepingCapacity: true)
        pendingByteCount = 0
        if !options.isDryRun { library.settle() }
    }

    /// - Returns: the items that were not added, with their errors.
    private func add(_ group: ArraySlice<PendingItem>) throws -> [ItemID: ItemError] {
        do throws(ItemError) {
            let refused = try library.session.addEach(group.map(\.newItem))
            writtenCount += group.count - refused.count
            return refused
        } catch {
            // The first ones may be in place.
            writtenCount += group.count { ((try? library.store.folder(of: $0.item.id)) ?? nil) != nil }
            throw error
        }
    }

    private func refusals(_ group: ArraySlice<PendingItem>) throws -> [ItemID: ItemError] {
        var refused: [ItemID: ItemError] = [:]
        for each in group {
            guard let path = each.item.documentPath else { continue }
            do throws(ItemError) {
                try library.store.checkDocument(at: path)
            } catch {
                refused[each.item.id] = error
            }
        }
        return refused
    }

    // MARK: Known ones

    func writeMerges() throws {
        defer {
            merges.removeAll(keepingCapacity: true)
            mergeByID.removeAll(keepingCapacity: true)
            mergesByteCount = 0
        }
        if options.isDryRun { return }
        try monitor.check()
        let changed = merges.filter { !$0.edit.isEmpty || $0.text != nil }
        if changed.isEmpty { return }
        let results = library.session.update(changed.map { ($0.stored, $0.edit) }, at: time)
        for (merge, result) in zip(changed, results) {
            do throws(ItemError) {
                _ = try result.get()
                if let text = merge.text {
                    // Read again: an earlier change wrote its item.json.
                    let stored = try library.store.item(merge.stored.id) ?? merge.stored
                    try library.session.updateText(
                        stored, merge.stored.hasText ? .append(text) : .replace(base: nil, with: text), at: time)
                }
                writtenCount += 1
            } catch {
                if merge.formerURL != nil { counts.moved -= 1 } else { counts.merged -= 1 }
                end(merge.source, .skipped(.error(error)), merge.stored.id)
            }
        }
        library.settle()
    }
}
