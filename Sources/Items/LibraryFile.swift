import Characters
package import Files
public import JSONFormat
public import Time

/// library.json: it makes a folder a library and holds the settings that travel with it.
///
/// The file comes from the person who shared the library, so it may set only the settings listed here. Nothing in it
/// may name a program, path, host, credential or permission. Other keys are kept but ignored, and `check` reports
/// them.
public struct LibraryFile: Sendable {
    /// The format that this program writes and the newest that it reads: FORMAT.md § Compatibility.
    public static let supportedFormat = 1

    /// A setting that travels with the library.
    public enum Setting: String, CaseIterable, Sendable {
        case name, purgeDays, maxFileSizeMB, defaultTags, weekStart

        /// The setting's meaning, range and default (in brackets), for a person.
        public var summary: String {
            switch self {
            case .name: "the library's name"
            case .purgeDays: "days that an item stays in the trash before purge removes it, 1-3650 (10)"
            case .maxFileSizeMB: "size limit for documents and bundles in MB, 50-4096 (512)"
            case .defaultTags: "tags that every new item gets, separated by commas (none)"
            case .weekStart: "first day of the week in queries: monday or sunday (monday)"
            }
        }
    }

    /// The library's id, which stays when the folder is moved or copied.
    public let id: ItemID
    /// The library's name, collapsed; empty if it has none.
    public var name: String
    /// When the library was made; `nil` if the file does not say.
    public let createdAt: Timestamp?
    /// The version of FORMAT.md that the library follows, from 1.
    public let format: Int
    /// Days that an item stays in the trash before it may be purged.
    public var purgeDays = 10
    /// Limit for documents in MiB.
    public var maxFileSizeMB = 512
    /// Tags that every new item gets.
    public var defaultTags: [String] = []
    /// Whether weeks in queries begin on Sunday; otherwise on Monday.
    public var weekStartsOnSunday = false
    /// Settings out of range and unknown keys, for `check`.
    public private(set) var faults: [FieldFault] = []

    /// The whole file, with the keys that this program does not know.
    package let json: JSONDocument

    /// The limit for documents in bytes.
    public var maxFileByteCount: Int { maxFileSizeMB << 20 }

    /// Reads library.json of a folder.
    package static func read(in root: borrowing Directory) throws(ItemError) -> LibraryFile {
        let contents: FileContents
        do throws(FileError) {
            contents = try root.contents(of: Layout.libraryFile, limit: Layout.settingsByteLimit)
        } catch {
            if error.isAbsent { throw .noLibrary(path: root.path) }
            throw .file(error)
        }
        return try LibraryFile(parsing: contents.bytes, path: root.full(Layout.libraryFile))
    }

    /// Reads the bytes of a library.json. Throws `malformed`, `unsuitable` or `tooNew` with `path`.
    package init(parsing bytes: [UInt8], path: String) throws(ItemError) {
        let json: JSONDocument
        do throws(JSONError) {
            json = try JSONDocument(parsing: bytes)
        } catch {
            throw .malformed(path: path, error)
        }
        self.json = json
        func member(_ key: String) -> JSONDocument.Value? { json.member(key, of: json.root) }
        guard let format = member("format").flatMap({ Self.version($0, json) }) else {
            throw .unsuitable(path: path, .noFormat)
        }
        let minReader = member("minReader").flatMap { Self.version($0, json) } ?? format
        if minReader > Self.supportedFormat {
            throw .tooNew(path: path, format: format, needed: minReader, supported: Self.supportedFormat)
        }
        guard let id = member("id").flatMap({ json.string($0) }).flatMap(ItemID.init) else {
            throw .unsuitable(path: path, .noID)
        }
        self.format = format
        minWriter = member("minWriter").flatMap { Self.version($0, json) } ?? format
        self.id = id
        name = member("name").flatMap { json.string($0) }.map(TagList.collapsed) ?? ""
        createdAt = member("createdAt").flatMap { json.string($0) }.flatMap(Timestamp.init)
        var positions = PositionCounter()
        for (key, value) in json.members(json.root) {
            // A longer key is no setting, and comparing it would only cost time.
            let isShort = json.spelling(key).count <= 200
            readSetting(
                isShort ? json.string(key) ?? "" : "a key of \(json.spelling(key).count) bytes", value, &positions)
        }
        if faults.count > Self.faultLimit {
            let rest = faults.count - Self.faultLimit
            let last = faults[faults.count - 1]
            faults.removeLast(rest)
            faults.append(
                FieldFault(
                    key: last.key, position: last.position, expected: .settings,
                    found: .moreKeys(rest)))
        }
    }

    /// The number of faults that are reported one by one.
    private static let faultLimit = 100

