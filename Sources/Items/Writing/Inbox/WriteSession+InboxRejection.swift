internal import Files
internal import Glibc

/// Moves entries of inbox/ that cannot become items to inbox/rejected/.
extension WriteSession {
    /// An entry, and the bytes of the file that says why.
    package struct InboxRejection: Sendable {
        package let version: InboxVersion
        package let reason: [UInt8]

        package init(_ version: InboxVersion, reason: [UInt8]) {
            self.version = version
            self.reason = reason
        }
    }

    /// Moves entries to inbox/rejected/, each with a file `<name>.reason.json` beside it, which comes first. Nothing is
    /// replaced. The moves are durable when this returns.
    ///
    /// - Returns: for each entry its name there; `nil` if it changed or is gone.
    package func rejectFromInbox(_ orders: [InboxRejection]) throws(ItemError) -> [Result<String?, ItemError>] {
        if orders.isEmpty { return [] }
        let session = try staging()
        try files { () throws(FileError) in
            try store.root.makeDirectory(Layout.inbox)
            try store.root.makeDirectory(Layout.rejected)
        }
        let rejected = try files { () throws(FileError) -> Directory in try store.root.directory(Layout.rejected) }
        var results: [Result<String?, ItemError>] = []
        for start in stride(from: 0, to: orders.count, by: 500) {
            let turn = orders[start..<min(start + 500, orders.count)]
            let staged = try files { () throws(FileError) in try stageReasons(turn, in: session) }
            defer { for name in staged { try? session.directory.removeFile(name) } }
            try locked { () throws(ItemError) in
                for (order, reason) in zip(turn, staged) {
                    do throws(FileError) {
                        results.append(
                            .success(try move(order, reason, from: session.directory, to: rejected)))
                    } catch {
                        results.append(.failure(.file(error)))
                    }
                }
            }
            try files { () throws(FileError) in try rejected.sync() }
            syncInbox(turn.map(\.version.folder))
        }
        return results
    }

    private func stageReasons(
        _ orders: ArraySlice<InboxRejection>, in session: StagingFolder
    ) throws(FileError) -> [String] {
        var names: [String] = []
        for order in orders {
            let name = session.temporaryName(for: "reason")
            if orders.count < Self.groupThreshold {
                try session.directory.writeFile(name, order.reason)
            } else {
                try session.directory.createFile(name).write(order.reason)
            }
            names.append(name)
        }
        if orders.count >= Self.groupThreshold { try session.directory.syncFileSystem() }
        return names
    }

    private func move(
        _ order: InboxRejection, _ reason: String, from session: borrowing Directory, to rejected: borrowing Directory
    ) throws(FileError) -> String? {
        let version = order.version
        let folder: Directory
        do throws(FileError) {
            folder = try store.inboxFolder(version.folder)
        } catch let error where error.isAbsent || error.isEscape {
            return nil
        }
        guard let now = try folder.status(named: version.name), version.isUntouched(now) || version.isSame(now) else {
            return nil
        }
        let place = try place(order, in: rejected)
        if !place.hasReason {
            let reasonName = place.name + Layout.reasonSuffix
            do throws(FileError) {
                try session.move(reason, to: rejected, as: reasonName)
            } catch let error where error.number == EXDEV {
                // The inbox is a mount of its own.
                try rejected.writeFile("." + reason, order.reason)
                try rejected.move("." + reason, to: rejected, as: reasonName)
            }
        }
        let name = FileName(place.name)
        do throws(FileError) {
            try folder.move(named: version.name, to: rejected, as: name)
        } catch let error where error.isAbsent {
            return nil
        } catch let error where error.number == EXDEV {
            // The folder is a mount of its own.
            switch now.kind {
            case .regular: return try copy(version, from: folder, to: rejected, as: place.name) ? place.name : nil
            case .directory:
                guard let own = version.name.string else { throw error }
                try folder.moveByCopying(own, to: rejected, as: place.name)
                return place.name
            // It stays, and is reported: a copy of a link or a FIFO would be another one.
            default: throw error
            }
        }
        if let there = try rejected.status(named: name), version.isSame(there) { return place.name }
        // Another file took its name meanwhile; that one goes back.
        try rejected.move(named: name, to: folder, as: version.name)
        return nil
    }

    /// Copies a file to rejected/ and removes it.
    ///
    /// - Returns: false if it changed meanwhile; then the copy is removed.
    private func copy(
        _ version: InboxVersion, from folder: borrowing Directory, to rejected: borrowing Directory, as name: String
    ) throws(FileError) -> Bool {
        // A name that every listing skips, in case this process dies.
        let temporary = ".moving-\(UInt64.random(in: .min ... .max))"
        do throws(FileError) {
            let source = try folder.file(named: version.name)
            let copy = try rejected.createFile(temporary)
            if try !copy.append(contentsOf: source) {
                while true {
                    let chunk = try source.readChunk(1 << 20)
                    if chunk.isEmpty { break }
                    try copy.write(chunk)
                }
            }
            try copy.setModified(version.status.modified)
            try copy.sync()
            let now = try folder.status(named: version.name)
            guard let now, version.isUntouched(now) || version.isSame(now), !isWritten(version.name, in: folder) else {
                try rejected.removeFile(temporary)
                return false
            }
            try rejected.move(temporary, to: rejected, as: name, .refuse)
            try rejected.sync()
            try folder.removeFile(named: version.name)
            return true
        } catch {
            try? rejected.removeFile(temporary)
            throw error
        }
    }

    /// A free name in rejected/: the entry's own, or one with a hash of its path.
    ///
    /// - Returns: also whether the file with the same reason is there already, from a run that was interrupted.
    private func place(
        _ order: InboxRejection, in rejected: borrowing Directory
    ) throws(FileError) -> (name: String, hasReason: Bool) {
        let own = Layout.documentName(for: order.version.name).name
        let hash = SHA256.hex(order.version.path).prefix(8)
        for number in 1... {
            let mark = number == 1 ? "" : "-" + hash + (number == 2 ? "" : "-\(number)")
            let name = FileName(own).marked(mark).repaired
            if try rejected.status(named: FileName(name)) != nil { continue }
            let reason = name + Layout.reasonSuffix
            if try rejected.status(named: FileName(reason)) == nil { return (name, false) }
            if let there = try? rejected.contents(of: reason, limit: Layout.settingsByteLimit),
                there.bytes == order.reason
            {
                return (name, true)
            }
        }
        preconditionFailure("there are fewer files than numbers")
    }
}
