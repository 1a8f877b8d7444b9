internal import Time

/// Numbers of items by month.
enum MonthCounts {
    /// - Parameter times: milliseconds since 1970.
    /// - Returns: every month from the first to the last, in the caller's time zone; at most the last 100 years.
    static func counts(_ times: [Int64]) -> [LibraryStatistics.Count] {
        guard let first = times.min(), let last = times.max() else { return [] }
        let end = Timestamp(milliseconds: last).localDate
        let begin = Timestamp(milliseconds: first).localDate
        let lastMonth = end.year * 12 + end.month - 1
        let firstMonth = max(begin.year * 12 + begin.month - 1, lastMonth - 1200)
        // Computing the start of each month is cheaper than computing the month of each item.
        let starts = (firstMonth...lastMonth).map { month in
            CalendarDate(year: month / 12, month: month % 12 + 1, day: 1).localMidnight.milliseconds
        }
        var counts = Array(repeating: 0, count: starts.count)
        for time in times {
            var low = 0
            var high = starts.count
            while low < high {
                let middle = (low + high) / 2
                if starts[middle] <= time { low = middle + 1 } else { high = middle }
            }
            if low > 0 { counts[low - 1] += 1 }
        }
        return zip(firstMonth...lastMonth, counts).map { month, count in
            let number = month % 12 + 1
            return LibraryStatistics.Count(name: "\(month / 12)-\(number < 10 ? "0" : "")\(number)", count: count)
        }
    }
}
