internal import Items
internal import Time

/// Compares what was read of an item with what is known of it.
struct Verdict {
    private(set) var findings: [Finding]
    private(set) var record: VerifiedRecord

    /// - Parameters:
    ///   - reading: an item that was read to its end.
    ///   - earlier: the record of the last time; `nil` if there is none.
    ///   - today: the day of the reading.
    init(of reading: ItemReading, earlier: VerifiedRecord?, today: UInt16) {
        findings = reading.findings
        record = VerifiedRecord(key: reading.key, day: today)
        let unread = Set(reading.files.map(\.path)).subtracting(reading.hashes.keys)
        for (isEdited, mark) in [(true, \VerifiedRecord.edited), (false, \.saved)] {
            let files = reading.files.filter { $0.isEdited == isEdited }
            // A file that cannot be read has a finding already. The group is compared when it can.
            if files.contains(where: { unread.contains($0.path) }) {
                record[keyPath: mark] = earlier?[keyPath: mark] ?? VerifiedRecord.Mark()
                continue
            }
            record[keyPath: mark] = judge(files, reading, earlier, earlier?[keyPath: mark] ?? VerifiedRecord.Mark())
        }
        record.hasFault = !findings.isEmpty
    }

    /// - Returns: what to compare with the next time: the earlier mark, or none, if something is wrong, so that the
    ///   fault is found again.
    private mutating func judge(
        _ files: [ItemFile], _ reading: ItemReading, _ known: VerifiedRecord?, _ earlier: VerifiedRecord.Mark
    ) -> VerifiedRecord.Mark {
        let new = VerifiedRecord.Mark(look: files.look, content: files.content(reading.hashes))
        let differing = files.filter { !$0.isAsRecorded(reading.hashes) }
        // A file that was edited earlier is no fault later.
        let mayDiffer = earlier.isKnown && known?.hasEdits ?? false
        func accept() -> VerifiedRecord.Mark {
            // Of item.json and text.md no hash is recorded, so only the other group says anything.
            if !differing.isEmpty { record.hasEdits = true }
            return new
        }
        if earlier.isKnown, earlier.look == new.look {
            if earlier.content == new.content { return accept() }
            let suspects = files.filter { $0.expected == .unknown || differing.contains($0) }
            // The hashes that were recorded for the files are right again, or a repair recorded the present one.
            if suspects.isEmpty || wasRepaired(files, differing, known) { return accept() }
            let path = suspects.count == 1 ? reading.folder + "/" + suspects[0].path : reading.folder
            findings.append(Finding(.error, path, .changedUnseen(among: suspects.map(\.path))))
            record.hasEdits = record.hasEdits || mayDiffer
            return earlier
        }
        // What was modified after the last reading, or after the item was last written, was edited: no fault.
        let edited =
            earlier.isKnown
            ? known.map { VerifiedDay.start(of: Int($0.day)) } : reading.stored?.item.updatedAt?.adding(seconds: 2)
        let faulty = differing.filter { file in
            mayDiffer ? false : edited.map { Timestamp(nanoseconds: file.status.modified) <= $0 } ?? true
        }
        findings += faulty.compactMap { $0.finding(in: reading.folder) }
        return faulty.isEmpty ? accept() : VerifiedRecord.Mark()
    }

    /// Whether item.json was written since a fault was found, and now has the document's hash.
    private func wasRepaired(_ files: [ItemFile], _ differing: [ItemFile], _ earlier: VerifiedRecord?) -> Bool {
        guard let earlier, earlier.hasFault, earlier.edited.look != record.edited.look else { return false }
        return files.contains { file in
            if case .document = file.expected { !differing.contains(file) } else { false }
        }
    }
}

extension ItemFile {
    /// Whether the file has the hash that was recorded for it, if any.
    fileprivate func isAsRecorded(_ hashes: [String: String]) -> Bool {
        expected.digits.map { (hashes[path] ?? "").hasPrefix($0) } ?? true
    }

    /// The finding that `check` has for a file that differs from its recorded hash.
    fileprivate func finding(in folder: String) -> Finding? {
        let path = folder + "/" + path
        switch expected {
        case .unknown: return nil
        case .document: return Finding(.warning, path, .documentDiffers)
        case .asset: return Finding(.warning, path, .assetDiffers)
        case .version: return Finding(.error, path, .versionDiffers)
        }
    }
}
