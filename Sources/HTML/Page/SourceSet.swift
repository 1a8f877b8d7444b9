import Characters

/// The candidates of a `srcset` (HTML Standard, section 4.8.4.3.9, "parse a srcset attribute").
package enum SourceSet {
    package struct Candidate: Equatable, Sendable {
        package var url: Range<Int>
        /// Without surrounding white space. Empty if there are none.
        package var descriptors: Range<Int>
    }

    /// The valid candidates, without those that a browser drops.
    package static func candidates(_ value: [UInt8]) -> [Candidate] {
        value.withUnsafeBufferPointer { value in
            var candidates: [Candidate] = []
            var place = 0
            while true {
                while place < value.count, value[place].isHTMLSpace || value[place] == 0x2C { place += 1 }
                if place >= value.count { return candidates }
                let start = place
                while place < value.count, !value[place].isHTMLSpace { place += 1 }
                var end = place
                if value[end - 1] == 0x2C {
                    while end > start, value[end - 1] == 0x2C { end -= 1 }
                    candidates.append(Candidate(url: start..<end, descriptors: end..<end))
                    continue
                }
                while place < value.count, value[place].isHTMLSpace { place += 1 }
                let from = place
                var isInParentheses = false
                while place < value.count, isInParentheses || value[place] != 0x2C {
                    if value[place] == 0x28 { isInParentheses = true }
                    if value[place] == 0x29 { isInParentheses = false }
                    place += 1
                }
                var to = place
                while to > from, value[to - 1].isHTMLSpace { to -= 1 }
                if SourceSetDescriptors.areValid(value, from..<to) {
                    candidates.append(Candidate(url: start..<end, descriptors: from..<max(from, to)))
                }
            }
        }
    }
}

/// The descriptors of one candidate, `2x` or `640w` with an optional `480h`.
private enum SourceSetDescriptors {
    static func areValid(_ value: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> Bool {
        var (hasWidth, hasDensity, hasHeight) = (false, false, false)
        var place = range.lowerBound
        while place < range.upperBound {
            if value[place].isHTMLSpace {
                place += 1
                continue
            }
            let start = place
            var isInParentheses = false
            while place < range.upperBound, isInParentheses || !value[place].isHTMLSpace {
                if value[place] == 0x28 { isInParentheses = true }
                if value[place] == 0x29 { isInParentheses = false }
                place += 1
            }
            let number = start..<(place - 1)
            switch value[place - 1] {
            case 0x77:
                if hasWidth || hasDensity || !isPositiveInteger(value, number) { return false }
                hasWidth = true
            case 0x78:
                if hasWidth || hasDensity || hasHeight || !isDensity(value, number) { return false }
                hasDensity = true
            case 0x68:
                if hasHeight || hasDensity || !isPositiveInteger(value, number) { return false }
                hasHeight = true
            default: return false
            }
        }
        return !hasHeight || hasWidth
    }

    private static func isPositiveInteger(_ value: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> Bool {
        !range.isEmpty && value[range].allSatisfy(\.isDigit) && value[range].contains { $0 != 0x30 }
    }

    /// A valid floating-point number (section 2.3.4.3) that is not negative.
    private static func isDensity(_ value: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> Bool {
        var place = range.lowerBound
        let end = range.upperBound
        var isNegative = false
        if place < end, value[place] == 0x2D {
            isNegative = true
            place += 1
        }
        var isZero = true
        func digits() -> Int {
            let start = place
            while place < end, value[place].isDigit {
                if value[place] != 0x30 { isZero = false }
                place += 1
            }
            return place - start
        }
        let whole = digits()
        if place < end, value[place] == 0x2E {
            place += 1
            if digits() == 0 { return false }
        } else if whole == 0 {
            return false
        }
        if place < end, value[place] | 0x20 == 0x65 {
            place += 1
            if place < end, value[place] == 0x2B || value[place] == 0x2D { place += 1 }
            let start = place
            while place < end, value[place].isDigit { place += 1 }
            if place == start { return false }
        }
        return place == end && (!isNegative || isZero)
    }
}
