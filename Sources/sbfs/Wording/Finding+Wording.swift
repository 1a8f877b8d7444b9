import StuffBucket

extension Finding {
    /// The fault in one line without a full stop; it follows the path.
    var wording: String {
        switch repair {
        case .itemFile(let id, _)?:
            "\(unusable); \"sbfs repair \(id.short)\" puts back the one of the item's last version"
        default:
            heldItem.map { "\(unusable); \"sbfs repair --from REMOTE \($0.short)\" may bring it back" } ?? kind.wording
        }
    }

    /// The fault in an item.json of an item that is known: the folder is no copy.
    private var unusable: String {
        if case .otherID(let fault) = kind { return "\(fault.key): \(fault.mismatch), so it is not an item" }
        return kind.wording
    }
}

extension Finding.Kind {
    /// The fault in one line without a full stop; it follows the path.
    var wording: String {
        switch self {
        case .unreadable(let error): error.wording
        case .malformed(let error): error.mismatch
        case .unsuitable(let why): "\(why)"
        case .field(let fault): Self.field(fault)
        case .wrongKind(let kind, let expected):
            "is \(kind.phrase), not \(expected.phrase); it is not read or followed"

        case .unmergedSettings: "is a version of library.json that could not be merged; compare them and remove it"
        case .unknownLeftover:
            "is left from a command that ended early, and sbfs does not know to what it belongs; look at it and remove it"
        case .notFolder(let kind): "is \(kind.phrase), not a folder; it is not followed"
        case .misnamed(let right): "should be named \(right)"
        case .tagOfCollection: "is of a collection; what it says has its place in collections/"
        case .notShard:
            "not a shard (a folder named by two lower-case hexadecimal digits), so nothing in it is read"
        case .notItemFolder(let kind): "is \(kind.phrase), not an item's folder; it is not read or followed"
        case .upperCaseTwin(let twin):
            "the folder's name is not in lower case, so it is not an item, and \(twin) is the item of this id; bring there what only this one has (a text.md as \"text (1).md\" is joined), then delete it"
        case .upperCaseID: "the folder's name is not in lower case, so it is not an item"
        case .noID: "the folder's name is not a UUID, so it is not an item"
        case .itemFileWithoutID:
            "holds an item.json, but the folder's name is not a UUID (a copy?), so it is not an item"
        case .misnamedTombstone: "is not named <id>.json"
        case .tombstoneWithoutTime: "has no time \"purgedAt\", so it purges nothing"
        case .purged: "was purged, and its folder is still here; the next command that changes something removes it"
        case .purgedInPart:
            "was purged and is hidden, and has files or versions that the purge did not see; look at them, then delete the folder, or remove the tombstone to have the item in the trash again"
        case .broughtBack:
            "was purged in another copy or before a program brought it back, as it is here; \"sbfs merge\" of a copy removes it; move it to the trash and purge it, or remove the tombstone to keep it"
        case .tombstoneOfLiving: "the item was restored or changed after it was purged elsewhere, and stays"

        case .otherID(let fault): Self.field(fault) + " (a copied folder?), so it is not an item"
        case .itemFileOnItsWay: "item.json is not here yet"
        case .noItemFile(let contents):
            "item.json is not here: deleted, or not here yet; without it \(contents.joined(separator: ", ")) "
                + "\(contents.count == 1 ? "is" : "are") not found. \"sbfs repair\" brings it back if history/ has it"
        case .inTwoPlaces(let other): "is in \(other) too; sbfs changes neither until one is removed"
        case .wrongShard(let right): "belongs into shard \(right), the last two digits of its id"
        case .badLink: "linkURL cannot be opened: its host or port is not valid"
        case .textInItemFile: "textContent moves to text.md at the next write"
        case .secondText: "has textContent beside text.md; text.md wins, a different one goes to conflicts/"
        case .missing: "is named by item.json and missing: deleted, or not here yet"
        case .tooLargeElsewhere(let byteCount): "is named by item.json and " + ArchiveWords.tooLarge(byteCount)
        case .away(let byteCount):
            "is in an exchange only (\(ByteCount.text(byteCount))); \"sbfs keep\" brings it to this device"
        case .awayFault(let exchange, let error, let isElsewhere): Self.awayFault(exchange, error, isElsewhere)
        case .exchangeUnreachable(let error):
            "files are in exchanges only, and this one was not looked into: \(error.wording)"
        case .noExchange(let count):
            "files of \(count) item\(count == 1 ? " is" : "s are") in an exchange only, and this device names none; "
                + "\"sbfs remote add\" names it"
        case .missingAsset: "the saved page needs it and it is missing: deleted, or not here yet"
        case .moreMissingAssets(let count): "\(count) more files that the saved page needs are missing"
        case .conflicts(let count): "\(count) version\(count == 1 ? "" : "s") to review"
        case .conflictCopy(let original):
            "is a conflict copy of \(original) that a copying program left: sbfs joins it within three changes and a day; "
                + "one that is still here then needs a person, who compares and deletes it"
        case .noAccess:
            "may not be read, so search does not find its words and no copy or export has it; \"chmod u+r\" lets you read it"
        case .unreadName: "the name is not UTF-8, so the file is not read"
        case .looseDocument: "is the document; the next change by sbfs moves it into document/"
        case .looseFile: "is a loose file beside a document; it is left alone"
        case .notDocument(let kind): "is \(kind.phrase), not a document; it is not read or followed"
        case .extraDocument: "is an extra document"
        case .oneOfSeveralDocuments: "is one of several documents, and item.json names none"

        case .manyKeys(let count, let limit): "has \(count) keys, more than \(limit)"
        case .manyTags(let count, let limit):
            "has \(count) tags; the first \(limit) are searched, all of them are kept"
        case .longTags(let count, let limit):
            "has \(count) tag\(count == 1 ? "" : "s") longer than \(limit) bytes; filters compare the beginning"
        case .deepCollections(let count, let limit):
            "has \(count) collection\(count == 1 ? "" : "s") of more than \(limit) levels; the rest after the last "
                + "border is one level"
        case .largeText(let byteCount, let limit):
            "has \(byteCount) bytes, more than \(limit): sbfs keeps it and does not read it as text"

        case .textNotUTF8(let offset): "is not UTF-8 at byte \(offset)"
        case .largeDocument(let byteCount, let isStored):
            "has \(byteCount) bytes, more than any document that sbfs stores: it was not read"
                + (isStored ? "" : ", and is not the one that sbfs stored")
        case .documentEdited: "was edited since sbfs stored it (documentSHA256); a version in history/ has it as it is"
        case .documentEarlier:
            "is an earlier document, and the one that replaced it has not arrived; \"sbfs sync\", or what else carries the library, brings it"
        case .documentDiffers: "differs from what sbfs stored (documentSHA256): edited since, or damaged"
        case .assetDiffers: "differs from the hash in its name: edited since, or damaged"
        case .versionDiffers: "does not match the hash in its name"
        case .noVersion(let fault): "\(fault)"
        case .versionWaits(0, _): "waits for its text, which is not here yet"
        case .versionWaits(let parents, let lacksText):
            "waits for \(parents == 1 ? "a version" : "\(parents) versions") that it came from"
                + (lacksText ? " and for its text" : "") + ": not here yet"
        case .changedUnseen(let files) where files.count == 1:
            "has other bytes than when it was last read, though no program saved it since, or it was emptied: damaged"
        case .changedUnseen(let files):
            "has other bytes than when it was last read, although sizes and times are the same: \(Self.list(files)) "
                + "may be damaged"
        case .wrongWhenRead:
            "a file in it was wrong when \"sbfs watch\" last read it: changed without a new time, or not as recorded; "
                + "compare it with a copy. Once it is mended or edited, it is read again"
        case .largeVersion(let byteCount):
            "has \(byteCount) bytes, more than any version that sbfs keeps: it was not read"

        case .almostSameName(let other): "differs from \"\(other)\" only in case or normalisation"
        case .nameNotUTF8: "the name is not UTF-8"
        case .nameWithCharacter(let scalar): "the name has a \(scalar), which Windows and Android do not allow"
        case .nameWithControl: "the name has a control character, which Windows and Android do not allow"
        case .nameWithDotOrSpaceAtEnd: "the name ends in a dot or space, which Windows drops"
        case .nameOfDevice(let name): "the name \(name) is a device on Windows"
        case .nameTooLong: "the name has more than 255 UTF-16 units"
        }
    }

