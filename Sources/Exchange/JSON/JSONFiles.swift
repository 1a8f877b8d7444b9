internal import JSONFormat

/// Reads any JSON that import knows. The content decides the format.
///
/// A list, and objects one a line, are read value by value. A single object is read as a whole.
struct JSONFiles {
    private let format: (ImportFormat) -> Void
    private let sink: ImportSink
    private var isTold = false
    /// Folders by the ids with which bookmarks refer to them.
    private var lists: [String: [String]] = [:]

    /// Reads a whole file in UTF-8: one value, or one a line.
    ///
    /// - Parameter format: called once, when the format is known.
    static func read(_ input: ImportInput, format: (ImportFormat) -> Void, _ sink: ImportSink) throws {
        try withoutActuallyEscaping(format) { format in
            try withoutActuallyEscaping(sink) { sink in
                var files = JSONFiles(format: format, sink: sink)
                try files.read(input)
                // A list without anything that import knows is JSON all the same.
                files.tell(.json)
            }
        }
    }

    private init(format: @escaping (ImportFormat) -> Void, sink: @escaping ImportSink) {
        self.format = format
        self.sink = sink
    }

    private mutating func read(_ input: ImportInput) throws {
        let head = try input.bytes(at: 0, count: 4096)
        if let first = head.firstIndex(where: { $0 > 0x20 }), head[first] == UInt8(ascii: "[") {
            return try array(input, from: first)
        }
        if try Self.hasObjectOnEachLine(input) { return try lines(input) }
        try root(input.all(limit: ImportFile.byteLimit))
    }

    private static func kind(of object: JSONObject) -> ImportFormat? {
        if ItemsJSON.isOne(object) { return .items }
        if NotesJSON.isOne(object) { return .notes }
        return ServiceJSON.isOne(object) ? .service : nil
    }

    private mutating func tell(_ kind: ImportFormat) {
        if !isTold { format(kind) }
        isTold = true
    }

    /// Reads one value of a list, or of a line.
    private mutating func take(_ value: JSONDocument.Value, of document: JSONDocument, at place: ImportPlace) throws {
        guard let object = JSONObject(value, of: document), let kind = Self.kind(of: object) else {
            return try sink(
                .fault(ImportFault(place, .unknownValue(Self.look(of: value, document)))))
        }
        tell(kind)
        switch kind {
        case .items: try sink(.entry(ItemsJSON.entry(object, at: place)))
        case .notes: try sink(.entry(NotesJSON.entry(object, at: place)))
        default: try sink(.entry(ServiceJSON.entry(object, at: place, lists: lists)))
        }
    }

    private static func look(of value: JSONDocument.Value, _ document: JSONDocument) -> ImportFault.JSONLook {
        switch document.kind(value) {
        case .object:
            let keys = JSONObject(value, of: document)?.keys ?? []
            return keys.isEmpty ? .emptyObject : .object(keys: keys.sorted().map { ImportedEntry.cut($0, 40) })
        case .array: return .list
        case .string: return .text
        case .number: return .number
        case .true, .false, .null: return .word(String(decoding: document.spelling(value), as: UTF8.self))
        }
    }

    // MARK: One object

    private mutating func root(_ bytes: [UInt8]) throws {
        let salvaged = try SalvagedJSON(bytes)
        let document = salvaged.document
        guard let root = JSONObject(document.root, of: document) else {
            throw ImportError(.neitherListNorObject)
        }
        if ChromiumBookmarks.isOne(root) {
            tell(.chromium)
            try ChromiumBookmarks.read(document, root, sink)
        } else if FirefoxBookmarks.isOne(root) {
            tell(.firefox)
            try FirefoxBookmarks.read(document, root, sink)
        } else if Self.kind(of: root) != nil {
            try take(document.root, of: document, at: .offset(root.offset))
        } else if let key = Self.listKeys.first(where: { root.isList($0) }) {
            try list(key, of: root, document)
        } else {
            throw ImportError.unknownKeys(root.keys.sorted().map { ImportedEntry.cut($0, 40) })
        }
        if let fault = salvaged.fault { try sink(.fault(fault)) }
    }

    private static let listKeys = ["items", "bookmarks", "notes", "data", "entries", "links"]

