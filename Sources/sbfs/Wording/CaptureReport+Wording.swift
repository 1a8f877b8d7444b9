import StuffBucket

extension CaptureReason {
    /// The worker's sentence with the options that change the outcome.
    fileprivate func sentence(_ words: String) -> String {
        switch self {
        case .privateAddress: words + " (CAPTURE_ALLOW=HOST:PORT, or --allow-private for all private addresses)"
        default: words
        }
    }
}

extension CaptureReport {
    /// Why the page was saved in part or not at all, as a sentence without a full stop; `nil` if the worker gave no
    /// reason.
    var wording: String? { diagnostic.map { kind?.sentence("\($0)") ?? "\($0)" } }
}

extension LinkFinding {
    /// Why nothing is known of the link, as a sentence without a full stop; `nil` for a link that answers.
    var wording: String? { diagnostic.map { kind?.sentence("\($0)") ?? "\($0)" } }
}
