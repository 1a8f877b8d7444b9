internal import Items

/// A file of the person's own on a device.
struct OwnFile {
    var past: OwnFilePast
    /// Whether this device had it when it synced last. Otherwise nobody knows what it was made of.
    let isKnown: Bool
    /// Whether this device remembers the past: another device had the same bytes.
    var isNoted: Bool
    /// Something hides the file, or it is above the limit: it counts as it was.
    var isHidden = false
    /// Nanoseconds since 1970; 0 without a file.
    var modified: Int64 = 0
}

/// A file of the person's own, here and on another device, and what comes of the two: Documentation/Exchange.md § 7.
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
    private let isTaken: (_ path: String, Items.ContentHash) -> Bool

    /// Whether it is of a print or a picture, which belongs to the page.
    var isOfPrint: Bool { PackedState.isPrint(path) }
    /// Whether a file here may change.
    var isChange: Bool { order == .earlier || loser != nil }

    /// - Parameters:
    ///   - isOurs: whether the file here has the name where two devices changed it; `nil` if the hashes say that.
    ///   - isTaken: whether a path is that of a file with other bytes on one of the devices.
    init(
        _ path: String, _ ours: OwnFile, _ theirs: OwnFilePast, here: Version.File?, there: Version.File?,
        isOurs chosen: Bool? = nil, isTaken: @escaping (_ path: String, Items.ContentHash) -> Bool = { _, _ in false }
    ) {
        var past = ours.past
        // Nobody knows whether this is the file that was removed there: it counts as made after that.
        if !ours.isKnown, let now = past.now, theirs.now == nil, past.order(to: theirs) == .earlier {
            past = theirs.changed(to: now, modified: ours.modified)
        }
        let order = past.order(to: theirs)
        let isOurs =
            switch order {
            case .same, .later: true
            case .earlier: false
            case .apart: chosen ?? Self.stands(past, over: theirs)
            }
        self.isTaken = isTaken
        self.path = path
        self.ours = ours
        self.theirs = theirs
        self.order = order
        self.here = here
        self.there = there
        if order == .apart, let here, let there {
            let file = isOurs ? there : here
            var parts = path.pathComponents
            let paths = Layout.conflictNames(of: parts.removeLast(), file.sha256).map { [parts] in
                (parts + [$0]).joined(separator: "/")
            }
            loser = (file, paths.first { !isTaken($0, file.sha256) } ?? paths[0])
        } else {
            loser = nil
        }
        if order == .same {
            result = ours.isNoted ? past.joined(with: theirs) : theirs
        } else {
            result = isOurs ? past.standing(over: theirs) : theirs.standing(over: past)
        }
    }

    /// The meeting where the page says which of two files stands. An edit still stands over a removal.
    func decided(isOurs: Bool) -> OwnFileMeeting {
        if loser == nil { return self }
        return OwnFileMeeting(path, ours, theirs, here: here, there: there, isOurs: isOurs, isTaken: isTaken)
    }

    /// Whether this one of two files keeps its name, of which neither saw the other: an edit stands over a removal, and the larger hash
    /// over the smaller, so that all devices choose alike.
    private static func stands(_ ours: OwnFilePast, over theirs: OwnFilePast) -> Bool {
        guard let other = theirs.now else { return true }
        return ours.now.map { other < $0 } ?? false
    }
}
