public import Files
public import Items
internal import WorkerProtocol

/// The full export: the whole library as one tar or zip file.
extension Library {
    /// The result of a full export.
    public struct FullExportReport: Sendable {
        /// Files that were written.
        public var fileCount = 0
        /// The sum of these files' sizes in bytes, unpacked.
        public var byteCount = 0
        /// Whether the file is so much smaller than what is in it that an import refuses it, as it refuses bombs: it holds huge files of zeros.
        public var isTooDense = false
        /// What could not be written, or is no item that could be read again.
        public var faults: [FullExportFault] = []
        /// The number of files that were written and that `unpackFullExport` leaves out.
        public var ownCount = 0
        /// Paths of the first three of them, relative to the library's folder.
        public var ownExamples: [String] = []

        fileprivate mutating func addOwn(_ path: String) {
            ownCount += 1
            if ownExamples.count < 3 { ownExamples.append(path) }
        }
    }

    /// Writes every file of the library except this device's (`.sbfs`). The same library gives the same bytes.
    ///
    /// Files that are away come from an exchange, each with its hash. What none can give is among the faults.
    ///
    /// - Parameters:
    ///   - format: how the files are packed.
    ///   - worker: the program that packs them, and unpacks bundles.
    ///   - exchanges: where files may be that are away, in the order in which they are asked.
    ///   - monitor: is told the number of files done, and cancels; the caller discards what was written.
    ///   - write: called with each piece of the packed file.
    /// - Throws: `ItemError.cancelled`; `CaptureWorker.Failure` if the worker does not run or ends too early; `FileError`; the
    ///   errors of `write`.
    public func writeFullExport(
        as format: FullExportFormat, _ worker: CaptureWorker, from exchanges: [ExchangeFolder] = [],
        _ monitor: Monitor = Monitor(), to write: ([UInt8]) throws -> Void
    ) throws -> FullExportReport {
        var report = FullExportReport()
        let fetching = AwayFetching(self, exchanges, worker, monitor)
        let program = try worker.program.streaming(["pack", format.packed.rawValue])
        do {
            var packedByteCount = 0
            try withoutActuallyEscaping(write) { given in
                let write: ([UInt8]) throws -> Void = {
                    packedByteCount += $0.count
                    try given($0)
                }
                let stream = EntryStreamWriter { try program.write($0, write) }
                var look = DamageLook(store, monitor)
                var paths = ExportedPaths()
                try writeFolder(store.root, [], nil, fetching, [], stream, &look, &paths, &report, monitor)
                try Self.write(paths, stream)
                try stream.end()
                try program.finish(write)
            }
            report.isTooDense = UnpackingLimit.isTooMuch(report.byteCount) { packedByteCount }
        } catch {
            throw CaptureWorker.failure(error)
        }
        return report
    }

    /// - Parameters:
    ///   - document: the path of the item's document, from its item.json; below an item only.
    ///   - brought: full paths of folders with further files for this folder, from an exchange. A file that is here comes
    ///     first.
    private func writeFolder(
        _ folder: borrowing Directory, _ path: [UInt8], _ document: String?, _ fetching: AwayFetching,
        _ brought: [String], _ stream: EntryStreamWriter, _ look: inout DamageLook, _ paths: inout ExportedPaths,
        _ report: inout FullExportReport, _ monitor: Monitor
    ) throws {
        var entries = try folder.entries().map { (entry: $0, source: String?.none) }
        for source in brought {
            let names = Set(entries.map(\.entry.name.bytes))
            entries += try Directory(path: source).entries().filter { !names.contains($0.name.bytes) }
                .map { ($0, source) }
        }
        entries.sort { $0.entry.name.bytes.lexicographicallyPrecedes($1.entry.name.bytes) }
        for (entry, source) in entries {
            if path.isEmpty, entry.name.bytes.elementsEqual(Layout.device.utf8) { continue }
            let own = path + (path.isEmpty ? [] : [0x2F]) + entry.name.bytes
            let shown = String(decoding: own, as: UTF8.self)
            guard let name = entry.name.string else {
                report.faults.append(FullExportFault(shown, .nameNotUTF8))
                continue
            }
            do {
                switch entry.kind {
                case .directory:
                    let inner = try Self.directory(name, in: folder, or: source)
                    let status = try inner.status()
                    try stream.begin(
                        PackedEntry(
                            .folder, own, byteCount: 0, permissions: status.permissions, modified: status.modified))
                    var document = document
                    var further = brought.filter { $0 != source }.map { $0 + "/" + name }.filter(Self.isFolder)
                    var fetched = AwayFetching.Brought()
                    var item: StoredItem?
                    defer { fetching.discard(fetched) }
                    if let id = FullExportPlace.item(shown) {
                        document = self.document(of: id, in: shown, &report)
                        // The record is of the item's folder; an item that cannot be read is named above.
                        item = (try? store.item(id, in: shown)) ?? nil
                        if let item { fetched = try fetching.bring(item) }
                        look.begin(shown)
                        further = fetched.staged.map(\.path)
                        for (path, why) in fetched.missing {
                            report.faults.append(FullExportFault(shown + "/" + path, .away(why)))
                        }
                        let awaited = item.map { $0.unavailablePaths + [awaitedDocument(of: $0)].compactMap(\.self) }
                        report.faults += (awaited ?? []).map { FullExportFault(shown + "/" + $0, .notHere) }
                    }
                    try writeFolder(inner, own, document, fetching, further, stream, &look, &paths, &report, monitor)
                    if let item {
                        report.faults += look.damage(of: item).map { FullExportFault(shown + "/" + $0, .damaged) }
                    }
                case .regular:
                    let file = try Self.file(name, in: folder, or: source)
                    let status = try file.status()
                    paths.add(shown)
                    if let sum = try Self.write(file, status, as: own, stream, monitor) {
                        // A program may have saved it since it was read.
                        if source == nil, (try? file.status()) == status { look.note(shown, sum, status) }
                    } else {
                        report.faults.append(FullExportFault(shown, .changed))
                    }
                    if !FullExportPlace.isTaken(shown, isFolder: false, document: document) { report.addOwn(shown) }
                    report.fileCount += 1
                    report.byteCount += status.byteCount
                    if report.fileCount % 100 == 0 { monitor.show(report.fileCount) }
                default: report.faults.append(FullExportFault(shown, .notFile(entry.kind)))
                }
            } catch let error as FileError where error.isAbsent {
                // The file was removed after the listing.
                report.faults.append(FullExportFault(shown, .vanished))
            }
        }
    }

