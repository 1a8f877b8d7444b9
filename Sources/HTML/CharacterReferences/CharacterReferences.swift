import Characters
internal import Glibc

/// Character references in text and in attribute values, as the HTML Standard's tokenizer reads them (13.2.5.72 to .80).
package enum CharacterReferences {
    /// What a reference stands for.
    package struct Reference: Sendable {
        /// The length of the reference in bytes, from the `&` to the semicolon if there is one.
        package let byteCount: Int
        fileprivate let characters: Characters

        fileprivate enum Characters: Sendable {
            case scalar(UInt32)
            /// UTF-8 in the table's pool.
            case pooled(start: Int, count: Int)
        }

        /// UTF-8 of one or two characters, at most six bytes: one more than the shortest reference of these has.
        package func write(to output: UnsafeMutablePointer<UInt8>) -> Int {
            switch characters {
            case .scalar(let scalar): return UTF8Text.write(scalar, to: output)
            case .pooled(let start, let count):
                output.update(from: CharacterReferenceTable.pool.utf8Start + start, count: count)
                return count
            }
        }
    }

    package enum Place: Sendable { case text, attribute }

    /// Appends a text or the value of an attribute and decodes its references.
    package static func append(
        _ bytes: UnsafeBufferPointer<UInt8>, in place: Place, to output: inout [UInt8]
    ) {
        guard let base = bytes.baseAddress else { return }
        var at = 0
        while let found = memchr(base + at, 0x26, bytes.count - at) {
            let ampersand = UnsafeRawPointer(found) - UnsafeRawPointer(base)
            output.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[at..<ampersand]))
            if let reference = reference(in: bytes, at: ampersand, place) {
                withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 8) { scratch in
                    guard let to = scratch.baseAddress else { return }
                    output.append(contentsOf: UnsafeBufferPointer(rebasing: scratch[..<reference.write(to: to)]))
                }
                at = ampersand + reference.byteCount
            } else {
                output.append(0x26)
                at = ampersand + 1
            }
        }
        output.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[at...]))
    }

    /// A text or the value of an attribute, with its references decoded.
    package static func decoded(_ bytes: UnsafeBufferPointer<UInt8>, in place: Place) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(bytes.count)
        append(bytes, in: place, to: &output)
        return output
    }

    package static func decoded(_ bytes: ArraySlice<UInt8>, in place: Place) -> [UInt8] {
        bytes.contains(UInt8(ascii: "&")) ? bytes.withUnsafeBufferPointer { decoded($0, in: place) } : Array(bytes)
    }

    package static func decoded(_ text: String, in place: Place) -> String {
        String(decoding: decoded(Array(text.utf8)[...], in: place), as: UTF8.self)
    }

    /// The reference that begins with the `&` at an offset, or `nil` if it is only an ampersand.
    package static func reference(in bytes: UnsafeBufferPointer<UInt8>, at offset: Int, _ place: Place) -> Reference? {
        guard offset + 2 < bytes.count else { return nil }
        if bytes[offset + 1] == UInt8(ascii: "#") { return numeric(bytes, offset) }
        return bytes[offset + 1].isLetter ? named(bytes, offset, place) : nil
    }

    // MARK: By name

    private static func named(_ bytes: UnsafeBufferPointer<UInt8>, _ offset: Int, _ place: Place) -> Reference? {
        let records = CharacterReferenceTable.records.utf8Start
        let names = CharacterReferenceTable.names.utf8Start
        /// Byte `index` of the name of a record, or -1 after its end.
        func byte(_ record: Int, _ index: Int) -> Int {
            let at = records + record * 6
            if index >= Int(at[2] & 63) { return -1 }
            return Int(names[Int(at[0]) << 7 + Int(at[1]) + index])
        }
        /// The first record from `low` on whose byte `index` is at least `wanted`.
        func lowerBound(_ low: Int, _ high: Int, _ index: Int, _ wanted: Int) -> Int {
            var (low, high) = (low, high)
            while low < high {
                let middle = (low + high) / 2
                if byte(middle, index) < wanted { low = middle + 1 } else { high = middle }
            }
            return low
        }
        // The names that begin like the text are a range that gets smaller with every byte; the one that ends there, if
        // any, is its first.
        var (low, high, length) = (0, CharacterReferenceTable.recordCount, 0)
        var found: (record: Int, length: Int)?
        while true {
            let at = offset + 1 + length
            guard at < bytes.count, bytes[at].isLetter || bytes[at].isDigit else { break }
            let wanted = Int(bytes[at])
            low = lowerBound(low, high, length, wanted)
            high = lowerBound(low, high, length, wanted + 1)
            if low == high { break }
            length += 1
            guard byte(low, length) < 0 else { continue }
            let isEnded = at + 1 < bytes.count && bytes[at + 1] == UInt8(ascii: ";")
            if isEnded { return reference(low, byteCount: length + 2) }
            if records[low * 6 + 2] & 64 != 0 { found = (low, length) }
        }
        guard let found else { return nil }
        if place == .attribute {
            // Query strings contain text such as `&copy=1`.
            let next = offset + 1 + found.length
            if next < bytes.count, bytes[next] == UInt8(ascii: "=") || bytes[next].isLetter || bytes[next].isDigit {
                return nil
            }
        }
        return reference(found.record, byteCount: found.length + 1)
    }

    private static func reference(_ record: Int, byteCount: Int) -> Reference {
        let at = CharacterReferenceTable.records.utf8Start + record * 6
        return Reference(
            byteCount: byteCount, characters: .pooled(start: Int(at[3]) << 7 + Int(at[4]), count: Int(at[5])))
    }

    // MARK: By number

    private static func numeric(_ bytes: UnsafeBufferPointer<UInt8>, _ offset: Int) -> Reference? {
        var at = offset + 2
        let isHexadecimal = at < bytes.count && bytes[at] | 0x20 == UInt8(ascii: "x")
        if isHexadecimal { at += 1 }
        let start = at
        var value: UInt32 = 0
        while at < bytes.count {
            let digit: UInt32
            switch bytes[at] {
            case 0x30...0x39: digit = UInt32(bytes[at] - 0x30)
            case 0x41...0x46 where isHexadecimal: digit = UInt32(bytes[at] - 0x37)
            case 0x61...0x66 where isHexadecimal: digit = UInt32(bytes[at] - 0x57)
            default: digit = 99
            }
            if digit == 99 { break }
            value = min(value * (isHexadecimal ? 16 : 10) + digit, 0x20_0000)
            at += 1
        }
        if at == start { return nil }
        if at < bytes.count, bytes[at] == UInt8(ascii: ";") { at += 1 }
        return Reference(byteCount: at - offset, characters: .scalar(scalar(value)))
    }

    /// The scalar for a number. C1 controls are read as windows-1252. A number that is not a scalar is U+FFFD
    /// (13.2.5.80).
    package static func scalar(_ number: UInt32) -> UInt32 {
        switch number {
        case 0, 0xD800...0xDFFF, 0x11_0000...: 0xFFFD
        case 0x80...0x9F: Windows1252.scalar(UInt8(number))
        default: number
        }
    }
}
