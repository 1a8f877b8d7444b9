import Characters
import Foundation
import TestSupport
import Testing

@testable import StuffBucket

struct HumanNameTests {
    @Test(
        arguments: [
            ("Report", ".pdf", "Report.pdf"), ("report.PDF", ".pdf", "report.pdf"), ("..", "", "_"), (".", "", "_"),
            (".bashrc", "", "_.bashrc"), ("../../etc/passwd", "", "_..-..-etc-passwd"), ("a/b\\c|d", "", "a-b-c-d"),
            ("Swift: a tour", ".md", "Swift - a tour.md"), ("10:30", "", "10-30"),
            ("What is Swift?", ".md", "What is Swift.md"),
            ("a?b*c", "", "a_b_c"), ("say \"hi\" <now>", "", "say 'hi' (now)"), ("trailing. . ", "", "trailing"),
            ("con", ".txt", "_con.txt"), ("COM1.x", "", "_COM1.x"), ("nul", "", "_nul"), ("console", "", "console"),
            ("-rf", "", "_-rf"), ("a\u{202E}fdp.exe", "", "afdp.exe"),
            ("a\u{0}b\nc\td\u{7F}e\u{9B}f", "", "a b c d e f"),
            ("cafe\u{301}", "", "caf\u{E9}"), ("\u{200B}\u{2066}", "", "_"), ("", ".md", "_.md"), ("   ", "", "_"),
            ("x.pdf", ".pdf", "x.pdf"), (".pdf", ".pdf", "_.pdf.pdf"), ("???", "", "__"),
            ("e\u{308}\u{301}", "", "\u{EB}\u{301}"),
        ])
    func `a name is harmless on every system`(_ row: (text: String, fileExtension: String, name: String)) {
        let name = HumanName(row.text, fileExtension: row.fileExtension).numbered(1)
        #expect(Array(name.utf8) == Array(row.name.utf8), "\(name)")
    }

    @Test(arguments: ["a", "é", "👨‍👩‍👧‍👦", "e\u{301}\u{302}\u{303}", "字"])
    func `a long name has at most 200 bytes and ends with a whole character`(_ character: String) {
        for number in [1, 2, 12345] {
            let name = HumanName(String(repeating: character, count: 400), fileExtension: ".pdf").numbered(number)
            #expect(name.utf8.count <= 200)
            #expect(name.utf8.count > 150)
            #expect(name.hasSuffix(number > 1 ? " (\(number)).pdf" : ".pdf"))
            let stem = name.dropLast(number > 1 ? " (\(number)).pdf".count : 4)
            #expect(
                stem.allSatisfy { String($0).precomposedStringWithCanonicalMapping == String(stem[stem.startIndex]) })
        }
    }

    @Test func `one character of many combining marks is cut`() {
        let name = HumanName("a" + String(repeating: "\u{301}\u{302}", count: 5000)).numbered(2)
        #expect(name.utf8.count <= 200)
        #expect(name.hasSuffix(" (2)"))
    }

    @Test func `a numbered name is known as one of its title`() {
        let name = HumanName("Soup (2)", fileExtension: ".md")
        #expect(name.isName("Soup (2).md"))
        #expect(name.isName("Soup (2) (7).md"))
        #expect(!name.isName("Soup (3).md"))
        #expect(!name.isName("Soup.md"))
        #expect(!name.isName("Soup (2) (1).md"))
    }

    /// What no name may contain, whatever the title.
    @Test func `random titles make names that are safe`() {
        var generator = SeededGenerator(seed: 11)
        let pieces = [
            "/", "..", ".", " ", "\\", "\u{202E}", "\u{0}", "\n", "CON", "nul.", ":", "?", "a", "字", "\u{301}",
            "\u{E0041}", "-",
            "\u{FEFF}", "~", "\u{85}", "com1", "|", "👩‍💻",
        ]
        for _ in 0..<5000 {
            let title = (0..<Int.random(in: 0...8, using: &generator)).map { _ in
                pieces.randomElement(using: &generator) ?? ""
            }
            let name = HumanName(title.joined(), fileExtension: Bool.random(using: &generator) ? ".pdf" : "").numbered(
                1)
            #expect(!name.isEmpty && name != "." && name != ".." && !name.hasPrefix("."), "\(title)")
            #expect(!name.utf8.contains { $0 < 0x20 || "/\\:*?\"<>|".utf8.contains($0) }, "\(title)")
            #expect(!name.hasSuffix(".") && !name.hasSuffix(" "), "\(title)")
            #expect(Printable.isPlain(name), "\(title)")
        }
    }
}
