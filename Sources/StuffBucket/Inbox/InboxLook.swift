internal import Files
internal import HTML
internal import Items
internal import Time

/// One look at inbox/: every file with its state. An inbox without files and folders costs one listing.
struct InboxLook {
    private let store: ItemStore
    private let now: Timestamp
    private let quiet: Int64
    private let hasWorker: Bool
    private var memory: InboxMemory
    /// The files that can be taken in, in the order of their paths.
    private(set) var complete: [InboxEntry] = []
    /// What goes to inbox/rejected/.
    private(set) var unsupported: [(entry: InboxEntry, why: InboxRejection)] = []
    private(set) var waiting: [(entry: InboxEntry, state: InboxFile.State)] = []
    /// Files of which a lease tells nothing; /proc is searched once for all of them.
    private var doubtful: Set<FileIdentity> = []

    /// A larger comment goes to inbox/rejected/: 64 KiB.
    static let commentByteLimit = 64 << 10

    /// - Parameter quiet: for how long a file must not have changed, in milliseconds.
    init(
        _ store: ItemStore, now: Timestamp, quiet: Int64 = InboxOptions().quietMilliseconds, hasWorker: Bool,
        _ memory: inout InboxMemory
    ) throws(FileError) {
        self.store = store
        self.now = now
        self.quiet = quiet
        self.hasWorker = hasWorker
        self.memory = memory
        do throws(FileError) {
            try walk(store.root.directory(Layout.inbox), [])
        } catch let error where error.isAbsent {}
        self.memory.endLook()
        memory = self.memory
        settleDoubts()
    }

    private mutating func walk(_ folder: borrowing Directory, _ path: [FileName]) throws(FileError) {
        var entries = try folder.entries()
        if path.isEmpty { entries.removeAll { $0.name.bytes.elementsEqual("rejected".utf8) } }
        if entries.isEmpty { return }
        // By bytes, so that every device takes in the same files in the same order.
        entries.sort { $0.name.bytes.lexicographicallyPrecedes($1.name.bytes) }
        // Some file systems do not list kinds.
        entries = entries.map { entry in
            guard entry.kind == .unknown, let status = (try? folder.status(named: entry.name)) ?? nil else {
                return entry
            }
            return DirectoryEntry(name: entry.name, kind: status.kind)
        }
        let isNetwork = folder.isOnNetwork
        let kinds = Dictionary(entries.map { ($0.name, $0.kind) }) { first, _ in first }
        let companions = Self.companions(kinds)
        let inPages = Set(companions.values.flatMap { $0 })
        for entry in entries {
            if Layout.isTemporary(entry.name.repaired) {
                if entry.name.bytes.first == UInt8(ascii: ".") {
                    note(folder, path, entry.name, .hidden)
                } else if entry.kind == .regular {
                    note(folder, path, entry.name, .unfinished)
                }
                continue
            }
            switch entry.kind {
            case .directory:
                if inPages.contains(entry.name) { continue }
                descend(folder, path, entry.name)
            case .regular:
                if let file = Self.commented(entry.name) {
                    if kinds[file] != .regular || Layout.isTemporary(file.repaired) {
                        note(folder, path, entry.name, .waitsForFile)
                    }
                } else {
                    look(
                        at: entry.name, in: folder, path, isNetwork: isNetwork,
                        hasComment: kinds[Self.comment(of: entry.name)] == .regular,
                        companions: companions[entry.name] ?? [])
                }
            default:
                guard let status = try? folder.status(named: entry.name) else { continue }
                let found = InboxEntry(version: InboxVersion(folder: path, name: entry.name, status: status))
                unsupported.append((found, .notRegular(status.kind)))
            }
        }
    }

    private mutating func descend(_ folder: borrowing Directory, _ path: [FileName], _ name: FileName) {
        guard let status = try? folder.status(named: name) else { return }
        let found = InboxEntry(version: InboxVersion(folder: path, name: name, status: status))
        if path.count >= Layout.levelLimit {
            unsupported.append((found, .tooDeep(limit: Layout.levelLimit)))
            return
        }
        do throws(FileError) {
            try walk(folder.directory(named: name), path + [name])
        } catch {
            if !error.isAbsent { waiting.append((found, .inaccessible(error))) }
        }
    }

    private mutating func note(
        _ folder: borrowing Directory, _ path: [FileName], _ name: FileName, _ state: InboxFile.State
    ) {
        guard let status = try? folder.status(named: name) else { return }
        waiting.append((InboxEntry(version: InboxVersion(folder: path, name: name, status: status)), state))
    }

    // MARK: Names

    private static let commentSuffix = Array(Layout.commentSuffix.utf8)

    /// The file that a comment belongs to; `nil` if the name is not one of a comment.
    private static func commented(_ name: FileName) -> FileName? {
        guard name.bytes.count > commentSuffix.count,
            name.bytes.suffix(commentSuffix.count).elementsEqual(commentSuffix)
        else { return nil }
        return FileName(bytes: Array(name.bytes.dropLast(commentSuffix.count)))
    }

    private static func comment(of name: FileName) -> FileName { FileName(bytes: name.bytes + commentSuffix) }

    /// The folders that belong to saved pages, by the page.
    private static func companions(_ kinds: [FileName: FileKind]) -> [FileName: [FileName]] {
        if !kinds.values.contains(.directory) { return [:] }
        var found: [FileName: [FileName]] = [:]
        for (name, kind) in kinds where kind == .regular {
            guard let text = name.string, text.utf8.suffix(6).contains(UInt8(ascii: ".")),
                [".html", ".htm", ".xhtml"].contains(where: text.lowercased().hasSuffix)
            else { continue }
            let folders = CompanionFolder.names(for: text).map { FileName($0) }.filter { kinds[$0] == .directory }
            if !folders.isEmpty { found[name] = folders }
        }
        return found
    }

