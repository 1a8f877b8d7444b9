internal import Files
internal import Items

/// Reads every format that import knows.
public enum ImportFile: Sendable {
    /// The size limit for files that must be in memory completely: property lists, browsers' own files, XML, and
    /// texts that are not UTF-8. Lists in JSON, CSV and bookmark HTML are read part by part, in any size.
    package static let byteLimit = 1 << 30

    /// Reads a file.
    ///
    /// - Parameters:
    ///   - format: called once, before the first entry, with the format of the content.
    ///   - sink: receives entries, folders and faults in the order of the file.
    /// - Throws: `ImportError` if nothing can be read, and the errors of `sink`.
    public static func read(
        _ input: ImportInput, format: (ImportFormat) -> Void, _ sink: ImportSink
    ) throws {
        let head = try input.bytes(at: 0, count: ImportFormat.headByteCount)
        guard let sniffed = ImportFormat.sniff(head) else {
            throw ForeignFormat.error(head)
        }
        switch sniffed {
        case .safari:
            format(.safari)
            let bytes = try input.all(limit: byteLimit)
            // The binary form needs no decoding; the XML form may have any encoding.
            let isBinary = bytes.starts(with: "bplist".utf8)
            try SafariBookmarks.read(isBinary ? bytes : ImportText(bytes, isHTML: false).bytes, sink)
        case .firefox:
            let (text, fault) = try LZ4Block.unpackedFile(input.all(limit: byteLimit))
            if let fault { try sink(.fault(fault)) }
            try JSONFiles.read(ImportInput(text), format: format, sink)
        case .fullExport: throw try PackedFile.foreignError(input) ?? ImportError(.fullExport)
        case .outline, .xbel, .feed, .posts:
            format(sniffed)
            try xml(input.all(limit: byteLimit), sniffed, sink)
        default: try text(input, sniffed, format: format, sink)
        }
    }

    private static func xml(_ bytes: [UInt8], _ kind: ImportFormat, _ sink: ImportSink) throws {
        switch kind {
        case .outline: try OutlineFile.read(bytes, sink)
        case .xbel: try XBELFile.read(bytes, sink)
        case .feed: try FeedFile.read(bytes, sink)
        default: try PostsFile.read(bytes, sink)
        }
    }

    private static func text(
        _ input: ImportInput, _ sniffed: ImportFormat, format: (ImportFormat) -> Void, _ sink: ImportSink
    ) throws {
        var input = input
        if try !input.isPlainUTF8() {
            let text = ImportText(try input.all(limit: byteLimit), isHTML: sniffed.isHTML)
            for fault in text.faults { try sink(.fault(fault)) }
            if sniffed.isHTML {
                format(sniffed)
                return try NetscapeBookmarks.read(text, sniffed, sink)
            }
            input = ImportInput(text.bytes, pieceByteCount: input.pieceByteCount)
        } else if try input.bytes(at: 0, count: 3) == [0xEF, 0xBB, 0xBF] {
            input = input.dropping(3)
        }
        if sniffed == .service { return try JSONFiles.read(input, format: format, sink) }
        format(sniffed)
        switch sniffed {
        case .csv: try BookmarkCSV.read(input, sink)
        case .serviceCSV: try ServiceCSV.read(input, sink)
        case .highlights: try HighlightsCSV.read(input, sink)
        case .clippings: try Clippings.read(input.all(limit: byteLimit), sink)
        case .links: try LinkList.read(input, sink)
        case .shortcut:
            guard let url = Shortcut.url(in: try input.all(limit: byteLimit)) else {
                throw ImportError.foreign(.unknown)
            }
            var entry = ImportedEntry(at: .line(1))
            entry.url = url
            try sink(.entry(entry))
        case .markdown:
            let bytes = ImportText(try input.all(limit: byteLimit)).bytes
            try sink(.entry(MarkdownNote.entry(bytes, at: .line(1), path: nil)))
        default: try NetscapeBookmarks.read(input, sniffed, sink)
        }
    }

    /// Reads bytes in memory.
    ///
    /// - Throws: As `read` of an input.
    public static func read(_ bytes: [UInt8], format: (ImportFormat) -> Void, _ sink: ImportSink) throws {
        try read(ImportInput(bytes), format: format, sink)
    }

    /// Reads a folder and the folders in it. Files that editors and this program leave behind are skipped.
    ///
    /// - Throws: `FileError` if the folder cannot be read, and the errors of `sink`.
    public static func readFolder(_ path: String, _ sink: ImportSink) throws {
        try FolderOfFiles.read(path, isTemporary: Layout.isTemporary, sink)
    }
}
