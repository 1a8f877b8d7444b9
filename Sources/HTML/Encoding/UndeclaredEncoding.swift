import Characters

/// The encoding of a text that declares none and is not UTF-8, by its bytes.
///
/// Of Chinese, Japanese and Korean the structure of the pairs and the rows of kana and hangul tell it; of other scripts than Latin the
/// letters that are frequent in them; of Latin the language of the page, as in the HTML Standard's table of defaults (section 13.2.3.2,
/// step 9). Else it is windows-1252.
struct UndeclaredEncoding {
    /// So many bytes are looked at.
    private static let byteLimit = 1 << 18
    /// Of a text with fewer bytes that are not ASCII, its language alone tells.
    private static let leastCount = 6

    private let bytes: ArraySlice<UInt8>
    /// How often each byte from 0x80 on occurs.
    private var counts = [Int](repeating: 0, count: 128)
    private var total = 0
    /// Such bytes beside another one.
    private var adjacent = 0

    static func of(_ bytes: [UInt8]) -> CharacterEncoding {
        UndeclaredEncoding(bytes.prefix(byteLimit)).encoding
    }

    private init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        var last = false
        for byte in bytes {
            let isHigh = byte >= 0x80
            if isHigh {
                counts[Int(byte) - 0x80] += 1
                total += 1
                if last { adjacent += 1 }
            }
            last = isHigh
        }
    }

    private var encoding: CharacterEncoding {
        if total < Self.leastCount { return ofLanguage }
        if let pairs = ofPairs { return pairs }
        // Words of another script have no ASCII in them; accents of Latin mostly stand alone.
        if adjacent * 2 > total, let script = ofScript { return script }
        return ofLanguage
    }

    // MARK: Pairs

    /// How the bytes read as pairs of one encoding.
    private struct Pairs {
        var count = 0
        var faults = 0
        /// Pairs by their lead bytes.
        var leads = [Int](repeating: 0, count: 256)
        /// Shift_JIS: hiragana and katakana.
        var kana = 0

        /// Whether all but one of a hundred fit.
        var fits: Bool { count > 2 && faults * 100 <= count }

        func share(_ range: ClosedRange<Int>) -> Double { Double(leads[range].reduce(0, +)) / Double(max(1, count)) }
    }

    private func pairs(lead isLead: (UInt8) -> Bool, trail isTrail: (UInt8) -> Bool, single isSingle: (UInt8) -> Bool)
        -> Pairs
    {
        var found = Pairs()
        var place = bytes.startIndex
        while place < bytes.endIndex {
            let byte = bytes[place]
            place += 1
            if byte < 0x80 || isSingle(byte) { continue }
            guard isLead(byte), place < bytes.endIndex, isTrail(bytes[place]) else {
                // The text may be cut there.
                if place < bytes.endIndex { found.faults += 1 }
                continue
            }
            let trail = bytes[place]
            place += 1
            found.count += 1
            found.leads[Int(byte)] += 1
            if byte == 0x82 && 0x9F...0xF1 ~= trail || byte == 0x83 && 0x40...0x96 ~= trail { found.kana += 1 }
        }
        return found
    }

    private var ofPairs: CharacterEncoding? {
        let high: (UInt8) -> Bool = { 0xA1...0xFE ~= $0 }
        let none: (UInt8) -> Bool = { _ in false }
        let extended = pairs(lead: high, trail: high, single: none)
        if extended.fits {
            // Rows 4 and 5 of JIS X 0208 are kana; rows 16 to 40 of KS X 1001 are hangul, and hanja after them are rare.
            if extended.share(0xA4...0xA5) > 0.1 { return .eucJP }
            if extended.share(0xB0...0xC8) > 0.6, extended.share(0xC9...0xFE) < 0.05 { return .eucKR }
            return .gbk
        }
        let japanese = pairs(
            lead: { 0x81...0x9F ~= $0 || 0xE0...0xFC ~= $0 }, trail: { 0x40...0x7E ~= $0 || 0x80...0xFC ~= $0 },
            single: { 0xA1...0xDF ~= $0 })
        if japanese.fits, japanese.kana * 10 > japanese.count { return .shiftJIS }
        // The frequent characters of Big5 have the leads A4 to C6.
        let traditional = pairs(lead: { 0x81...0xFE ~= $0 }, trail: { 0x40...0x7E ~= $0 || high($0) }, single: none)
        if traditional.fits, traditional.share(0xA4...0xC6) > 0.6 { return .big5 }
        let simplified = pairs(
            lead: { 0x81...0xFE ~= $0 }, trail: { 0x40...0x7E ~= $0 || 0x80...0xFE ~= $0 }, single: none)
        // Single accents before letters of ASCII look like pairs, too.
        return simplified.fits && simplified.share(0xB0...0xF7) > 0.8 && adjacent * 2 > total ? .gbk : nil
    }

    // MARK: Scripts

    /// Encodings of one byte with the letters of their languages, the most frequent first.
    private static let scripts: [(label: String, letters: String)] = {
        let russian = "оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфъёіїєґўћђљњџ"
        let greek = "αοιετνσηυρπκμλςωδγχθφβξζψάέήίόύώϊϋ"
        return [
            ("windows-1251", russian), ("koi8-u", russian), ("iso-8859-5", russian), ("ibm866", russian),
            ("x-mac-cyrillic", russian), ("windows-1253", greek), ("iso-8859-7", greek),
            ("windows-1255", "יולאהמרבשתנעדחקפסטגצכזםןךףץ"),
            ("windows-1256", "اليمنروتبةدعسفهكقحجشطصخذضثزغظىأإآءئؤپچژگ"),
            ("iso-8859-6", "اليمنروتبةدعسفهكقحجشطصخذضثزغظىأإآءئؤ"),
            ("windows-874", "านรอกเ่้งมยิลวดีทั์ัสตะปบคหแ็จพชุขูใไโผถึื"),
        ]
    }()

    private var ofScript: CharacterEncoding? {
        var best: (encoding: CharacterEncoding, score: Double)?
        for (label, letters) in Self.scripts {
            guard let encoding = CharacterEncoding(label: label) else { continue }
            let score = score(encoding, Array(letters.unicodeScalars))
            if score > best?.score ?? 0.35 { best = (encoding, score) }
        }
        return best?.encoding
    }

    /// At most 1: the frequent letters count most, others little, and what is no letter of the script against it.
    private func score(_ encoding: CharacterEncoding, _ letters: [Unicode.Scalar]) -> Double {
        var sum = 0.0
        for (place, count) in counts.enumerated() where count > 0 {
            let text = String(decoding: encoding.decode([UInt8(place + 0x80)]).utf8, as: UTF8.self)
            guard let scalar = text.unicodeScalars.first else { continue }
            let weight: Double
            if let rank = letters.firstIndex(of: scalar) {
                weight = rank < 12 ? 1 : 0.5
            } else if let lower = String(scalar).lowercased().unicodeScalars.first, letters.contains(lower) {
                weight = 0.2
            } else {
                weight = scalar.properties.isAlphabetic || scalar.value < 0xA0 ? -1 : 0
            }
            sum += weight * Double(count)
        }
        return sum / Double(total)
    }

    // MARK: Languages

    private var ofLanguage: CharacterEncoding {
        let label: String
        switch language {
        case "pl", "cs", "sk", "hu", "sl", "hr", "bs", "sq", "ro": label = centralEuropean
        case "tr", "az": label = "windows-1254"
        case "lt", "lv", "et": label = "windows-1257"
        case "vi": label = "windows-1258"
        default: return .windows1252
        }
        return CharacterEncoding(label: label) ?? .windows1252
    }

    /// The one with more letters. Both have the letters of the Latin alphabet at the same places, but for some.
    private var centralEuropean: String {
        func letterCount(_ label: String) -> Int {
            guard let encoding = CharacterEncoding(label: label) else { return 0 }
            return counts.enumerated().reduce(0) { sum, entry in
                let text = String(decoding: encoding.decode([UInt8(entry.offset + 0x80)]).utf8, as: UTF8.self)
                return sum + (text.unicodeScalars.first?.properties.isAlphabetic == true ? entry.element : 0)
            }
        }
        return letterCount("iso-8859-2") > letterCount("windows-1250") ? "iso-8859-2" : "windows-1250"
    }

    /// The main part of the page's language, in lower case; empty without one.
    private var language: String {
        let start = Array(bytes.prefix(4096))
        return start.withUnsafeBufferPointer { start in
            var tokens = HTMLTokenizer(start, isScripting: true)
            while tokens.next() {
                guard tokens.kind == .startTag, tokens.element == .html || tokens.element == .body else { continue }
                guard let value = tokens.value(of: .lang) else { continue }
                return String(decoding: value.prefix { $0.isLetter }.map(\.lowercased), as: UTF8.self)
            }
            return ""
        }
    }
}
