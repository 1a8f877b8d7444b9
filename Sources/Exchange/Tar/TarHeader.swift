/// The block of 512 bytes before each file of a tar file: POSIX.1-2017, pax, "ustar Interchange Format".
///
/// A pax header holds data that ustar cannot: long paths, sizes from 8 GiB on, fractions of seconds.
struct TarHeader: Equatable {
    enum Kind: Equatable {
        case file, folder
        /// Headers about the next entry or about the whole file.
        case paxRecords, longName, remark
        case other(TarReader.Entry.Other)
    }

    var kind: Kind
    var path: [UInt8]
    var byteCount: Int
    var permissions: UInt32
    /// Nanoseconds since 1970.
    var modified: Int64
    /// Whether the data after the header belongs to the entry.
    var hasBody: Bool {
        switch kind {
        case .folder, .other(.hardLink), .other(.symbolicLink), .other(.device), .other(.fifo): false
        case .file, .paxRecords, .longName, .remark, .other: true
        }
    }

    static let blockSize = 512

    static func isOne(_ bytes: [UInt8]) -> Bool {
        bytes.count >= blockSize && bytes[257..<262].elementsEqual("ustar".utf8) && TarHeader(bytes[..<512]) != nil
    }

    init(kind: Kind, path: [UInt8], byteCount: Int, permissions: UInt32, modified: Int64) {
        self.kind = kind
        self.path = path
        self.byteCount = byteCount
        self.permissions = permissions
        self.modified = modified
    }

    // MARK: Reading

    /// - Returns: `nil` if the checksum or a number is wrong.
    init?(_ block: ArraySlice<UInt8>) {
        let start = block.startIndex
        guard block.count == Self.blockSize else { return nil }
        func field(_ offset: Int, _ count: Int) -> ArraySlice<UInt8> { block[start + offset..<start + offset + count] }
        func text(_ offset: Int, _ count: Int) -> [UInt8] { Array(field(offset, count).prefix { $0 != 0 }) }
        guard let sum = Self.octal(field(148, 8)), let size = Self.octal(field(124, 12)),
            let mode = Self.octal(field(100, 8)), let time = Self.seconds(field(136, 12))
        else { return nil }
        var actual = 0
        for index in 0..<Self.blockSize {
            actual += (148..<156).contains(index) ? 0x20 : Int(block[start + index])
        }
        guard sum == actual else { return nil }
        let isPOSIX = field(257, 6).elementsEqual(Array("ustar\0".utf8))
        let prefix = isPOSIX ? text(345, 155) : []
        path = prefix.isEmpty ? text(0, 100) : prefix + [0x2F] + text(0, 100)
        byteCount = size
        permissions = UInt32(mode & 0o7777)
        modified = time * 1_000_000_000
        kind =
            switch block[start + 156] {
            // Before POSIX, a folder was a file whose name ends with a slash.
            case 0 where path.last == 0x2F: .folder
            // Contiguous files are files.
            case UInt8(ascii: "0"), 0, UInt8(ascii: "7"): .file
            case UInt8(ascii: "1"): .other(.hardLink)
            case UInt8(ascii: "2"): .other(.symbolicLink)
            case UInt8(ascii: "3"), UInt8(ascii: "4"): .other(.device)
            case UInt8(ascii: "5"): .folder
            case UInt8(ascii: "6"): .other(.fifo)
            case UInt8(ascii: "x"), UInt8(ascii: "X"): .paxRecords
            case UInt8(ascii: "L"): .longName
            // For the whole tar file; the target of a long link; the name of the tar file.
            case UInt8(ascii: "g"), UInt8(ascii: "K"), UInt8(ascii: "V"): .remark
            case UInt8(ascii: "S"): .other(.sparse)
            case let type: .other(.unknown(type))
            }
    }

    /// Seconds since 1970, within the range of modification times here: 1823 to 2116.
    private static func seconds(_ field: ArraySlice<UInt8>) -> Int64? {
        // A negative number in GNU's form, which the first byte marks.
        if field.first == 0xFF {
            let value = field.suffix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            return max(-timeLimit, Int64(bitPattern: value))
        }
        return octal(field).map { min(timeLimit, Int64($0)) }
    }

    private static let timeLimit = Int64.max / 2 / 1_000_000_000

    /// Octal digits, or a binary number if the first bit is set (GNU).
    private static func octal(_ field: ArraySlice<UInt8>) -> Int? {
        if let first = field.first, first & 0x80 != 0 {
            var value = Int(first & 0x3F)
            for byte in field.dropFirst() {
                if value >= 1 << 54 { return nil }
                value = value << 8 | Int(byte)
            }
            return value
        }
        var value = 0
        for byte in field.drop(while: { $0 == 0x20 }) {
            if byte == 0 || byte == 0x20 { break }
            guard byte >= 0x30, byte <= 0x37 else { return nil }
            value = value << 3 | Int(byte - 0x30)
        }
        return value
    }

