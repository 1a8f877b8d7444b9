internal import WorkerProtocol

/// How a full export is packed.
public enum FullExportFormat: Sendable, CaseIterable {
    /// A tar file (POSIX.1-2017, pax).
    case tar
    /// A tar file that gzip packs (RFC 1952): slow, and read everywhere.
    case tarGzip
    /// A tar file that zstd packs (RFC 8878): fast, and the smallest.
    case tarZstd
    /// A zip file. It keeps times to the second.
    case zip

    /// The format of a file's name; `nil` if the extension is none of `extensions`.
    public init?(path: String) {
        let path = path.lowercased()
        let found = Self.allCases.first { format in format.extensions.contains { path.hasSuffix("." + $0) } }
        guard let found else { return nil }
        self = found
    }

    /// The extensions by which a file is recognised, the usual one first.
    public var extensions: [String] {
        switch self {
        case .tar: ["tar"]
        case .tarGzip: ["tar.gz", "tgz"]
        case .tarZstd: ["tar.zst", "tzst"]
        case .zip: ["zip"]
        }
    }

    var packed: PackedFormat {
        switch self {
        case .tar: .tar
        case .tarGzip: .tarGzip
        case .tarZstd: .tarZstd
        case .zip: .zip
        }
    }
}
