import StuffBucket

/// A person's file, edited outside the library. It survives a crash, a closed terminal and a restart.
///
/// Its folder is locked as long as this object lives, so that two editors never write one draft: a second edit of the
/// same item gets another folder, `<key>-2`.
final class Draft {
    private static let limit = 1 << 30

    let folder: String
    let name: String
    private let parent: LocalFolder
    private let slot: Slot
    /// Whether the person saved the text, now or in an earlier edit.
    private var isSaved = false
    /// Whether a text that was left is applied only if the person says so.
    private var mustAsk = false

    /// A draft's folder and the lock on it.
    private struct Slot: ~Copyable {
        let name: String
        let lock: LocalFolder.Lock
    }

    /// - Parameters:
    ///   - library: drafts of one library are never offered in another one or in a copy.
    ///   - key: what is edited; the same key finds an unfinished draft again.
    ///   - name: the file name that the editor shows.
    init(of library: Library, key: String, name: String) throws {
        let key = SHA256.hex(Array((FilePath.real(library.path) ?? library.path).utf8)).prefix(8) + "-" + key
        let drafts = Environment.stateFolder + "/drafts"
        let parent = LocalFolder(drafts)
        try parent.makePrivate(from: Environment.stateFolder)
        slot = try Self.slot(key, name, in: parent)
        folder = drafts + "/" + slot.name
        self.name = name
        self.parent = parent
    }

    /// The first folder with an unfinished draft, else the first free one.
    private static func slot(_ key: String, _ name: String, in parent: LocalFolder) throws -> Slot {
        func folder(_ number: Int) -> String { number == 1 ? key : "\(key)-\(number)" }
        var number = 1
        while try parent.status(of: folder(number)) != nil {
            if try parent.status(of: folder(number) + "/" + name) != nil,
                let lock = try parent.lock(folder(number))
            {
                return Slot(name: folder(number), lock: lock)
            }
            number += 1
        }
        number = 1
        while true {
            _ = try parent.makeFolder(folder(number))
            if let lock = try parent.lock(folder(number)) {
                return Slot(name: folder(number), lock: lock)
            }
            number += 1
        }
    }

    var path: String { folder + "/" + name }

    /// The text is what an earlier edit left.
    ///
    /// - Parameter isAsked: whether it is applied only if the person saves it now, or says so: perhaps it was left on purpose.
    func goOn(isAsked: Bool) {
        isSaved = true
        mustAsk = isAsked
    }

    /// Opens the text in the editor and waits until that ends.
    ///
    /// - Parameter command: the command that goes on with the draft, and takes `--discard`.
    /// - Returns: what to say if the editor ended sooner than a person reads, and nothing was ever saved: perhaps it goes on by
    ///   itself, and saves later. The draft must stay for that.
    /// - Throws: `CommandFailure` if the editor fails, or what was left is not to be applied; the draft stays.
    func edit(_ command: String) throws -> String? {
        let before = try status()
        let start = ContinuousClock.now
        try Editor.open(path)
        if try status() != before {
            (isSaved, mustAsk) = (true, false)
            return nil
        }
        if mustAsk {
            guard Prompt.confirm("You did not save the unfinished edit now. Apply it as it is?") == true else {
                throw CommandFailure(
                    .failed,
                    "nothing was changed; the unfinished edit is kept in \(path). \"\(command)\" goes on with it, and applies it "
                        + "when you save it; with --discard it begins from the start")
            }
            mustAsk = false
        }
        if isSaved || ContinuousClock.now - start > .seconds(2) { return nil }
        return "the editor ended at once. If it is still open, set EDITOR to a command that waits for it, as "
            + "\"code --wait\" or \"gvim -f\"; \"\(command)\" goes on with what you save in \(path)"
    }

    private func status() throws -> FileStatus? { try parent.status(of: slot.name + "/" + name) }

    /// The text of an unfinished edit; `nil` if there is none.
    func leftOver() throws -> [UInt8]? { try contents(name) }

    /// The version on which the unfinished edit is based; `nil` if there is none.
    func base() throws -> [UInt8]? { try contents(name + ".base") }

    private func contents(_ file: String) throws -> [UInt8]? {
        try parent.contents(of: slot.name + "/" + file, limit: Self.limit)
    }

    /// Writes the version to edit, and a copy as the base.
    func begin(_ bytes: [UInt8]) throws {
        let folder = LocalFolder(folder)
        try folder.write(bytes, to: name + ".base")
        try folder.write(bytes, to: name)
    }

    /// Writes another spelling of the same version as the base.
    func keepBase(_ bytes: [UInt8]) throws {
        try LocalFolder(folder).write(bytes, to: name + ".base")
    }

    func read() throws -> [UInt8] { try FilePath.contents(path, limit: Self.limit) }

    /// Writes another file beside the text, and returns its path.
    func writeBeside(_ name: String, _ bytes: [UInt8]) throws -> String {
        try LocalFolder(folder).write(bytes, to: name)
        return folder + "/" + name
    }

    /// Adds to the text without reading it.
    func append(_ bytes: [UInt8]) throws { try LocalFolder(folder).append(bytes, to: name) }

    func remove() { try? parent.remove(slot.name) }
}
