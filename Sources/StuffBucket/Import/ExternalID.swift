internal import Exchange
internal import Files
internal import URLs

extension LinkIdentity {
    /// The id of an entry whose source gives none: link and folder together.
    static func externalID(_ link: String?, _ folder: [String]) -> String? {
        guard let link else { return nil }
        let key = Array(link.utf8) + [0] + Array(FolderPath.joined(folder).utf8)
        return "url:" + SHA256.hex(key).prefix(32)
    }
}
