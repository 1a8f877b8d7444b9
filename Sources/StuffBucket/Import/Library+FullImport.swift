public import Exchange
internal import Files
internal import Items
internal import WorkerProtocol

/// The import of a full export.
extension Library {
    /// The result of importing a full export.
    public struct UnpackingReport: Sendable {
        /// Items that are new.
        public var added = 0
        /// Items that the library has already.
        public var known = 0
        /// Items that were purged here or in another copy, and are back.
        public var restored = 0
        /// Files that were imported.
        public var files = 0
        /// Files beside the items of which the library kept its own.
        public var kept = 0
        /// Entries that were left out.
        public var leftOut = 0
        /// Files whose bytes are not those that were exported. They were imported as they are, unless the library has the item.
        public var damaged = 0
        /// Whether as many files were exported, and some had other paths.
        public var hasOtherPaths = false
        /// Why the tar file was not read to its end; `nil` if it was.
        public var fault: ImportError?
    }

    /// Imports a full export: all of it into a library without items, else what the library lacks.
    ///
    /// - Parameters:
    ///   - input: a tar file, which may be packed by gzip, zstd, xz or bzip2, or a zip file.
    ///   - worker: the program that unpacks it.
    ///   - isDry: whether everything is only read, checked and counted.
    ///   - monitor: is told the number of files read, and cancels; nothing is changed then.
    ///   - damaged: called with the path of every file whose bytes are not those that were exported.
    ///   - leftOut: called for every entry that is left out.
    /// - Throws: `ItemError.tooNew` if this version cannot read the exported library; `ImportError.foreign` if a packed file holds
    ///   no library; `CaptureWorker.Failure`. Nothing is changed then.
    func unpackFullExport(
        _ input: ImportInput, _ worker: CaptureWorker, isDry: Bool = false, _ monitor: Monitor = Monitor(),
        damaged: (String) -> Void = { _ in }, leftOut: @escaping (LeftOut) -> Void = { _ in }
    ) throws -> UnpackingReport {
        var report = UnpackingReport()
        let program = try worker.program.streaming(["unpack"], reading: input.asFile())
        let stream = FullExportStream { _ in try program.read(monitor.check) }
        let foreign = try PackedFile.foreignError(input)
        let doubts = FullExportDoubts(isPossible: foreign != nil, leftOut)
        let unpacking = try Unpacking(session, restoresPurged: true) { doubts.take($0) }
        var paths = ExportedPaths()
        do {
            while let entry = try stream.next() {
                try monitor.check()
                if entry.path.isEmpty { continue }
                guard let path = String(validating: entry.path, as: UTF8.self) else {
                    unpacking.leaveOut(String(decoding: entry.path, as: UTF8.self), .notUTF8)
                    continue
                }
                switch entry.kind {
                case .folder: try unpacking.folder(path, permissions: entry.permissions)
                case .file where path == ExportedPaths.path:
                    let sum = ExportedSum(entry, path)
                    var bytes: [UInt8] = []
                    while true {
                        try monitor.check()
                        let piece = try stream.piece()
                        if piece.isEmpty { break }
                        sum.update(piece)
                        if bytes.count <= ExportedPaths.byteLimit { bytes += piece }
                    }
                    if sum.isOther || stream.isDamaged {
                        report.damaged += 1
                        damaged(path)
                    } else if paths.differ(from: bytes) {
                        report.hasOtherPaths = true
                    }
                    // Another tar file may follow.
                    paths = ExportedPaths()
                case .file:
                    paths.add(path)
                    let sum = ExportedSum(entry, path)
                    let read = {
                        try monitor.check()
                        let piece = try stream.piece()
                        sum.update(piece)
                        return piece
                    }
                    try unpacking.file(
                        path,
                        Unpacking.File(
                            byteCount: entry.byteCount, permissions: entry.permissions, modified: entry.modified,
                            read: read))
                    // Also of a file that was not taken: the archive shall be found damaged before it is needed.
                    while try !read().isEmpty {}
                    if sum.isOther || stream.isDamaged {
                        report.damaged += 1
                        damaged(path)
                    }
                default: unpacking.leaveOut(path, .notFile(LeftOut.Special(entry.kind)))
                }
                if unpacking.fileCount > 0 { doubts.end() }
                if unpacking.fileCount % 100 == 0 { monitor.show(unpacking.fileCount) }
            }
        } catch let fault as PackedFault {
            if fault.kind == .foreign, let foreign { throw foreign }
            report.fault = ImportError(fault)
            // Everything read so far is whole except the current item.
            if fault.kind != .more { try unpacking.abandonItem() }
        } catch let error as ItemError {
            unpacking.abandon()
            throw error
        } catch  where error is ChildProcess.Silence || error is WireFault {
            unpacking.abandon()
            throw CaptureWorker.failure(error)
        }
        try unpacking.finish(isDry: isDry)
        report.added = unpacking.addedCount
        report.known = unpacking.knownCount
        report.restored = unpacking.restoredCount
        report.files = unpacking.fileCount
        report.kept = unpacking.keptCount
        report.leftOut = unpacking.leftOutCount
        if let foreign, report.fault == nil,
            report.added + report.known + report.restored + report.files + report.kept == 0
        {
            throw foreign
        }
        doubts.end()
        settle()
        return report
    }
}

extension LeftOut.Special {
    fileprivate init(_ kind: PackedEntry.Kind) {
        switch kind {
        case .hardLink: self = .hardLink
        case .symbolicLink: self = .symbolicLink
        case .device: self = .device
        case .fifo: self = .fifo
        case .encrypted: self = .encrypted
        case .unknown, .file, .folder: self = .unknown
        }
    }
}

extension ImportError {
    fileprivate init(_ fault: PackedFault) {
        switch fault.kind {
        case .cut: self.init(.packedFileCut(offset: fault.offset))
        case .more: self.init(.packedFileContinues(offset: fault.offset))
        case .bomb: self.init(.packedFileTooLarge(byteCount: fault.offset))
        case .damaged, .foreign: self.init(.packedFileDamaged(offset: fault.offset, detail: fault.detail))
        }
    }
}

/// A reader that closures can share.
private final class FullExportStream {
    private var reader: EntryStreamReader

    init(_ read: @escaping (Int) throws -> [UInt8]) { reader = EntryStreamReader(read: read) }

    var isDamaged: Bool { reader.isDamaged }

    func next() throws -> PackedEntry? { try reader.next() }
    func piece() throws -> [UInt8] { try reader.piece() }
}

/// Keeps what is left out until it is known that the file holds a library at all: a zip file may be anything.
private final class FullExportDoubts {
    private var isPossible: Bool
    private var kept: [LeftOut] = []
    private let tell: (LeftOut) -> Void
    /// A file that has so many entries without a library's is told entry by entry.
    private static let limit = 10_000

    init(isPossible: Bool, _ tell: @escaping (LeftOut) -> Void) {
        self.isPossible = isPossible
        self.tell = tell
    }

    func take(_ leftOut: LeftOut) {
        if !isPossible { return tell(leftOut) }
        kept.append(leftOut)
        if kept.count >= Self.limit { end() }
    }

    func end() {
        isPossible = false
        for leftOut in kept { tell(leftOut) }
        kept = []
    }
}
