internal import Characters
internal import Exchange
internal import Files
internal import Items
internal import Time
internal import URLs

/// A file of the inbox that was read, before it becomes an item.
struct InboxCandidate {
    enum Content {
        case link(String)
        case text([UInt8])
        /// Any other file.
        case document(StagedDocument)
        /// A file whose name is that of a saved page; the worker decides.
        case page(StagedDocument)
        /// A saved page of this address.
        case pageOf(String, StagedDocument)
        case unsupported(InboxRejection)
    }

    let entry: InboxEntry
    var content: Content
    /// 64 lower-case hexadecimal digits.
    let sha256: String
    /// `user.xdg.origin.url`, if it is a link.
    let origin: String?
    /// Tags and collections.
    let tags: [String]
    /// The quoted parts of the comment.
    let text: [UInt8]?
    /// When the file was last modified, in whole seconds and not later than now, so that every device gives the item the
    /// same time.
    let createdAt: Timestamp

    var staged: StagedDocument? {
        switch content {
        case .document(let staged), .page(let staged), .pageOf(_, let staged): staged
        case .link, .text, .unsupported: nil
        }
    }

    /// The file's name without its extension. A document shows its own name.
    var title: String? {
        switch content {
        case .link, .text, .pageOf:
            let title = TagList.trimmed(entry.parts.stem)
            return title.isEmpty ? nil : title
        default: return nil
        }
    }

    /// The text of a new item: the file's, and after it that of the comment.
    var wholeText: [UInt8]? {
        guard case .text(let bytes) = content else { return text }
        return text.map { bytes + (bytes.last == 0x0A ? [0x0A] : [0x0A, 0x0A]) + $0 } ?? bytes
    }

    /// The versions to remove from the inbox, the file first.
    var versions: [InboxVersion] { [entry.version] + (entry.comment.map { [$0] } ?? []) }

    /// The bytes that it holds in memory or in staging.
    var byteCount: Int { entry.status.byteCount }
}

/// Reads files of the inbox.
struct InboxReader {
    let library: Library
    let now: Timestamp

    /// A longer text is a document: 4 MiB, as in imports.
    private static let textByteLimit = 4 << 20
    private static let attributeByteLimit = 64 << 10

    /// Reads a file once, and what belongs to it.
    ///
    /// - Returns: `nil` if it is another version than the one that was looked at, changed while it was read, or is
    ///   written.
    func read(_ entry: InboxEntry) throws(ItemError) -> InboxCandidate? {
        do throws(FileError) {
            return try candidate(entry)
        } catch {
            if error.isAbsent || error.isEscape || error.isNoFile { return nil }
            throw .file(error)
        }
    }

    private func candidate(_ entry: InboxEntry) throws(FileError) -> InboxCandidate? {
        let folder = try library.store.inboxFolder(entry.folder)
        let file = try folder.file(named: entry.name)
        let status = try file.status()
        guard entry.version.isUntouched(status) else { return nil }
        var comment: Comment?
        if let version = entry.comment {
            let file = try folder.file(named: version.name)
            guard version.isUntouched(try file.status()) else { return nil }
            let bytes = try file.readAll(expecting: version.status.byteCount, limit: InboxLook.commentByteLimit)
            guard version.isUntouched(try file.status()) else { return nil }
            comment = Comment(parsing: String(decoding: ImportText(bytes).bytes, as: UTF8.self))
        }
        guard let (content, sha256) = try content(of: file, entry) else { return nil }
        guard entry.version.isUntouched(try file.status()), !isWritten(file, folder) else {
            discard(content)
            return nil
        }
        let modified = Timestamp(nanoseconds: status.modified)
        let seconds = max(0, min(modified, now).milliseconds / 1000)
        return InboxCandidate(
            entry: entry, content: content, sha256: sha256, origin: origin(of: file),
            tags: tags(of: file, entry, comment), text: comment?.text.map { Array($0.utf8) + [0x0A] },
            createdAt: Timestamp(milliseconds: seconds * 1000))
    }

