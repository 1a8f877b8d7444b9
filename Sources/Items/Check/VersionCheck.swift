/// Reads the versions in an item's history/, which are small, without the texts.
struct VersionCheck {
    let store: ItemStore
    /// The item's, relative to the library's.
    let folder: String
    /// Receives the number of bytes read since the last call.
    let didRead: @Sendable (Int) -> Void

    /// Checks that the files with names of versions are versions, and that what they refer to is here.
    func run() -> [Finding] {
        let folder = VersionFolder(of: folder, in: store)
        do throws(ItemError) {
            let (names, texts) = try folder.names()
            let known = (versions: Set(names), texts: Set(texts))
            var findings: [Finding] = []
            for name in names.sorted() {
                let path = folder.path(of: name)
                switch try folder.version(name) {
                case .success(let version)?:
                    didRead(version.bytes.count)
                    let parents = version.parents.count { !known.versions.contains($0) }
                    let lacksText = version.text.map { !known.texts.contains($0) } ?? false
                    if parents == 0, !lacksText { continue }
                    findings.append(Finding(.note, path, .versionWaits(parents: parents, lacksText: lacksText)))
                case .failure(let fault)?: findings.append(Self.finding(path, fault))
                case nil: continue
                }
            }
            return findings
        } catch {
            return [Finding(.error, folder.path, .unreadable(error))]
        }
    }

    private static func finding(_ path: String, _ fault: VersionFault) -> Finding {
        switch fault {
        case .otherHash: Finding(.error, path, .versionDiffers)
        case .tooLarge(let byteCount): Finding(.error, path, .largeVersion(byteCount: byteCount))
        case .malformed(let error): Finding(.error, "\(path):\(error.line):\(error.column)", .malformed(error))
        case .lacks: Finding(.error, path, .noVersion(fault))
        // Somebody copied the folder of another item. Nothing is damaged, and the version counts for nothing.
        case .otherItem: Finding(.warning, path, .noVersion(fault))
        }
    }
}
