extension Duration {
    /// Rounded towards zero; a value that does not fit becomes the largest that does.
    var wholeMilliseconds: Int {
        let (seconds, attoseconds) = components
        if seconds > 1 << 40 { return 1 << 50 }
        if seconds < -(1 << 40) { return -(1 << 50) }
        return Int(seconds) * 1000 + Int(attoseconds / 1_000_000_000_000_000)
    }

    var seconds: Double { Double(wholeMilliseconds) / 1000 }
}
