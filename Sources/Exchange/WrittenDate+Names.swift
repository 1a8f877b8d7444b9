internal import Characters

extension WrittenDate {
    /// Months by their names: English ones whole or as their first three or more letters, others whole.
    static func month(_ word: String) -> Int? {
        if word.utf8.count >= 3, let place = english.firstIndex(where: { $0.hasPrefix(word) }) { return place + 1 }
        return others[word]
    }

    private static let english = [
        "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
        "december",
    ]

    /// German, French, Spanish, Italian, Portuguese, Dutch, Swedish, Danish and Russian names; the last ones in the genitive.
    private static let others: [String: Int] = {
        let names = [
            "januar janvier enero gennaio janeiro januari января",
            "februar février febrero febbraio fevereiro februari февраля",
            "märz mars marzo março maart marts марта",
            "avril abril aprile апреля",
            "mai mayo maggio maio mei maj мая",
            "juni juin junio giugno junho июня",
            "juli juillet julio luglio julho июля",
            "août agosto augustus augusti августа",
            "septembre septiembre settembre setembro сентября",
            "oktober octobre octubre ottobre outubro октября",
            "novembre noviembre novembro ноября",
            "dezember décembre diciembre dicembre dezembro декабря",
        ]
        var months: [String: Int] = [:]
        for (number, line) in names.enumerated() {
            for name in line.split(separator: " ") { months[String(name)] = number + 1 }
        }
        return months
    }()

    /// Words within a date that say nothing.
    static let fillers: Set<String> = [
        "t", "at", "on", "of", "th", "st", "nd", "rd", "added", "um", "uhr", "de", "del", "er", "à", "alle", "ore",
        "às",
        "om", "kl", "г", "в",
    ]

    /// A date with the marks of East Asian scripts as one with hyphens: `2024年3月5日星期二 下午9:12:45` is `2024-3-5 9:12:45 pm`.
    ///
    /// - Returns: `nil` for any other text.
    static func plain(eastAsian text: String) -> String? {
        var numbers: [(text: String, mark: Character)] = []
        var digits = ""
        var rest = text[...]
        while let character = rest.first, numbers.count < 3 {
            if character.isASCII, character.isNumber {
                digits.append(character)
            } else if !digits.isEmpty {
                numbers.append((digits, character))
                digits = ""
            } else if !character.isWhitespace {
                return nil
            }
            rest = rest.dropFirst()
        }
        guard numbers.count == 3, zip(numbers, ["年년", "月월", "日일"]).allSatisfy({ $1.contains($0.mark) }) else {
            return nil
        }
        // The day of the week, and the half of the day, come before the time.
        let words = rest.prefix { !($0.isASCII && $0.isNumber) }
        var time = String(rest.dropFirst(words.count))
        if ["下午", "午後", "오후"].contains(where: { words.contains(text: $0) }) { time += " pm" }
        if ["上午", "午前", "오전"].contains(where: { words.contains(text: $0) }) { time += " am" }
        return numbers.map(\.text).joined(separator: "-") + " " + time
    }
}
