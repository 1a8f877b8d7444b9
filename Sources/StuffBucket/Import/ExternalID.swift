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

extension LinkIdentity {
    /// The id of an entry whose source gives none: link and folder together.
    static func externalID(_ link: String?, _ folder: [String]) -> String? {
        guard let link else { return nil }
        let key = Array(link.utf8) + [0] + Array(FolderPath.joined(folder).utf8)
        return "url:" + SHA256.hex(key).prefix(32)
    }
}
