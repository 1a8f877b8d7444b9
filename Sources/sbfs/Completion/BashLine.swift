/// A bash command line as typed so far, which knows how to quote a replacement for its end.
///
/// Readline replaces the end of the line: the part after an open quotation mark, else after the last unquoted space
/// or character of COMP_WORDBREAKS. An inserted word must be quoted as that position requires, or bash would run
/// parts of the word.
struct BashLine {
    /// The quoting in force at a position in the line.
    private enum Quoting {
        case none, single, double
        /// `$'…'`
        case dollar

        var mark: String {
            switch self {
            case .none: ""
            case .single, .dollar: "'"
            case .double: "\""
            }
        }
    }

    /// The words without quotes; the last one is unfinished. Without the command's own name and assignments before
    /// it.
    let words: [String]
    /// The part of the last word that stays, without quotes.
    private let kept: String
    private let quoting: Quoting
    /// Whether a quotation mark directly precedes the replaced part.
    private let isBehindMark: Bool
    /// Whether readline inserts all answers, one behind the other.
    private let isForAll: Bool

    /// - Parameters:
    ///   - line: the command up to the cursor.
    ///   - end: the end of the line, which readline replaces.
    ///   - isForAll: whether readline inserts all answers (insert-completions, Alt-*).
    init(_ line: String, replacing end: String, isForAll: Bool = false) {
        let line = Array(line.unicodeScalars)
        let end = Array(end.unicodeScalars)
        let start = line.count - (line.suffix(end.count).elementsEqual(end) ? end.count : 0)
        var reader = Reader(line, until: start)
        reader.read()
        let words = reader.words.drop { $0.contains("=") && !$0.contains("/") }.dropFirst()
        self.words = words.isEmpty ? [""] : Array(words)
        kept = reader.kept
        quoting = reader.keptQuoting
        self.isForAll = isForAll
        isBehindMark = start > 0 && quoting.mark.unicodeScalars.first == line[start - 1]
    }

    /// The text that readline inserts for a word; `nil` if the word does not continue the part that stays.
    func replacement(for word: String) -> String? {
        let rest = String(word.unicodeScalars.dropFirst(kept.unicodeScalars.count))
        let beginning = String(word.unicodeScalars.prefix(kept.unicodeScalars.count))
        guard beginning == kept || beginning.lowercased() == kept.lowercased() else { return nil }
        let spelt = rest.unicodeScalars.map(written).joined()
        let quoted = spelt + quoting.mark
        if isForAll, quoting != .none {
            // Readline deletes the open mark and inserts every answer as it is, so each brings its own. The $ of $'
            // stays before the first answer alone: only words that '…' spells the same are possible.
            let isSpeltTheSame = quoting != .dollar || !quoted.unicodeScalars.contains("\\")
            return isBehindMark && isSpeltTheSame ? quoting.mark + quoted : nil
        }
        return closed(spelt)
    }

    /// A spelt word with the quotation mark at its end.
    private func closed(_ spelt: String) -> String {
        let quoted = spelt + quoting.mark
        // Readline takes a quotation mark at the start for the open one, and closes the quotes if the text does not
        // end with it.
        return isBehindMark && quoted.hasPrefix(quoting.mark) ? quoting.mark + quoted : quoted
    }

    /// The texts that readline inserts for words.
    ///
    /// Readline inserts the common beginning of several. It must not end within a character that has a backslash, and must not
    /// be shorter than what was typed. One word is spelt in another way then, so that the common beginning ends before.
    func replacements(for words: [String]) -> [String] {
        var texts = words.compactMap { word in replacement(for: word).map { (word: word, text: $0) } }
        guard texts.count > 1, !isForAll, quoting == .none || quoting == .double else { return texts.map(\.text) }
        let rests = texts.map { Array($0.word.unicodeScalars.dropFirst(kept.unicodeScalars.count)) }
        var count = 0
        while let scalar = rests[0].dropFirst(count).first, rests.allSatisfy({ $0.dropFirst(count).first == scalar }) {
            count += 1
        }
        let typed = (self.words.last ?? "").unicodeScalars.count - kept.unicodeScalars.count
        if quoting == .none, count > 0, count < typed { count = 0 }
        let isWithin = rests.allSatisfy { rest in count < rest.count && written(rest[count]).hasPrefix("\\") }
        let isShorter = count == 0 && typed > 0 && rests.allSatisfy { $0.first == rests[0].first }
        guard count < rests[0].count, isWithin || isShorter else { return texts.map(\.text) }
        let parts = rests[0].enumerated().map { $0 == count ? speltOtherwise($1) : written($1) }
        texts[0].text = closed(parts.joined())
        return texts.map(\.text)
    }

