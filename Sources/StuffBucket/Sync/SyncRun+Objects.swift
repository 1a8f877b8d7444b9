internal import Files
internal import Items

/// Brings the files of states out of objects.
extension SyncRun {
    /// The objects that hold the files of a state that are not here.
    func objects(of state: PackedState, besides here: Set<Version.File>) -> [String] {
        if !exchange.isCloud { return [] }
        let left = Set(state.leftOut.filter(\.reason.isOfFile).map(\.path))
        var paths: Set<String> = []
        for file in state.files where !here.contains(file.version) {
            guard let bundle = PackedState.bundle(of: file.path) else {
                if !left.contains(file.path) { paths.insert(ExchangeLayout.object(file.sha256, .raw)) }
                continue
            }
            if !left.contains(bundle), let name = state.bundles.first(where: { $0.folder == bundle })?.sha256 {
                paths.insert(ExchangeLayout.object(name, .tar))
            }
        }
        return paths.sorted()
    }

    /// Brings the files of a state that are not here.
    ///
    /// - Returns: the names of objects that are not there or damaged.
    func fetch(
        _ state: PackedState, _ folder: String, besides here: Set<Version.File>, into incoming: borrowing Directory
    ) throws -> [String] {
        var missing: [String] = []
        let left = Set(state.leftOut.filter(\.reason.isOfFile).map(\.path))
        var bundles: Set<String> = []
        // A document is found among the files beside it, so they are there together.
        let isInDocument = { (path: String) in path.pathComponents[0] == Layout.document }
        if state.files.contains(where: { isInDocument($0.path) && !here.contains($0.version) }) {
            for file in state.files where isInDocument(file.path) && here.contains(file.version) {
                guard let own = try ownFolder(of: state.id),
                    let source = try store.root.fileIfPresent(own + "/" + file.path)
                else { continue }
                _ = try copy(file, from: source, to: folder, incoming)
            }
        }
        for file in state.files where !here.contains(file.version) {
            if let bundle = PackedState.bundle(of: file.path) {
                if !left.contains(bundle) { bundles.insert(bundle) }
                continue
            }
            if left.contains(file.path) { continue }
            let object = ExchangeLayout.object(file.sha256, .raw)
            var reason = SyncReport.Reason.notHereYet
            guard let source = try rawObject(file.sha256, file.size, &reason) else {
                leave(object, reason)
                missing.append(object)
                continue
            }
            if let reason = try copy(file, from: source, to: folder, incoming) {
                leave(object, reason)
                missing.append(object)
            }
        }
        for bundle in bundles.sorted() {
            guard let name = state.bundles.first(where: { $0.folder == bundle })?.sha256 else { continue }
            if let reason = try unpack(name, state.files(ofBundle: bundle), bundle, to: folder, incoming) {
                leave(ExchangeLayout.object(name, .tar), reason)
                missing.append(ExchangeLayout.object(name, .tar))
            }
        }
        try withholdExtras(of: state, folder, besides: here, from: incoming)
        return missing
    }

    /// Keeps the person's files beside a document from coming before it: one that is alone in document/ would be the document.
    private func withholdExtras(
        of state: PackedState, _ folder: String, besides here: Set<Version.File>, from incoming: borrowing Directory
    ) throws {
        let documents = state.recordedDocuments
        let isAbsent = try state.files.contains { file in
            try documents.contains(Array(file.path.utf8)) && !here.contains(file.version)
                && incoming.statusIfPresent(of: folder + "/" + file.path) == nil
        }
        if !isAbsent { return }
        let extras = Set(state.extras.map { Array($0.utf8) })
        for file in state.files where extras.contains(Array(file.path.utf8)) {
            let path = folder + "/" + file.path
            guard try incoming.statusIfPresent(of: path) != nil else { continue }
            try Self.remove(path, in: incoming)
            if !here.contains(file.version) { leave(path, .notHereYet) }
        }
    }

