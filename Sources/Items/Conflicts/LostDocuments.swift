internal import Characters
internal import Files

extension Layout {
    /// Whether `conflictName(of:_:)` makes such names: `.conflict-` and eight hexadecimal digits before the extension.
    package static func isConflictName(_ name: [UInt8]) -> Bool { conflictMark(in: name) != nil }

    /// The name of the document that won, by the name of one that lost; `nil` for any other name.
    package static func winner(of name: [UInt8]) -> [UInt8]? {
        conflictMark(in: name).map { Array(name[..<$0.lowerBound] + name[$0.upperBound...]) }
    }

    /// Whether a conflict name, or a path that ends with one, tells the hash of the content. A file whose name does not was edited since it
    /// lost.
    package static func tells(_ name: String, _ hash: ContentHash) -> Bool {
        conflictDigits(of: hash).contains { name.contains(text: ".conflict-" + $0) }
    }

    private static func conflictMark(in name: [UInt8]) -> Range<Int>? {
        let mark = Array(".conflict-".utf8), digits = 8
        // At least one byte comes before the mark, and an extension of at most 20 bytes after the digits.
        let last = name.count - mark.count - digits
        if last < 1 { return nil }
        for start in max(1, last - 20)...last {
            let end = start + mark.count + digits
            if name[start...].starts(with: mark), end == name.count || name[end] == UInt8(ascii: "."),
                name[(start + mark.count)..<end].allSatisfy({ 0x30...0x39 ~= $0 || 0x61...0x66 ~= $0 })
            {
                return start..<end
            }
        }
        return nil
    }
}

extension ItemStore {
    /// The name under which a file that loses is kept in a folder: the first of its conflict names that no other bytes have.
    ///
    /// - Returns: the name, and whether the file is there already; `nil` if other bytes have all of them.
    static func conflictName(
        of name: String, _ hash: ContentHash, in folder: borrowing Directory
    ) throws(FileError) -> (name: String, isThere: Bool)? {
        for name in Layout.conflictNames(of: name, hash) {
            guard let there = try folder.statusIfPresent(of: name) else { return (name, false) }
            if there.kind == .regular, try hashed(name, in: folder)?.sha256 == hash { return (name, true) }
        }
        return nil
    }

    /// The same for a document of an item. Other bytes with all of the names are refused.
    ///
    /// - Parameter folder: the item's, relative to the library's.
    package func conflictName(
        ofDocument name: String, _ hash: ContentHash, in folder: String
    ) throws(ItemError) -> (name: String, isThere: Bool) {
        let path = folder + "/" + Layout.document
        let found = try files { () throws(FileError) -> (name: String, isThere: Bool)? in
            guard try root.statusIfPresent(of: path) != nil else { return (Layout.conflictName(of: name, hash), false) }
            return try Self.conflictName(of: name, hash, in: root.directory(path))
        }
        guard let found else {
            throw .refused(.taken(path: root.full(path + "/" + Layout.conflictName(of: name, hash))))
        }
        return found
    }

    /// Lost documents, beside the one that stands: paths relative to the item's folder, sorted.
    ///
    /// Lists document/, if the item had such a folder when it was read. One that cannot be listed has none.
    package func lostDocuments(of stored: StoredItem) -> [String] {
        guard stored.parts.contains(.documentFolder) else { return [] }
        var names: [String] = []
        try? root.directory(stored.folder + "/" + Layout.document).forEachName { name, kind in
            guard kind != .directory, Layout.isConflictName(Array(name)),
                let text = String(validating: name, as: UTF8.self),
                text != stored.documentName
            else { return }
            names.append(Layout.document + "/" + text)
        }
        return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }
}
