import StuffBucket

extension Error {
    /// The error, and what to type. One or more sentences without a final full stop.
    ///
    /// Notes what permissions refused: a command ends with what to do about it.
    var wording: String {
        ForeignOwner.note(self)
        if let error = self as? ViewError { return error.hint.map { "\(error)\($0)" } ?? "\(error)" }
        if let error = self as? AIError { return "\(error)\(error.hint)" }
        if let error = self as? SyncError { return error.hint.map { "\(error)\($0)" } ?? "\(error)" }
        if let error = self as? PruneError { return error.hint.map { "\(error)\($0)" } ?? "\(error)" }
        if let error = self as? ObjectFault { return "\(Printable.line(error.path)): \(error.reason.wording)" }
        guard let error = self as? ItemError else { return "\(self)" }
        return error.hint.map { "\(error)\($0)" } ?? "\(error)"
    }
}

extension ItemFault {
    /// The error, and what to type. One or more sentences without a final full stop.
    var wording: String { cause.hint.map { "\(cause)\($0)" } ?? "\(cause)" }
}

extension ItemError {
    /// What to do about it, as the end of a sentence.
    fileprivate var hint: String? {
        switch self {
        case .noLibrary(let path) where LocalFolder(path + "/" + Layout.items).exists:
            "; it has items, so the file was lost. Copy it from another copy of the library or a backup: a new one from \"sbfs init\" "
                + "would be another library, which no other copy joins. If there is an exchange, \"sbfs init \(path) --from "
                + "EXCHANGE\" writes the same file again"
        case .malformed(let path, _) where path.hasSuffix("/" + Layout.libraryFile),
            .unsuitable(let path, _) where path.hasSuffix("/" + Layout.libraryFile):
            "; mend it, or copy it from another copy of the library or a backup. If there is an exchange, move it away, and \"sbfs init "
                + "\(Printable.line(String(path.dropLast(Layout.libraryFile.count + 1)))) --from EXCHANGE\" writes the same file again"
        case .malformed, .fault:
            repairableItem.map { "; \"sbfs repair \($0.short)\" puts back the one of the item's last version" }
        case .noLibrary(let path): "; make one with \"sbfs init \(path)\""
        case .tooNew: "; install a newer sbfs"
        case .readOnlyFormat: "; install a newer sbfs to change it"
        case .notEmpty: ", or use --force to make a library beside them"
        case .notInTrash(let id, hasOneMark: true): "; \"sbfs trash \(id.short)\" sets both"
        case .notInTrash(let id, hasOneMark: false): "; \"sbfs trash \(id.short)\" puts it there"
        case .joinedBeforePurge(let id): "; look at it with \"sbfs show \(id.short)\", and purge it again"
        case .hasDocument: "; --replace replaces it"
        case .lasting(let id, .archive): "; \"sbfs snapshots \(id.short)\" lists earlier captures"
        case .tooLarge: " (see: sbfs config maxFileSizeMB)"
        case .refused(.notArrived(let id, let path)):
            "; \"sbfs sync\", or what else carries the library, brings it"
                + (path.hasPrefix("document/")
                    ? "; if nothing has it any more, \"sbfs detach \(id.short) document --lost\" takes it out"
                    : "; if the device that has it does not come back, \"sbfs remote prune NAME --forget DEVICE\" ends the wait")
        case .refused(.away(let id, let path)):
            "; \"sbfs keep \(id.short)\" brings it back"
                + (path.hasPrefix("document/")
                    ? "; if no exchange has it any more, \"sbfs detach \(id.short) document --lost\" takes it out" : "")
        case .refused(.conflict(let id, _, let why)): why.hint(id)
        default: nil
        }
    }
}

extension ViewError {
    /// What to do about it, as the end of a sentence.
    fileprivate var hint: String? {
        switch self {
        case .missing: "; \"sbfs view refresh --recreate\" makes it again"
        case .noView: "; \"sbfs view list\" names those that there are"
        case .notAdoptable: "; \"sbfs view changes\" names those that there are"
        case .differs: " (sbfs view remove)"
        default: nil
        }
    }
}

extension ConflictRefusal {
    /// What to do about it, as the end of a sentence.
    fileprivate func hint(_ id: ItemID) -> String? {
        switch self {
        case .holdsOneValue: "; take 1 or 2, or use --edit"
        case .paragraphGone, .paragraphRepeated: "; use --edit"
        case .unclearField: "; use \"sbfs edit \(id.short)\", then --take the value that the item has"
        case .notSettable: nil
        }
    }
}
