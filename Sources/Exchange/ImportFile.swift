internal import Files

/// Reads whatever import knows, in one call.
package enum ImportFile {
    /// Files above this are refused: all of a file is in memory while it is read.
    package static let byteLimit = 1 << 30

    /// Reads a file's bytes.
    ///
    /// - Parameters:
    ///   - format: called once, before the first entry, with what the content turned out to be.
    ///   - sink: is given entries, folders and faults in the file's order.
    /// - Throws: `ImportError` where nothing can be read, and what `sink` throws.
    package static func read(_ bytes: [UInt8], format: (ImportFormat) -> Void, _ sink: ImportSink) throws {
        guard let sniffed = ImportFormat.sniff(bytes) else {
            throw ImportError(bytes.isEmpty ? "the file is empty" : "import does not know what this is")
        }
        switch sniffed {
        case .safari:
            format(.safari)
            // The binary form has no text to be decoded; the XML form may come in any encoding.
            let isBinary = bytes.starts(with: "bplist".utf8)
            return try SafariBookmarks.read(isBinary ? bytes : ImportText(bytes, isHTML: false).bytes, sink)
        case .firefox:
            let (text, fault) = try LZ4Block.unpackedFile(bytes)
            if let fault { try sink(.fault(ImportFault(fault.place, fault.what, isLoss: false))) }
            return try JSONFiles.read(text, format: format, sink)
        case .archive: throw ImportError("a whole library is unpacked, not read")
        default: break
        }
        let isHTML = sniffed.isHTML
        let text = ImportText(bytes, isHTML: isHTML)
        for fault in text.faults { try sink(.fault(fault)) }
        switch sniffed {
        case .csv:
            format(.csv)
            try BookmarkCSV.read(text.bytes, sink)
        case .serviceCSV:
            format(.serviceCSV)
            try ServiceCSV.read(text.bytes, sink)
        case .markdown:
            format(.markdown)
            try sink(.entry(MarkdownNote.entry(text.bytes, at: .line(1), path: nil)))
        case .service: try JSONFiles.read(text.bytes, format: format, sink)
        default:
            format(sniffed)
            try NetscapeBookmarks.read(text, sink)
        }
    }

    /// Reads a folder.
    ///
    /// - Parameter isTemporary: which names are passed over.
    package static func readFolder(_ path: String, isTemporary: (String) -> Bool, _ sink: ImportSink) throws {
        try FolderOfFiles.read(path, isTemporary: isTemporary, sink)
    }
}

extension ImportFormat {
    var isHTML: Bool {
        switch self {
        case .safariHTML, .chromeHTML, .firefoxHTML, .pinboardHTML, .linkdingHTML, .pocketHTML, .html: true
        default: false
        }
    }
}