    /// Files of at most this many bytes are read once. Longer ones are read twice: their hash stands before them.
    private static let wholeByteCount = 1 << 22

    /// - Returns: the file's SHA-256 in hexadecimal digits; `nil` if it did not stay the same while it was read.
    private static func write(
        _ file: borrowing Descriptor, _ status: FileStatus, as path: [UInt8], _ stream: EntryStreamWriter,
        _ monitor: Monitor
    ) throws -> String? {
        var whole: [UInt8]?
        if status.byteCount <= wholeByteCount {
            // One byte more shows a file that grew.
            whole = try file.read(at: 0, count: status.byteCount + 1)
            try monitor.check()
        }
        let sum = try whole.map { SHA256.hex($0) } ?? file.sha256()
        var read = SHA256()
        let hasLength = try stream.file(
            path, byteCount: status.byteCount, permissions: status.permissions, modified: status.modified, sha256: sum
        ) {
            try monitor.check()
            if let bytes = whole {
                whole = []
                return bytes
            }
            let piece = try file.readChunk(1 << 18)
            read.update(piece)
            return piece
        }
        return hasLength && (whole != nil || read.finish() == sum) ? sum : nil
    }

    private static func write(_ paths: ExportedPaths, _ stream: EntryStreamWriter) throws {
        let bytes = paths.bytes
        var isRead = false
        _ = try stream.file(
            Array(ExportedPaths.path.utf8), byteCount: bytes.count, permissions: 0o644, modified: 0,
            sha256: SHA256.hex(bytes)
        ) {
            defer { isRead = true }
            return isRead ? [] : bytes
        }
    }

    /// - Parameter source: the full path of another folder that has it; `nil` if `folder` does.
    private static func directory(
        _ name: String, in folder: borrowing Directory, or source: String?
    ) throws(FileError) -> Directory {
        if let source { return try Directory(path: source + "/" + name) }
        return try folder.directory(name)
    }

    private static func file(
        _ name: String, in folder: borrowing Directory, or source: String?
    ) throws(FileError) -> Descriptor {
        if let source { return try Directory(path: source).file(name) }
        return try folder.file(name)
    }

    private static func isFolder(_ path: String) -> Bool { (try? Directory(path: path)) != nil }

    /// The path of an item's document, from its item.json. Reports an item that an import would leave out.
    private func document(of id: ItemID, in folder: String, _ report: inout FullExportReport) -> String? {
        do throws(ItemError) {
            return try Item(id, from: store.root, folder).documentRelativePath.map { folder + "/" + $0 }
        } catch {
            if let reason = LeftOut.Reason(itemFault: error) {
                report.faults.append(FullExportFault(folder, .noItem(reason)))
            }
            return nil
        }
    }
}

/// A part of a library that its full export does not hold as it is.
public struct FullExportFault: Sendable {
    /// What is wrong with a file or folder.
    public enum Kind: Sendable {
        /// Its name is not UTF-8; it was left out.
        case nameNotUTF8
        /// It is neither a file nor a folder; it was left out.
        case notFile(FileKind)
        /// It changed while it was read.
        case changed
        /// It was written, but it is damaged: it has not the bytes that were recorded, and no program saved it since.
        case damaged
        /// It was removed while the library was read.
        case vanished
        /// It is not on this device, and no exchange gives it now; those that were asked, and why they do not.
        case away([UnreachableExchange])
        /// item.json names it, and it is not on this device: it was deleted, or has not arrived.
        case notHere
        /// It was written, but `unpackFullExport` would not import it as an item.
        case noItem(LeftOut.Reason)
    }

    /// Relative to the library's folder.
    public let path: String
    /// What is wrong with it.
    public let kind: Kind

    init(_ path: String, _ kind: Kind) {
        self.path = path
        self.kind = kind
    }
}
