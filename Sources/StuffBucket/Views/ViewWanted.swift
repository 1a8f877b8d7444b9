internal import Files
internal import Items

/// A file or link that a view has to hold for an item.
struct ViewWanted: Sendable {
    enum Content: Sendable {
        /// A copy of a file in the item's folder.
        case copy(String, FileStatus)
        case bytes([UInt8])
        case link(target: String)
    }

    let path: String
    let part: ViewPart
    let content: Content
}

/// What a view has to hold for one item.
struct ViewPlan: Sendable {
    let id: ItemID
    /// The manifest's entries so far.
    let old: ViewItem
    /// `nil` if the item is gone, or not shown.
    var contents: ViewContents?
    /// The name in All.
    var name: String?
    var wanted: [ViewWanted] = []

    /// - Parameters:
    ///   - place: where the item's files go: its path for a single file, else its folder.
    ///   - linksTo: the full path of the library, for symbolic links to its files; `nil` for copies.
    func pieces(at place: String, linksTo library: String?) -> [ViewWanted] {
        guard let contents else { return [] }
        var wanted: [ViewWanted] = []
        var hasAssetLink = false
        for piece in contents.pieces {
            let path = contents.isSingle ? place : place + "/" + piece.name
            switch piece.source {
            case .bytes(let bytes): wanted.append(ViewWanted(path: path, part: piece.part, content: .bytes(bytes)))
            case .file(let file, let status):
                guard let library else {
                    wanted.append(ViewWanted(path: path, part: piece.part, content: .copy(file, status)))
                    continue
                }
                let folder = library + "/" + contents.stored.folder + "/"
                if piece.part != .asset {
                    wanted.append(ViewWanted(path: path, part: piece.part, content: .link(target: folder + file)))
                } else if !hasAssetLink {
                    hasAssetLink = true
                    wanted.append(
                        ViewWanted(
                            path: place + "/" + Layout.assets, part: .asset,
                            content: .link(target: folder + Layout.assets)))
                }
            }
        }
        return wanted
    }
}
