/// Words for what statistics count, as they stand in rows.
enum StatisticsWords {
    /// - Parameter status: as behind `status:`.
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
