import StuffBucket

extension Caveat {
    /// What may be wrong with the answer, and what to do. One line without a full stop.
    var wording: String {
        switch self {
        case .behind(let seconds):
            "changes of other programs in the last \(Self.time(seconds)) may be missing; sbfs is looking for them now, and "
                + "--fresh waits for it"
        case .unranked:
            "there is no search index, so sbfs read the files; the latest change comes first"
        }
    }

    private static func time(_ seconds: Int) -> String {
        if seconds < 120 { return "\(seconds) seconds" }
        if seconds < 7200 { return "\(seconds / 60) minutes" }
        return seconds < 172_800 ? "\(seconds / 3600) hours" : "\(seconds / 86_400) days"
    }
}
