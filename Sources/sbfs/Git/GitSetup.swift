import Glibc
import StuffBucket

/// What `sbfs git setup` changes in a work tree, and what of the person it leaves alone. Made before anything changes.
struct GitSetup {
    /// A file that sbfs writes whole or in part.
    struct File {
        let folder: String
        let name: String
        /// The name for messages.
        let shown: String
        var permissions: UInt32
    }

    enum Change {
        case set(GitSettings.Value)
        /// Puts the values of a key in the place of those that it has; none removes the key.
        case put([String], key: String)
        /// Removes what git kept of the program for differences.
        case forgetCache
        /// The bytes of the file, and our lines in them.
        case write(File, [UInt8], lines: [String])
        case remove(File)
    }

    /// What becomes of the person's own values.
    enum Others {
        case kept
        case replaced
    }

    let tree: GitWorkTree
    let settings: GitSettings
    private(set) var changes: [Change] = []
    /// What stays as it is, with what to do: sentences.
    private(set) var remarks: [String] = []

    private static let limit = 1 << 20

    init(_ tree: GitWorkTree, _ settings: GitSettings) {
        self.tree = tree
        self.settings = settings
    }

    // MARK: Writing

    /// - Parameter others: what becomes of the person's values of the same settings and attributes.
    mutating func install(_ others: Others) throws {
        for value in settings.values {
            let found = try values(of: value.key)
            if found == [value.value] { continue }
            let isStale =
                found.count == 1 && value.end != nil && value.isOurs(found[0]) && GitSettings.startsNothing(found[0])
            if found.isEmpty || isStale || others == .replaced {
                let own = found.filter { !value.isOurs($0) }
                if !own.isEmpty { changes.append(.put(own, key: value.earlierKey)) }
                changes.append(.set(value))
            } else {
                let now = found.joined(separator: ", ")
                remarks.append("\(tree.config) has \(value.key) = \(now); it stays. --replace sets \(value.value)")
            }
        }
        for hook in GitHook.all { try install(hook) }
        let place: MarkedFile.Place = others == .replaced ? .end : .same
        try write(file(".gitignore"), at: place) { _ in GitIgnore.lines }
        var found: [GitAttributes.Other] = []
        try write(file(".gitattributes"), at: place) { own in
            if others == .replaced { return GitAttributes.lines }
            let (lines, others) = GitAttributes.lines(beside: own)
            found = others
            return lines
        }
        for other in found {
            let names = other.rules.map(\.shown).joined(separator: ", ")
            remarks.append(
                ".gitattributes, line \(other.number), sets \(other.name) for \(names): \"\(other.text)\"; it stays. "
                    + "--replace lets the lines of sbfs win")
        }
    }

    private mutating func write(
        _ file: File, at place: MarkedFile.Place, _ lines: (MarkedFile) -> [String]
    ) throws {
        let bytes = try contents(of: file)
        let marked = try MarkedFile(bytes ?? [], name: file.name)
        let text = lines(marked)
        var new = text.isEmpty ? marked.withoutBlock : marked.with(text, at: place)
        // The library makes a missing .gitattributes with this line, and it must be the first.
        if bytes?.isEmpty ?? true, file.name == ".gitattributes" { new = Array("* -text\n".utf8) + new }
        if new != bytes ?? [] { changes.append(.write(file, new, lines: text)) }
    }

    private mutating func install(_ own: GitHook) throws {
        let hook = file(own), call = own.line(program: settings.program)
        guard try tree.hasOwnHooks() else {
            if let bytes = try? contents(of: hook), own.isCalled(in: bytes) { return }
            remarks.append(
                "core.hooksPath is \(tree.hooks), which may serve other repositories, so sbfs writes no hook there; put this line into "
                    + "its \(hook.name): \(call)")
            return
        }
        let folder = LocalFolder(hook.folder)
        if let status = try folder.status(of: hook.name) {
            let bytes = status.kind == .regular ? try contents(of: hook) ?? [] : nil
            guard let bytes, own.isOurs(bytes) else {
                // A link leads to the person's hook.
                let shown = bytes ?? (try? FilePath.contents(hook.folder + "/" + hook.name, limit: Self.limit))
                if shown.map(own.isCalled) ?? false { return }
                remarks.append("\(hook.shown) is there already and stays; put this line into it: \(call)")
                return
            }
            if bytes == Array(own.text(program: settings.program).utf8) { return }
        }
        let text = own.text(program: settings.program)
        let lines = text.split(separator: "\n" as Character).map(String.init)
        changes.append(.write(hook, Array(text.utf8), lines: lines))
    }

    // MARK: Removing

