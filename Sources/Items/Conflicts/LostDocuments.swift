internal import Files

extension Layout {
    /// Whether `conflictName(of:_:)` makes such names: `.conflict-` and eight hexadecimal digits before the extension.
    package static func isConflictName(_ name: [UInt8]) -> Bool { conflictMark(in: name) != nil }

    /// The name of the document that won, by the name of one that lost; `nil` for any other name.
    package static func winner(of name: [UInt8]) -> [UInt8]? {
        conflictMark(in: name).map { Array(name[..<$0.lowerBound] + name[$0.upperBound...]) }
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
