internal import Characters
public import JSONFormat
internal import Time
internal import URLs

extension Item {
    /// Reads an item from a parsed item.json.
    ///
    /// Absent keys and explicit nulls are the same. Values that do not fit their field are read as absent and
    /// reported in `faults`.
    ///
    /// - Parameter id: the name of the item's folder, which `id` in the file must not contradict.
    public init(id: ItemID, json: JSONDocument, faults: inout [FieldFault]) {
        self.init(id: id)
        guard json.kind(json.root) == .object else {
            faults.append(
                FieldFault(
                    key: "item.json", position: json.position(json.root), expected: .object,
                    found: .kind(json.kind(json.root))))
            return
        }
        var reader = FieldReader(json: json)
        for (key, value) in json.members(json.root) {
            guard let field = json.field(key) else { continue }
            if json.kind(value) == .null { continue }
            read(field, value, &reader)
        }
        faults += reader.faults
        if let last = reader.lastPassedOver {
            faults.append(
                FieldFault(
                    key: last.key, position: last.position, expected: last.expected,
                    found: .more(reader.passedOverCount)))
        }
    }

    private mutating func read(_ field: ItemField, _ value: JSONDocument.Value, _ reader: inout FieldReader) {
        switch field {
        case .id:
            if let text = reader.string(field, value), ItemID(text) != id {
                reader.fault(field, value, .folderName(id))
            }
        case .type: type = reader.word(field, value)
        case .title: title = reader.string(field, value)
        case .description: description = reader.string(field, value)
        case .tags: tags = TagList(reader.strings(field, value)).tags
        case .isPinned: isPinned = reader.bool(field, value) ?? false
        case .isFavorite: isFavorite = reader.bool(field, value) ?? false
        case .sortOrder: sortOrder = reader.number(field, value)
        case .textContent: textContent = reader.string(field, value)
        case .annotations: annotations = reader.annotations(field, value)
        case .linkURL: linkURL = reader.webAddress(field, value)
        case .linkCanonicalURL: linkCanonicalURL = reader.webAddress(field, value)
        case .linkTitle: linkTitle = reader.string(field, value)
        case .linkAuthor: linkAuthor = reader.string(field, value)
        case .linkSite: linkSite = reader.string(field, value)
        case .linkLanguage: linkLanguage = reader.string(field, value)
        case .archiveStatus: archiveStatus = reader.word(field, value)
        case .archiveReason: archiveReason = reader.string(field, value)
        case .linkStatus: linkStatus = reader.word(field, value)
        case .documentRelativePath: documentRelativePath = reader.path(field, value)
        case .documentName: documentName = reader.string(field, value)
        case .documentSHA256: documentSHA256 = reader.digest(field, value)
        case .htmlRelativePath: htmlRelativePath = reader.path(field, value)
        case .favicon: favicon = reader.path(field, value)
        case .source: source = reader.string(field, value)
        case .sourceExternalID: sourceExternalID = reader.string(field, value)
        case .aiSummary: aiSummary = reader.string(field, value)
        case .createdAt: createdAt = reader.time(field, value)
        case .updatedAt: updatedAt = reader.time(field, value)
        case .trashedAt: trashedAt = reader.time(field, value)
        case .linkPublishedDate, .archivedAt, .lastCheckedDate, .aiUpdatedAt: _ = reader.time(field, value)
        case .sourceFolderPath, .sourceFileName, .aiModelID: _ = reader.string(field, value)
        case .capturedBy:
            let _: CapturedBy? = reader.word(field, value)
        case .archiveAttempts:
            if let number = reader.number(field, value), number < 0 || number.rounded() != number {
                reader.fault(field, value, .wholeNumber(0...Int.max))
            }
        case .sourceExternalIDs, .linkFormerURLs: _ = reader.strings(field, value)
        case .linkStatusEvidence, .sourceFields, .sourceValues:
            if json(reader, value) != .object { reader.fault(field, value, .object) }
        case .aiArtifacts: break
        }
    }

    private func json(_ reader: FieldReader, _ value: JSONDocument.Value) -> JSONDocument.Kind {
        reader.json.kind(value)
    }

    private enum CapturedBy: String { case browser, fetch, user }
}

