import StuffBucket

extension MergeReport.Reason {
    /// Why something of the other copy was not taken, as a clause without a full stop.
    var wording: String {
        switch self {
        case .fault(let error): error.wording
        case .damaged(isHere: true):
            "it is damaged here: it is empty, or its bytes changed though no program saved it; \"sbfs repair --from DIR|REMOTE\" brings them back. "
                + "The item was not joined"
        case .damaged(isHere: false):
            "it is damaged in the other copy: it is empty, or its bytes changed though no program saved it; run \"sbfs repair --from\" there. "
                + "The item was not joined"
        case .older: "the other copy has a state from before all versions here; it was left"
        case .differs:
            "both copies have something under this name, and it differs; what is here stays. Compare the two, and make them "
                + "equal or rename one"
        case .newerStands(let keys):
            "\(keys.joined(separator: ", ")) \(keys.count == 1 ? "differs" : "differ"); the later value counts"
        case .deletionStands: "it was deleted in one copy; the other one, which may be older, is not kept"
        case .unusable:
            "both copies together would be above a limit of item.json or of the text, or no item; it was not joined"
        case .noVersions: "no version can hold a key of this item; it was not joined"
        case .leftOut(let reason): "\(reason.wording); it was left out"
        case .inbox(let count):
            "\(count) \(count == 1 ? "file waits" : "files wait") in the inbox of the other copy"
        }
    }

    /// Whether something is not here that the other copy has.
    var isFault: Bool {
        switch self {
        case .older, .inbox, .newerStands, .deletionStands: false
        default: true
        }
    }
}
