public import Exchange
public import Items
public import Time

extension Step {
    /// Begins an import of entries of other programs. Give it every event of a file, then finish it.
    ///
    /// - Parameters:
    ///   - report: called with the outcome of every entry.
    ///   - monitor: is told the number of entries done, and cancels; items that were written by then stay.
    ///   - options: the options of the import.
    ///   - time: the time of the change.
    /// - Throws: `ItemError`, and `FileError` if a file of the index cannot be read.
    public func importing(
        _ options: ImportOptions, at time: Timestamp = .now,
        _ monitor: Monitor = Monitor(),
        report: @escaping (ImportReportLine) -> Void = { _ in }
    ) throws -> LibraryImport {
        try LibraryImport(library, options, at: time, monitor, report: report)
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
    ///   no library; `CaptureWorker.Failure` if the worker does not run. Nothing is changed then.
    public func unpackFullExport(
        _ input: ImportInput, _ worker: CaptureWorker, isDry: Bool = false, _ monitor: Monitor = Monitor(),
        damaged: (String) -> Void = { _ in }, leftOut: @escaping (LeftOut) -> Void = { _ in }
    ) throws -> Library.UnpackingReport {
        try library.unpackFullExport(input, worker, isDry: isDry, monitor, damaged: damaged, leftOut: leftOut)
    }
}
