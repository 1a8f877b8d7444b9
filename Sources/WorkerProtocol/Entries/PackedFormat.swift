/// The formats in which files are packed.
package enum PackedFormat: String, Sendable, CaseIterable {
    case tar
    case tarGzip = "tar.gz"
    case tarZstd = "tar.zst"
    case zip
}
