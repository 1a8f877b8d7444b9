import StuffBucket

extension SyncReport.Reason {
    /// Why something of an exchange was not taken, as a clause without a full stop.
    var wording: String {
        switch self {
        case .notHereYet: "it has not arrived yet"
        case .comesLater: "what precedes it has not arrived yet"
        case .damaged(let why):
            "its bytes are damaged or still arriving" + (why.isEmpty ? "" : " (\(Printable.line(why)))")
        case .tooLarge: "it unpacks to more than any library writes"
        case .largerThanNamed: "it unpacks to more bytes than the files have that its device named, so it was left"
        case .otherLibrary: "it is of another library, so it was passed over; if it came here by mistake, move it away"
        case .tooNew: "a newer sbfs wrote it; install that here, too"
        case .notJoined: "it could not be joined"
        case .inTheWay:
            "another device has this file, and something here that is no file, or no folder, has its name or that of a folder above; "
                + "move that away, and the next sync brings the file"
        case .notWritable:
            "another device changed or removed it, and its folder here cannot be written; the next sync tries again"
        case .noFolder:
            "this is no folder, so no edits of the item come here, nor do all from here travel; move it out of the item's folder, and the "
                + "next sync tries again"
        case .notReadable:
            "you may not read it here, so it was passed over; change its permissions (chmod), and the next sync tries again"
        case .isWritten:
            "another device changed or removed it, and a program has it open here or saved it just now; the next sync tries again"
        }
    }
}

extension SyncReport.Left {
    /// What was not taken, and why.
    var wording: String {
        let what = Printable.line(path) + (lacking.map { " (\(Printable.line($0.file)) of \($0.item.short))" } ?? "")
        return "\(what): \(reason.wording)"
    }
}

extension SyncReport.LeftOutFile {
    /// The item with the file, and why it is not in the exchange.
    var wording: String { "\(item.short): \(phrase)" }

    /// The file, and why it is not in the exchange.
    var phrase: String {
        let what = path.isEmpty ? "the saved page" : Printable.line(path)
        let why =
            switch reason {
            case .tooLarge:
                "\(ByteCount.text(byteCount)) is above the limit (see: sbfs config maxFileSizeMB); it stays on this device"
            case .away:
                "it is neither on this device nor in this exchange; the next sync of a device that has it writes it, or \"sbfs keep "
                    + "\(item.short)\" brings it from another exchange"
            case .name: "its name cannot travel; it stays on this device"
            case .kind: "it is no file but a link or a device; it stays on this device"
            case .depth: "it is a folder below too many others; it stays on this device"
            }
        return "\(what): \(why)"
    }
}

extension SyncError {
    /// What to do about it, as the end of a sentence.
    var hint: String? {
        switch self {
        case .noExchange(let path) where path.hasPrefix(ExchangeFolder.cloudPrefix):
            "; look there: rclone lsf \(path.dropFirst(ExchangeFolder.cloudPrefix.count))"
        case .noExchange: "; connect or mount it, or let it arrive, and try again"
        case .noParent: "; if the name is right, make that folder first"
        case .noExchangeFile(let path):
            "; let it arrive, or any device that has the library writes it again: \(Self.additionAgain(path))"
        case .malformed(let path):
            "; any device that has the library writes it again: remove it (\(Self.removal(path))), then \(Self.additionAgain(Self.folder(path)))"
        case .tooNew: "; install a newer sbfs"
        case .cloud(_, .offline): "; --offline or SBFS_OFFLINE forbids it"
        case .cloud(_, .noProgram): "; install the package rclone"
        case .cloud(_, .noRemote): "; \"rclone listremotes\" names those that there are, \"rclone config\" makes one"
        case .cloud(let path, _):
            "; try it alone: rclone lsf \(path.dropFirst(ExchangeFolder.cloudPrefix.count))"
        case .notWritable(let path, _):
            "; to take what others wrote, and write nothing, add it again: \"sbfs remote remove NAME\", then "
                + "\"sbfs remote add NAME \(Printable.line(path)) --read-only\""
        case .isReplicated: "; use either that program or \"sbfs sync\""
        default: nil
        }
    }
}

extension SyncError {
    /// The folder of a file of an exchange.
    private static func folder(_ path: String) -> String { String(path[..<(path.lastIndex(of: "/") ?? path.endIndex)]) }

    /// The commands that make an exchange known once more.
    private static func additionAgain(_ path: String) -> String {
        "\"sbfs remote remove NAME\" and \"sbfs remote add NAME \(Printable.line(path))\", with the options that the former says"
    }

    /// The command that removes a file of an exchange.
    private static func removal(_ path: String) -> String {
        let prefix = ExchangeFolder.cloudPrefix
        return path.hasPrefix(prefix)
            ? "rclone deletefile \(path.dropFirst(prefix.count))" : "rm \(Printable.line(path))"
    }
}

extension PruneError {
    /// What to do about it, as the end of a sentence.
    var hint: String? {
        switch self {
        case .readOnly, .severalDevices: nil
        case .noDevice: "; \"sbfs remote prune NAME\" lists the devices"
        case .otherLibrary: "; if the file came here by mistake, move it away"
        case .notTaken: "; run \"sbfs sync\" first"
        case .tooNew: "; install that here, too, and run \"sbfs sync\" first"
        }
    }
}
