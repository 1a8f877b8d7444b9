import TestSupport
import Testing

struct ManPageTests {
    let sandbox: Sandbox

    init() throws { sandbox = try Sandbox(isLibraryMade: false) }

    @Test func `the manual has a page for every command, and the first one names them all`() throws {
        let page = try sandbox.sbfs("help", "--man").out
        #expect(page.hasPrefix(".TH \"SBFS\" 1 "))
        try sandbox.sbfs("help", "--man-pages", "man")
        for verb in HelpTests.verbs {
            let name = "sbfs-" + verb.split(separator: " ").joined(separator: "-")
            #expect(page.contains(".BR \(name.split(separator: "-").joined(separator: "\\-")) (1)"), "\(verb)")
            let own = try sandbox.sbfs(words: ["help", "--man"] + verb.split(separator: " ").map(String.init)).out
            #expect(try sandbox.shell("cat man/man1/\(name).1").out == own)
            for section in ["NAME", "SYNOPSIS", "DESCRIPTION", "EXAMPLES", "SEE ALSO"] {
                #expect(own.contains("\n.SH \(section)\n"), "\(verb)")
            }
        }
        for section in ["NAME", "SYNOPSIS", "DESCRIPTION", "EXIT STATUS", "FILES", "ENVIRONMENT"] {
            #expect(page.contains("\n.SH \(section)\n"))
        }
    }

    @Test func `queries and files have pages of their own`() throws {
        try sandbox.sbfs("help", "--man-pages", "man")
        let query = try sandbox.shell("cat man/man7/sbfs-query.7").out
        for word in ["collection:Work", "status:pending", "2025\\-01..2025\\-03", "(soup OR stew) salt"] {
            #expect(query.contains(word), "\(word)")
        }
        let format = try sandbox.shell("cat man/man5/sbfs-format.5").out
        for word in ["item.json", "linkPublishedDate", "purgeDays", "tombstones/"] {
            #expect(format.contains(word), "\(word)")
        }
        #expect(try sandbox.sbfs("help", "--man", "nonsense", exits: 2).err.contains("no page"))
    }

    @Test(.enabled(if: Machine.runs("groff"), "groff is not installed"))
    func `groff has no warnings`() throws {
        try sandbox.sbfs("help", "--man-pages", "man")
        let run = try sandbox.shell("for page in man/*/*; do groff -man -ww -b -K utf8 -T utf8 -z $page; done")
        #expect(run.err.isEmpty, "\(run.err)")
    }

    @Test(.enabled(if: Machine.runs("groff"), "groff is not installed"))
    func `the examples of the pages can be typed`() throws {
        func shown(_ page: String) throws -> String {
            try sandbox.shell(
                "sbfs help --man \(page) | groff -man -K utf8 -T utf8 -P-c -P-b -P-u -P-o -rLL=200n"
            ).out
        }
        #expect(try shown("search").contains("sbfs search '\"less salt\" OR pepper'"))
        #expect(try shown("add").contains("sbfs add https://swift.org --tag swift,language"))
        #expect(try shown("").contains("\\t \\n \\\\ \\xNN"))
    }

    @Test(.enabled(if: Machine.runs("mandoc"), "mandoc is not installed"))
    func `mandoc has no warnings`() throws {
        try sandbox.sbfs("help", "--man-pages", "man")
        let run = try sandbox.shell("mandoc -T lint -W warning man/*/*", exits: nil)
        #expect(run.out.isEmpty, "\(run.out)")
    }
}