    /// Applies the records of a pax header: `length key=value\n`, where the length covers the whole record.
    ///
    /// - Returns: false if a record is invalid.
    mutating func take(records: [UInt8]) -> Bool {
        var at = 0
        while at < records.count {
            guard let space = records[at...].firstIndex(of: 0x20), space - at <= 10,
                let length = Int(String(decoding: records[at..<space], as: UTF8.self)), length > space - at + 1,
                length <= records.count - at, records[at + length - 1] == 0x0A,
                let equals = records[space..<at + length].firstIndex(of: UInt8(ascii: "="))
            else { return false }
            let value = Array(records[(equals + 1)..<(at + length - 1)])
            let text = String(decoding: value, as: UTF8.self)
            switch String(decoding: records[(space + 1)..<equals], as: UTF8.self) {
            case "path": path = value
            case "size":
                guard let size = Int(text), size >= 0 else { return false }
                byteCount = size
            case "mtime":
                guard let time = Self.nanoseconds(text) else { return false }
                modified = time
            // GNU tar writes a sparse file as a list of its parts, in several forms.
            case let key where key.hasPrefix("GNU.sparse."): kind = .other(.sparse)
            default: break
            }
            at += length
        }
        return true
    }

    private static func nanoseconds(_ text: String) -> Int64? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count <= 2, let whole = Double(parts[0]), whole.isFinite else { return nil }
        let seconds = Int64(max(-Double(timeLimit), min(Double(timeLimit), whole)))
        let digits = parts.count == 2 ? parts[1].prefix(9) : ""
        guard let fraction = digits.isEmpty ? 0 : Int64(digits), fraction >= 0 else { return nil }
        let scaled = (digits.count..<9).reduce(fraction) { value, _ in value * 10 }
        return seconds * 1_000_000_000 + (text.hasPrefix("-") ? -scaled : scaled)
    }

    // MARK: Writing

    /// The header's block, after a pax header with the time in nanoseconds.
    var bytes: [UInt8] {
        let seconds = max(0, modified / 1_000_000_000)
        let fraction = String(max(0, modified % 1_000_000_000))
        var records = Self.record(
            "mtime", Array("\(seconds).\(String(repeating: "0", count: 9 - fraction.count))\(fraction)".utf8))
        let (prefix, name) = Self.split(path) ?? ([], Array(path.prefix(100)))
        if Self.split(path) == nil { records += Self.record("path", path) }
        let isLarge = byteCount >= 1 << 33
        if isLarge { records += Self.record("size", Array(String(byteCount).utf8)) }
        let pax = Self.block(
            type: "x", prefix: [], name: Array("pax-header".utf8), byteCount: records.count, permissions: 0o644,
            seconds: 0)
        let padding = [UInt8](repeating: 0, count: Self.padding(records.count))
        return pax + records + padding
            + Self.block(
                type: kind == .folder ? "5" : "0", prefix: prefix, name: name, byteCount: isLarge ? 0 : byteCount,
                permissions: permissions, seconds: Int(min(seconds, 0o77777777777)))
    }

    /// The number of bytes that fill the last block.
    static func padding(_ byteCount: Int) -> Int { (blockSize - byteCount % blockSize) % blockSize }

    private static func record(_ key: String, _ value: [UInt8]) -> [UInt8] {
        let body = Array((" " + key + "=").utf8) + value + [0x0A]
        var length = body.count + 1
        while String(length).utf8.count + body.count != length { length = String(length).utf8.count + body.count }
        return Array(String(length).utf8) + body
    }

    /// The path split at a `/` into at most 155 and 100 bytes.
    private static func split(_ path: [UInt8]) -> (prefix: [UInt8], name: [UInt8])? {
        if path.count <= 100 { return ([], path) }
        for index in path.indices where path[index] == 0x2F && index > 0 && index <= 155 {
            let name = path[(index + 1)...]
            if name.count <= 100, !name.isEmpty { return (Array(path[..<index]), Array(name)) }
        }
        return nil
    }

    private static func block(
        type: Unicode.Scalar, prefix: [UInt8], name: [UInt8], byteCount: Int, permissions: UInt32, seconds: Int
    ) -> [UInt8] {
        var block = [UInt8](repeating: 0, count: blockSize)
        func put(_ bytes: [UInt8], _ offset: Int) { block.replaceSubrange(offset..<offset + bytes.count, with: bytes) }
        func number(_ value: Int, _ width: Int) -> [UInt8] {
            let digits = String(value, radix: 8)
            return Array((String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits).utf8)
        }
        put(name, 0)
        put(number(Int(permissions & 0o777), 7), 100)
        put(number(0, 7), 108)
        put(number(0, 7), 116)
        put(number(byteCount, 11), 124)
        put(number(seconds, 11), 136)
        put(Array("        ".utf8), 148)
        block[156] = UInt8(ascii: type)
        put(Array("ustar\0".utf8) + Array("00".utf8), 257)
        put(prefix, 345)
        put(number(block.reduce(0) { $0 + Int($1) }, 6) + [0, 0x20], 148)
        return block
    }
}
