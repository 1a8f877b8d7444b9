import StuffBucket

extension DropReport.Reason {
    /// Why files were not dropped, or did not come back, as a clause without a full stop.
    var wording: String {
        switch self {
        case .notInExchange:
            "no exchange that can be read has it as it is here; run \"sbfs sync\" first"
        case .unavailable:
            "no exchange gives it as item.json names it; \"sbfs sync\" or \"sbfs repair --from REMOTE\" may bring it"
        case .notArrived: "it has not arrived yet, and an earlier document is here; \"sbfs sync\" brings it"
        case .tooLarge: "it is above the limit (see: sbfs config maxFileSizeMB), so no exchange holds it"
        case .object(let path, let reason): "\(Printable.line(path)) of the exchange: \(reason.wording)"
        case .otherIsAway(let path): "\(Printable.line(path)) is in an exchange only; run \"sbfs keep\" first"
        case .inRemovedExchange:
            "another file was put in its place, and an exchange that was removed here has it; \"sbfs remote add\" it again with its folder"
        case .changed: "a program changed it meanwhile, or it is damaged; it stays"
        case .fault(let error): error.wording
        }
    }
}
