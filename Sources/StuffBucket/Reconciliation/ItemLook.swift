internal import Files

/// What all files of an item looked like at one moment.
struct ItemLook {
    /// By `ItemPart`; `nil` where there is none.
    private(set) var marks: [FileMark?] = Array(repeating: nil, count: ItemPart.allCases.count)

    init() {}

    /// - Parameters:
    ///   - path: the item's folder below `directory`.
    ///   - documentName: the document's name, if there is one.
    /// - Returns: `nil` if the folder or its item.json is not there.
    init?(_ directory: borrowing Directory, _ path: ItemPath, documentName: [UInt8]) throws(FileError) {
        for part in ItemPart.allCases {
            if part == .document, documentName.isEmpty { continue }
            let status = try path.with(part, documentName: documentName) { path throws(FileError) in
                try directory.status(at: path)
            }
            guard let status else {
                if part == .folder || part == .itemFile { return nil }
                continue
            }
            if part == .folder, status.kind != .directory { return nil }
            marks[part.rawValue] = FileMark(status)
        }
    }

    subscript(part: ItemPart) -> FileMark? {
        get { marks[part.rawValue] }
        set { marks[part.rawValue] = newValue }
    }
}
