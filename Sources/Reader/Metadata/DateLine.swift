import Characters
internal import HTML

/// The line in which a page shows a date, and what its words say of the date.
struct DateLine {
    enum Meaning {
        case publication
        /// "Last updated".
        case change
        /// Of an offer, a membership, a delivery, an event or the latest answer.
        case other
    }

    let meaning: Meaning
    /// Whether the words name the publication.
    let saysPublication: Bool

    /// - Parameter node: the text or the element that holds the date.
    init(_ node: Int, _ found: FoundDate, _ tree: borrowing PageTree, _ reading: DateReading) {
        let line = Self.text(around: node, tree)
        let dates = reading.all(in: line, limit: 4)
        let own = dates.firstIndex { $0.date == found.date }
        // Words before another date are about that one.
        let start = own.flatMap { $0 > 0 ? dates[$0 - 1].place : nil } ?? 0
        let before = line[start..<(own.map { dates[$0].place } ?? line.count)].suffix(Self.reach)
        let words = String(decoding: before, as: UTF8.self).lowercased()
        let last = words.split(separator: " ").last.map(String.init) ?? ""
        let apart = " " + words + " "
        if Self.others.contains(where: { words.contains(text: $0) })
            || Self.otherWords.contains(where: { apart.contains(text: $0) }) || Self.borders.contains(last)
            || Self.isPeriod(line, Array(dates[max(0, (own ?? 0) - 1)..<min(dates.count, (own ?? 0) + 2)]))
        {
            meaning = .other
        } else if Self.changes.contains(where: { words.contains(text: $0) }) {
            meaning = .change
        } else {
            meaning = .publication
        }
        saysPublication = meaning == .publication && Self.publications.contains { words.contains(text: $0) }
    }

    /// Whether a date stands in a sentence that tells of it: three words in lower case or more and a full stop, but no
    /// word of publication or change before the date. A date at the beginning is a line of its own before a text.
    static func isInSentence(
        _ node: Int, _ found: FoundDate, _ tree: borrowing PageTree, _ reading: DateReading
    ) -> Bool {
        let block = tree.ancestor(node) { Tag.traits[Int(tree.nodes[$0].tag.rawValue)].contains(.block) } ?? node
        // Of several lines, the text itself is judged.
        let end = Int(tree.nodes[block].end)
        let isLine =
            end - block < 40
            && tree.nodes[block + 1..<end].allSatisfy {
                $0.tag != .br && !Tag.traits[Int($0.tag.rawValue)].contains(.block)
            }
        let line = tree.collapsedText(isLine ? block : node, limit: limit)
        guard let last = line.last(where: { !marks.contains($0) }), stops.contains(last),
            let own = reading.all(in: line, limit: 4).first(where: { $0.date == found.date }), own.place > 0
        else { return false }
        var before = String(decoding: line[..<own.place], as: UTF8.self)
        var after = String(decoding: line[min(own.end, line.count)...], as: UTF8.self)
        for mark in sentenceMarks {
            before = before.split(text: mark).last.map { String($0) } ?? ""
            after = after.split(text: mark).first.map { String($0) } ?? ""
        }
        let opening = before.lowercased()
        if opening.hasPrefix("by ") || (publications + changes).contains(where: { opening.contains(text: $0) }) {
            return false
        }
        let words = (before + after).split(separator: " ")
        return words.count { $0.first { $0.isLetter || $0.isNumber }?.isLowercase ?? false } >= 3
    }

    /// What ends a sentence, or parts the place and the date from it.
    private static let sentenceMarks = [". ", "! ", "? ", " - ", " – ", " — ", " | ", " · ", " • "]
    private static let stops = Array(".!?".utf8)
    private static let marks = Array(" \"')]".utf8)
    private static let publications = [
        "publish", "posted", "written", "released", "created", "added", "issued", "submitted", "veröffentlicht",
        "publiziert", "erschienen", "erstellt", "publié", "publicad", "pubblicat", "geplaatst", "gepubliceerd",
        "опубликован",
    ]

    /// How many bytes before a date are looked at.
    private static let reach = 40
    private static let limit = 140

    /// The text of the largest element around a node that is one line.
    private static func text(around node: Int, _ tree: borrowing PageTree) -> [UInt8] {
        var line = tree.collapsedText(node, limit: 400)
        var place = node
        for _ in 0..<4 {
            let parent = Int(tree.nodes[place].parent)
            guard parent >= 0, Int(tree.nodes[parent].end) - parent < 30, tree.nodes[parent].tag != .body else { break }
            let text = tree.collapsedText(parent, limit: limit)
            if text.count >= limit { break }
            (line, place) = (text, parent)
        }
        return line
    }

    /// Whether a later date follows with nothing but a dash between: "12 – 14 May".
    private static func isPeriod(_ line: [UInt8], _ dates: [FoundDate]) -> Bool {
        zip(dates, dates.dropFirst()).contains { one, other in
            guard one.date < other.date else { return false }
            let between = String(decoding: line[one.place..<other.place], as: UTF8.self)
            let last = between.split(separator: " ").last ?? ""
            return ["-", "–", "—", "to", "until", "through", "bis"].contains(last)
                || (between.hasSuffix("-") || between.hasSuffix("–"))
        }
    }

    private static let others = [
        "valid", "expire", "ends on", "ends soon", "joined", "registered", "register by", "deadline", "shipping",
        "ships by", "first listed", "first available", "release date", "server time", "site last", "last post",
        "last reply", "last active", "last visit", "community for", "effective", "webinar", "reviewing", "gültig",
        "converted", "closing date", "closing on", "apply by", "retrieved", "accessed", "abgerufen", "consulté le",
        "consultado",
    ]
    /// The same, where a part of a longer word means nothing.
    private static let otherWords = [" as of ", " act of ", " copyright ", " born "]
    /// Words right before a date that is the beginning or the end of something.
    private static let borders: Set<String> = [
        "since", "before", "until", "through", "by", "starting", "after", "seit", "bis", "depuis", "hasta", "desde",
        "starts", "begins", "opens", "ends", "closes", "expires", "beginnt", "endet", "schließt", "commence", "termine",
        "empieza", "termina",
    ]
    private static let changes = [
        "updated", "modified", "edited", "reviewed", "revised", "changed", "aktualisiert", "geändert", "bearbeitet",
        "mis à jour", "modifié", "actualizad", "modificad", "aggiornat", "bijgewerkt", "gewijzigd", "atualizad",
    ]
}
