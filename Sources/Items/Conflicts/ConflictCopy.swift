internal import Files
package import JSONFormat

/// A file that a copying program left because two versions of one file met: FORMAT.md § 3.6.
package struct ConflictCopy: Sendable, Equatable {
    /// Relative to the item's folder; of a small file, to the library's.
    package let path: String
    /// The path of the file that it is a copy of. It need not exist in an item.
    package let original: String
    /// Whether only copying programs make such names.
    package let isCertain: Bool

    private init(_ folder: String, _ name: String, of original: String, _ copy: CopyName) {
        let prefix = folder.isEmpty ? "" : folder + "/"
        path = prefix + name
        self.original = prefix + original
        isCertain = copy.isCertain
    }

    /// What it is a copy of, if that is item.json or text.md.
    package var component: Component? {
        switch original {
        case Layout.itemFile: .item
        case Layout.textFile: .text
        default: nil
        }
    }

    /// The files in an item's folder that copying programs may leave copies of.
    private static let itemFiles = [Layout.itemFile, Layout.textFile] + Layout.captureFiles

    /// - Returns: `nil` if a name in an item's folder is not that of a copy.
    package init?(besideItemFile name: String) {
        for original in Self.itemFiles {
            guard let copy = CopyName(name, of: original) else { continue }
            self.init("", name, of: original, copy)
            return
        }
        return nil
    }

    /// Whether a copy of item.json is of an item.
    package func isOf(_ id: ItemID, _ json: JSONDocument) -> Bool {
        guard let value = json.member(ItemField.id.key, of: json.root) else { return isCertain }
        return json.string(value).flatMap { ItemID($0) } == id
    }

    /// - Returns: `nil` if a name in document/ is not certainly that of a copy of the document: nothing in a document tells
    ///   whose it is, and a person may keep `plan (2).pdf` beside `plan.pdf`.
    package init?(_ name: String, ofDocument document: String) {
        guard let copy = CopyName(name, of: document), copy.isCertain else { return nil }
        self.init(Layout.document, name, of: document, copy)
    }

    /// The copies among the names of a folder, each of another name in it.
    fileprivate static func all(_ names: [String], in folder: String) -> [ConflictCopy] {
        let known = Set(names)
        let ending = Array(".json".utf8)
        return names.compactMap { name in
            let bytes = Array(name.utf8)
            guard bytes.suffix(ending.count).elementsEqual(ending) else { return nil }
            // A mark begins with one of these. The names are short.
            for (place, byte) in bytes.dropLast(ending.count).enumerated() where place > 0 && "-_. ".utf8.contains(byte)
            {
                let original = String(decoding: bytes[..<place] + ending, as: UTF8.self)
                if known.contains(original), let copy = CopyName(name, of: original) {
                    return ConflictCopy(folder, name, of: original, copy)
                }
            }
            return nil
        }
    }
}

extension ItemStore {
    /// The conflict copies in an item's folder, sorted by path.
    ///
    /// - Parameters:
    ///   - folder: the item's, relative to the library's; it may be missing.
    ///   - document: the name of the item's document in document/; `nil` without one.
    package func conflictCopies(in folder: String, document: String?) throws(ItemError) -> [ConflictCopy] {
        var copies = try fileNames(in: folder).compactMap { ConflictCopy(besideItemFile: $0) }
        if let document {
            copies += try fileNames(in: folder + "/" + Layout.document).compactMap {
                ConflictCopy($0, ofDocument: document)
            }
        }
        return copies.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
    }

    /// The conflict copies of library.json and of the files of collections/, tags/ and smart/, sorted by path. A folder that
    /// cannot be read has none.
    package func smallFileCopies() -> [ConflictCopy] {
        var copies: [ConflictCopy] = []
        for name in (try? fileNames(in: "")) ?? [] {
            copies += ConflictCopy.all([Layout.libraryFile, name], in: "")
        }
        for folder in NamedFolder.allCases {
            copies += ConflictCopy.all((try? fileNames(in: folder.path)) ?? [], in: folder.path)
        }
        return copies.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
    }

    /// The conflict copies of tombstones, sorted by path. A folder that cannot be read has none.
    package func tombstoneCopies() -> [ConflictCopy] {
        let shards = ((try? names(in: Layout.tombstones)) ?? []).filter(Layout.isShard)
        var copies: [ConflictCopy] = []
        for shard in shards {
            let folder = Layout.tombstones + "/" + shard
            copies += ConflictCopy.all((try? fileNames(in: folder)) ?? [], in: folder)
        }
        return copies.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
    }

    /// The names of the regular files in a folder; none if it is missing.
    package func fileNames(in folder: String) throws(ItemError) -> [String] {
        do throws(FileError) {
            let entries = try folder.isEmpty ? root.entries() : root.directory(folder).entries()
            return entries.filter { $0.kind == .regular }.compactMap(\.name.string)
        } catch {
            if error.isAbsent { return [] }
            throw .file(error)
        }
    }
}
