internal import Files

/// The state of all files of an item at one moment.
struct ItemLook {
    /// Indexed by `ItemPart`; `nil` for a missing part.
    private var marks: [FileMark?] = Array(repeating: nil, count: ItemPart.allCases.count)
    /// The status of text.md; `nil` if there is none.
    private(set) var text: FileStatus?

    init() {}

    /// - Parameters:
    ///   - path: the item's folder below `directory`.
    ///   - documentName: the document's name; empty if there is none.
    /// - Returns: `nil` if the folder or its item.json does not exist.
    init?(_ directory: borrowing Directory, _ path: ItemPath, documentName: [UInt8]) throws(FileError) {
        var hasFolders = true
        for part in ItemPart.allCases {
            if part == .document, documentName.isEmpty { continue }
            if [.documentFolder, .conflicts, .history].contains(part), !hasFolders { continue }
            let status = try path.with(part, documentName: documentName) { path throws(FileError) in
                try directory.status(at: path)
            }
            guard let status else {
                if part == .folder || part == .itemFile { return nil }
                continue
            }
            switch part {
            case .folder:
                if status.kind != .directory { return nil }
                // On most file systems, a folder has 2 links plus one for each folder in it.
                hasFolders = status.linkCount != 2
            case .text: text = status
            default: break
            }
            marks[part.rawValue] = FileMark(status)
        }
    }

    subscript(part: ItemPart) -> FileMark? {
        get { marks[part.rawValue] }
        set { marks[part.rawValue] = newValue }
    }
}