    /// An object that holds one file: as it is, or in a zip file.
    ///
    /// - Parameter byteCount: the size that the file should have.
    func rawObject(
        _ hash: Items.ContentHash, _ byteCount: Int, _ reason: inout SyncReport.Reason
    ) throws -> Descriptor? {
        if let file = try exchange.object(hash, .raw, &reason) { return file }
        var zipReason = SyncReport.Reason.notHereYet
        guard let zip = try exchange.object(hash, .zip, &zipReason) else { return nil }
        let unpacked = try place.temporaryFile()
        var count = 0
        let outcome = try read(zip, limit: ExchangeLayout.unpackedByteLimit(of: [byteCount])) { path, bytes in
            if path != nil { count += 1 }
            if count == 1 { try unpacked.write(bytes) }
        }
        guard case .whole = outcome, count == 1 else {
            reason = .damaged("")
            if case .fault(let fault) = outcome, fault.kind == .bomb { reason = .largerThanNamed }
            return nil
        }
        try unpacked.rewind()
        return unpacked
    }

    /// - Returns: why it was not copied.
    func copy(
        _ file: PackedState.File, from source: borrowing Descriptor, to folder: String,
        _ incoming: borrowing Directory
    ) throws -> SyncReport.Reason? {
        let path = folder + "/" + file.path
        try Self.makeFolders(of: path, in: incoming)
        let target = try incoming.createFile(path)
        var hash = SHA256()
        while true {
            try monitor.check()
            let chunk: [UInt8]
            do throws(FileError) {
                chunk = try source.readChunk(1 << 20)
            } catch {
                try Self.remove(path, in: incoming)
                return .damaged(error.description)
            }
            if chunk.isEmpty { break }
            hash.update(chunk)
            try target.write(chunk)
        }
        if hash.finish() != file.sha256.hex {
            try Self.remove(path, in: incoming)
            return .damaged("")
        }
        try target.setModified(file.modified)
        verified.insert(file.sha256)
        return nil
    }

    /// - Returns: why it was not unpacked.
    func unpack(
        _ name: Items.ContentHash, _ files: [PackedState.File], _ bundle: String, to folder: String,
        _ incoming: borrowing Directory
    ) throws -> SyncReport.Reason? {
        let top = bundle.isEmpty ? folder : folder + "/" + bundle
        let writer = try BundleFilesWriter(
            incoming.path, top, files, prefix: bundle.isEmpty ? "" : bundle + "/")
        let reason = try compare(name, writer)
        if reason != nil {
            for file in files where try incoming.statusIfPresent(of: folder + "/" + file.path) != nil {
                try Self.remove(folder + "/" + file.path, in: incoming)
            }
        }
        return reason
    }

    /// Reads a bundle to its end.
    ///
    /// - Returns: why it does not have the hash of its name, or the files that the writer expects.
    func compare(_ name: Items.ContentHash, _ writer: BundleFilesWriter) throws -> SyncReport.Reason? {
        var reason = SyncReport.Reason.notHereYet
        guard let source = try exchange.object(name, .tar, &reason) else { return reason }
        let outcome = try read(source, limit: writer.unpackedByteLimit) { path, bytes in
            if let path { try writer.begin(path) } else { try writer.write(bytes) }
        }
        try writer.finish()
        switch outcome {
        case .fault(let fault) where fault.kind == .bomb:
            return writer.unpackedByteLimit < ExchangeLayout.unpackedByteLimit ? .largerThanNamed : .tooLarge
        case .fault(let fault): return .damaged(fault.detail)
        case .whole(let sum): if sum.sha256 != name.hex || !writer.isWhole { return .damaged("") }
        }
        verified.insert(name)
        return nil
    }

    static func makeFolders(of path: String, in folder: borrowing Directory) throws(FileError) {
        var made = ""
        for part in path.pathComponents.dropLast() {
            made += (made.isEmpty ? "" : "/") + part
            try folder.makeDirectory(made)
        }
    }

    static func remove(_ path: String, in folder: borrowing Directory) throws(FileError) {
        let parts = path.pathComponents
        try folder.directory(parts.dropLast().joined(separator: "/")).removeFile(parts[parts.count - 1])
    }
}
