package import Files
internal import JSONFormat

extension Item {
    /// Reads the item.json of an item's folder, in a library or not.
    ///
    /// Values that do not fit their fields are read as absent, as everywhere.
    ///
    /// - Parameter folder: relative to `root`.
    /// - Throws: `ItemError.malformed` or `.fault` if it makes no item: it does not parse, is no object, or has another id;
    ///   `.file` if it cannot be read. Paths begin with the file's name.
    package init(_ id: ItemID, from root: borrowing Directory, _ folder: String) throws(ItemError) {
        let bytes: [UInt8]
        do throws(FileError) {
            bytes = try root.contents(of: folder + "/" + Layout.itemFile, limit: JSONDocument.byteLimit).bytes
        } catch {
            throw .file(error)
        }
        let json: JSONDocument
        do throws(JSONError) {
            json = try JSONDocument(parsing: bytes)
        } catch {
            throw .malformed(path: Layout.itemFile, error)
        }
        var faults: [FieldFault] = []
        self.init(id: id, json: json, faults: &faults)
        if let fault = faults.first(where: \.makesNoItem) { throw .fault(path: Layout.itemFile, fault) }
    }
}

extension FieldFault {
    /// Whether this fault makes the whole file unusable as an item: FORMAT.md § 5.5.
    var makesNoItem: Bool { key == ItemField.id.key || key == Layout.itemFile }
}

extension LeftOut.Reason {
    /// - Returns: `nil` if the error is about the disk, not the file.
    package init?(itemFault error: ItemError) {
        switch error {
        case .malformed, .fault: self = .noItem(error)
        case .file(let cause):
            guard case .tooLarge(_, let limit) = cause.reason else { return nil }
            self = .largeItemFile(limit: limit)
        default: return nil
        }
    }
}