    /// A writer that came since the look.
    private func isWritten(_ file: borrowing Descriptor, _ folder: borrowing Directory) -> Bool {
        if case .written = file.writerLook() { !folder.isOnNetwork } else { false }
    }

    private func discard(_ content: InboxCandidate.Content) {
        switch content {
        case .document(let staged), .page(let staged): library.session.discard(staged)
        default: break
        }
    }

    // MARK: Content

    private func content(
        of file: borrowing Descriptor, _ entry: InboxEntry
    ) throws(FileError) -> (InboxCandidate.Content, sha256: String)? {
        let suffix = entry.parts.suffix
        let isText = InboxEntry.textSuffixes.contains(suffix) && entry.status.byteCount <= Self.textByteLimit
        if isText || Shortcut.suffixes.contains(suffix) && entry.status.byteCount <= Shortcut.byteLimit {
            let bytes = try file.readAll(expecting: entry.status.byteCount, limit: Self.textByteLimit)
            // Another size: it changed.
            if bytes.count != entry.status.byteCount { return nil }
            if let small = isText ? Self.text(bytes) : Self.shortcut(bytes) { return (small, SHA256.hex(bytes)) }
        }
        do throws(ItemError) {
            // From its beginning: the reads above leave the position.
            let staged = try library.session.stage(file, named: entry.name)
            return (entry.mayBePage ? .page(staged) : .document(staged), staged.copy.sha256)
        } catch {
            switch error {
            case .file(let error): throw error
            // It grew.
            case .tooLarge: return nil
            default: throw FileError(.copy, file.path, .busy)
            }
        }
    }

    /// - Returns: `nil` for a shortcut without an address, such as one that starts a program.
    private static func shortcut(_ bytes: [UInt8]) -> InboxCandidate.Content? {
        guard let url = Shortcut.url(in: bytes).map(Self.trimmed), !url.isEmpty else { return nil }
        return LinkIdentity(url) == nil ? .unsupported(.noWebAddress(url)) : .link(url)
    }

    /// - Returns: `nil` for what is no UTF-8 text.
    private static func text(_ bytes: [UInt8]) -> InboxCandidate.Content? {
        if bytes.contains(0) || UTF8Sequence.firstFault(in: bytes) != nil { return nil }
        if bytes.count <= 8192 {
            let only = trimmed(String(decoding: bytes, as: UTF8.self))
            if LinkIdentity(only) != nil { return .link(only) }
        }
        return .text(bytes)
    }

    private static func trimmed(_ text: String) -> String {
        let scalars = text.unicodeScalars
        func isSpace(_ scalar: Unicode.Scalar) -> Bool { scalar.value <= 0x20 || scalar.value == 0xFEFF }
        guard let first = scalars.firstIndex(where: { !isSpace($0) }),
            let last = scalars.lastIndex(where: { !isSpace($0) })
        else { return "" }
        return String(scalars[first...last])
    }

    // MARK: Tags and origin

    private func tags(of file: borrowing Descriptor, _ entry: InboxEntry, _ comment: Comment?) -> [String] {
        let attribute = file.attribute("user.xdg.tags", limit: Self.attributeByteLimit) ?? []
        let plain = TagList(typed: String(decoding: attribute, as: UTF8.self)).tags + (comment?.tags ?? [])
        let all = plain.map { TagList.areSame($0, TagList.trashcan) ? LibraryImport.harmlessTrashcan : $0 }
        return TagList(all + (entry.collection.map { [$0.tag] } ?? [])).tags
    }

    private func origin(of file: borrowing Descriptor) -> String? {
        let attribute = file.attribute("user.xdg.origin.url", limit: Self.attributeByteLimit) ?? []
        let url = Self.trimmed(String(decoding: attribute, as: UTF8.self).filter { $0 != "\0" })
        return LinkIdentity(url) == nil ? nil : url
    }
}
