import Characters

/// Host parsing: section 3.5 of the URL Standard.
enum HostParser {
    /// Appends a serialised host.
    ///
    /// - Returns: `nil` for a failure.
    static func append(
        _ text: UnsafeBufferPointer<UInt8>, isSpecial: Bool, to output: inout [UInt8]
    ) -> WebURL.HostKind? {
        if text.first == UInt8(ascii: "[") {
            guard text.count > 2, text.last == UInt8(ascii: "]"),
                let pieces = IPAddressText.ipv6(UnsafeBufferPointer(rebasing: text[1..<text.count - 1]))
            else { return nil }
            output.append(UInt8(ascii: "["))
            output += IPAddressText.text(ofIPv6: pieces)
            output.append(UInt8(ascii: "]"))
            return .ipv6
        }
        if !isSpecial { return opaque(text, &output) }
        if isPlain(text) {
            let start = output.count
            for byte in text { output.append(byte.lowercased) }
            return isEmptyOrNumber(from: start, &output)
        }
        let decoded = PercentEncoding.decoded(text)
        guard let ascii = InternationalHost.domainToASCII(String(decoding: decoded, as: UTF8.self)),
            !ascii.isEmpty, !ascii.contains(where: { forbidden.contains($0) })
        else { return nil }
        let start = output.count
        output += ascii
        return isEmptyOrNumber(from: start, &output)
    }

    /// ASCII letters, digits, and other bytes that no step changes, without an `xn--` label.
    private static func isPlain(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        for index in 0..<text.count {
            let byte = text[index]
            if byte >= 0x80 || forbidden.contains(byte) { return false }
            if byte | 0x20 == UInt8(ascii: "x"), index + 3 < text.count, text[index + 2] == UInt8(ascii: "-"),
                text[index + 3] == UInt8(ascii: "-")
            {
                return false
            }
        }
        return true
    }

    private static func isEmptyOrNumber(from start: Int, _ output: inout [UInt8]) -> WebURL.HostKind? {
        if start == output.count { return .empty }
        let address: UInt32?? = output[start...].withUnsafeBufferPointer { host in
            IPAddressText.endsInNumber(host) ? .some(IPAddressText.ipv4(host)) : .none
        }
        guard let address else { return .domain }
        guard let address else { return nil }
        output.removeSubrange(start...)
        output += IPAddressText.text(ofIPv4: address)
        return .ipv4
    }

    private static func opaque(_ text: UnsafeBufferPointer<UInt8>, _ output: inout [UInt8]) -> WebURL.HostKind? {
        for byte in text {
            // An opaque host may contain encoded controls and `%`. Of the forbidden ones only NUL, tab and line ends
            // are controls.
            if forbiddenInOpaque.contains(byte), byte < 0x80 { return nil }
            PercentEncoding.append(byte, encoding: PercentEncoding.control, to: &output)
        }
        return text.isEmpty ? .empty : .opaque
    }

    /// Forbidden domain code points.
    private static let forbidden = PercentEncoding.Set(" #/:<>?@[\\]^|%")
    private static let forbiddenInOpaque = ByteSet("\0\t\n\r #/:<>?@[\\]^|")
}
