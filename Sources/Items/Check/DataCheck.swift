internal import Characters
internal import Files
internal import JSONFormat

/// Reads an item's files to their ends and compares their hashes with the recorded ones.
struct DataCheck {
    let store: ItemStore
    let stored: StoredItem
    /// Receives the number of bytes read since the last call.
    let didRead: @Sendable (Int) -> Void

    func run(_ entries: [DirectoryEntry], _ directory: borrowing Directory) -> [Finding] {
        text() + document()
            + named(Layout.conflicts, directory) { name in
                // <hash16>.json, or <time>-<hash8>.<file>
                ConflictFile.isName(name.utf8)
                    ? String(name.prefix(16))
                    : name.split(separator: "-", maxSplits: 1).last.map { String($0.prefix(8)) }
            }
            + VersionCheck(store: store, folder: stored.folder, didRead: didRead).run()
            + named(Layout.history, directory) { name in
                name.hasSuffix(".md") || name.hasSuffix(Layout.damagedEnding) ? String(name.prefix { $0 != "." }) : nil
            }
            + named(
                Layout.assets, directory, .warning, .assetDiffers
            ) { name in
                Layout.isAssetName(name) ? String(name.prefix { $0 != "." }) : nil
            }
    }

    private func text() -> [Finding] {
        guard stored.text != nil else { return [] }
        let path = stored.folder + "/" + Layout.textFile
        do {
            guard let text = try store.text(of: stored), let offset = UTF8Sequence.firstFault(in: text) else {
                return []
            }
            let position = TextPosition(of: offset, in: text)
            return [Finding(.warning, "\(path):\(position.line):\(position.column)", .textNotUTF8(offset: offset))]
        } catch {
            return [Finding(.error, path, .unreadable(error))]
        }
    }

    private func document() -> [Finding] {
        guard let document = stored.document else { return [] }
        let path = stored.folder + "/" + document.path
        if document.status.byteCount > Self.byteLimit {
            let differs = stored.item.documentSHA256 != nil
            return [
                Finding(
                    differs ? .warning : .note, path,
                    .largeDocument(byteCount: document.status.byteCount, isStored: !differs))
            ]
        }
        do throws(FileError) {
            let hash = try hash(store.root.file(path))
            guard let expected = stored.item.documentSHA256, expected != hash else { return [] }
            let noted = versions(document.path, hash)
            if noted == .ofEarlier { return [Finding(.warning, path, .documentEarlier)] }
            let isNoted = noted != nil
            return [
                Finding(
                    isNoted ? .note : .warning, path, isNoted ? .documentEdited : .documentDiffers,
                    repair: .recordHash(stored.id, sha256: hash))
            ]
        } catch {
            return [Finding(.error, path, .unreadable(error))]
        }
    }

    /// Which versions have a document.
    private enum Noted { case ofLatest, ofEarlier }

    /// What versions say of a document with this hash: it was edited, and may have been replaced since. Of a damaged file no version is made.
    ///
    /// - Returns: `nil` if no version has it.
    private func versions(_ path: String, _ hash: String) -> Noted? {
        let folder = VersionFolder(of: stored.folder, in: store)
        guard let names = try? folder.names().versions else { return nil }
        var outlines: [VersionOutline] = [], documents: [ContentHash: Version.File] = [:]
        for name in names {
            guard case .success(let version)? = (try? folder.version(name)) ?? nil else { continue }
            outlines.append(VersionOutline(version))
            documents[name] = version.files.first { Component(of: $0) == .document }
        }
        guard documents.values.contains(where: { $0.isAt(path) && $0.sha256.hex == hash }) else { return nil }
        let latest = outlines.heads.map { documents[$0.name] }
        return latest.allSatisfy { $0 != nil && $0?.sha256.hex != hash } ? .ofEarlier : .ofLatest
    }

    /// Checks files that carry their hash in their name.
    private func named(
        _ folder: String, _ directory: borrowing Directory, _ severity: Finding.Severity = .error,
        _ kind: Finding.Kind = .versionDiffers, _ digits: (String) -> String?
    ) -> [Finding] {
        guard let versions = try? directory.directory(folder), let entries = try? versions.entries() else { return [] }
        return entries.compactMap { entry in
            guard entry.kind == .regular, let name = entry.name.string, !Layout.isTemporary(name) else { return nil }
            let path = stored.folder + "/" + folder + "/" + name
            do throws(FileError) {
                guard let expected = digits(name) else { return nil }
                let size = try versions.statusIfPresent(of: name)?.byteCount ?? 0
                if size > Self.byteLimit {
                    return Finding(severity, path, .largeVersion(byteCount: size))
                }
                let hash = try hash(versions.file(name))
                return hash.hasPrefix(expected) ? nil : Finding(severity, path, kind)
            } catch {
                return Finding(.error, path, .unreadable(error))
            }
        }
    }

    /// The largest document that sbfs stores. A larger file comes from another program and may be a hole of
    /// terabytes.
    private static let byteLimit = 4096 << 20

    private func hash(_ file: borrowing Descriptor) throws(FileError) -> String {
        var hash = SHA256()
        while true {
            let chunk = try file.readChunk(1 << 20)
            if chunk.isEmpty { return hash.finish() }
            hash.update(chunk)
            didRead(chunk.count)
        }
    }
}