/// Reads the values of one item.json as the types of their fields.
private struct FieldReader {
    let json: JSONDocument
    var faults: [FieldFault] = []
    /// The number of faults that are not reported individually.
    private(set) var passedOverCount = 0
    private(set) var lastPassedOver: FieldFault?
    private var positions = PositionCounter()
    private static let toldLimit = 100

    init(json: JSONDocument) { self.json = json }

    mutating func fault(_ field: ItemField, _ value: JSONDocument.Value, _ expected: FieldFault.Expectation) {
        let kind = json.kind(value)
        let found: FieldFault.Found =
            kind == .string ? .string(String((json.string(value) ?? "").prefix(60))) : .kind(kind)
        let position = positions.position(of: json.offset(value), in: json.bytes)
        let fault = FieldFault(key: field.key, position: position, expected: expected, found: found)
        // A wrong id decides whether there is an item at all.
        if faults.count < Self.toldLimit || field == .id {
            faults.append(fault)
        } else {
            passedOverCount += 1
            lastPassedOver = fault
        }
    }

    mutating func string(_ field: ItemField, _ value: JSONDocument.Value) -> String? {
        guard let text = json.string(value) else {
            fault(field, value, .string)
            return nil
        }
        return text
    }

    mutating func webAddress(_ field: ItemField, _ value: JSONDocument.Value) -> String? {
        guard let text = string(field, value) else { return nil }
        if LinkIdentity.isPlausible(text) { return text }
        fault(field, value, .webAddress)
        return nil
    }

    /// The word; `nil` for an unknown one, which a later version may define.
    mutating func word<Word: RawRepresentable<String>>(_ field: ItemField, _ value: JSONDocument.Value) -> Word? {
        string(field, value).flatMap { $0.utf8.count > 64 ? nil : Word(rawValue: $0) }
    }

    mutating func strings(_ field: ItemField, _ value: JSONDocument.Value) -> [String] {
        guard json.kind(value) == .array else {
            fault(field, value, .strings)
            return []
        }
        return json.elements(value).compactMap { element in
            if let text = json.string(element) { return text }
            fault(field, element, .string)
            return nil
        }
    }

    mutating func bool(_ field: ItemField, _ value: JSONDocument.Value) -> Bool? {
        switch json.kind(value) {
        case .true: return true
        case .false: return false
        default:
            fault(field, value, .boolean)
            return nil
        }
    }

    mutating func number(_ field: ItemField, _ value: JSONDocument.Value) -> Double? {
        guard json.kind(value) == .number, let number = Double(String(decoding: json.spelling(value), as: UTF8.self))
        else {
            fault(field, value, .number)
            return nil
        }
        return number
    }

    mutating func time(_ field: ItemField, _ value: JSONDocument.Value) -> Timestamp? {
        if let text = json.string(value), let time = Timestamp(text) { return time }
        fault(field, value, .time)
        return nil
    }

    mutating func path(_ field: ItemField, _ value: JSONDocument.Value) -> String? {
        guard let text = string(field, value) else { return nil }
        if Layout.isSafeHint(text) { return text }
        fault(field, value, .path)
        return nil
    }

    mutating func digest(_ field: ItemField, _ value: JSONDocument.Value) -> String? {
        if let text = json.string(value), text.utf8.count == 64,
            text.utf8.allSatisfy({ Hexadecimal.value(of: $0) != nil })
        {
            return text.lowercased()
        }
        fault(field, value, .sha256)
        return nil
    }

    mutating func annotations(_ field: ItemField, _ value: JSONDocument.Value) -> [String] {
        guard json.kind(value) == .array else {
            fault(field, value, .list)
            return []
        }
        return json.elements(value).flatMap { element -> [String] in
            switch json.kind(element) {
            case .string: return [json.string(element) ?? ""]
            case .object:
                return ["quote", "note"].compactMap { json.member($0, of: element).flatMap { json.string($0) } }
            default:
                fault(field, element, .stringOrObject)
                return []
            }
        }
    }
}

extension JSONDocument.Kind {
    /// The kind with its article, for messages.
    var phrase: String {
        switch self {
        case .null: "null"
        case .true: "true"
        case .false: "false"
        case .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}
