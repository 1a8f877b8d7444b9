internal import Items
internal import JSONFormat
internal import Merge

/// An item.json or a text.md as a command wrote it.
struct WrittenFile: Sendable {
    /// `nil` if the command removed the file.
    let hash: Items.ContentHash?
    /// `nil` also if so much was written that these bytes are not kept.
    let bytes: [UInt8]?

    /// Whether it is known what was written.
    var isWhole: Bool { hash == nil || bytes != nil }
}

extension VersionSweep.Piece {
    /// The piece that a file's bytes are, and its hash.
    ///
    /// - Parameter bytes: `nil` for a text that was removed.
    /// - Returns: `nil` for what is no item, and for a page or a document.
    static func of(
        _ component: Component, _ bytes: [UInt8]?
    ) -> (piece: VersionSweep.Piece, value: Items.ContentHash?)? {
        switch component {
        case .text: return (.text(bytes), bytes.map { Items.ContentHash(of: $0) })
        case .item:
            guard let bytes, let json = try? JSONDocument(parsing: bytes), json.kind(json.root) == .object else {
                return nil
            }
            let members = json.exactMembers(json.root)
            return (.item(members), StateHashes(item: members, text: nil, files: []).item)
        case .page, .document: return nil
        }
    }
}
