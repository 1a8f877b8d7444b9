internal import Characters

/// Domain to ASCII: https://url.spec.whatwg.org/#idna by UTS 46, section 4.2, with CheckHyphens, VerifyDnsLength and
/// UseSTD3ASCIIRules false.
///
/// Two validity criteria differ, because the standard library lacks their tables: the rule for right-to-left labels
/// (CheckBidi) is left out, and a zero-width non-joiner is accepted only after a virama (CheckJoiners has a second
/// case, by joining types).
extension InternationalHost {
    /// The limit of a host's scalars: far above that of DNS, and a bound for Punycode, which is quadratic.
    private static let scalarLimit = 4096

    /// - Returns: `nil` for a failure. The caller checks for forbidden code points.
    static func domainToASCII(_ domain: String) -> [UInt8]? {
        guard let mapped = mapped(domain) else { return nil }
        var output: [UInt8] = []
        var isFirst = true
        for label in mapped.split(separator: ".", omittingEmptySubsequences: false) {
            if !isFirst { output.append(UInt8(ascii: ".")) }
            isFirst = false
            let scalars = label.map(\.value)
            if scalars.starts(with: [0x78, 0x6E, 0x2D, 0x2D]) {
                guard scalars.allSatisfy({ $0 < 0x80 }), let decoded = decodedPunycode(scalars[4...]),
                    decoded.contains(where: { $0 >= 0x80 }), isValid(decoded), isMapped(decoded)
                else { return nil }
                output += scalars.map { UInt8($0) }
            } else if scalars.allSatisfy({ $0 < 0x80 }) {
                output += scalars.map { UInt8($0) }
            } else {
                guard isValid(scalars), let encoded = punycode(scalars) else { return nil }
                output += "xn--".utf8
                output += encoded.utf8
            }
        }
        return output
    }

    /// The mapping step, then NFC.
    private static func mapped(_ domain: String) -> String.UnicodeScalarView? {
        var bytes: [UInt8] = []
        var count = 0
        for scalar in domain.unicodeScalars {
            count += 1
            if count > scalarLimit { return nil }
            switch DomainMapping.status(of: scalar.value) {
            case .valid: bytes += UTF8.encode(scalar).map(Array.init) ?? []
            case .ignored: break
            case .disallowed: return nil
            case .mapped(let start, let count): bytes += DomainMapping.mapping(start: start, count: count)
            }
        }
        return CanonicalComposition.nfc(String(decoding: bytes, as: UTF8.self)).unicodeScalars
    }

    /// Whether mapping leaves a decoded Punycode label unchanged.
    private static func isMapped(_ scalars: [UInt32]) -> Bool {
        guard scalars.allSatisfy({ DomainMapping.status(of: $0) == .valid }) else { return false }
        var view = String.UnicodeScalarView()
        view.append(contentsOf: scalars.compactMap(Unicode.Scalar.init))
        return CanonicalComposition.nfc(String(view)).unicodeScalars.map(\.value) == scalars
    }

    /// Section 4.1, criteria 5 to 8.
    private static func isValid(_ scalars: [UInt32]) -> Bool {
        let label = scalars.compactMap(Unicode.Scalar.init)
        guard label.count == scalars.count else { return false }
        switch label.first?.properties.generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark: return false
        default: break
        }
        for (index, scalar) in label.enumerated() where scalar.value == 0x200C || scalar.value == 0x200D {
            guard index > 0, label[index - 1].properties.canonicalCombiningClass == .virama else { return false }
        }
        return !label.contains(".") && label.allSatisfy { DomainMapping.status(of: $0.value) == .valid }
    }

    /// RFC 3492, section 6.2.
    static func decodedPunycode(_ input: ArraySlice<UInt32>) -> [UInt32]? {
        let base: UInt32 = 36, tMin: UInt32 = 1, tMax: UInt32 = 26
        var (n, i, bias): (UInt32, UInt32, UInt32) = (128, 0, 72)
        let delimiter = input.lastIndex(of: 0x2D)
        var output = delimiter.map { Array(input[..<$0]) } ?? []
        var at = delimiter.map { $0 + 1 } ?? input.startIndex
        if at == input.endIndex { return nil }
        while at < input.endIndex {
            let oldI = i
            var (weight, k): (UInt32, UInt32) = (1, base)
            while true {
                guard at < input.endIndex, let digit = value(input[at]) else { return nil }
                at += 1
                let (step, isTooLarge) = digit.multipliedReportingOverflow(by: weight)
                let (sum, isAbove) = i.addingReportingOverflow(step)
                if isTooLarge || isAbove { return nil }
                i = sum
                let t = k <= bias ? tMin : k >= bias + tMax ? tMax : k - bias
                if digit < t { break }
                let (next, isOver) = weight.multipliedReportingOverflow(by: base - t)
                if isOver { return nil }
                weight = next
                k += base
            }
            let count = UInt32(output.count) + 1
            bias = adapt(i - oldI, count, isFirst: oldI == 0)
            let (next, isOver) = n.addingReportingOverflow(i / count)
            if isOver || next > 0x10FFFF { return nil }
            n = next
            i %= count
            output.insert(n, at: Int(i))
            i += 1
        }
        return output
    }

    private static func value(_ digit: UInt32) -> UInt32? {
        switch digit {
        case 0x30...0x39: digit - 0x30 + 26
        case 0x61...0x7A: digit - 0x61
        case 0x41...0x5A: digit - 0x41
        default: nil
        }
    }
}