    mutating func remove() throws {
        var isShown = false
        for value in settings.values {
            let found = try values(of: value.key), earlier = try values(of: value.earlierKey)
            if !earlier.isEmpty { changes.append(.put([], key: value.earlierKey)) }
            if found.isEmpty { continue }
            if found.count == 1, value.isOurs(found[0]) {
                changes.append(.put(earlier, key: value.key))
                isShown = isShown || value.key == GitSettings.textconv
            } else {
                remarks.append("\(value.key) in \(tree.config) is not of sbfs; it stays")
            }
        }
        if isShown, try tree.git.line("rev-parse", "-q", "--verify", GitSettings.cache) != nil {
            changes.append(.forgetCache)
        }
        for own in GitHook.all {
            let hook = file(own)
            guard let status = try LocalFolder(hook.folder).status(of: hook.name), status.kind == .regular,
                let bytes = try contents(of: hook)
            else { continue }
            if own.isOurs(bytes) {
                changes.append(.remove(hook))
            } else if own.isCalled(in: bytes) {
                remarks.append("\(hook.shown) was not written by sbfs alone; take \"sbfs \(own.command)\" out of it")
            }
        }
        let memory = try MergeMemory(tree)
        if memory.looked != nil {
            let shown = memory.folder.path.hasSuffix("/.git") ? ".git/" + memory.file : memory.file
            changes.append(.remove(File(folder: memory.folder.path, name: memory.file, shown: shown, permissions: 0)))
        }
        for file in [file(".gitignore"), file(".gitattributes")] {
            guard let bytes = try contents(of: file) else { continue }
            let own = try MarkedFile(bytes, name: file.name).withoutBlock
            if own == bytes { continue }
            changes.append(own.isEmpty ? .remove(file) : .write(file, own, lines: []))
        }
    }

    // MARK: Reading

    private func file(_ name: String) -> File {
        var status = stat()
        let isThere = lstat(tree.folder + "/" + name, &status) == 0
        return File(
            folder: tree.folder, name: name, shown: name,
            permissions: isThere ? UInt32(status.st_mode & 0o777) : 0o644)
    }

    private func file(_ hook: GitHook) -> File {
        File(
            folder: tree.full(tree.hooks), name: hook.name, shown: tree.hooks + "/" + hook.name, permissions: 0o755)
    }

    private func contents(of file: File) throws -> [UInt8]? {
        try LocalFolder(file.folder).contents(of: file.name, limit: Self.limit)
    }

    private func values(of key: String) throws -> [String] {
        let bytes = try tree.git.output(["config", "--local", "--null", "--get-all", key], unless: 1) ?? []
        return bytes.split(separator: 0, omittingEmptySubsequences: false).dropLast()
            .map { String(decoding: $0, as: UTF8.self) }
    }

    /// Whether git uses the attributes that were written; else what says otherwise.
    func overruled() throws -> String? {
        let rules = GitAttributes.rules.filter { $0.attributes.contains("merge=sbfs") }
        let bytes = try tree.git.output(["check-attr", "-z", "merge", "--"] + rules.map(\.sample)) ?? []
        let words = bytes.split(separator: 0, omittingEmptySubsequences: false)
        let names = rules.indices.compactMap { index -> String? in
            let place = index * 3 + 2
            return place < words.count && words[place].elementsEqual("sbfs".utf8) ? nil : rules[index].shown
        }
        return names.isEmpty
            ? nil
            : "another file of attributes (.git/info/attributes, or .gitattributes in a sub-folder) has git join "
                + names.joined(separator: ", ") + " without sbfs"
    }

    /// Whether git may change the ends of lines in documents and texts: the line of .gitattributes that forbids it is missing, or a later one
    /// allows it.
    func changesLineEnds() throws -> Bool {
        let item = GitAttributes.itemSample
        let bytes =
            try tree.git.output(["check-attr", "-z", "text", "--", item + "text.md", item + "document/x.txt"]) ?? []
        let words = bytes.split(separator: 0, omittingEmptySubsequences: false)
        return stride(from: 2, to: words.count, by: 3).contains { !words[$0].elementsEqual("unset".utf8) }
    }

    /// Whether git tracks files of one device.
    func tracksOwnFiles() throws -> Bool {
        let found = try tree.git.output(["ls-files", "-z", "--", ".sbfs", ":(glob)items/*/*/history/**"])
        return !(found ?? []).isEmpty
    }
}

// MARK: - Changing

extension GitSetup.Change {
    /// The name of what changes, for messages.
    func shown(in tree: GitWorkTree) -> String {
        switch self {
        case .set, .put: tree.config
        case .forgetCache: GitSettings.cache
        case .write(let file, _, _), .remove(let file): file.shown
        }
    }

    /// Our lines in it.
    var lines: [String] {
        switch self {
        case .set(let value): ["\(value.key) = \(value.value)"]
        case .write(_, _, let lines): lines
        case .put, .forgetCache, .remove: []
        }
    }

    func make(in tree: GitWorkTree) throws {
        switch self {
        case .set(let value): try tree.git.run("config", "--local", "--replace-all", value.key, value.value)
        case .put(let values, let key):
            // 5: there is no such key.
            _ = try tree.git.output(["config", "--local", "--unset-all", key], unless: 5)
            for value in values { try tree.git.run("config", "--local", "--add", key, value) }
        case .forgetCache: try tree.git.run("update-ref", "-d", GitSettings.cache)
        case .write(let file, let bytes, _):
            let folder = LocalFolder(file.folder)
            try folder.make()
            try folder.write(bytes, to: file.name, permissions: file.permissions)
        case .remove(let file): try LocalFolder(file.folder).remove(file.name)
        }
    }
}
