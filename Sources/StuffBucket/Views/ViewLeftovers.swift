internal import Files
internal import Items

/// Clears what a killed process left in a view's folder.
struct ViewLeftovers {
    let tree: ViewTree
    let record: ViewRecord
    let manifest: ViewManifest

    /// Removes temporary files that hold bytes of the library. One that holds something else was displaced by an exchange or a
    /// removal that did not end: it goes back to its name.
    func clear() throws {
        for entry in try tree.root.entries() {
            guard let name = entry.name.string, name.hasPrefix(record.temporaryPrefix) else { continue }
            let rest = name.dropFirst(record.temporaryPrefix.count)
            guard let id = ItemID(String(rest.prefix(36))), let item = try manifest.item(id),
                let mention = item.entries.last(where: { $0.temporary == name })
            else {
                // Written before anything was displaced.
                try tree.root.removeFile(name)
                continue
            }
            try clear(name, item.byPath[Array(mention.path.utf8)] ?? [], mention.path)
        }
    }

    private func clear(_ temporary: String, _ known: [ViewEntry], _ path: String) throws {
        switch try ViewTree.occupant(temporary, in: tree.root, known) {
        case .nothing: return
        case .ours: return try tree.root.removeFile(temporary)
        case .edited, .other: break
        }
        if case .file? = known.last?.content, try isCut(temporary, known) {
            // Our own file, cut off by a loss of power.
            return try tree.root.removeFile(temporary)
        }
        var place = path
        for number in 1...1000 {
            if number > 1 {
                let name = path.pathComponents.last ?? path
                let folder = path.utf8.dropLast(name.utf8.count)
                place = String(Substring(folder)) + HumanName(fileName: name).numbered(number)
            }
            let known = number == 1 ? known : []
            let isBack = try tree.with(place, isMade: true) { (folder, name) throws(FileError) -> Bool in
                switch try ViewTree.occupant(name, in: folder, known) {
                case .nothing:
                    do throws(FileError) {
                        try tree.root.move(temporary, to: folder, as: name)
                        return true
                    } catch let error where error.isTaken {
                        return false
                    }
                case .ours:
                    guard try tree.root.swap(temporary, with: folder, name) else { return false }
                    try tree.root.removeFile(temporary)
                    return true
                case .edited, .other: return false
                }
            }
            if isBack == true { return }
        }
    }

    private func isCut(_ temporary: String, _ known: [ViewEntry]) throws -> Bool {
        guard let status = try tree.root.statusIfPresent(of: temporary), status.kind == .regular else { return false }
        return status.byteCount == 0 && known.contains { $0.source?.modified == status.modified }
    }
}
