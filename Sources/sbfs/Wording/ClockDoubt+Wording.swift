import StuffBucket

extension ClockDoubt {
    /// Why nothing is due, and what to do, without a full stop.
    var wording: String {
        "\(self): nothing is due by it. If it is right, purge again after the next start of the machine, or in 24 hours"
    }
}
