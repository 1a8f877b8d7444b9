internal import Files
internal import Items

/// A file of an item that is read to its end.
struct ItemFile: Equatable {
    /// A hash that was recorded when the file was written.
    enum Expected: Equatable {
        case unknown
        /// All 64 digits, in item.json.
        case document(String)
        /// The first digits, in the name of a file of a saved page, or in that of a version.
        case asset(String)
        case version(String)

        var digits: String? {
            switch self {
            case .unknown: nil
            case .document(let digits), .asset(let digits), .version(let digits): digits
            }
        }
    }

    /// Relative to the item's folder.
    let path: String
    let status: FileStatus
    var expected = Expected.unknown

    /// Whether people edit the file, or programs alone change it.
    var isEdited: Bool { path == Layout.itemFile || path == Layout.textFile }

    /// A larger file comes from another program and may be a hole of terabytes. `check` names it.
    static let byteLimit = 4096 << 20

    /// All files of an item that have a meaning, sorted by their paths.
    ///
    /// - Parameter stored: names the document and its hash; `nil` if item.json cannot be read.
    static func files(of directory: borrowing Directory, _ stored: StoredItem?) throws(FileError) -> [ItemFile] {
        var files: [ItemFile] = []
        for entry in try directory.entries() {
            guard let name = entry.name.string, !Layout.isTemporary(name) else { continue }
            if entry.kind == .regular {
                try add(name, name, directory, to: &files)
            } else if entry.kind == .directory {
                try addFolder(name, directory, stored, to: &files)
            }
        }
        if let document = stored?.document, let hash = stored?.item.documentSHA256,
            let place = files.firstIndex(where: { $0.path.utf8.elementsEqual(document.path.utf8) })
        {
            files[place].expected = .document(hash)
        }
        return files.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
    }

    private static func addFolder(
        _ name: String, _ directory: borrowing Directory, _ stored: StoredItem?, to files: inout [ItemFile]
    ) throws(FileError) {
        switch name {
        case Layout.assets: try addAll(name, directory, to: &files, asset)
        case Layout.document: try addAll(name, directory, to: &files)
        case Layout.conflicts:
            // <time>-<hash8>.<file>
            try addAll(name, directory, to: &files) { name in
                name.split(separator: "-", maxSplits: 1).last.map { .version(String($0.prefix(8))) } ?? .unknown
            }
        case Layout.history:
            // <hash>.json, and <hash>.md for texts.
            try addAll(name, directory, to: &files) { name in
                let hash = name.prefix { $0 != "." }
                return [".json", ".md"].contains(name.dropFirst(hash.count)) ? .version(String(hash)) : .unknown
            }
        case Layout.snapshots:
            let snapshots = try directory.directory(name)
            for entry in try snapshots.entries() where entry.kind == .directory {
                guard let snapshot = entry.name.string, Layout.isSnapshotName(snapshot) else { continue }
                let path = name + "/" + snapshot
                try addAll(path, directory, to: &files)
                if try snapshots.statusIfPresent(of: snapshot + "/" + Layout.assets)?.kind == .directory {
                    try addAll(path + "/" + Layout.assets, directory, to: &files, asset)
                }
            }
        default: break
        }
    }

    private static func asset(_ name: String) -> Expected {
        Layout.isAssetName(name) ? .asset(String(name.prefix { $0 != "." })) : .unknown
    }

    /// Adds the regular files directly in a folder of the item.
    private static func addAll(
        _ folder: String, _ directory: borrowing Directory, to files: inout [ItemFile],
        _ expected: (String) -> Expected = { _ in .unknown }
    ) throws(FileError) {
        let opened = try directory.directory(folder)
        for entry in try opened.entries() where entry.kind == .regular {
            guard let name = entry.name.string, !Layout.isTemporary(name) else { continue }
            try add(name, folder + "/" + name, opened, to: &files, expected(name))
        }
    }

    private static func add(
        _ name: String, _ path: String, _ directory: borrowing Directory, to files: inout [ItemFile],
        _ expected: Expected = .unknown
    ) throws(FileError) {
        guard let status = try directory.statusIfPresent(of: name), status.kind == .regular,
            status.byteCount <= byteLimit
        else { return }
        files.append(ItemFile(path: path, status: status, expected: expected))
    }
}

extension [ItemFile] {
    /// Names, sizes and times, in one number that is not 0. Identity does not count: a copy of the library that keeps
    /// times looks the same.
    var look: UInt32 {
        var bytes: [UInt8] = []
        for file in self { bytes += "\(file.path)\u{0}\(file.status.byteCount) \(file.status.modified)\u{0}".utf8 }
        return Swift.max(1, number(bytes, digits: 8))
    }

    /// What the files hold.
    ///
    /// - Parameter hashes: the SHA-256 of each file.
    func content(_ hashes: [String: String]) -> UInt32 {
        var bytes: [UInt8] = []
        for file in self { bytes += "\(file.path)\u{0}\(hashes[file.path] ?? "")\u{0}".utf8 }
        return number(bytes, digits: Int(VerifiedRecord.Mark.contentBits) / 4)
    }

    private func number(_ bytes: [UInt8], digits: Int) -> UInt32 {
        UInt32(SHA256.hex(bytes).prefix(digits), radix: 16) ?? 0
    }
}
