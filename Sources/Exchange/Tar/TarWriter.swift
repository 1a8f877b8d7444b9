/// Writes a tar file: the same files give the same bytes.
package struct TarWriter {
    private let write: ([UInt8]) throws -> Void

    package init(write: @escaping ([UInt8]) throws -> Void) { self.write = write }

    /// - Parameter modified: nanoseconds since 1970.
    package func folder(_ path: [UInt8], permissions: UInt32, modified: Int64) throws {
        try write(
            TarHeader(
                kind: .folder, path: path + [0x2F], byteCount: 0, permissions: permissions, modified: modified
            ).bytes)
    }

    /// Writes a file of exactly `byteCount` bytes.
    ///
    /// - Parameter read: returns pieces of it; none at its end. A file that turns out shorter is padded with zeros,
    ///   and a longer one is cut, because the header is already written.
    /// - Returns: whether the file had the announced length.
    package func file(
        _ path: [UInt8], byteCount: Int, permissions: UInt32, modified: Int64, read: () throws -> [UInt8]
    ) throws -> Bool {
        try write(
            TarHeader(kind: .file, path: path, byteCount: byteCount, permissions: permissions, modified: modified).bytes
        )
        var left = byteCount
        while true {
            let piece = try read()
            if piece.isEmpty { break }
            if piece.count > left {
                try write(Array(piece.prefix(left)) + [UInt8](repeating: 0, count: TarHeader.padding(byteCount)))
                return false
            }
            try write(piece)
            left -= piece.count
        }
        let isWhole = left == 0
        while left > 0 {
            let count = min(left, 1 << 16)
            try write([UInt8](repeating: 0, count: count))
            left -= count
        }
        try write([UInt8](repeating: 0, count: TarHeader.padding(byteCount)))
        return isWhole
    }

    /// Two blocks of zeros.
    package func end() throws { try write([UInt8](repeating: 0, count: 2 * TarHeader.blockSize)) }
}
