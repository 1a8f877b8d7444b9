/// Reads a tar file from start to end. The caller must check the paths, which are not trusted.
package struct TarReader {
    package struct Entry: Sendable, Equatable {
        package enum Kind: Sendable, Equatable {
            case file, folder
            case other(Other)
        }
        /// The kind of an entry that is neither a file nor a folder.
        package enum Other: Sendable, Equatable {
            case hardLink, symbolicLink, device, fifo, sparse
            /// A type that this program does not know.
            case unknown(UInt8)
        }
        package let kind: Kind
        /// As spelt in the tar file, without `./` before it and `/` after it; empty for the top folder.
        package let path: [UInt8]
        package let byteCount: Int
        package let permissions: UInt32
        /// Nanoseconds since 1970.
        package let modified: Int64
    }

    /// Returns at most this many bytes; none at the end.
    private let read: (Int) throws -> [UInt8]
    private var buffer: [UInt8] = []
    private var start = 0
    /// Byte offset in the tar file.
    package private(set) var offset = 0
    /// Unread bytes of the current entry, including the padding of its last block.
    private var left = 0
    private var padding = 0

    private static let recordLimit = 1 << 20

    package init(read: @escaping (Int) throws -> [UInt8]) { self.read = read }

    /// The next file or folder. Skips the unread part of the current one.
    ///
    /// - Returns: `nil` at the end.
    /// - Throws: `ImportError` if the tar file is damaged or cut off.
    package mutating func next() throws -> Entry? {
        while left > 0 { if try body(1 << 16).isEmpty { break } }
        try skipPadding()
        var records: [UInt8] = []
        var longName: [UInt8]?
        while true {
            let place = offset
            let block = try take(TarHeader.blockSize)
            // A tar file ends with two blocks of zeros. Without them it was cut off between two files.
            if block.isEmpty {
                throw ImportError(.noTarEnd(offset: place))
            }
            if block.count == TarHeader.blockSize, block.allSatisfy({ $0 == 0 }) { return nil }
            guard var header = TarHeader(block[...]) else {
                throw ImportError(.noTarHeader(offset: place))
            }
            switch header.kind {
            case .paxRecords, .longName:
                guard header.byteCount <= Self.recordLimit else {
                    throw ImportError(.largeTarHeader(offset: place, byteCount: header.byteCount))
                }
                let bytes = try whole(header.byteCount)
                if header.kind == .paxRecords { records = bytes } else { longName = Array(bytes.prefix { $0 != 0 }) }
            case .remark:
                left = header.byteCount
                padding = TarHeader.padding(left)
                while left > 0 { if try body(1 << 16).isEmpty { break } }
                try skipPadding()
            case .file, .folder, .other:
                if let longName { header.path = longName }
                guard header.take(records: records) else { throw ImportError(.damagedPaxHeader(offset: place)) }
                left = header.hasBody ? header.byteCount : 0
                padding = TarHeader.padding(left)
                let kind: Entry.Kind
                switch header.kind {
                case .other(let other): kind = .other(other)
                case .folder: kind = .folder
                default: kind = .file
                }
                return Entry(
                    kind: kind, path: Self.plain(header.path), byteCount: left, permissions: header.permissions,
                    modified: header.modified)
            }
        }
    }

    /// What follows the end, which `next` has reached. Programs fill the last record with zeros.
    ///
    /// - Returns: `nil` for nothing but zeros.
    package mutating func rest() throws -> ImportError? {
        while true {
            let place = offset
            let block = try take(TarHeader.blockSize)
            if block.isEmpty { return nil }
            if block.allSatisfy({ $0 == 0 }) { continue }
            return ImportError(
                TarHeader(block[...]) == nil ? .bytesAfterTarEnd(offset: place) : .secondTar(offset: place))
        }
    }

    private static func plain(_ path: [UInt8]) -> [UInt8] {
        var path = path[...]
        while path.starts(with: "./".utf8) { path = path.dropFirst(2) }
        while path.count > 1, path.last == 0x2F { path = path.dropLast() }
        return path.elementsEqual(".".utf8) ? [] : Array(path)
    }

    /// At most this many bytes of the current entry; none at its end.
    package mutating func body(_ count: Int) throws -> [UInt8] {
        if left == 0 { return [] }
        let bytes = try take(min(count, left))
        if bytes.isEmpty { throw ImportError(.endsWithinTarFile(offset: offset)) }
        left -= bytes.count
        return bytes
    }

    private mutating func skipPadding() throws {
        if padding > 0 { _ = try take(padding) }
        padding = 0
    }

    private mutating func whole(_ count: Int) throws -> [UInt8] {
        let bytes = try take(count)
        if bytes.count < count { throw ImportError(.endsWithinTarHeader(offset: offset)) }
        _ = try take(TarHeader.padding(count))
        return bytes
    }

    private mutating func take(_ count: Int) throws -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count {
            if start == buffer.count {
                buffer = try read(1 << 18)
                start = 0
                if buffer.isEmpty { break }
            }
            let piece = buffer[start..<min(buffer.count, start + count - bytes.count)]
            bytes += piece
            start += piece.count
        }
        offset += bytes.count
        return bytes
    }
}
