import Exchange

/// A reader's results.
struct Reading {
    var format: ImportFormat?
    var entries: [ImportedEntry] = []
    var folders: [ImportedFolder] = []
    var faults: [ImportFault] = []
    /// Parts that belong to no entry and were left out.
    var untaken: [String] = []

    init(_ bytes: [UInt8], pieceByteCount: Int = 1 << 20) throws {
        var format: ImportFormat?
        var events: [ImportEvent] = []
        try ImportFile.read(ImportInput(bytes, pieceByteCount: pieceByteCount), format: { format = $0 }) {
            events.append($0)
        }
        self.format = format
        for event in events {
            switch event {
            case .entry(let entry): entries.append(entry)
            case .folder(let folder): folders.append(folder)
            case .fault(let fault): faults.append(fault)
            case .untaken(let name): untaken.append(name)
            }
        }
    }

    init(_ text: String) throws { try self.init(Array(text.utf8)) }

    /// Titles with their folders: `Work/Projects: Example`.
    var outline: [String] {
        entries.map { FolderPath.joined($0.folder) + ($0.folder.isEmpty ? "" : ": ") + ($0.title ?? "-") }
    }
}
