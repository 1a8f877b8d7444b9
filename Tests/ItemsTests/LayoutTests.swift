import Files
import Testing

@testable import Items

/// Names on disk, made and parsed.
struct LayoutTests {
    struct Renamed: CustomStringConvertible {
        let description: String
        let original: FileName
        let name: String
        let spelling: String?

        init(_ description: String, _ original: [UInt8], _ name: String, _ spelling: String? = nil) {
            (self.description, self.original, self.name, self.spelling) = (
                description, .init(bytes: original), name, spelling
            )
        }

        init(_ description: String, _ original: String, _ name: String, _ spelling: String? = nil) {
            self.init(description, Array(original.utf8), name, spelling)
        }
    }

    @Test(arguments: [
        Renamed("plain", "Report 2026.pdf", "Report 2026.pdf"),
        Renamed("Unicode as it is", "Résumé e\u{301} 漢.txt", "Résumé e\u{301} 漢.txt"),
        Renamed("what Windows refuses is kept", "a:b?*.txt", "a:b?*.txt"),
        Renamed("newline", "a\nb.txt", "a_b.txt", #"a\x0ab.txt"#),
        Renamed("escape and delete", "\u{1B}[31m\u{7F}", "_[31m_", #"\x1b[31m\x7f"#),
        Renamed("NUL", "a\0b", "a_b", #"a\x00b"#),
        Renamed("control of the second block", "a\u{85}b", "a_b", #"a\xc2\x85b"#),
        Renamed("slash", "a/b", "a_b", "a/b"),
        Renamed("stray byte", [0x61, 0xFF, 0x2E, 0x78], "a_.x", #"a\xff.x"#),
        Renamed("cut sequence", [0xC3], "_", #"\xc3"#),
        Renamed("empty", "", "_", ""),
        Renamed("hidden", ".bashrc", "_.bashrc", ".bashrc"),
        Renamed("dots", "..", "_..", ".."),
        Renamed("mark of an open file", "~$plan.docx", "_~$plan.docx", "~$plan.docx"),
        Renamed("hidden backup", ".x~", "_.x~_", ".x~"),
        Renamed("backup", "notes~", "notes~_", "notes~"),
        Renamed("partial download", "film.part", "film.part_", "film.part"),
        Renamed("conflict copy", "a.sync-conflict-1.txt", "_a_sync-conflict-1.txt", "a.sync-conflict-1.txt"),
    ])
    func `a document keeps its name where that can be one`(_ case: Renamed) {
        let (name, original) = Layout.documentName(for: `case`.original)
        #expect(name == `case`.name)
        #expect(original == `case`.spelling)
    }

    @Test(arguments: [
        String(repeating: "a", count: 201), String(repeating: "a", count: 300) + ".pdf",
        String(repeating: "漢", count: 100) + ".txt",
        String(repeating: "é", count: 150), String(repeating: "x", count: 300) + ".tmp",
        String(repeating: "x", count: 199) + "~~",
        "." + String(repeating: "y", count: 250),
        String(repeating: "z", count: 196) + ".tmp" + String(repeating: "z", count: 50),
        "a." + String(repeating: "e", count: 250), String(repeating: "👩‍👩‍👧‍👦", count: 20) + ".png",
        "~$" + String(repeating: "o", count: 250) + ".docx",
    ])
    func `a long name is cut to 200 bytes, and its extension and spelling are kept`(_ original: String) {
        let (name, spelling) = Layout.documentName(for: FileName(original))
        #expect(name.utf8.count <= 200)
        #expect(name.utf8.count > 150)
        #expect(!Layout.isTemporary(name))
        #expect(spelling == original)
        if original.hasSuffix(".pdf") { #expect(name == String(repeating: "a", count: 196) + ".pdf") }
        for suffix in [".txt", ".png", ".docx"] where original.hasSuffix(suffix) { #expect(name.hasSuffix(suffix)) }
        if original.hasSuffix(".tmp") { #expect(name.hasSuffix(".tmp_")) }
    }

    @Test func `a name of exactly 200 bytes stays`() {
        let name = String(repeating: "a", count: 196) + ".pdf"
        #expect(Layout.documentName(for: FileName(name)) == (name, nil))
    }

    @Test(arguments: [
        ".item.json.swp", ".item.json.Ab3dEf", ".hidden", "item.json~", "~$report.docx", "4913", "#item.json#", "x.tmp",
        "x.part",
        "x.partial", "x.crdownload", "x.swp", "sedAb3dEf", "item.sync-conflict-20261121-101500-ABCDEFG.json",
        "item (conflicted copy 2026-11-21).json", ".", "..", "~", "##",
    ])
    func `names of programs in mid-work are temporary`(_ name: String) {
        #expect(Layout.isTemporary(name))
    }

    @Test(arguments: [
        "item.json", "text.md", "a~b", "~a", "#1 hit.mp3", "C#", "49130", "sed.txt", "sedan", "template", "part",
        "x.tmp.txt",
        "report.partial.pdf", "conflict.txt", "",
    ])
    func `names of people are not`(_ name: String) {
        #expect(!Layout.isTemporary(name))
    }

    @Test(arguments: [
        ("Today", "today-e0f4f767.json"), ("This Week", "this-week-7d76655e.json"),
    ])
    func `a settings file is named by slug and hash`(_ name: String, file: String) {
        #expect(Layout.settingsFile(named: name) == file)
    }

    @Test func `names that differ in case or normalisation have one settings file, others their own`() {
        #expect(Layout.settingsFile(named: "TODAY") == Layout.settingsFile(named: "today"))
        #expect(Layout.settingsFile(named: "\u{C9}t\u{E9}") == Layout.settingsFile(named: "e\u{301}te\u{301}"))
        #expect(Layout.settingsFile(named: "a b") != Layout.settingsFile(named: "a-b"))
        #expect(Layout.settingsFile(named: "漢字") != Layout.settingsFile(named: "漢"))
    }

    @Test func `a settings file's name is safe for any name`() {
        for name in [
            "", "../../etc/passwd", "漢字", "a\nb", "CON", String(repeating: "long name ", count: 50), "-", ".x",
        ] {
            let file = Layout.settingsFile(named: name)
            #expect(file.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "/") })
            #expect(file.utf8.count <= 54)
            #expect(file.hasSuffix(".json") && !file.hasPrefix(".") && !file.hasPrefix("-"))
        }
        #expect(Layout.settingsFile(named: "漢字").utf8.count == 13)
    }

    @Test func `shards are two lower-case hexadecimal digits`() {
        #expect(["00", "c4", "ff"].allSatisfy(Layout.isShard))
        #expect(!["", "0", "000", "C4", "g0", "é", ".."].contains(where: Layout.isShard))
    }

    @Test func `hints stay inside the item's folder by their spelling`() {
        #expect(["page.html", "assets/a b.css", "document/…"].allSatisfy(Layout.isSafeHint))
        #expect(
            !["", "/a", "../a", "a/..", "a//b", "a/", "./a", "a\nb", "a\0b", "a\u{85}b"].contains(
                where: Layout.isSafeHint))
    }

    @Test func `a version in conflicts is named by time and content`() {
        let name = Layout.conflictName("item.json", Array("abc".utf8), at: "20261121T101500Z")
        #expect(name == "20261121T101500Z-ba7816bf.item.json")
    }

    @Test(arguments: [
        "plan.txt", "plan", ".x", "a.conflict-0123abcd.txt", "a.tar.gz", "a." + String(repeating: "x", count: 19),
    ])
    func `the name of a document that lost is known again`(_ name: String) throws {
        let hash = try #require(ContentHash(hex: SHA256.hex([1]).utf8))
        #expect(Layout.isConflictName(Array(Layout.conflictName(of: name, hash).utf8)))
    }

    @Test(arguments: [
        String(repeating: "n", count: 255), String(repeating: "n", count: 238), String(repeating: "é", count: 127),
        String(repeating: "字", count: 83) + ".pdf", "e" + String(repeating: "\u{301}", count: 126) + ".x",
    ])
    func `the name of a document that lost has 255 bytes at most`(_ name: String) throws {
        let hash = try #require(ContentHash(hex: SHA256.hex([1]).utf8))
        let lost = Layout.conflictName(of: name, hash)
        #expect(250...255 ~= lost.utf8.count)
        #expect(Layout.isConflictName(Array(lost.utf8)))
        #expect(!lost.contains("\u{fffd}"))
        #expect(name.utf8.last == lost.utf8.last || !name.contains("."))
    }

    @Test func `other names are not those of documents that lost`() {
        let others = [
            "plan.txt", "", ".conflict-0123abcd", ".conflict-0123abcd.txt", "a.conflict-0123abc.txt",
            "a.conflict-0123ABCD",
            "a.conflict-0123abcd1.txt", "a.conflict-0123abcd" + String(repeating: ".x", count: 11),
        ]
        for name in others { #expect(!Layout.isConflictName(Array(name.utf8)), "\(name)") }
    }
}
