/// A file or folder of a tar or zip file.
package struct PackedEntry: Sendable, Equatable {
    package enum Kind: UInt8, Sendable, CaseIterable {
        case file, folder, hardLink, symbolicLink, device, fifo, encrypted, unknown
    }

    package var kind: Kind
    /// As the file spells it, without `./` before it and `/` after it; empty for the top folder. Not trusted.
    package var path: [UInt8]
    /// `nil` if the file does not say it before the contents.
    package var byteCount: Int?
    package var permissions: UInt32
    /// Nanoseconds since 1970.
    package var modified: Int64
    /// The SHA-256 of the contents that a tar file says, as 64 lower-case hexadecimal digits.
    package var sha256: String?

    package init(
        _ kind: Kind, _ path: [UInt8], byteCount: Int?, permissions: UInt32, modified: Int64, sha256: String? = nil
    ) {
        self.kind = kind
        self.path = path
        self.byteCount = byteCount
        self.permissions = permissions
        self.modified = modified
        self.sha256 = sha256
    }

    /// Whether these are the digits of a SHA-256.
    package static func isSum(_ digits: some Collection<UInt8>) -> Bool {
        digits.count == 64 && digits.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }

    // MARK: Wire form

    /// Kind (1 byte), permissions (4), modified (8), byteCount or -1 (8), the number of digits of sha256 (1) and the digits, path;
    /// numbers are little-endian.
    var bytes: [UInt8] {
        var bytes = [kind.rawValue]
        Self.append(UInt64(permissions), 4, to: &bytes)
        Self.append(UInt64(bitPattern: modified), 8, to: &bytes)
        Self.append(UInt64(bitPattern: Int64(byteCount ?? -1)), 8, to: &bytes)
        bytes.append(UInt8(sha256?.utf8.count ?? 0))
        return bytes + Array((sha256 ?? "").utf8) + path
    }

    init(bytes: ArraySlice<UInt8>) throws(WireFault) {
        guard bytes.count >= 22, let kind = Kind(rawValue: bytes[bytes.startIndex]) else {
            throw WireFault("an entry of \(bytes.count) bytes")
        }
        var at = bytes.startIndex + 1
        func number(_ count: Int) -> UInt64 {
            defer { at += count }
            return bytes[at..<at + count].reversed().reduce(0) { $0 << 8 | UInt64($1) }
        }
        self.kind = kind
        permissions = UInt32(number(4))
        modified = Int64(bitPattern: number(8))
        let count = Int64(bitPattern: number(8))
        byteCount = count < 0 ? nil : Int(count)
        let digits = bytes[(at + 1)...].prefix(Int(bytes[at]))
        guard bytes[at] == 0 || bytes[at] == 64 && Self.isSum(digits) else {
            throw WireFault("a sum of \(bytes[at]) bytes")
        }
        sha256 = digits.isEmpty ? nil : String(decoding: digits, as: UTF8.self)
        path = Array(bytes[digits.endIndex...])
    }

    private static func append(_ number: UInt64, _ count: Int, to bytes: inout [UInt8]) {
        for index in 0..<count { bytes.append(UInt8(truncatingIfNeeded: number >> (8 * index))) }
    }
}
