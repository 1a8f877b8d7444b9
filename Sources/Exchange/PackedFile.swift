/// Tar and zip files, and tar files that another program packed.
package enum PackedFile {
    private static let tarBlockSize = 512

    /// Whether these are the first bytes of one, or of any file that gzip, zstd, xz or bzip2 packed.
    static func isOne(_ bytes: [UInt8]) -> Bool { isTar(bytes) || foreignKind(of: bytes) != nil }

    /// What a packed file is if it holds no library.
    ///
    /// - Returns: `nil` for a tar file.
    package static func foreignError(_ input: ImportInput) throws -> ImportError? {
        foreignKind(of: try input.bytes(at: 0, count: 16)).map { ImportError.foreign($0) }
    }

    private static func foreignKind(of bytes: [UInt8]) -> ForeignFile? {
        switch ForeignFormat.binaryKind(of: bytes) {
        case let kind? where [.zip, .gzip, .zstd, .xz, .bzip2].contains(kind): kind
        default: nil
        }
    }

    /// Whether the first block is a tar header: POSIX.1-2017, pax, "ustar Interchange Format".
    private static func isTar(_ bytes: [UInt8]) -> Bool {
        guard bytes.count >= tarBlockSize, bytes[257..<262].elementsEqual("ustar".utf8) else { return false }
        // The sum of all bytes, those of the sum itself counted as spaces, in octal digits.
        let digits = bytes[148..<156].filter { (0x30...0x37).contains($0) }
        let sum = digits.reduce(0) { $0 << 3 | Int($1 - 0x30) }
        return sum
            == bytes[..<tarBlockSize].enumerated().reduce(0) { sum, byte in
                sum + ((148..<156).contains(byte.offset) ? 0x20 : Int(byte.element))
            }
    }
}
