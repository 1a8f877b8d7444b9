/// Words for the values that statistics count.
enum StatisticsWords {
    /// - Parameter status: as after `status:`.
    static func archive(_ status: String) -> String {
        switch status {
        case "full": "Archived"
        case "partial": "Partial"
        case "pending": "Pending"
        case "failed": "Failed"
        case "unavailable": "Unavailable"
        default: "Live only"
        }
    }
}
