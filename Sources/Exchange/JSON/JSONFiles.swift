internal import Glibc
internal import JSONFormat

/// JSON of any kind that import knows, told apart by what is in it.
enum JSONFiles {
    /// Reads a whole file in UTF-8: one value, or one a line.
    ///
    /// - Parameter format: called once, when it is known.
    static func read(_ bytes: [UInt8], format: (ImportFormat) -> Void, _ sink: ImportSink) throws {
        if hasObjectOnEachLine(bytes) { return try lines(bytes, format: format, sink) }
        let salvaged = try SalvagedJSON(bytes)
        let document = salvaged.document
        if let root = JSONObject(document.root, of: document) {
            if ChromiumBookmarks.isOne(root) {
                format(.chromium)
                try ChromiumBookmarks.read(document, root, sink)
            } else if FirefoxBookmarks.isOne(root) {
                format(.firefox)
                try FirefoxBookmarks.read(document, root, sink)
            } else if let key = ["items", "bookmarks", "notes", "data", "entries"].first(where: { root[$0] != nil }) {
                try list(root.elements(key), document, format: format, sink)
            } else if kind(of: root) != nil {
                try list([document.root], document, format: format, sink)
            } else {
                throw ImportError("this JSON holds neither bookmarks nor notes that import knows")
            }
        } else {
            try list(document.elements(document.root), document, format: format, sink)
        }
        if let fault = salvaged.fault { try sink(.fault(fault)) }
    }

    private static func kind(of object: JSONObject) -> ImportFormat? {
        if ItemsJSON.isOne(object) { return .items }
        if NotesJSON.isOne(object) { return .notes }
        return ServiceJSON.url(object) != nil ? .service : nil
    }

    private static func entry(_ object: JSONObject, _ format: ImportFormat, at place: ImportPlace) -> ImportedEntry {
        switch format {
        case .items: ItemsJSON.entry(object, at: place)
        case .notes: NotesJSON.entry(object, at: place)
        default: ServiceJSON.entry(object, at: place)
        }
    }

    private static func list(
        _ values: [JSONDocument.Value], _ document: JSONDocument, format: (ImportFormat) -> Void, _ sink: ImportSink
    ) throws {
        var isTold = false
        for value in values {
            let place = ImportPlace.offset(document.offset(value))
            guard let object = JSONObject(value, of: document), let kind = kind(of: object) else {
                try sink(.fault(ImportFault(place, "neither a bookmark, a note nor an item")))
                continue
            }
            if !isTold { format(kind) }
            isTold = true
            try sink(.entry(entry(object, kind, at: place)))
        }
    }

    // MARK: Lines

    /// Whether the first line is a whole object and another one follows it, or nothing.
    static func hasObjectOnEachLine(_ bytes: [UInt8]) -> Bool {
        guard let first = bytes.firstIndex(where: { $0 > 0x20 }), bytes[first] == UInt8(ascii: "{"),
            let end = bytes[first...].firstIndex(of: 0x0A),
            let second = bytes[end...].firstIndex(where: { $0 > 0x20 }), bytes[second] == UInt8(ascii: "{")
        else { return false }
        return bytes[first..<end].last(where: { $0 > 0x20 }) == UInt8(ascii: "}")
    }

    private static func lines(_ bytes: [UInt8], format: (ImportFormat) -> Void, _ sink: ImportSink) throws {
        var start = 0
        var number = 0
        var isTold = false
        while start < bytes.count {
            let end = bytes[start...].firstIndex(of: 0x0A) ?? bytes.count
            defer { start = end + 1 }
            number += 1
            let line = bytes[start..<end]
            if line.allSatisfy({ $0 <= 0x20 }) { continue }
            do {
                let document = try JSONDocument(
                    parsing: Array(line), limits: JSONDocument.Limits(byteCount: 128 << 20, depth: 64))
                guard let object = JSONObject(document.root, of: document), let kind = kind(of: object) else {
                    try sink(.fault(ImportFault(.line(number), "neither a bookmark, a note nor an item")))
                    continue
                }
                if !isTold { format(kind) }
                isTold = true
                try sink(.entry(entry(object, kind, at: .line(number))))
            } catch let error as JSONError {
                try sink(
                    .fault(
                        ImportFault(
                            .line(number), "column \(error.column): expected \(error.expected), found \(error.found)")))
            }
        }
    }
}
