public import Files

/// Something that a library did, or could not do, without a request, and that a person should know.
///
/// Gaps of an answer come with the answer (`ItemAnswer.faults` and `caveat`). A fault that stops an operation is an
/// error.
public enum Notice: Sendable, Equatable {
    /// A version of an item's file could not be merged with another program's; `kept` is its path relative to the
    /// library's folder.
    case unmerged(ItemID, kept: String)
    /// A version of a file beside the items could not be merged; it is kept beside `path`, under the name `kept`.
    case unmergedFile(path: String, kept: String)
    /// The text in item.json differs from text.md, which stays; `kept` is the path of the other text relative to the
    /// library's folder.
    case secondText(ItemID, kept: String)
    /// A file that lay in the item's folder was moved to document/, and is its document: its name there before, and in
    /// document/.
    case adopted(ItemID, file: String, document: String)
    /// A file of the item's history/ was damaged, and was set aside; `kept` is its path relative to the library's folder.
    case damagedHistory(ItemID, kept: String)
    /// item.json or text.md of the item had other bytes than before though no program changed it: the disk did. The bytes of the last
    /// version took its place; `kept` is the path of the damaged ones, relative to the library's folder.
    case damagedOnDisk(ItemID, file: String, kept: String)
    /// A file of the item had the bytes of an earlier version, and a time as a copying program leaves it. The newer one took its
    /// place again: item.json or text.md, the first digits of the version, and the number of other items to which the same
    /// happened.
    case earlierReplaced(ItemID, file: String, version: String, others: Int)
    /// A document or a page of the item had the bytes of an earlier version, and a time as a copying program leaves it. The newer one took
    /// its place again: the path of the file relative to the item's folder, and the one that the earlier bytes have for 30 days, relative to
    /// the library's folder.
    case earlierFileReplaced(ItemID, file: String, kept: String)
    /// A document or a page of the item is an earlier one again, as in another copy: the path of the later file relative to the item's folder,
    /// and the one that it has for 30 days, relative to the library's folder.
    case wentBack(ItemID, file: String, kept: String)
    /// A document that was taken out of the item was there again, with a time as a copying program leaves it. It is out again; `kept` is
    /// its path for 30 days, relative to the library's folder.
    case detachedReturned(ItemID, kept: String)
    /// The document was taken out of the item in another copy, and so it was here; `kept` is its path for 30 days, relative to the library's
    /// folder.
    case detachedElsewhere(ItemID, kept: String)
    /// A program put another file in the place of a page or a document that was away: its path relative to the item's folder. What was
    /// away is here again under the path `kept`, relative to the item's folder: a document beside the new one, a page as a snapshot.
    case awayReplaced(ItemID, file: String, kept: String)
    /// A copying program replaced a small file that was changed here, and both were joined. Of these keys, the later value stands, which
    /// is another one than in the file that came, or than this device had. The path is relative to the library's folder.
    case laterKeysStand(path: String, keys: [String])
    /// A copying program replaced a small file, and what this device knew stands: that its name was deleted, or a file that the deletion
    /// in the other copy did not see. The path is relative to the library's folder.
    case smallFileStands(path: String, isDeleted: Bool)
    /// Another copy purged an item, and did not see an edit that was made here; a program that copies removed the item here. `kept` is the
    /// path of the last version here, relative to the library's folder; its text is beside it. `hasFolder` says whether the program removed
    /// item.json alone, and other files are in the item's folder.
    case purgedUnseen(ItemID, kept: String, hasFolder: Bool)
    /// A conflict that was resolved here was resolved in another copy too, each without knowing of the other, and the item has
    /// something else now than this copy had.
    case resolvedTwice(ItemID)
    /// A document that a program renamed here has the name that it has in another copy: it was renamed there too, or edited.
    case renamedElsewhere(ItemID, own: String, standing: String)
    /// What another copy of the library did while this one was joined into it: the path of its folder.
    indirect case inCopy(path: String, Notice)
    /// The journal's folder cannot be used, so the changes of this step cannot be undone.
    case notUndoable(FileError)
    /// The search index has the format of another version of the program and is rebuilt.
    case indexOfOtherVersion
    /// The search index is damaged and is rebuilt; the index's own diagnostic.
    case indexDamaged(diagnostic: String)
    /// The search index cannot be used now; the items are read instead.
    case indexUnusable(FileError)

    /// A word that names the case; of `inCopy`, the word of the notice in it. It stays in later versions, so logs and other languages can rely on it.
    public var code: String {
        switch self {
        case .unmerged: "unmerged"
        case .unmergedFile: "unmerged_file"
        case .secondText: "second_text"
        case .adopted: "adopted"
        case .damagedHistory: "damaged_history"
        case .damagedOnDisk: "damaged_on_disk"
        case .earlierReplaced: "earlier_replaced"
        case .earlierFileReplaced: "earlier_file_replaced"
        case .wentBack: "went_back"
        case .detachedReturned: "detached_returned"
        case .detachedElsewhere: "detached_elsewhere"
        case .awayReplaced: "away_replaced"
        case .laterKeysStand: "later_keys_stand"
        case .smallFileStands: "small_file_stands"
        case .purgedUnseen: "purged_unseen"
        case .resolvedTwice: "resolved_twice"
        case .renamedElsewhere: "renamed_elsewhere"
        case .inCopy(_, let notice): notice.code
        case .notUndoable: "not_undoable"
        case .indexOfOtherVersion: "index_of_other_version"
        case .indexDamaged: "index_damaged"
        case .indexUnusable: "index_unusable"
        }
    }
}
