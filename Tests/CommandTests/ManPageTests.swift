import Testing

struct ManPageTests {
    let sandbox: Sandbox

    init() throws { sandbox = try Sandbox(isLibraryMade: false) }

    @Test func `the manual page names every verb and the exit codes`() throws {
        let page = try sandbox.sbfs("help", "--man").out
        #expect(page.hasPrefix(".TH SBFS 1 "))
        for verb in HelpTests.verbs { #expect(page.contains(".SS \"sbfs \(verb)"), "\(verb)") }
        for section in ["NAME", "SYNOPSIS", "DESCRIPTION", "EXIT STATUS", "FILES", "ENVIRONMENT"] {
            #expect(page.contains("\n.SH \(section)\n"))
        }
    }

    @Test(.enabled(if: Program.isInstalled("groff"), "groff is not installed"))
    func `groff has no warnings`() throws {
        let run = try sandbox.shell("sbfs help --man | groff -man -ww -b -K utf8 -T utf8 -z")
        #expect(run.err.isEmpty, "\(run.err)")
    }

    @Test(.enabled(if: Program.isInstalled("groff"), "groff is not installed"))
    func `what the page shows can be typed`() throws {
        let run = try sandbox.shell("sbfs help --man | groff -man -K utf8 -T utf8 -P-c -P-b -P-u -P-o -rLL=200n")
        #expect(run.out.contains("sbfs search '\"less salt\" OR pepper'"))
        #expect(run.out.contains("sbfs add https://swift.org --tag swift,language"))
        #expect(run.out.contains("\\t \\n \\\\ \\xNN"))
    }

    @Test(.enabled(if: Program.isInstalled("mandoc"), "mandoc is not installed"))
    func `mandoc has no warnings`() throws {
        let run = try sandbox.shell("sbfs help --man | mandoc -T lint -W warning", exits: nil)
        #expect(run.out.isEmpty, "\(run.out)")
    }
}