    /// Another way to write a character, which begins with a quotation mark or, for one that needs none, a backslash.
    private func speltOtherwise(_ scalar: Unicode.Scalar) -> String {
        if quoting == .double { return "\"'\(scalar)'\"" }
        if scalar == "'" { return "\"'\"" }
        return written(scalar).hasPrefix("\\") ? "'\(scalar)'" : "\\\(scalar)"
    }

    private func written(_ scalar: Unicode.Scalar) -> String {
        let text = String(Character(scalar))
        switch quoting {
        case .none:
            let isSafe =
                scalar.value > 0x7F || scalar.properties.isAlphabetic
                || "0123456789_./:=@,+%-".unicodeScalars.contains(scalar)
            return isSafe ? text : "\\" + text
        case .single: return text == "'" ? "'\\''" : text
        case .double:
            // Bash expands the history within double quotes, and a backslash before the ! would stay.
            if text == "!" { return "\"'!'\"" }
            return "\"\\$`".unicodeScalars.contains(scalar) ? "\\" + text : text
        case .dollar:
            // As octal numbers, since readline does not understand escaped quotation marks there.
            switch text {
            case "'": return "\\047"
            case "!": return "\\041"
            default: return text == "\\" ? "\\134" : text
            }
        }
    }

    /// Splits a line as bash does, without expanding anything.
    private struct Reader {
        private let line: [Unicode.Scalar]
        private let end: Int
        private var word = ""
        private var isWord = false
        private var quoting = Quoting.none
        private var index = 0
        var words: [String] = []
        var kept = ""
        var keptQuoting = Quoting.none

        /// - Parameter end: the start of the replaced part.
        init(_ line: [Unicode.Scalar], until end: Int) {
            self.line = line
            self.end = end
        }

        mutating func read() {
            while index < line.count {
                if index <= end { note() }
                step()
            }
            if end >= line.count { note() }
            words.append(word)
        }

        private mutating func note() {
            kept = word
            keptQuoting = quoting
        }

        private mutating func next() -> Unicode.Scalar? {
            guard index < line.count else { return nil }
            index += 1
            return line[index - 1]
        }

        private mutating func append(_ scalar: Unicode.Scalar?) {
            if let scalar { word.unicodeScalars.append(scalar) }
            isWord = true
        }

        private mutating func step() {
            guard let scalar = next() else { return }
            switch (quoting, scalar) {
            case (.none, "'"), (.none, "\""):
                quoting = scalar == "'" ? .single : .double
                isWord = true
            case (.none, "\\"): append(next())
            case (.none, "$") where index < line.count && (line[index] == "'" || line[index] == "\""):
                quoting = next() == "'" ? .dollar : .double
                isWord = true
            case (.none, " "), (.none, "\t"), (.none, "\n"):
                if isWord { words.append(word) }
                word = ""
                isWord = false
            case (.single, "'"), (.dollar, "'"), (.double, "\""): quoting = .none
            case (.double, "\\"):
                let escaped = next()
                if let escaped, !"\"\\$`\n".unicodeScalars.contains(escaped) { append("\\") }
                append(escaped)
            case (.dollar, "\\"): appendEscape()
            default: append(scalar)
            }
        }

        /// Within `$'…'`: QUOTING in bash(1).
        private mutating func appendEscape() {
            guard let scalar = next() else { return }
            let controls: [Unicode.Scalar: Unicode.Scalar] = [
                "a": "\u{07}", "b": "\u{08}", "e": "\u{1B}", "E": "\u{1B}", "f": "\u{0C}", "n": "\n", "r": "\r",
                "t": "\t", "v": "\u{0B}",
            ]
            switch scalar {
            case "0"..."7":
                index -= 1
                appendNumber(digits: 3, radix: 8)
            case "x": appendNumber(digits: 2, radix: 16)
            case "u": appendNumber(digits: 4, radix: 16)
            case "U": appendNumber(digits: 8, radix: 16)
            default: append(controls[scalar] ?? scalar)
            }
        }

        private mutating func appendNumber(digits: Int, radix: UInt32) {
            var value: UInt32 = 0
            for _ in 0..<digits {
                guard index < line.count, let digit = Character(line[index]).hexDigitValue, digit < radix else { break }
                value = value &* radix &+ UInt32(digit)
                index += 1
            }
            append(Unicode.Scalar(value))
        }
    }
}