    private static func awayFault(_ exchange: String, _ error: any Error, _ isElsewhere: Bool) -> String {
        let what =
            switch error as? ObjectFault {
            case let fault? where fault.reason == .notHereYet: "\(exchange) lacks its object \(fault.path)"
            case let fault?: "\(exchange) has it as \(fault.path), and \(fault.reason.wording)"
            case nil: "\(exchange) cannot give it: \(error.wording)"
            }
        let next = isElsewhere ? "another exchange has it" : "\"sbfs keep\" cannot bring it"
        return "is not on this device, and \(what); \(next); "
            + "\"sbfs sync\" asks the devices that have it to write it again"
    }

    private static func list(_ names: [String]) -> String {
        let more = names.count > 3 ? " or \(names.count - 3) more" : ""
        return names.prefix(3).joined(separator: " or ") + more
    }

    private static func field(_ fault: FieldFault) -> String {
        "\(fault.key): \(fault.mismatch)"
    }
}

extension Finding.Repair {
    /// The repair, as the end of a question.
    var wording: String {
        switch self {
        case .moveToShard(_, let id): "move it to items/\(id.shard)/\(id)"
        case .newID: "give it an id of its own"
        case .itemFile: "put back the item.json of the item's last version"
        case .removeTombstone: "remove the tombstone"
        case .recordHash: "record the document as it is now"
        }
    }
}

extension Finding.Repair.Outcome {
    /// The repair that was made.
    var wording: String {
        switch self {
        case .moved(let folder, let place): "moved \(folder) to \(place)"
        case .gaveID(let id, let folder): "\(folder) is now the item \(id)"
        case .broughtBack(let id): "put back the item.json of the last version of \(id)"
        case .removedTombstone(let id): "removed the tombstone of \(id)"
        case .recordedHash(let id): "recorded the document of \(id) as it is now"
        }
    }
}
