/// Documents of a part that answers leave out.
struct HiddenDocuments {
    private let deletions: Deletions
    var deletionCount: Int { deletions.count }
    private let trashed: Deletions

    /// - Throws: `IndexDamage` if the list of trashed documents is damaged.
    init(_ part: IndexSnapshot.Part) throws(IndexDamage) {
        deletions = part.deletions
        var both = part.deletions
        if let list = try part.segment.list(ExactTerm.trashed.bytes) {
            var block = PostingBlock()
            for number in 0..<list.blockCount {
                guard block.readDocuments(list, number, limit: UInt32(part.segment.documentCount)) else {
                    throw part.segment.damage("the list of trashed documents cannot be read")
                }
                for place in 0..<block.count { both.insert(Int(block.documents[place])) }
            }
        }
        trashed = both
    }

    func set(_ revealsTrash: Bool) -> Filter {
        let set = revealsTrash ? deletions : trashed
        return Filter(words: set.words, isEmpty: set.count == 0)
    }

    struct Filter {
        let words: [UInt64]
        let isEmpty: Bool

        @inline(__always)
        func contains(_ document: UInt32) -> Bool {
            !isEmpty && words[Int(document >> 6)] &>> UInt64(document & 63) & 1 != 0
        }
    }
}
