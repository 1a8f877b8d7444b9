internal import Characters

/// The name that a copying program gives to the file that lost against another one of the same name: FORMAT.md § 3.6.
///
/// Such a program puts a mark between the name and its extension: `item.sync-conflict-20261120-101112-ABCDEFG.json`. What the
/// mark looks like counts, not its language.
package struct CopyName: Sendable {
    /// Whether only copying programs make such names. Others may be a person's own: `text (2).md`.
    package let isCertain: Bool

    /// - Parameter original: the name of the file that stands.
    /// - Returns: `nil` if the name is not that of a copy of this file.
    package init?(_ name: String, of original: String) {
        let bytes = Array(name.utf8), whole = Array(original.utf8)
        let dot = whole.lastIndex(of: UInt8(ascii: ".")).flatMap { $0 > 0 ? $0 : nil } ?? whole.count
        let (stem, ending) = (whole[..<dot], whole[dot...])
        guard bytes.count > whole.count, bytes.starts(with: stem), bytes.suffix(ending.count).elementsEqual(ending),
            let isCertain = Self.isCertain(mark: Array(bytes[stem.count..<bytes.count - ending.count]))
        else { return nil }
        self.isCertain = isCertain
    }

    /// Whether a name has one of the marks that make every name temporary, whatever it is a copy of: FORMAT.md § 3.3.
    package static func isMarked(_ name: String) -> Bool {
        let bytes = Array(name.utf8)
        return marks.contains { bytes.firstRange(ofBytes: Array($0.utf8)) != nil }
    }

    /// Those of Syncthing, and of Dropbox and others.
    static let marks = [syncthing, dropbox]
    private static let syncthing = ".sync-conflict-"
    private static let dropbox = "conflicted copy"

    /// - Returns: `nil` if this is no mark.
    private static func isCertain(mark: [UInt8]) -> Bool? {
        func begins(_ text: String) -> Bool { mark.starts(with: text.utf8) }
        func ends(_ text: String) -> Bool { mark.suffix(text.utf8.count).elementsEqual(text.utf8) }
        // Syncthing, and old ownCloud clients.
        if begins(syncthing) || begins("_conflict-") { return true }
        // Synology: "_LAPTOP_Nov-20-101112-2026_Conflict", "_CaseConflict".
        if begins("_"), ends("Conflict") { return true }
        // Resilio: ".Conflict", ".Conflict2".
        if begins(".Conflict") { return mark.count == 9 || areDigits(mark[9...]) ? true : nil }
        // Dropbox, Nextcloud, Seafile in any language, and the numbers of browsers and Google Drive.
        if begins(" ("), ends(")"), mark.count > 3 {
            let inner = mark[2..<mark.count - 1]
            if hasWord(inner) { return isLabel(inner) }
            return areDigits(inner) || hasDate(inner) ? false : nil
        }
        // iCloud: " 2".
        if begins(" ") { return areDigits(mark[1...]) ? false : nil }
        if begins("-") { return isHost(mark[1...]) ? false : nil }
        return nil
    }

    private static func areDigits(_ bytes: ArraySlice<UInt8>) -> Bool { !bytes.isEmpty && bytes.allSatisfy(\.isDigit) }

    /// The letters that "conflict" has in the languages of these programs: conflit, conflicto, Konflikt, konfliktkopi.
    private static func hasWord(_ bytes: ArraySlice<UInt8>) -> Bool {
        let root = Array("onfli".utf8), lower = bytes.map { $0.isLetter ? $0 | 0x20 : $0 }
        return lower.firstRange(ofBytes: root) != nil
    }

    /// Whether a program wrote this, in which there is the word: it has a date, a number at its end, or is English.
    private static func isLabel(_ bytes: ArraySlice<UInt8>) -> Bool {
        if hasDate(bytes) || bytes.last?.isDigit == true { return true }
        return [dropbox, "Case Conflict"].contains { Array(bytes).firstRange(ofBytes: Array($0.utf8)) != nil }
    }

    /// Whether there is a date in it: `2026-11-20`.
    private static func hasDate(_ bytes: ArraySlice<UInt8>) -> Bool {
        let form = Array("0000-00-00".utf8)
        guard bytes.count >= form.count else { return false }
        return (bytes.startIndex...bytes.endIndex - form.count).contains { start in
            zip(bytes[start...], form).allSatisfy { byte, wanted in
                wanted == UInt8(ascii: "0") ? byte.isDigit : byte == wanted
            }
        }
    }

    /// Whether it is a computer's name on Windows, with a number behind it or none, as OneDrive adds it: `LAPTOP`,
    /// `DESKTOP-4K2-2`.
    private static func isHost(_ bytes: ArraySlice<UInt8>) -> Bool {
        var name = bytes
        if let hyphen = bytes.lastIndex(of: UInt8(ascii: "-")), areDigits(bytes[(hyphen + 1)...]) {
            name = bytes[..<hyphen]
        }
        let isUpper = { (byte: UInt8) in byte.isLetter && byte & 0x20 == 0 }
        // So long may such a name be.
        return (1...15).contains(name.count) && name.contains(where: isUpper)
            && name.allSatisfy { isUpper($0) || $0.isDigit || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") }
    }
}
