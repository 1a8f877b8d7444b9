internal import Files
internal import Items

/// The ids of items from the inbox: FORMAT.md § 11.3.
///
/// They follow from the library, the file's path and its bytes. So a file that is taken in twice, on two devices or
/// after a crash, becomes one item.
enum InboxID {
    /// - Parameters:
    ///   - path: below inbox/, in bytes.
    ///   - sha256: of the file, 64 lower-case hexadecimal digits.
    ///   - number: 0; more, where the items before were changed, trashed or purged.
    static func make(library: ItemID, path: [UInt8], sha256: String, number: Int) -> ItemID {
        var bytes = Array(library.description.utf8) + [0] + path + [0] + Array(sha256.utf8)
        if number > 0 { bytes += [0] + Array(String(number).utf8) }
        return ItemID(version8: SHA256.hex(bytes))
    }
}
