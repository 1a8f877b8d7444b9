internal import Characters
internal import Files
internal import Items

/// A name for people, made from any text, that every usual system can store.
///
/// In NFC, at most 200 bytes, without characters that cannot be seen or that Windows refuses, without dots at the ends, and
/// not the name of a device.
struct HumanName: Equatable {
    /// Bytes of a whole name, with its number and extension.
    static let byteLimit = 200
    /// Only the beginning of a longer text is looked at.
    private static let textLimit = 1024
    /// With its dot, in bytes.
    private static let extensionLimit = 20

    /// The name without number and extension.
    let stem: String
    /// With its dot; empty for none.
    let fileExtension: String

    /// - Parameter fileExtension: with its dot, or empty. One that the text ends with is not repeated.
    init(_ text: String, fileExtension: String = "") {
        let fileExtension = Self.cleaned(fileExtension)
        self.fileExtension =
            fileExtension.utf8.count > 1 && fileExtension.utf8.count <= Self.extensionLimit ? fileExtension : ""
        var text = Self.cleaned(Self.beginning(text))
        let (lower, ending) = (Array(text.lowercased().utf8), Array(self.fileExtension.lowercased().utf8))
        if !ending.isEmpty, lower.count == text.utf8.count, lower.suffix(ending.count).elementsEqual(ending) {
            let short = String(decoding: text.utf8.dropLast(ending.count), as: UTF8.self)
            if !Self.trimmed(short).isEmpty { text = short }
        }
        var stem = Self.trimmed(text)
        if stem.isEmpty { stem = "_" }
        if stem.hasPrefix(".") || stem.hasPrefix("-") { stem = "_" + stem }
        let first = stem.split(separator: ".", omittingEmptySubsequences: false)[0]
        if Portability.isDevice(first.uppercased()) { stem = "_" + stem }
        self.stem = stem
    }

    /// A name from the stem and the extension of a file's name.
    init(fileName: String) {
        let dot = fileName.utf8.lastIndex(of: UInt8(ascii: "."))
        guard let dot, dot != fileName.utf8.startIndex, fileName.utf8[dot...].count <= Self.extensionLimit else {
            self.init(fileName)
            return
        }
        self.init(String(Substring(fileName.utf8[..<dot])), fileExtension: String(Substring(fileName.utf8[dot...])))
    }

    /// The name, with ` (2)` for number 2.
    func numbered(_ number: Int) -> String {
        let end = (number > 1 ? " (\(number))" : "") + fileExtension
        return Self.cut(stem, to: Self.byteLimit - end.utf8.count) + end
    }

    /// Whether a name is this one with any number.
    func isName(_ name: String) -> Bool {
        if name == numbered(1) { return true }
        guard name.hasSuffix(")" + fileExtension), let open = name.utf8.lastIndex(of: UInt8(ascii: "(")) else {
            return false
        }
        let digits = name.utf8[name.utf8.index(after: open)...].prefix { $0 >= 0x30 && $0 <= 0x39 }
        guard let number = Int(String(Substring(digits))), number > 1 else { return false }
        return name.utf8.elementsEqual(numbered(number).utf8)
    }

    /// The key by which systems without case and normal forms compare names.
    static func folded(_ name: String) -> String { CanonicalComposition.nfc(name.lowercased()) }

    // MARK: Steps

    private static func beginning(_ text: String) -> String {
        if text.utf8.count <= textLimit { return text }
        var bytes = Array(text.utf8.prefix(textLimit))
        while let last = bytes.last, last & 0xC0 == 0x80 { bytes.removeLast() }
        if let last = bytes.last, last >= 0x80 { bytes.removeLast() }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func cleaned(_ text: String) -> String {
        var output = String.UnicodeScalarView()
        let scalars = Array(WhiteSpace.collapsed(Printable.visible(WhiteSpace.collapsed(text))).unicodeScalars)
        for (place, scalar) in scalars.enumerated() {
            switch scalar {
            case ":" where place + 1 < scalars.count && scalars[place + 1] == " ": output += " -".unicodeScalars
            case "/", "\\", "|", ":": output.append("-")
            case "\"": output.append("'")
            case "<": output.append("(")
            case ">": output.append(")")
            // At the end they are dropped: "What is Swift?"
            case "?", "*": if place + 1 < scalars.count { output.append("_") }
            default: output.append(scalar)
            }
        }
        return CanonicalComposition.nfc(String(output))
    }

    /// Without spaces at the ends and dots at the end.
    private static func trimmed(_ text: String) -> String {
        var scalars = Substring(text).unicodeScalars
        while scalars.first == " " { scalars.removeFirst() }
        while let last = scalars.last, last == " " || last == "." { scalars.removeLast() }
        return String(scalars)
    }

    /// Whole characters of a text; a single longer character is cut between its scalars.
    private static func cut(_ text: String, to limit: Int) -> String {
        if text.utf8.count <= limit { return text }
        var result = ""
        var count = 0
        for character in text {
            count += character.utf8.count
            if count > limit { break }
            result.append(character)
        }
        if result.isEmpty {
            for scalar in text.unicodeScalars {
                if result.utf8.count + UTF8.width(scalar) > limit { break }
                result.unicodeScalars.append(scalar)
            }
        }
        return trimmed(result)
    }
}
