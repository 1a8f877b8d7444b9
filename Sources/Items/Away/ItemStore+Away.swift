package import Files

/// Reading what is away: DeviceFiles.md § D13.
extension ItemStore {
    /// What this device wrote of an item's files that are away; `nil` without a record, and if `.sbfs` cannot be used.
    package func awayRecord(of id: ItemID) -> AwayFiles? {
        guard let device else { return nil }
        let path = Layout.awayRecord(id)
        guard let contents = (try? device.directory.contentsIfPresent(of: path, limit: AwayFiles.byteLimit)) ?? nil
        else { return nil }
        return AwayFiles(contents.bytes)
    }

    /// The files of an item that are away: those of the record, unless another program put a page or a document in their
    /// place.
    ///
    /// - Parameters:
    ///   - record: the record of what is away; `nil` without one.
    ///   - document: the document that is here.
    func away(
        _ record: AwayFiles?, in folder: String, _ parts: ItemParts, document: StoredDocument?
    ) throws(FileError) -> AwayFiles? {
        guard var away = record else { return nil }
        for (name, part) in [(Layout.pageFile, ItemParts.page), (Layout.readerFile, .reader)]
        where parts.contains(part) && !away.page.isEmpty {
            let recorded = away.page.first { $0.file.path == name }
            let here = try regular(folder + "/" + name)
            if recorded?.isLike(here) != true {
                away.page = []
                away.bundle = nil
            }
        }
        if let document, away.document?.file.path != document.path || away.document?.isLike(document.status) != true {
            away.document = nil
        }
        return away
    }

    /// What is away of an item, with a document that is an extra file because another is the document.
    package func awayFiles(of stored: StoredItem) throws(ItemError) -> AwayFiles {
        var away = stored.away ?? AwayFiles()
        if away.document == nil { away.document = try awayDocument(of: stored.id, in: stored.folder) }
        return away
    }

    /// The document of an item's record that is not here: no file has its path. It is an extra file if another is the document.
    ///
    /// - Parameter folder: the item's, relative to the library's.
    package func awayDocument(of id: ItemID, in folder: String) throws(ItemError) -> AwayFiles.File? {
        guard let document = awayRecord(of: id)?.document else { return nil }
        let here = try files { () throws(FileError) in
            try root.statusIfPresent(of: folder + "/" + document.file.path)
        }
        return here?.kind == .regular ? nil : document
    }

    /// The visible text of a page that is away, as it was indexed; `nil` without one.
    package func awayText(_ text: AwayText, of id: ItemID) -> [UInt8]? {
        guard let device else { return nil }
        return (try? device.directory.contentsIfPresent(of: Layout.awayText(id, text), limit: Self.pageByteLimit))??
            .bytes
    }
}

extension AwayFiles.File {
    /// Whether a file that is here looks like this one.
    package func isLike(_ status: FileStatus?) -> Bool {
        status.map { $0.byteCount == file.size && $0.modified == modified } ?? false
    }

    /// The status that the file would have here.
    package var status: FileStatus { FileStatus(absentOf: file.size, modified: modified) }
}
