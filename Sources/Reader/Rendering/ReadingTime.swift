/// How long people read.
enum ReadingTime {
    /// Words a minute, and characters a minute of scripts without spaces.
    private static let wordsPerMinute = 230
    private static let charactersPerMinute = 500
    /// Letters a minute of alphabets without spaces: Thai, Lao, Khmer, Burmese. The mean of 17 languages, read aloud
    /// (Trauzettel-Klosinski and Dietz, New International Reading Speed Texts, 2012, doi:10.1167/iovs.11-8284).
    private static let lettersPerMinute = 863

    /// The minutes for the text of written markup, rounded, at least 1; `nil` for less than half a minute.
    static func minutes(ofMarkup markup: [UInt8]) -> Int? {
        var (words, characters, letters) = (0, 0, 0)
        var isInTag = false
        var isInWord = false
        for index in markup.indices {
            let byte = markup[index]
            switch byte {
            case 0x3C:
                isInTag = true
                isInWord = false
            case 0x3E where isInTag: isInTag = false
            case _ where isInTag: break
            case ...0x20: isInWord = false
            // The first byte of a character from U+3000 on.
            case 0xE3...0xED:
                characters += 1
                isInWord = false
            case 0xE0...0xE1 where SpacelessLetters.contain(markup[index...].prefix(3)):
                letters += 1
                isInWord = false
            case 0x80..<0xC0 where !isInWord: break
            default:
                if !isInWord { words += 1 }
                isInWord = true
            }
        }
        // Half minutes, so that the sum is rounded once.
        let thousandths =
            words * 1000 / wordsPerMinute + characters * 1000 / charactersPerMinute + letters * 1000 / lettersPerMinute
        return thousandths < 500 ? nil : max(1, (thousandths + 500) / 1000)
    }

    /// `5 min`, as in the page's language.
    static func text(_ minutes: Int, language: String?) -> String {
        let tag = (language ?? "").lowercased().split { $0 == "-" || $0 == "_" }
        return switch tag.first ?? "" {
        case "ja": "\(minutes)分"
        case "zh":
            tag.contains(where: traditional.contains) && !tag.contains("hans") ? "\(minutes) 分鐘" : "\(minutes) 分钟"
        case "ko": "\(minutes)분"
        case "ru": "\(minutes) мин"
        case "uk": "\(minutes) хв"
        case "el": minutes == 1 ? "1 λεπτό" : "\(minutes) λεπτά"
        case "ar": "\(minutes) د"
        case "he": "\(minutes) דק׳"
        case "hi": "\(minutes) मिनट"
        case "tr": "\(minutes) dk"
        case "vi": "\(minutes) phút"
        case "hu": "\(minutes) perc"
        case "th": "\(minutes) นาที"
        default: "\(minutes) min"
        }
    }

    /// Parts of a language tag that mean traditional characters.
    private static let traditional: Set<Substring> = ["hant", "tw", "hk", "mo"]
}
