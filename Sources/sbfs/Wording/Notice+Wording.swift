import StuffBucket

extension Notice {
    /// What the library did, in one line without a full stop.
    var wording: String {
        switch self {
        case .unmerged(let id, let kept): "a version of \(id.short) that could not be merged is kept in \(kept)"
        case .unmergedFile(let path, let kept):
            "a version of \(path) that could not be merged is kept beside it, in \(kept)"
        case .secondText(let id, let kept):
            "\(id.short) had another text in item.json; text.md stays, the other is kept in \(kept)"
        case .adopted(let id, let file, let document):
            "\(file) lay in the folder of \(id.short) and was moved to document/\(document), as its document"
        case .damagedHistory(let id, let kept):
            "a file in the history/ of \(id.short) was damaged and is set aside as \(kept); another copy of the library may bring it again"
        case .damagedOnDisk(let id, let file, let kept):
            "\(file) of \(id.short) has other bytes than before, and no program changed it: the disk is failing. The last version is back; the damaged file is kept in \(kept)"
        case .earlierReplaced(let id, let file, let version, let others):
            "\(file) of \(id.short) was an earlier version again, as a program that copies leaves it; the newer one is back"
                + (others == 0 ? "" : ", as in \(others) other item\(others == 1 ? "" : "s")")
                + ". To take the earlier one, which is in history/: sbfs restore-version \(id.short) \(version)"
        case .earlierFileReplaced(let id, let file, let kept):
            "\(file) of \(id.short) had the bytes of an earlier version, as a program that copies leaves it; the newer one is back, and the earlier one is kept for 30 days as \(kept)"
        case .wentBack(let id, let file, let kept):
            "\(file) of \(id.short) has the bytes of an earlier version again, as in another copy: somebody put them back there, by undo, a backup or else. The later one is kept for 30 days as \(kept)"
        case .detachedReturned(let id, let kept):
            "the document of \(id.short), which was taken out or replaced, was there again, as a program that copies leaves it; it is out again, and kept for 30 days as \(kept). To take it again, attach that file: sbfs attach \(id.short) FILE"
        case .detachedElsewhere(let id, let kept):
            "the document of \(id.short) was taken out in another copy, and so it was here; it is kept for 30 days as \(kept). To take it again: sbfs attach \(id.short) FILE"
        case .awayReplaced(let id, let file, let kept):
            "\(file) of \(id.short) was not on this device, and another file was put in its place; both stay: the former one is here as \(kept)"
        case .laterKeysStand(let path, let keys):
            "\(path) came from elsewhere, as a program that copies leaves it, and was joined with what this device had. The later value stands of: \(keys.joined(separator: ", "))"
        case .smallFileStands(let path, let isDeleted):
            isDeleted
                ? "\(path) came from elsewhere, as a program that copies leaves it. Its name was deleted here since, and stays deleted"
                : "\(path) came from elsewhere as deleted. What this device had was changed since, or was not seen by the deletion, and stands"
        case .purgedUnseen(let id, let kept, let hasFolder):
            "\(id.short) was purged in another copy, which did not see what was edited here, and a program that copies removed "
                + (hasFolder
                    ? "its item.json here, but not its other files: \"sbfs repair\" brings it back"
                    : "it here. Its last version is kept as \(kept); its text, page and document, as far as it has them, lie beside that")
        case .resolvedTwice(let id):
            "a conflict of \(id.short) that was resolved here was resolved in another copy, too; look at what stands. What this copy had is a version: sbfs history \(id.short)"
        case .renamedElsewhere(let id, let own, let standing):
            "the document of \(id.short) that was renamed to \(own) here is \(standing), as in another copy"
        case .inCopy(let path, let notice): "\(path): \(notice.wording)"
        case .notUndoable(let error): "this cannot be undone: \(error.wording)"
        case .indexOfOtherVersion: "the search index has the format of another version; sbfs rebuilds it"
        case .indexDamaged(let diagnostic): "the search index is damaged (\(diagnostic)); sbfs rebuilds it"
        case .indexUnusable(let error): "the search index cannot be used (\(error.wording)); the items are read instead"
        }
    }
}
