package import Files
package import JSONFormat
internal import Time

/// What an item's files are now, as a version records them.
package struct LiveState: Sendable {
    /// The item's folder, relative to the library's.
    package let folder: String
    /// The bytes of item.json.
    package let itemBytes: [UInt8]
    /// The members of item.json.
    package let members: [JSON.Member]
    /// The bytes of text.md; `nil` without one.
    package let text: [UInt8]?
    /// The files of the page and the document, sorted by path.
    package let files: [Version.File]
    /// The hashes of all components.
    package let hashes: StateHashes
    /// The status of each file, by its path relative to the item's folder.
    package let statuses: [String: FileStatus]
    /// The paths of files that are away: an exchange holds their bytes.
    package var away: Set<String> = []
    /// The paths of files that are damaged. `files` has them with the hashes that were recorded, but for those of which nothing
    /// says how many bytes they had.
    package var damaged: Set<String> = []

    /// A version of this state. A first one says whether programs may have changed the state.
    ///
    /// - Parameter isAsWritten: whether it is known that none did, whatever the times say.
    package func version(
        _ parents: [ContentHash], resolved: [String] = [], isAsWritten: Bool = false
    ) -> Version {
        Version(
            parents: parents, item: members, text: hashes.text, files: files, resolved: resolved,
            isEdited: !isAsWritten && !isJustAsWritten)
    }

    /// The status of the file of a component that was modified last; `nil` without one.
    package func status(of component: Component) -> FileStatus? {
        switch component {
        case .item: return statuses[Layout.itemFile]
        case .text: return statuses[Layout.textFile]
        case .page, .document: return paths(of: component).compactMap { statuses[$0] }.max { $0.modified < $1.modified }
        }
    }

    /// `updatedAt` in milliseconds since 1970; `nil` without a valid one.
    package var updatedAt: Int64? { time(.updatedAt) }

    /// The time in a field, in milliseconds since 1970; `nil` without a valid one.
    package func time(_ field: ItemField) -> Int64? {
        guard case .string(let text)? = members.first(where: { $0.key.utf8.elementsEqual(field.key.utf8) })?.value
        else { return nil }
        return Timestamp(text)?.milliseconds
    }

    /// Whether a program changed the document since sbfs stored it: it has another hash than item.json says.
    package var hasEditedDocument: Bool {
        guard let hash = documentHash else { return false }
        let documents = files.filter { Component(of: $0) == .document }
        return !documents.isEmpty && !documents.contains { $0.sha256 == hash }
    }

    /// Whether a program put a document there that item.json does not name.
    package var hasUnnamedDocument: Bool {
        documentPath == nil && files.contains { Component(of: $0) == .document }
    }

    /// The hash of the document as sbfs stored it; `nil` if item.json does not say.
    package var documentHash: ContentHash? { Self.documentHash(in: members) }

    /// The hash of the document as sbfs stored it, in the members of an item.json; `nil` if it does not say.
    package static func documentHash(in members: [JSON.Member]) -> ContentHash? {
        let key = ItemField.documentSHA256.key.utf8
        guard case .string(let text)? = members.first(where: { $0.key.utf8.elementsEqual(key) })?.value
        else { return nil }
        return ContentHash(hex: text.utf8)
    }

    /// The path of the document that item.json names, relative to the item's folder; `nil` if it names none.
    package var documentPath: String? { Self.documentPath(in: members) }

    /// The path of the document that the members of an item.json name, relative to the item's folder; `nil` if they name none.
    package static func documentPath(in members: [JSON.Member]) -> String? {
        let key = ItemField.documentRelativePath.key.utf8
        guard case .string(let path)? = members.first(where: { $0.key.utf8.elementsEqual(key) })?.value else {
            return nil
        }
        return path
    }

    /// Whether a program renamed the document since sbfs stored it.
    package var hasRenamedDocument: Bool { filesAsNamed != files }

    /// The files, sorted by path; a document as sbfs stored it has the path that item.json names.
    package var filesAsNamed: [Version.File] {
        guard let path = documentPath, Component(ofFileAt: path) == .document, path.pathComponents.count == 2,
            Directory.isSafe(path), let hash = documentHash
        else { return files }
        return files.map { file in
            guard Component(of: file) == .document, file.sha256 == hash else { return file }
            return Version.File(path: path, sha256: file.sha256, size: file.size)
        }.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
    }

    /// Whether no program changed a file since sbfs wrote it: it was modified at most two seconds after `updatedAt`, which
    /// editors leave alone. A component without a file was not changed.
    package func isAsWritten(_ component: Component) -> Bool { isAsWritten(component, at: updatedAt) }

    /// The same since a time in milliseconds, and within so many of these.
    package func isAsWritten(_ component: Component, at time: Int64?, within delay: Int64 = 2000) -> Bool {
        guard let status = status(of: component) else { return true }
        return time.map { status.modified / 1_000_000 <= $0 + delay } ?? false
    }

    /// Whether a file looks as sbfs wrote it at a time in milliseconds, also where the clock of another machine is wrong: it was modified at
    /// most so many milliseconds after that time, an item.json not before it, and a text not before `createdAt`, but for half a second.
    package func isJustAsWritten(_ component: Component, at time: Int64?, within delay: Int64) -> Bool {
        guard let time, let status = status(of: component) else { return time != nil }
        return Self.isJustAsWritten(component, status, at: time, within: delay, createdAt: self.time(.createdAt))
    }

    /// The same of item.json and the text at `updatedAt`, within half a second.
    package var isJustAsWritten: Bool {
        [Component.item, .text].allSatisfy { isJustAsWritten($0, at: updatedAt, within: Self.writeMilliseconds) }
    }

    /// The same of the files of an item; one without a status is not there.
    package static func isJustAsWritten(_ item: Item, _ files: [(component: Component, status: FileStatus?)]) -> Bool {
        guard let time = item.updatedAt?.milliseconds else { return false }
        return files.allSatisfy { component, status in
            status.map {
                isJustAsWritten(
                    component, $0, at: time, within: writeMilliseconds, createdAt: item.createdAt?.milliseconds)
            } ?? true
        }
    }

    /// So long after `updatedAt` sbfs may write a file.
    package static let writeMilliseconds: Int64 = 500

    private static func isJustAsWritten(
        _ component: Component, _ status: FileStatus, at time: Int64, within delay: Int64, createdAt: Int64?
    ) -> Bool {
        let modified = status.modified / 1_000_000, earliest = component == .item ? time : min(createdAt ?? .min, time)
        return modified <= time + delay && (earliest == .min || modified >= earliest - 500)
    }

    /// Whether the file of a component was modified before that of another state. False if one of them has none.
    package func isEarlier(_ component: Component, than other: LiveState) -> Bool {
        guard let own = status(of: component), let others = other.status(of: component) else { return false }
        return own.modified < others.modified
    }

    /// When item.json or the text, as far as nobody wrote it since, came to its place, in nanoseconds since 1970: a copy that keeps times of
    /// modification sets the time of the last change of the status. So do programs that change an owner or permissions.
    package var copiedAt: Int64? {
        [Component.item, .text].compactMap(status(of:)).filter(Self.isCopied).map(\.changed).min()
    }

    /// Whether a file was modified more than a second before the last change of its status.
    package static func isCopied(_ status: FileStatus) -> Bool { status.changed - status.modified > 1_000_000_000 }

    /// The paths of the files of a component, relative to the item's folder.
    package func paths(of component: Component) -> [String] {
        switch component {
        case .item: [Layout.itemFile]
        case .text: statuses[Layout.textFile] == nil ? [] : [Layout.textFile]
        case .page, .document: files.filter { Component(of: $0) == component }.map(\.path)
        }
    }
}

extension LiveState {
    /// The state with more files, whose bytes are not in the item's folder because the item elsewhere has the same.
    ///
    /// - Parameters:
    ///   - files: those of the page and the document; one at a path that this state has is passed over.
    ///   - other: the state that has their status.
    package func adding(_ files: [Version.File], of other: LiveState) -> LiveState {
        let paths = Set(self.files.map(\.path))
        let more = files.filter { !paths.contains($0.path) }
        if more.isEmpty { return self }
        let all = (self.files + more).sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
        var statuses = statuses
        for file in more { statuses[file.path] = other.statuses[file.path] }
        return LiveState(
            folder: folder, itemBytes: itemBytes, members: members, text: text, files: all,
            hashes: StateHashes(item: members, text: hashes.text, files: all), statuses: statuses, away: away,
            damaged: damaged)
    }
}
