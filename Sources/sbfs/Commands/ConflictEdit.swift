import StuffBucket

/// Both values of a conflict in the editor, between marks.
struct ConflictEdit {
    private static let marks = ["<<<<<<< 1", "||||||| before", "=======", ">>>>>>> 2"].map { Array($0.utf8) }

    private let conflict: ItemConflict
    private let stored: StoredItem
    private let library: Library
    private let draft: Draft
    private var isText: Bool { conflict.field == "text" }

    init(_ conflict: ItemConflict, _ stored: StoredItem, _ library: Library) throws {
        self.conflict = conflict
        self.stored = stored
        self.library = library
        draft = try Draft(
            of: library, key: stored.id.description + "-conflict-" + conflict.name.prefix(16),
            name: conflict.field == "text"
                ? Layout.textFile : Self.isWords(conflict) ? "value.txt" : "value.json")
    }

    /// Opens the editor and reads the result. `end` removes the draft.
    ///
    /// - Throws: `CommandFailure` if marks remain, the result cannot be the field's value, or the text changed since an unfinished draft was
    ///   begun. The draft then stays.
    func run(_ invocation: Invocation) throws -> ConflictResolution {
        let text = isText ? try library.text(of: stored) : nil
        let start =
            isText ? marked(text ?? []) : Self.block(conflict.values.map(bytes), bytes(conflict.base))
        // The base of a draft is the text that the person saw; a later change of it is then found.
        if try invocation.has("discard") || draft.leftOver() == nil {
            try draft.begin(start)
            try draft.keepBase(text ?? [])
        } else if isText, let base = try draft.base(), base != text ?? [] {
            throw CommandFailure(
                .failed,
                "the text has changed since the unfinished draft in \(draft.path) was begun, so it does not fit; nothing was changed. "
                    + "Keep what you need of it, then --discard starts without it")
        } else {
            invocation.talk.say("continuing the unfinished draft in \(draft.path)")
        }
        let seen = isText ? try draft.base() ?? [] : []
        if try !merge(seen, draft) { try Editor.open(draft.path) }
        let new = try draft.read()
        try check(new, besides: isText ? seen : [], draft)
        let resolution: ConflictResolution
        if isText {
            resolution = .text(base: text == nil && seen.isEmpty ? nil : seen, new: new)
        } else {
            resolution = .value(try value(new, draft))
        }
        return resolution
    }

    /// The conflict is resolved.
    func end() { draft.remove() }

    /// Runs the merge tool, if the person has one, with each side in a file of its own.
    ///
    /// - Returns: false if there is none.
    private func merge(_ text: [UInt8], _ draft: Draft) throws -> Bool {
        let sides = [conflict.values[0], conflict.base, conflict.values[1]]
        let parts = try zip(["1.", "before.", "2."], sides).map { prefix, side in
            try draft.writeBeside(
                prefix + draft.name,
                conflict.field == "text" ? Self.placed(lines(side), in: text, conflict) : bytes(side))
        }
        return try Editor.merge((parts[0], parts[1], parts[2], draft.path))
    }

    /// Whether the values are plain words, not JSON.
    private var isWords: Bool { Self.isWords(conflict) }

    private static func isWords(_ conflict: ItemConflict) -> Bool {
        conflict.values.allSatisfy { value in
            if case .string = value { true } else { value == .null }
        }
    }

    private func bytes(_ value: JSON) -> [UInt8] {
        switch value {
        case .null: []
        case .string(let text) where isWords: Array(text.utf8) + [0x0A]
        default: value.file
        }
    }

    private func value(_ bytes: [UInt8], _ draft: Draft) throws -> JSON {
        var bytes = bytes[...]
        while let last = bytes.last, last == 0x0A || last == 0x0D { bytes.removeLast() }
        if bytes.isEmpty { return .null }
        if isWords {
            guard let text = String(validating: bytes, as: UTF8.self) else {
                throw refusal("it is not UTF-8", draft)
            }
            return .string(text)
        }
        do throws(JSONError) {
            let json = try JSONDocument(parsing: Array(bytes))
            return json.copy(json.root)
        } catch {
            throw refusal("it is not JSON (\(error.wording))", draft)
        }
    }

    private func check(_ new: [UInt8], besides text: [UInt8], _ draft: Draft) throws {
        let own = conflict.values.flatMap { bytes($0) + [0x0A] } + text
        for mark in Self.marks where Self.count(mark, new) > Self.count(mark, own) {
            throw refusal("the mark \(String(decoding: mark, as: UTF8.self)) is still in it", draft)
        }
    }

    private func refusal(_ why: String, _ draft: Draft) -> CommandFailure {
        CommandFailure(
            .failed,
            "\(why); nothing was changed. Your version is kept in \(draft.path), and the same command goes on with it")
    }

    private static func count(_ mark: [UInt8], _ text: [UInt8]) -> Int {
        text.split(separator: 0x0A).count { line in
            (line.last == 0x0D ? line.dropLast() : line).elementsEqual(mark)
        }
    }

    private static func block(_ values: [[UInt8]], _ base: [UInt8]) -> [UInt8] {
        func line(_ mark: Int) -> [UInt8] { marks[mark] + [0x0A] }
        return line(0) + values[0] + line(1) + base + line(2) + values[1] + line(3)
    }

    /// The text with both paragraphs between marks.
    private func marked(_ text: [UInt8]) -> [UInt8] {
        Self.placed(Self.block(conflict.values.map(lines), lines(conflict.base)), in: text, conflict)
    }

    private func lines(_ value: JSON) -> [UInt8] {
        if case .string = value { library.paragraph(value, of: stored) + [0x0A] } else { [] }
    }

    /// The text with some lines in the place of the paragraph that stands there; else at the end.
    private static func placed(_ lines: [UInt8], in text: [UInt8], _ conflict: ItemConflict) -> [UInt8] {
        if let range = conflict.paragraph(in: text) {
            return Array(text[..<range.lowerBound] + lines.dropLast() + text[range.upperBound...])
        }
        return text + (text.last.map { $0 == 0x0A } ?? true ? [] : [0x0A]) + (text.isEmpty ? [] : [0x0A]) + lines
    }
}
