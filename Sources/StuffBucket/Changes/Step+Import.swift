public import Items
public import Time

extension Step {
    /// Takes entries of other programs: give the import every event of a file, then finish it.
    ///
    /// - Parameters:
    ///   - report: called with the outcome of every entry.
    ///   - progress: called occasionally with the number of entries done.
    ///   - options: how it is done.
    ///   - time: when the change counts as made.
    public func importing(
        _ options: ImportOptions, at time: Timestamp = .now,
        report: @escaping (ImportReportLine) -> Void = { _ in }, progress: @escaping (Int) -> Void = { _ in }
    ) throws -> LibraryImport {
        try LibraryImport(library, options, at: time, report: report, progress: progress)
    }

    /// Unpacks an archive of a whole library: into a library without items everything, else what it lacks.
    ///
    /// - Parameters:
    ///   - read: gives at most so many bytes of the archive, none at its end.
    ///   - leftOut: called for every entry that is left out.
    ///   - progress: called with the progress so far.
    /// - Throws: `ItemError.tooNew` where the archive is of a library that this version cannot read; nothing is changed then.
    public func unpackArchive(
        _ read: @escaping (Int) throws -> [UInt8], leftOut: @escaping (LeftOut) -> Void = { _ in },
        progress: (Int) -> Void = { _ in }
    ) throws -> Library.UnpackingReport {
        try library.unpackArchive(read, leftOut: leftOut, progress: progress)
    }
}
