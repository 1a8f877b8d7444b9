import Files
import TestSupport
import Testing

@testable import Items
@testable import sbfs

/// Names that other systems cannot store.
struct PortabilityTests {
    @Test(arguments: [
        ("a<b", "the name has a <, which Windows and Android do not allow"),
        ("a>b", "the name has a >, which Windows and Android do not allow"),
        ("a:b", "the name has a :, which Windows and Android do not allow"),
        ("a\"b", "the name has a \", which Windows and Android do not allow"),
        ("a\\b", "the name has a \\, which Windows and Android do not allow"),
        ("a|b", "the name has a |, which Windows and Android do not allow"),
        ("a?b", "the name has a ?, which Windows and Android do not allow"),
        ("a*b", "the name has a *, which Windows and Android do not allow"),
        ("a\nb", "the name has a control character, which Windows and Android do not allow"),
        ("a\u{1F}b", "the name has a control character, which Windows and Android do not allow"),
        ("a.", "the name ends in a dot or space, which Windows drops"),
        ("a ", "the name ends in a dot or space, which Windows drops"),
        ("CON", "the name CON is a device on Windows"),
        ("nul.txt", "the name NUL is a device on Windows"),
        ("Aux.tar.gz", "the name AUX is a device on Windows"),
        ("prn", "the name PRN is a device on Windows"),
        ("com1", "the name COM1 is a device on Windows"),
        ("LPT9.md", "the name LPT9 is a device on Windows"),
        (String(repeating: "x", count: 256), "the name has more than 255 UTF-16 units"),
    ])
    func `a name that Windows or Android cannot store is reported`(_ name: String, fault: String) {
        #expect(Portability.fault(FileName(name))?.wording == fault)
    }

    @Test(arguments: [
        "item.json", "a b.pdf", ".gitignore", "CONSOLE", "com", "com10", "lpt", "nulla", "con-fig", "漢字.txt", "a~1",
        String(repeating: "x", count: 255),
    ])
    func `other names are fine`(_ name: String) {
        #expect(Portability.fault(FileName(name))?.wording == nil)
    }

    @Test func `a name that is not UTF-8 is reported`() {
        #expect(Portability.fault(FileName(bytes: [0xFF]))?.wording == "the name is not UTF-8")
    }

    @Test func `names that differ only in case or normal form are reported, in every folder below`() throws {
        let scratch = try ScratchDirectory()
        try scratch.write("assets/Style.css", "")
        try scratch.write("assets/style.CSS", "")
        try scratch.write("assets/b\u{E9}", "")
        try scratch.write("assets/be\u{301}", "")
        try scratch.write("assets/x:y/z", "")
        try scratch.write("other/style.css", "")
        let findings = Portability.findings(in: try scratch.directory(), at: "item")
        #expect(findings.count == 3)
        #expect(findings.count { $0.wording.hasSuffix("only in case or normalisation") } == 2)
        #expect(findings.count { $0.path == "item/assets/x:y" } == 1)
        #expect(findings.allSatisfy { $0.severity == .warning })
        #expect(findings.allSatisfy { $0.path.hasPrefix("item/assets/") })
    }
}
