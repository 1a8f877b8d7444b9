internal import Items
internal import JSONFormat
internal import Merge

/// What the field of a conflict means, and how it gets a value.
struct ConflictField {
    enum Meaning {
        case text
        case assistant
        /// A note by its id.
        case annotation(String)
        case member
    }

    let file: ConflictFile
    let meaning: Meaning

    static let assistantFields: [ItemField] = [.aiSummary, .aiArtifacts, .aiModelID, .aiUpdatedAt]

    /// Fields that belong to files, or that sbfs alone sets. No merge makes a conflict of them.
    static let ownFields: [ItemField] = [
        .id, .createdAt, .updatedAt, .trashedAt, .textContent, .archiveStatus, .capturedBy, .archiveReason,
        .archiveAttempts, .archivedAt, .htmlRelativePath, .favicon, .documentRelativePath, .documentName,
        .documentSHA256,
    ]

    init(_ file: ConflictFile) {
        self.file = file
        let start = "annotations."
        meaning =
            file.field == "text"
            ? .text
            : file.field == "ai"
                ? .assistant
                : file.field.utf8.starts(with: start.utf8)
                    ? .annotation(String(decoding: file.field.utf8.dropFirst(start.utf8.count), as: UTF8.self))
                    : .member
    }

    /// Which of the two values an item has, from 0.
    func standing(in members: [JSON.Member], _ text: [UInt8]?) -> Int? {
        func index(_ value: JSON?) -> Int? { file.values.firstIndex { JSON.areSameValue($0, value) } }
        switch meaning {
        case .text:
            let found = ConflictParagraphs(of: file.values, in: text ?? []).found
            return found.count == 1 ? found[0].value : nil
        case .assistant:
            return index(.array(Self.assistantFields.map { Self.value($0.key, in: members) ?? .null }))
        case .annotation(let id):
            return index(Self.notes(members).first { Self.isNote($0, id) })
        case .member:
            return ConflictPlace(of: file.field, values: file.values, in: members).flatMap { index($0.value) }
        }
    }

    /// The keys of item.json that get another value; `nil` for a key to remove.
    func changes(
        to value: JSON, in members: [JSON.Member]
    ) throws(Unsettable) -> [(key: String, value: JSON?)] {
        let given = value == .null ? nil : value
        switch meaning {
        case .text: return []
        case .assistant:
            guard case .array(let values) = value, values.count == Self.assistantFields.count else {
                throw Unsettable(why: .unclearField)
            }
            return zip(Self.assistantFields, values).map { ($0.key, $1 == .null ? nil : $1) }
        case .annotation(let id):
            var notes = Self.notes(members)
            let place = notes.firstIndex { Self.isNote($0, id) }
            switch (place, given) {
            case (let place?, let note?): notes[place] = note
            case (let place?, nil): notes.remove(at: place)
            case (nil, let note?): notes.append(note)
            case (nil, nil): return []
            }
            return [(ItemField.annotations.key, notes.isEmpty ? nil : .array(notes))]
        case .member:
            guard let place = ConflictPlace(of: file.field, values: file.values, in: members) else {
                throw Unsettable(why: .unclearField)
            }
            if Self.ownFields.contains(where: { $0.key == place.path[0] }) { throw Unsettable(why: .notSettable) }
            return [place.setting(given, in: members)]
        }
    }

    /// Both values in one: lists are united, and a note stands twice.
    func both() throws(Unsettable) -> [JSON] {
        switch (meaning, file.values[0], file.values[1]) {
        case (.annotation, .object, .object): return file.values
        case (.member, .array(let one), .array(let two)):
            return [.array(one + two.filter { new in !one.contains { JSON.areSameValue($0, new) } })]
        default: throw Unsettable(why: .holdsOneValue)
        }
    }

    struct Unsettable: Error {
        let why: ConflictRefusal
        /// The error in its place, if there is one.
        var error: ItemError?
    }

    static func value(_ key: String, in members: [JSON.Member]) -> JSON? {
        members.first { $0.key.utf8.elementsEqual(key.utf8) }?.value
    }

    static func notes(_ members: [JSON.Member]) -> [JSON] {
        if case .array(let notes)? = value(ItemField.annotations.key, in: members) { notes } else { [] }
    }

    private static func isNote(_ note: JSON, _ id: String) -> Bool {
        if case .object(let members) = note, case .string(let found)? = value("id", in: members) {
            found.utf8.elementsEqual(id.utf8)
        } else {
            false
        }
    }
}
