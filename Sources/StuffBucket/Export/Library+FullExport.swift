public import Exchange
public import Files
public import Items

/// The full export: the whole library as one tar file, and back.
extension Library {
    /// The result of a full export.
    public struct FullExportReport: Sendable {
        /// Files that were written.
        public var fileCount = 0
        /// The sum of these files' sizes in bytes; the tar file itself is a little larger.
        public var byteCount = 0
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
    /// - Parameters:
    ///   - write: called with each piece of the tar file.
    ///   - monitor: is told the number of files done, and cancels; the caller discards what was written.
    /// - Throws: `ItemError`; the error of `write`; `ItemError.cancelled` if the monitor cancels.
    public func writeFullExport(
        _ monitor: Monitor = Monitor(), to write: @escaping ([UInt8]) throws -> Void
    ) throws -> FullExportReport {
        var report = FullExportReport()
        let tar = TarWriter(write: write)
        try writeFolder(store.root, [], nil, tar, &report, monitor)
        try tar.end()
        return report
    }

    /// - Parameter document: the path of the item's document, from its item.json; below an item only.
    private func writeFolder(
        _ folder: borrowing Directory, _ path: [UInt8], _ document: String?, _ tar: TarWriter,
        _ report: inout FullExportReport, _ monitor: Monitor
    ) throws {
        let entries = try folder.entries().sorted { $0.name.bytes.lexicographicallyPrecedes($1.name.bytes) }
        for entry in entries {
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
                    let inner = try folder.directory(name)
                    let status = try inner.status()
                    try tar.folder(own, permissions: status.permissions, modified: status.modified)
                    var document = document
                    if let id = FullExportPlace.item(shown) { document = self.document(of: id, in: shown, &report) }
                    try writeFolder(inner, own, document, tar, &report, monitor)
                case .regular:
                    let file = try folder.file(name)
                    let status = try file.status()
                    let isWhole = try tar.file(
                        own, byteCount: status.byteCount, permissions: status.permissions, modified: status.modified
                    ) {
                        try monitor.check()
                        return try file.readChunk(1 << 18)
                    }
                    if !isWhole { report.faults.append(FullExportFault(shown, .changed)) }
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

    /// The result of importing a full export.
    public struct UnpackingReport: Sendable {
        /// Items that are new.
        public var added = 0
        /// Items that the library has already.
        public var known = 0
        /// Files that were imported.
        public var files = 0
        /// Files beside the items of which the library kept its own.
        public var kept = 0
        /// Entries that were left out.
        public var leftOut = 0
        /// Why the file was not read to its end; `nil` if it was.
        public var fault: ImportError?
    }

    /// Imports a full export: all of it into a library without items, else what the library lacks.
    ///
    /// - Parameters:
    ///   - read: returns at most this many bytes of the tar file; none at its end.
    ///   - leftOut: called for every entry that is left out.
    ///   - monitor: is told the number of files read, and cancels; nothing is changed then.
    /// - Throws: `ItemError.tooNew` if this version cannot read the exported library; then nothing is changed.
    func unpackFullExport(
        _ read: @escaping (Int) throws -> [UInt8], _ monitor: Monitor = Monitor(),
        leftOut: @escaping (LeftOut) -> Void = { _ in }
    ) throws -> UnpackingReport {
        var report = UnpackingReport()
        let unpacking = try Unpacking(session, report: leftOut)
        let reader = FullExportReading(read)
        do {
            while let entry = try reader.next() {
                try monitor.check()
                if entry.path.isEmpty { continue }
                guard let path = String(validating: entry.path, as: UTF8.self) else {
                    unpacking.leaveOut(String(decoding: entry.path, as: UTF8.self), .notUTF8)
                    continue
                }
                switch entry.kind {
                case .folder: try unpacking.folder(path, permissions: entry.permissions)
                case .file:
                    try unpacking.file(
                        path,
                        Unpacking.File(
                            byteCount: entry.byteCount, permissions: entry.permissions, modified: entry.modified
                        ) {
                            try monitor.check()
                            return try reader.body(1 << 18)
                        })
                case .other(let kind): unpacking.leaveOut(path, .notFile(LeftOut.Special(kind)))
                }
                if unpacking.fileCount % 100 == 0 { monitor.show(unpacking.fileCount) }
            }
            report.fault = try reader.rest()
        } catch ItemError.cancelled {
            unpacking.abandon()
            throw ItemError.cancelled
        } catch let error as ImportError {
            // Everything read so far is whole except the current item.
            report.fault = error
            try unpacking.abandonItem()
        }
        try unpacking.finish()
        report.added = unpacking.addedCount
        report.known = unpacking.knownCount
        report.files = unpacking.fileCount
        report.kept = unpacking.keptCount
        report.leftOut = unpacking.leftOutCount
        settle()
        return report
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
        /// It was removed while the library was read.
        case vanished
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

extension LeftOut.Special {
    fileprivate init(_ other: TarReader.Entry.Other) {
        switch other {
        case .hardLink: self = .hardLink
        case .symbolicLink: self = .symbolicLink
        case .device: self = .device
        case .fifo: self = .fifo
        case .sparse: self = .sparse
        case .unknown: self = .unknown
        }
    }
}

/// A reader that closures can share.
private final class FullExportReading {
    private var reader: TarReader

    init(_ read: @escaping (Int) throws -> [UInt8]) { reader = TarReader(read: read) }

    func next() throws -> TarReader.Entry? { try reader.next() }
    func body(_ count: Int) throws -> [UInt8] { try reader.body(count) }
    func rest() throws -> ImportError? { try reader.rest() }
}
