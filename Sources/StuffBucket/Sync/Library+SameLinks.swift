internal import Items
internal import URLs

extension Library {
    /// Items outside of the trash that have one link, as after the same import on two devices.
    ///
    /// - Parameter new: items that came.
    /// - Returns: for each link that one of these and an item of before have, both of them: ids, the earliest first.
    /// - Throws: `ItemError` and the errors of the index, if it cannot be read.
    public func sameLinks(asOf new: [ItemID]) throws -> [[ItemID]] {
        var places: [ItemID: (link: String, place: String)] = [:]
        for id in new {
            guard let item = (try? store.item(id)) ?? nil, !item.item.isTrashed, let url = item.item.linkURL,
                let link = LinkIdentity(url)?.normalized
            else { continue }
            places[id] = (link, LinkIdentity.place(url, link))
        }
        if places.isEmpty { return [] }
        let all = try items(withLinks: Set(places.values.map(\.link)))
        var found: [[ItemID]] = []
        for (id, (link, place)) in places.sorted(by: { $0.key < $1.key }) {
            let same = (all[link] ?? []).filter { row in
                if row.id == id { return true }
                // A link to another place of the page is another one.
                return !row.isTrashed && places[row.id] == nil
                    && ((try? store.item(row.id)) ?? nil)?.item.linkURL.flatMap(LinkIdentity.place) == place
            }
            if same.count > 1 { found.append(same.map(\.id)) }
        }
        return found
    }
}
