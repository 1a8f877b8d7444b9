internal import Characters

/// The ASCII form of a host name: each label in lower case and, if it is not ASCII, in Punycode (RFC 3492).
package enum InternationalHost {
    /// - Returns: `nil` if a label cannot be encoded (overflow).
    package static func ascii(_ host: String) -> String? {
        if host.utf8.allSatisfy({ $0 < 0x80 }) { return host.lowercased() }
        // The ideographic full stops that IDNA (RFC 3490, section 3.1) treats as dots.
        let dots: Set<Character> = [".", "\u{3002}", "\u{FF0E}", "\u{FF61}"]
        var labels: [String] = []
        for label in host.lowercased().split(omittingEmptySubsequences: false, whereSeparator: dots.contains) {
            let label = CanonicalComposition.nfc(String(label))
            if label.utf8.allSatisfy({ $0 < 0x80 }) {
                labels.append(label)
            } else if let encoded = punycode(label.unicodeScalars.map(\.value)) {
                labels.append("xn--" + encoded)
            } else {
                return nil
            }
        }
        return labels.joined(separator: ".")
    }

    /// RFC 3492, section 6.3.
    package static func punycode(_ input: [UInt32]) -> String? {
        let base: UInt32 = 36, tMin: UInt32 = 1, tMax: UInt32 = 26
        var n: UInt32 = 128, delta: UInt32 = 0, bias: UInt32 = 72
        var output = input.filter { $0 < 128 }.map { UInt8($0) }
        let basic = UInt32(output.count)
        var handled = basic
        if basic > 0 { output.append(UInt8(ascii: "-")) }
        while handled < input.count {
            guard let next = input.filter({ $0 >= n }).min() else { return nil }
            let (step, isTooLarge) = (next - n).multipliedReportingOverflow(by: handled + 1)
            if isTooLarge || step > UInt32.max - delta { return nil }
            delta += step
            n = next
            for scalar in input {
                if scalar < n { delta += 1 }
                guard scalar == n else { continue }
                var q = delta
                var k = base
                while true {
                    let t = k <= bias ? tMin : k >= bias + tMax ? tMax : k - bias
                    if q < t { break }
                    output.append(digit(t + (q - t) % (base - t)))
                    q = (q - t) / (base - t)
                    k += base
                }
                output.append(digit(q))
                bias = adapt(delta, handled + 1, isFirst: handled == basic)
                delta = 0
                handled += 1
            }
            delta += 1
            n += 1
        }
        return String(decoding: output, as: UTF8.self)
    }

    /// Section 6.1: damp 700, skew 38.
    static func adapt(_ delta: UInt32, _ count: UInt32, isFirst: Bool) -> UInt32 {
        var delta = isFirst ? delta / 700 : delta / 2
        delta += delta / count
        var k: UInt32 = 0
        while delta > 455 {
            delta /= 35
            k += 36
        }
        return k + 36 * delta / (delta + 38)
    }

    private static func digit(_ value: UInt32) -> UInt8 { UInt8(value < 26 ? value + 97 : value - 26 + 48) }
}
