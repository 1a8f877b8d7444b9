internal import Exchange
internal import Items
internal import URLs

/// The ids of entries whose source gives none: FORMAT.md § 5.4.
///
/// Two entries of one import may have the same link and folder, and differ in the spelling of the link, the title or the
/// description. The second one gets an id of its own, so that its values are kept, and a second import finds both again.
struct LinkIDs {
    /// What had an id first in this import: the hash of its link, title and description, by that of the id.
    private var claims: [Int: Int] = [:]

    /// - Parameters:
    ///   - link: the entry's link in normal form.
    ///   - place: the same with its fragment.
    mutating func id(of entry: ImportedEntry, _ link: String, _ place: String, _ known: KnownItems) -> String {
        let folder = [0] + Array(FolderPath.joined(entry.folder).utf8)
        var spelling = [0] + Array((entry.url ?? "").utf8) + [0] + Array((entry.title ?? "").utf8)
        if let description = entry.description { spelling += [0] + Array(description.utf8) }
        let own = Self.id(Array(place.utf8) + folder + spelling)
        if known.slot(externalID: own.hashValue) != nil { return own }
        var common = Self.id(Array(place.utf8) + folder)
        if place != link {
            // Earlier versions made ids without the fragment.
            let former = Self.id(Array(link.utf8) + folder)
            if let slot = known.slot(externalID: former.hashValue), slot == known.slot(link: place.hashValue) {
                common = former
            }
        }
        let claim = claims[common.hashValue] ?? spelling.hashValue
        claims[common.hashValue] = claim
        return claim == spelling.hashValue ? common : own
    }

    private static func id(_ bytes: [UInt8]) -> String { "url:" + SHA256.hex(bytes).prefix(32) }
}

extension LinkIdentity {
    /// A link's normal form with its fragment: the same text for the same place of a page. `nil` without a normal form.
    static func place(_ url: String) -> String? {
        LinkIdentity(url).map { place(url, $0.normalized) }
    }

    /// - Parameter normalized: the normal form of `url`.
    static func place(_ url: String, _ normalized: String) -> String {
        let fragment = url.utf8.drop { $0 != UInt8(ascii: "#") }
        return fragment.count > 1 ? normalized + String(Substring(fragment)) : normalized
    }
}
