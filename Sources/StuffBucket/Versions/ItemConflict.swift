public import Items
public import JSONFormat
internal import Merge

/// Two values of one field that could not be joined: a file of the item's conflicts/ (FORMAT.md § 3.5).
public struct ItemConflict: Sendable {
    let file: ConflictFile

    /// The file's name: 16 hexadecimal digits and `.json`.
    public var name: String { file.name }
    /// Relative to the item's folder.
    public var path: String { Layout.conflicts + "/" + name }
    /// The key, with `.` between the keys of objects; `text` for a paragraph; `annotations.` and an id for a note; `ai`
    /// for the four fields of the assistant.
    public var field: String { file.field }
    /// The value that both came from; null without one.
    public var base: JSON { file.base }
    /// Two values, in the order in which they are shown. Null stands for an absent key.
    public var values: [JSON] { file.values }
    /// Which of `values` the item has now, from 0; `nil` if it has another one.
    public let standing: Int?
}

/// What is in the conflicts/ of one item.
public struct ItemConflicts: Sendable {
    /// Sorted by field, then by name.
    public let conflicts: [ItemConflict]
    /// Files with the name of a conflict that are none: their paths, relative to the library's folder, and why.
    public let strangers: [(path: String, fault: ConflictFault)]
    /// Conflicts beyond the first 1,000, or beyond 128 MiB: they were not read.
    public let unreadCount: Int
    /// Paths of other files, relative to the library's folder: whole versions that a person compares and deletes.
    public let others: [String]
    /// Lost documents, beside the one that stands: paths relative to the library's folder, sorted. A person
    /// compares them, and deletes what is not needed.
    public let documents: [String]
    /// The name of the document that stands; `nil` without one.
    public let standingDocument: String?
    /// The person's own files of which two devices had different ones. A person compares them, and deletes what is not needed.
    /// Where a folder cannot be listed, there are none.
    public let ownFiles: [KeptOwnFile]
    /// The number of conflicts that were read, of documents and of the person's own files.
    public var count: Int { conflicts.count + documents.count + ownFiles.count }

    /// One of the person's own files that lost where two devices met, and lies beside the other one.
    public struct KeptOwnFile: Sendable {
        /// Relative to the item's folder.
        public let path: String
        /// The file that has the name, relative to the item's folder.
        public let standing: String
    }
}

extension ItemConflict {
    /// Where one of two paragraphs stands in a text: a range of its bytes; `nil` if neither does, or several.
    public func paragraph(in text: [UInt8]) -> Range<Int>? {
        let found = ConflictParagraphs(of: values, in: text).found
        return found.count == 1 ? found[0].range : nil
    }
}
