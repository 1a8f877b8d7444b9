public import Files

/// A saved page in a staging folder, before it becomes an item's archive: page.html, reader.html, page.pdf, page.png and
/// assets/.
///
/// The process that saves the page writes into `path`. The library does not show the page until
/// `WriteSession.install` puts it in place. A page that is never installed is removed with its session.
package struct StagedArchive: Sendable {
    /// The folder's name in the staging session.
    package let name: String
    /// The folder's path, for another process.
    package let path: String
    /// The path of the folder that holds it.
    package var parentPath: String { String(Substring(path.utf8.dropLast(name.utf8.count + 1))) }
}

/// The files in an archive's folder: an item's, a snapshot's or a staged one's.
public struct ArchiveFiles: Sendable {
    /// The status of page.html; `nil` where there is none.
    public let page: FileStatus?
    /// The status of reader.html; `nil` where there is none.
    public let reader: FileStatus?
    /// The sizes of page.pdf and page.png in bytes, as far as they exist.
    public let prints: [String: Int]
    /// Names of the files in assets/.
    public private(set) var assets: Set<String>

    /// Whether there is no page, no article and no file in assets/.
    package var isEmpty: Bool { page == nil && reader == nil && assets.isEmpty }
    /// Names of the files besides those in assets/.
    var names: [String] {
        Layout.captureFiles.filter {
            $0 == Layout.pageFile ? page != nil : $0 == Layout.readerFile ? reader != nil : prints[$0] != nil
        }
    }
    /// Whether there is a page or an article.
    package var hasPage: Bool { page != nil || reader != nil }

    /// Counts only regular files, and folders that are no links.
    init(in folder: borrowing Directory) throws(FileError) {
        page = try Self.regular(Layout.pageFile, in: folder)
        reader = try Self.regular(Layout.readerFile, in: folder)
        var prints: [String: Int] = [:]
        for name in [Layout.printFile, Layout.pictureFile] {
            prints[name] = try Self.regular(name, in: folder)?.byteCount
        }
        self.prints = prints
        var names: Set<String> = []
        if try folder.statusIfPresent(of: Layout.assets)?.kind == .directory {
            for entry in try folder.directory(Layout.assets).entries() where entry.kind == .regular {
                if let name = entry.name.string { names.insert(name) }
            }
        }
        assets = names
    }

    /// The same without some files of assets/.
    func besides(assets: Set<String>) -> ArchiveFiles {
        var files = self
        files.assets.subtract(assets)
        return files
    }

    private static func regular(_ name: String, in folder: borrowing Directory) throws(FileError) -> FileStatus? {
        let status = try folder.statusIfPresent(of: name)
        return status?.kind == .regular ? status : nil
    }
}

extension ItemStore {
    /// The largest page that is compared or copied: 256 MiB.
    package static let pageByteLimit = 256 << 20

    /// The files in an item's archive.
    package func archiveFiles(of stored: StoredItem) throws(ItemError) -> ArchiveFiles {
        try files { () throws(FileError) in try ArchiveFiles(in: root.directory(stored.folder)) }
    }

    /// A file of an item's archive.
    package func archiveContents(of name: String, in stored: StoredItem, limit: Int) throws(ItemError) -> [UInt8]? {
        try files { () throws(FileError) in
            try root.directory(stored.folder).contentsIfPresent(of: name, limit: limit)?.bytes
        }
    }

    /// The item as it is now.
    package func reread(_ stored: StoredItem) throws(ItemError) -> StoredItem {
        guard let now = try item(stored.id, in: stored.folder) else { throw .noItem(stored.id) }
        return now
    }
}
