internal import Exchange
internal import Files
internal import URLs

extension ImportedEntry {
    /// The id of an entry with neither id nor link, made from its contents and folder.
    func derivedExternalID(_ format: ImportFormat) -> String {
        var key: [UInt8] = []
        for part in [format.rawValue, FolderPath.joined(folder), title ?? ""] { key += Array(part.utf8) + [0] }
        return "entry:" + SHA256.hex(key + (text ?? [])).prefix(32)
    }
}
