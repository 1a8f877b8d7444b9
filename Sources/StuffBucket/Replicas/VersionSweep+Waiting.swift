internal import Files
internal import Items
internal import JSONFormat
internal import Merge

/// Bytes that no version explains yet: Documentation/Merge.md § 2, rule 5.
extension VersionSweep {
    func keep(_ piece: Piece, _ value: Items.ContentHash) throws(ItemError) {
        let bytes: [UInt8]?
        switch piece {
        case .item(let members): bytes = JSONWriter.file(.object(members))
        case .text(let text): bytes = text
        case .files: bytes = nil
        }
        guard let bytes else { return }
        do throws(FileError) {
            try states.keep(bytes, value, of: id)
        } catch {
            throw .file(error)
        }
    }

    /// - Returns: `nil` if the bytes are not here any more.
    func keptPiece(_ waiting: KnownState.Waiting) -> Piece? {
        if waiting.component.isOfFiles {
            let files = secondFiles(waiting.component, waiting.hash)
            return files.isEmpty ? nil : .files(files)
        }
        guard let bytes = states.kept(waiting.hash, of: id), Items.ContentHash(of: bytes) == waiting.hash else {
            return nil
        }
        return Piece.of(waiting.component, bytes)?.piece
    }

    mutating func forgetWaiting(_ component: Component, _ value: Items.ContentHash) {
        for waiting in memory.waiting where waiting.component == component && waiting.hash == value { forget(waiting) }
    }

    mutating func forget(_ waiting: KnownState.Waiting) {
        memory.waiting.removeAll { $0.component == waiting.component && $0.hash == waiting.hash }
        if drafts == nil { states.drop(waiting.hash, of: id) }
    }
}
