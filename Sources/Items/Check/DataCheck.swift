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
                // <time>-<hash8>.<file>
                name.split(separator: "-", maxSplits: 1).last.map { String($0.prefix(8)) }
            }
            + named(Layout.history, directory) { name in
                name.hasSuffix(".json") ? String(name.dropLast(5)) : nil
            }
            + named(
                Layout.assets, directory, .warning, "differs from the hash in its name: edited since, or damaged"
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
            return [Finding(.warning, "\(path):\(position.line):\(position.column)", "is not UTF-8 at byte \(offset)")]
        } catch {
            return [Finding(.error, path, "\(error)")]
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
                    "has \(document.status.byteCount) bytes, more than any document that sbfs stores: it was not read"
                        + (differs ? ", and is not the one that sbfs stored" : ""))
            ]
        }
        do throws(FileError) {
            let hash = try hash(store.root.file(path))
            guard let expected = stored.item.documentSHA256, expected != hash else { return [] }
            return [
                Finding(
                    .warning, path, "differs from what sbfs stored (documentSHA256): edited since, or damaged",
                    repair: .recordHash(stored.id, sha256: hash))
            ]
        } catch {
            return [Finding(.error, path, "\(error)")]
        }
    }

    /// Checks files that carry their hash in their name.
    private func named(
        _ folder: String, _ directory: borrowing Directory, _ severity: Finding.Severity = .error,
        _ message: String = "does not match the hash in its name", _ digits: (String) -> String?
    ) -> [Finding] {
        guard let versions = try? directory.directory(folder), let entries = try? versions.entries() else { return [] }
        return entries.compactMap { entry in
            guard entry.kind == .regular, let name = entry.name.string, !Layout.isTemporary(name) else { return nil }
            let path = stored.folder + "/" + folder + "/" + name
            do throws(FileError) {
                guard let expected = digits(name) else { return nil }
                let size = try versions.statusIfPresent(of: name)?.byteCount ?? 0
                if size > Self.byteLimit {
                    return Finding(
                        severity, path, "has \(size) bytes, more than any version that sbfs keeps: it was not read")
                }
                let hash = try hash(versions.file(name))
                return hash.hasPrefix(expected) ? nil : Finding(severity, path, message)
            } catch {
                return Finding(.error, path, "\(error)")
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