    private mutating func list(_ key: String, of root: JSONObject, _ document: JSONDocument) throws {
        lists = Self.lists(root)
        var icons: [String: String] = [:]
        for value in root.elements("lists") {
            guard let list = root.inner(value) else {
                try sink(.untaken("list"))
                continue
            }
            if let id = list.string("id") { icons[id] = list.string("icon") }
            for member in list.copies() where !["id", "name", "parentId", "icon"].contains(member.key) {
                // What every list has is no loss.
                if [.null, .bool(false), .string(""), .string("manual")].contains(member.value) { continue }
                try sink(.untaken("list \(ImportedEntry.cut(member.key, 60))"))
            }
        }
        for id in lists.keys.sorted() {
            if let path = lists[id] { try sink(.folder(ImportedFolder(path, icon: icons[id]))) }
        }
        for value in root.elements(key) {
            try take(value, of: document, at: .offset(document.offset(value)))
        }
        for other in root.keys.subtracting([key, "lists"]).sorted() { try sink(.untaken(other)) }
    }

    /// Karakeep's lists: each has a name and optionally a parent.
    private static func lists(_ root: JSONObject) -> [String: [String]] {
        var named: [String: (name: String, parent: String?)] = [:]
        for value in root.elements("lists") {
            guard let list = root.inner(value), let id = list.string("id"), let name = list.string("name") else {
                continue
            }
            named[id] = (name, list.string("parentId"))
        }
        var paths: [String: [String]] = [:]
        for id in named.keys {
            var path: [String] = []
            var next: String? = id
            // The limit ends a list that is its own ancestor.
            while let list = next.flatMap({ named[$0] }), path.count < 32 {
                path.insert(list.name, at: 0)
                next = list.parent
            }
            paths[id] = path.filter { !FolderPath.isBlank($0) }
        }
        return paths
    }

    // MARK: A list

    private mutating func array(_ input: ImportInput, from start: Int) throws {
        var elements = try JSONElements(input, from: start)
        var count = 0
        while let element = try elements.next() {
            count += 1
            let place = ImportPlace.offset(element.offset)
            let salvaged: SalvagedJSON
            do {
                salvaged = try SalvagedJSON(element.bytes)
            } catch {
                if count == 1, !element.isWhole { throw error }
                guard case .unreadable(let damage) = error else { throw error }
                try sink(.fault(ImportFault(place, .unreadableValue(damage))))
                continue
            }
            let document = salvaged.document
            try take(document.root, of: document, at: place)
            if let fault = salvaged.fault { try sink(.fault(fault.moved(by: element.line - 1))) }
            if !element.isWhole { try sink(.fault(ImportFault(.line(element.line), .endsWithinList))) }
        }
        if let fault = elements.fault { try sink(.fault(fault)) }
    }

    // MARK: Lines

    /// A longer first line means that the file has no object on each line.
    private static let lineByteLimit = 128 << 20

    /// Whether the first line is a whole object and another one follows it.
    private static func hasObjectOnEachLine(_ input: ImportInput) throws -> Bool {
        var count = 1 << 16
        while true {
            let bytes = try input.bytes(at: 0, count: count)
            guard let first = bytes.firstIndex(where: { $0 > 0x20 }), bytes[first] == UInt8(ascii: "{") else {
                return false
            }
            if let end = bytes[first...].firstIndex(of: 0x0A) {
                if bytes[first..<end].last(where: { $0 > 0x20 }) != UInt8(ascii: "}") { return false }
                if let second = bytes[end...].firstIndex(where: { $0 > 0x20 }) {
                    return bytes[second] == UInt8(ascii: "{")
                }
            }
            if bytes.count < count || count > lineByteLimit { return false }
            count *= 4
        }
    }

    private mutating func lines(_ input: ImportInput) throws {
        var lines = try InputLines(input)
        while let line = try lines.next() { try self.line(line, lines.number) }
    }

    private mutating func line(_ bytes: [UInt8], _ number: Int) throws {
        if bytes.allSatisfy({ $0 <= 0x20 }) { return }
        do {
            let document = try JSONDocument(
                parsing: bytes, limits: JSONDocument.Limits(byteCount: Self.lineByteLimit, depth: 64))
            try take(document.root, of: document, at: .line(number))
        } catch let error as JSONError {
            try sink(.fault(ImportFault(.line(number), .invalidLine(error))))
        }
    }
}

extension ImportFault {
    /// The same fault in a file with this many lines before.
    fileprivate func moved(by lines: Int) -> ImportFault {
        guard case .line(let line) = place else { return self }
        return ImportFault(.line(line + lines), kind)
    }
}
