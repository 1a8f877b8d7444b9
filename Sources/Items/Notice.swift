public import Files

/// What a library did, or could not do, without being asked for it, and that a person should know.
///
/// What an answer lacks comes with the answer (`ItemAnswer.faults` and `caveat`), and what stops an operation is an error.
public enum Notice: Sendable {
    /// A version of an item's file could not be merged with another program's; `kept` is where it lies, relative to the
    /// library's folder.
    case unmerged(ItemID, kept: String)
    /// A version of a file beside the items could not be merged; it is kept beside `path`, under the name `kept`.
    case unmergedFile(path: String, kept: String)
    /// An item had another text in item.json than in text.md, which stays; `kept` is where the other one lies, relative to
    /// the library's folder.
    case secondText(ItemID, kept: String)
    /// The journal's folder cannot be used, so the changes of this step cannot be undone.
    case notUndoable(FileError)
    /// The search index is of another version of the program, and is rebuilt.
    case indexOfOtherVersion
    /// The search index is damaged, and is rebuilt.
    case indexDamaged(any Error)
    /// The search index cannot be used now; the items are read instead.
    case indexUnusable(FileError)
}
