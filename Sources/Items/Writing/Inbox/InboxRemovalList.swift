internal import Characters
internal import Files

/// The files that a session removes from inbox/, since their items are durable: DeviceFiles.md § D3.
///
/// The list is synced before the first file is removed, so that the next opening completes an interrupted removal. One
/// line for each file: `<size> SP <modification time> SP <time of the inode's change> SP <inode> SP <path below inbox/ in
/// hexadecimal digits> LF`, times in nanoseconds since 1970.
struct InboxRemovalList {
    struct Line: Equatable {
        let byteCount: Int
        let modified: Int64
        let changed: Int64
        let inode: UInt64
        let folder: [FileName]
        let name: FileName

        /// Whether a file is the version that was taken in, at its place.
        func isUntouched(_ status: FileStatus) -> Bool { isOf(status) && status.changed == changed }

        /// Whether it is that version, perhaps under another name: a rename sets the time of the inode's change.
        func isOf(_ status: FileStatus) -> Bool {
            status.kind == .regular && status.byteCount == byteCount && status.modified == modified
                && status.inode == inode
        }
    }

    static let prefix = "inbox-"
    /// Its name in the session.
    let name: String
    let lines: [Line]

    init(_ versions: [InboxVersion]) {
        let digits = String(UInt64.random(in: .min ... .max), radix: 16)
        name = Self.prefix + String(repeating: "0", count: 16 - digits.count) + digits
        lines = versions.map {
            Line(
                byteCount: $0.status.byteCount, modified: $0.status.modified, changed: $0.status.changed,
                inode: $0.status.inode,
                folder: $0.folder, name: $0.name)
        }
    }

    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        for line in lines {
            bytes += Array("\(line.byteCount) \(line.modified) \(line.changed) \(line.inode) ".utf8)
            for byte in InboxVersion.path(line.folder, line.name) { bytes += Array(Hexadecimal.pair(byte).utf8) }
            bytes.append(0x0A)
        }
        return bytes
    }

    /// - Returns: `nil` if the bytes are no such list.
    init?(name: String, bytes: [UInt8]) {
        guard Self.isName(name), bytes.last == 0x0A else { return nil }
        self.name = name
        var lines: [Line] = []
        for line in bytes.split(separator: 0x0A) {
            let parts = line.split(separator: 0x20)
            guard parts.count == 5, let byteCount = Int(String(decoding: parts[0], as: UTF8.self)),
                let modified = Int64(String(decoding: parts[1], as: UTF8.self)),
                let changed = Int64(String(decoding: parts[2], as: UTF8.self)),
                let inode = UInt64(String(decoding: parts[3], as: UTF8.self)), let path = Self.bytes(parts[4])
            else { return nil }
            let names = path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
                .map { FileName(bytes: Array($0)) }
            guard let last = names.last else { return nil }
            lines.append(
                Line(
                    byteCount: byteCount, modified: modified, changed: changed, inode: inode,
                    folder: names.dropLast(), name: last))
        }
        self.lines = lines
    }

    private static func bytes(_ digits: ArraySlice<UInt8>) -> [UInt8]? {
        if digits.count % 2 != 0 { return nil }
        var bytes: [UInt8] = []
        var high: UInt8?
        for digit in digits {
            guard let value = Hexadecimal.value(of: digit) else { return nil }
            if let first = high {
                bytes.append(first << 4 | value)
                high = nil
            } else {
                high = value
            }
        }
        return bytes
    }

    static func isName(_ name: String) -> Bool {
        name.hasPrefix(prefix) && name.utf8.count == prefix.utf8.count + 16
            && name.utf8.dropFirst(prefix.utf8.count).allSatisfy { Hexadecimal.value(of: $0) != nil }
    }

    /// The name in the session of a file that is being removed.
    func staged(_ number: Int) -> FileName { FileName("\(name).\(number)") }
}
