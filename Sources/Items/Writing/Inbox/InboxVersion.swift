package import Files

/// An entry of inbox/ as it was seen: where it is, and which version.
package struct InboxVersion: Sendable {
    /// The folders below inbox/, outermost first.
    package let folder: [FileName]
    package let name: FileName
    package let status: FileStatus

    package init(folder: [FileName], name: FileName, status: FileStatus) {
        self.folder = folder
        self.name = name
        self.status = status
    }

    /// The path below inbox/, in bytes.
    package var path: [UInt8] { Self.path(folder, name) }

    package static func path(_ folder: [FileName], _ name: FileName) -> [UInt8] {
        (folder + [name]).map(\.bytes).joined(separator: [UInt8(ascii: "/")]).map { $0 }
    }

    /// Whether the entry is untouched.
    package func isUntouched(_ now: FileStatus) -> Bool { isSame(now) && now.changed == status.changed }

    /// Whether the entry is the same version, perhaps under another name: a rename sets the time of the inode's change.
    package func isSame(_ now: FileStatus) -> Bool {
        // The size and times of a folder change with its entries.
        status.kind == .regular ? now.isSameVersion(as: status) : now.isSameFile(as: status) && now.kind == status.kind
    }
}

extension ItemStore {
    /// A folder of inbox/, opened without following a link.
    package func inboxFolder(_ path: [FileName]) throws(FileError) -> Directory {
        var folder = try root.directory(Layout.inbox)
        for name in path { folder = try folder.directory(named: name) }
        return folder
    }
}
