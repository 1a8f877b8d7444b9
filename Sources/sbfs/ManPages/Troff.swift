/// Text for troff's man macros (groff_man(7)).
enum Troff {
    /// Escapes a backslash, a hyphen, and a dot or quote at the start of a line, which have a meaning in troff.
    static func escape(_ text: String) -> String {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            let escaped = line.map { $0 == "\\" ? "\\e" : $0 == "-" ? "\\-" : String($0) }.joined()
            return escaped.hasPrefix(".") || escaped.hasPrefix("'") ? "\\&" + escaped : escaped
        }
        return lines.joined(separator: "\n")
    }

    /// Removes empty paragraphs after headings: a heading begins a paragraph itself, and mandoc warns of another one.
    static func withoutEmptyParagraphs(_ page: String) -> String {
        var lines: [Substring] = []
        for line in page.split(separator: "\n", omittingEmptySubsequences: false) {
            if line == ".PP", let last = lines.last, last.hasPrefix(".SH ") || last.hasPrefix(".SS ") { continue }
            lines.append(line)
        }
        return lines.joined(separator: "\n")
    }

    static func title(_ name: String, section: Int) -> String {
        ".TH \"\(escape(name.uppercased()))\" \(section) \"\(Version.date)\" \"sbfs \(Version.number)\" "
            + (section == 1 ? "\"User Commands\"\n" : section == 5 ? "\"File Formats\"\n" : "\"Miscellaneous\"\n")
    }

    static func section(_ name: String) -> String { ".SH \(name)\n" }

    static func subsection(_ name: String) -> String { ".SS \"\(escape(name))\"\n" }

    static func paragraph(_ text: String) -> String { ".PP\n\(escape(text))\n" }

    /// Paragraphs separated by empty lines; those that start with a space stay unchanged.
    static func paragraphs(_ text: String) -> String {
        var page = ""
        let allLines = text.split(separator: "\n", omittingEmptySubsequences: false)
        for lines in allLines.split(whereSeparator: \.isEmpty) {
            var plain: [Substring] = []
            for line in lines + ["\n"] {
                if !line.hasPrefix(" "), line != "\n" {
                    plain.append(line)
                    continue
                }
                if !plain.isEmpty { page += self.paragraph(plain.joined(separator: "\n")) }
                plain = []
                if line != "\n" { page += verbatim(String(line)) }
            }
        }
        return page
    }

    static func verbatim(_ text: String) -> String { ".PP\n.EX\n\(escape(text))\n.EE\n" }

    /// A term in bold and its meaning.
    static func entry(_ term: String, _ meaning: String) -> String {
        ".TP\n.B \"\(quoted(term))\"\n\(escape(meaning))\n"
    }

    /// A reference to another page and its subject.
    static func entry(page: String, section: Int, _ meaning: String) -> String {
        ".TP\n.BR \(escape(page)) (\(section))\n\(escape(meaning))\n"
    }

    static func entry(_ option: Option) -> String {
        let short = option.short.map { "\\fB\\-\($0)\\fR, " } ?? ""
        let value = option.value.map { " \\fI\(escape($0))\\fR" } ?? ""
        return ".TP\n\(short)\\fB\\-\\-\(escape(option.name))\\fR\(value)\n\(escape(option.help))\n"
    }

    static func seeAlso(_ pages: [(name: String, section: Int)]) -> String {
        section("SEE ALSO")
            + pages.enumerated().map { number, page in
                ".BR \(escape(page.name)) (\(page.section))\(number + 1 < pages.count ? "," : "")\n"
            }.joined()
    }

    /// A quote within a macro's quoted argument is doubled.
    private static func quoted(_ text: String) -> String {
        escape(text).split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"")
    }
}
