internal import Files
internal import Items

/// Reads the files of one item to their ends, a part at a time.
final class ItemReading {
    /// How far it is.
    enum Progress {
        case more
        case done
        /// A file changed or vanished while it was read.
        case overtaken
    }

    let id: ItemID
    let key: UInt64
    let folder: String
    /// The item as it was at the beginning; `nil` if item.json cannot be used.
    let stored: StoredItem?
    let files: [ItemFile]
    /// The SHA-256 of each file that was read.
    private(set) var hashes: [String: String] = [:]
    /// Faults of item.json, and files that cannot be read.
    private(set) var findings: [Finding]
    private let store: ItemStore
    private var next = 0
    private var current: OpenFile?

    private final class OpenFile {
        let file: Descriptor
        var hash = SHA256()
        var byteCount = 0

        init(_ file: consuming Descriptor) { self.file = file }
    }

    private static let chunkByteCount = 1 << 20
    /// What opening a file counts, in bytes: small files cost more than their bytes.
    private static let openingByteCount = 4096

    /// Lists the files of an item.
    ///
    /// - Returns: `nil` if there is no such item now.
    init?(_ id: ItemID, key: UInt64, in store: ItemStore) throws {
        guard let folder = try store.folder(of: id) else { return nil }
        self.id = id
        self.key = key
        self.folder = folder
        self.store = store
        (stored, findings) = Self.item(id, folder, store)
        if stored == nil, findings.isEmpty { return nil }
        files = try ItemFile.files(of: store.root.directory(folder), stored)
    }

    private static func item(_ id: ItemID, _ folder: String, _ store: ItemStore) -> (StoredItem?, [Finding]) {
        let path = folder + "/" + Layout.itemFile
        do {
            guard let stored = try store.item(id, in: folder) else { return (nil, []) }
            return (stored, [])
        } catch ItemError.malformed(_, let error) {
            return (nil, [Finding(.error, "\(path):\(error.line):\(error.column)", .malformed(error))])
        } catch ItemError.fault(_, let fault) {
            return (nil, [Finding(.error, "\(path):\(fault.position.line):\(fault.position.column)", .field(fault))])
        } catch {
            return (nil, [Finding(.error, path, .unreadable(error))])
        }
    }

    /// Reads on.
    ///
    /// - Parameter budget: the bytes that may be read; becomes smaller, and may end a little below 0.
    func read(_ budget: inout Int, _ monitor: Monitor) -> Progress {
        while next < files.count {
            if budget <= 0 || monitor.isCancelled { return .more }
            let file = files[next]
            do throws(FileError) {
                if try !readPart(of: file, &budget) { return .overtaken }
            } catch {
                current = nil
                if error.isAbsent { return .overtaken }
                findings.append(Finding(.error, folder + "/" + file.path, .unreadable(error)))
                next += 1
            }
        }
        return isUnchanged ? .done : .overtaken
    }

    /// - Returns: false if the file is no longer the one that was listed.
    private func readPart(of file: ItemFile, _ budget: inout Int) throws(FileError) -> Bool {
        if current == nil {
            let opened = try store.root.file(folder + "/" + file.path)
            budget -= Self.openingByteCount
            if try !opened.status().isSameVersion(as: file.status) { return false }
            // What is in memory says nothing about the disk.
            opened.dropFromCache()
            current = OpenFile(opened)
        }
        guard let current else { return false }
        let chunk = try current.file.read(at: current.byteCount, count: max(1, min(Self.chunkByteCount, budget)))
        if chunk.isEmpty {
            hashes[file.path] = current.hash.finish()
            self.current = nil
            next += 1
            return true
        }
        current.hash.update(chunk)
        current.file.dropFromCache(from: current.byteCount, count: chunk.count)
        current.byteCount += chunk.count
        budget -= chunk.count
        return true
    }

    /// Whether the item is the one that was listed.
    private var isUnchanged: Bool {
        guard let directory = try? store.root.directory(folder), let now = try? ItemFile.files(of: directory, stored)
        else { return false }
        return now.elementsEqual(files) { $0.path == $1.path && $0.status.isSameVersion(as: $1.status) }
    }
}