    /// The oldest format whose programs may write.
    private let minWriter: Int

    /// Whether this program may change the library, and not only read it.
    package var isWritable: Bool { minWriter <= Self.supportedFormat }

    /// The error of a change by a program that may only read the library.
    ///
    /// - Parameter path: of the library, or of its library.json.
    func readOnlyError(path: String) -> ItemError {
        .readOnlyFormat(path: path, format: format, needed: minWriter, supported: Self.supportedFormat)
    }

    /// A whole number; one beyond all versions and sizes reads as the largest.
    private static func integer(_ value: JSONDocument.Value, _ json: JSONDocument) -> Int? {
        guard json.kind(value) == .number else { return nil }
        let spelling = json.spelling(value)
        if let number = Int(String(decoding: spelling, as: UTF8.self)) { return number }
        return spelling.allSatisfy(\.isDigit) ? .max : nil
    }

    /// A format version; `nil` for any other value.
    private static func version(_ value: JSONDocument.Value, _ json: JSONDocument) -> Int? {
        integer(value, json).flatMap { $0 >= 1 ? $0 : nil }
    }

    private mutating func readSetting(
        _ key: String, _ value: JSONDocument.Value, _ positions: inout PositionCounter
    ) {
        let position = positions.position(of: json.offset(value), in: json.bytes)
        func fault(_ expected: FieldFault.Expectation) {
            let found = String(decoding: json.spelling(value).prefix(60), as: UTF8.self)
            faults.append(FieldFault(key: key, position: position, expected: expected, found: .spelling(found)))
        }
        guard let setting = Setting(rawValue: key) else {
            if !["format", "minReader", "minWriter", "id", "createdAt"].contains(key) {
                fault(.setting)
            }
            return
        }
        switch setting {
        case .name: if json.kind(value) != .string { fault(.string) }
        case .purgeDays:
            if let days = Self.integer(value, json), Self.purgeDaysRange.contains(days) {
                purgeDays = days
            } else {
                fault(.wholeNumber(Self.purgeDaysRange))
            }
        case .maxFileSizeMB:
            if let size = Self.integer(value, json), Self.maxFileSizeRange.contains(size) {
                maxFileSizeMB = size
            } else {
                fault(.wholeNumber(Self.maxFileSizeRange))
            }
        case .defaultTags:
            let tags = json.elements(value).compactMap { json.string($0) }
            if json.kind(value) != .array || tags.count != json.elements(value).count {
                fault(.strings)
            } else {
                defaultTags = TagList(tags).tags
            }
        case .weekStart:
            switch json.string(value).flatMap({ $0.utf8.count > 20 ? nil : $0 }) {
            case "monday": weekStartsOnSunday = false
            case "sunday": weekStartsOnSunday = true
            default: fault(.weekday)
            }
        }
    }

    private static let purgeDaysRange = 1...3650
    private static let maxFileSizeRange = 50...4096

    /// The value of a setting as a person types it.
    public func text(of setting: Setting) -> String {
        switch setting {
        case .name: name
        case .purgeDays: String(purgeDays)
        case .maxFileSizeMB: String(maxFileSizeMB)
        case .defaultTags: defaultTags.joined(separator: ", ")
        case .weekStart: weekStartsOnSunday ? "sunday" : "monday"
        }
    }

    /// A typed value as JSON.
    ///
    /// - Throws: `ItemError.refused` if the setting does not allow the value.
    public static func value(_ text: String, for setting: Setting) throws(ItemError) -> JSON {
        func number(_ range: ClosedRange<Int>) throws(ItemError) -> JSON {
            guard let value = Int(text), range.contains(value) else {
                throw .refused(.outOfRange(setting, range, found: text))
            }
            return .integer(value)
        }
        switch setting {
        case .name: return .string(TagList.collapsed(text))
        case .purgeDays: return try number(purgeDaysRange)
        case .maxFileSizeMB: return try number(maxFileSizeRange)
        case .defaultTags: return .strings(TagList(typed: text).tags)
        case .weekStart:
            guard text == "monday" || text == "sunday" else { throw .refused(.noFirstDayOfWeek) }
            return .string(text)
        }
    }

    /// The bytes of a new library's file.
    package static func new(name: String, id: ItemID = .make(), at time: Timestamp = .now) -> [UInt8] {
        JSONWriter.file(
            .members([
                ("format", .integer(supportedFormat)), ("id", .string(id.description)), ("name", .string(name)),
                ("createdAt", .string(time.rfc3339)), ("purgeDays", .integer(10)), ("maxFileSizeMB", .integer(512)),
                ("defaultTags", .array([])),
            ]))
    }
}
