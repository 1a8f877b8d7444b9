internal import Files
internal import Items
internal import Time

/// Copies of pages and documents that came from an exchange to be opened: the folder `.sbfs/cache`. DeviceFiles.md § D14.
///
/// Each is a folder named by the hash of its object. It holds `.files`, the record of its files, and the files, which are
/// read-only. A copy that a program changed is never removed or overwritten: it moves to `changed-<number>`.
final class OpenedFiles {
    private let folder: Directory
    /// Above this, the copies that were opened least recently are removed.
    private let byteLimit: Int
    private static let recordFile = ".files"
    private static let partPrefix = ".part-"
    private static let changedPrefix = "changed-"

    /// - Returns: `nil` if the library cannot be written.
    init?(_ store: ItemStore, byteLimit: Int = 512 << 20) {
        guard let device = store.device,
            (try? device.directory.makeDirectory(Layout.cache, permissions: 0o700)) != nil,
            let folder = try? device.directory.directory(Layout.cache)
        else { return nil }
        self.folder = folder
        self.byteLimit = byteLimit
    }

    /// The full path of a copy's folder, if all of it is there as it came.
    ///
    /// - Parameter changed: the full path of a copy that a program changed; it moves out of the way.
    func path(_ hash: Items.ContentHash, _ changed: inout String?) -> String? {
        guard let record = record(hash.hex) else { return nil }
        if isWhole(hash.hex, record) {
            // The time tells when it was opened last.
            try? folder.file(hash.hex + "/" + Self.recordFile).setModified(Timestamp.now.milliseconds * 1_000_000)
            return folder.full(hash.hex)
        }
        changed = putAside(hash.hex)
        return nil
    }

    /// Makes a copy.
    ///
    /// - Parameter fetch: writes the files into a folder of `folder`, at their paths.
    /// - Returns: what `fetch` returned, if that is not `nil`; then there is no copy.
    func make<Fault>(
        _ hash: Items.ContentHash, _ files: AwayFiles, _ fetch: (_ folder: String, _ name: String) throws -> Fault?
    ) throws -> Fault? {
        removeParts()
        let part = Self.partPrefix + String(UInt64.random(in: 1...UInt64.max))
        try folder.makeDirectory(part, permissions: 0o700)
        defer { try? folder.removeTree(part) }
        guard let lock = try FileLock.acquireFolder(part, in: folder) else { return nil }
        defer { withExtendedLifetime(lock) {} }
        if let fault = try fetch(folder.path, part) { return fault }
        for file in files.all {
            let path = part + "/" + file.file.path
            // A program that saves into the copy would lose it.
            if try folder.statusIfPresent(of: path) != nil { try folder.file(path).setPermissions(0o400) }
        }
        try folder.directory(part).writeFile(Self.recordFile, files.bytes, permissions: 0o600)
        do throws(FileError) {
            try folder.move(part, to: folder, as: hash.hex)
        } catch {
            // Another process made it at the same time.
            if !error.isTaken { throw error }
        }
        trim(but: hash.hex)
        return nil
    }

    /// Removes the copies of an item's files, which are in the library again.
    func remove(_ away: AwayFiles) {
        for hash in [away.bundle, away.document?.file.sha256] {
            guard let name = hash?.hex, let record = record(name), isWhole(name, record) else { continue }
            try? folder.removeTree(name)
        }
    }

    // MARK: Copies

    private func record(_ name: String) -> AwayFiles? {
        (try? folder.contentsIfPresent(of: name + "/" + Self.recordFile, limit: AwayFiles.byteLimit))??.bytes.away
    }

    /// Whether a copy has all files with their hashes, and no other.
    private func isWhole(_ name: String, _ record: AwayFiles) -> Bool {
        var count = 0
        func add(_ path: String) -> Bool {
            guard let entries = try? folder.directory(path).entries() else { return false }
            return entries.allSatisfy { entry in
                guard let child = entry.name.string else { return false }
                if entry.kind == .directory { return add(path + "/" + child) }
                count += 1
                return true
            }
        }
        guard add(name), count == record.all.count + 1 else { return false }
        return record.all.allSatisfy { file in
            guard let copy = try? folder.file(name + "/" + file.file.path), let status = try? copy.status(),
                status.kind == .regular, status.byteCount == file.file.size
            else { return false }
            return (try? copy.sha256()) == file.file.sha256.hex
        }
    }

    private func putAside(_ name: String) -> String? {
        for number in 1...9999 {
            let aside = "\(Self.changedPrefix)\(number)"
            if !folder.isKnownAbsent(aside) { continue }
            do throws(FileError) {
                try folder.move(name, to: folder, as: aside)
                return folder.full(aside)
            } catch {
                if !error.isTaken { return nil }
            }
        }
        return nil
    }

    /// Removes all copies but those that a program changed.
    ///
    /// - Returns: the full paths of these.
    func empty() -> [String] {
        removeParts()
        trim(but: "")
        return ((try? folder.entries()) ?? []).compactMap(\.name.string).filter { $0.hasPrefix(Self.changedPrefix) }
            .map { folder.full($0) }
    }

    /// Removes what a process that died was making.
    private func removeParts() {
        for name in ((try? folder.entries()) ?? []).compactMap(\.name.string) where name.hasPrefix(Self.partPrefix) {
            guard let lock = try? FileLock.acquireFolder(name, in: folder) else { continue }
            try? folder.removeTree(name)
            withExtendedLifetime(lock) {}
        }
    }

    private func trim(but kept: String) {
        var copies: [(name: String, opened: Int64, record: AwayFiles)] = []
        for entry in (try? folder.entries()) ?? [] where entry.kind == .directory {
            guard let name = entry.name.string, Items.ContentHash(hex: name.utf8) != nil, let record = record(name),
                let status = try? folder.statusIfPresent(of: name + "/" + Self.recordFile)
            else { continue }
            copies.append((name, status.modified, record))
        }
        var byteCount = copies.reduce(0) { $0 + $1.record.byteCount }
        for copy in copies.sorted(by: { $0.opened < $1.opened }) where byteCount > byteLimit && copy.name != kept {
            byteCount -= copy.record.byteCount
            if isWhole(copy.name, copy.record) { try? folder.removeTree(copy.name) } else { _ = putAside(copy.name) }
        }
    }
}

extension [UInt8] {
    fileprivate var away: AwayFiles? { AwayFiles(self) }
}