    // MARK: One file

    private mutating func look(
        at name: FileName, in folder: borrowing Directory, _ path: [FileName], isNetwork: Bool, hasComment: Bool,
        companions: [FileName]
    ) {
        do throws(FileError) {
            guard let status = try folder.status(named: name), status.kind == .regular else { return }
            var entry = InboxEntry(version: InboxVersion(folder: path, name: name, status: status))
            entry.companions = companions
            let until = memory.settled(status, at: { entry.version.path }, now: now, quiet: quiet)
            if until > now { return waiting.append((entry, .settling(until: until))) }
            if hasComment, let wait = try addComment(to: &entry, in: folder, isNetwork: isNetwork) {
                return waiting.append((entry, .waitsForComment(until: wait)))
            }
            if status.byteCount == 0 { return unsupported.append((entry, .empty)) }
            let limit = store.settings.maxFileByteCount
            if status.byteCount > limit {
                return unsupported.append((entry, .tooLarge(byteCount: status.byteCount, limit: limit)))
            }
            if entry.mayBePage, !hasWorker { return waiting.append((entry, .needsWorker)) }
            for companion in companions {
                let until = try settled(companion, in: folder, path, depth: 0)
                if until > now { return waiting.append((entry, .settling(until: until))) }
            }
            if !folder.isWritable {
                let error = FileError(.write, folder.path, .system(InboxLook.accessDenied))
                return waiting.append((entry, .inaccessible(error)))
            }
            if try isWritten(name, in: folder, isNetwork: isNetwork) {
                return waiting.append((entry, .openForWriting))
            }
            complete.append(entry)
        } catch {
            if error.isAbsent { return }
            note(folder, path, name, .inaccessible(error))
        }
    }

    private static let accessDenied: Int32 = 13

    /// - Returns: until when to wait for the comment; `nil` once it is complete.
    private mutating func addComment(
        to entry: inout InboxEntry, in folder: borrowing Directory, isNetwork: Bool
    ) throws(FileError) -> Timestamp? {
        let name = Self.comment(of: entry.name)
        guard let status = try folder.status(named: name), status.kind == .regular else { return nil }
        let version = InboxVersion(folder: entry.folder, name: name, status: status)
        let until = memory.settled(status, at: { version.path }, now: now, quiet: quiet)
        if until > now { return until }
        if status.byteCount > Self.commentByteLimit {
            unsupported.append(
                (
                    InboxEntry(version: version),
                    .tooLarge(byteCount: status.byteCount, limit: Self.commentByteLimit)
                ))
            return nil
        }
        if try isWritten(name, in: folder, isNetwork: isNetwork) {
            return Timestamp(milliseconds: now.milliseconds + quiet)
        }
        entry.comment = version
        return nil
    }

    /// Whether a lease shows a writer. Where there are no leases, the file is doubtful.
    private mutating func isWritten(
        _ name: FileName, in folder: borrowing Directory, isNetwork: Bool
    ) throws(FileError) -> Bool {
        let file = try folder.file(named: name)
        // Network file systems refuse leases for reasons of their own.
        switch isNetwork ? .unknown : file.writerLook() {
        case .written: return true
        case .free: return false
        case .unknown:
            doubtful.insert(try file.status().identity)
            return false
        }
    }

    private mutating func settleDoubts() {
        if doubtful.isEmpty { return }
        let written = OpenWriters(of: doubtful).written
        if written.isEmpty { return }
        for entry in complete where written.contains(entry.status.identity) {
            waiting.append((entry, .openForWriting))
        }
        let until = Timestamp(milliseconds: now.milliseconds + quiet)
        for entry in complete where entry.comment.map({ written.contains($0.status.identity) }) ?? false {
            waiting.append((entry, .waitsForComment(until: until)))
        }
        complete.removeAll { entry in
            written.contains(entry.status.identity)
                || entry.comment.map { written.contains($0.status.identity) } ?? false
        }
    }

    /// When all files of a page's folder have settled.
    private mutating func settled(
        _ name: FileName, in parent: borrowing Directory, _ path: [FileName], depth: Int
    ) throws(FileError) -> Timestamp {
        let folder = try parent.directory(named: name)
        let path = path + [name]
        var latest = Timestamp(milliseconds: .min)
        for entry in try folder.entries() where entry.kind == .regular || entry.kind == .directory {
            if entry.kind == .directory {
                if depth < InboxPage.depthLimit {
                    latest = max(latest, try settled(entry.name, in: folder, path, depth: depth + 1))
                }
            } else if let status = try folder.status(named: entry.name) {
                latest = max(
                    latest, memory.settled(status, at: { InboxVersion.path(path, entry.name) }, now: now, quiet: quiet))
            }
        }
        return latest
    }
}

extension InboxLook {
    /// The files that neither become items nor are rejected now.
    var waitingFiles: [InboxFile] { Self.files(waiting.map { ($0.entry, $0.state) }) }

    private static func files(_ entries: [(InboxEntry, InboxFile.State)]) -> [InboxFile] {
        let keyed = entries.map { entry, state in
            (entry.version.path, InboxFile(path: entry.path, byteCount: entry.status.byteCount, state: state))
        }
        return keyed.sorted { $0.0.lexicographicallyPrecedes($1.0) }.map(\.1)
    }

    /// All files that are still in the inbox, in the order of their paths.
    var files: [InboxFile] {
        let all =
            complete.map { ($0, InboxFile.State.complete) } + unsupported.map { ($0.entry, .unsupported($0.why)) }
            + waiting.map { ($0.entry, $0.state) }
        return Self.files(all)
    }
}
