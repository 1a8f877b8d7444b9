internal import Files

/// What all files of an item looked like at one moment.
struct ItemLook {
    /// By `ItemPart`; `nil` where there is none.
    private var marks: [FileMark?] = Array(repeating: nil, count: ItemPart.allCases.count)
    /// What stat said of text.md.
    private(set) var text: FileStatus?

    init() {}

    /// - Parameters:
    ///   - path: the item's folder below `directory`.
    ///   - documentName: the document's name, if there is one.
    /// - Returns: `nil` if the folder or its item.json is not there.
    init?(_ directory: borrowing Directory, _ path: ItemPath, documentName: [UInt8]) throws(FileError) {
        var hasFolders = true
        for part in ItemPart.allCases {
            if part == .document, documentName.isEmpty { continue }
            if part == .documentFolder || part == .conflicts, !hasFolders { continue }
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
                // A folder's links are its name, its own `.` and the `..` of every folder in it, where they are counted.
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
