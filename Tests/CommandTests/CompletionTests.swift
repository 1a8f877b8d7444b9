import Testing

struct CompletionTests {
    let sandbox: Sandbox

    init() throws { sandbox = try Sandbox(isLibraryMade: false) }

    /// What bash would offer for a line whose last word is being typed.
    private func offers(_ words: String...) throws -> Set<String> {
        let line = words.map { "'\($0)'" }.joined(separator: " ")
        let run = try sandbox.shell(
            """
            bash -c 'source <(sbfs completion bash); COMP_WORDS=('"\(line)"'); COMP_CWORD=\(words.count - 1); _sbfs
            printf "%s\\n" "${COMPREPLY[@]}"'
            """)
        return Set(run.lines)
    }

    @Test(arguments: ["bash", "zsh", "fish"])
    func `each shell's script passes the shell's own check`(shell: String) throws {
        let script = try sandbox.sbfs("completion", shell).out
        for verb in HelpTests.verbs {
            #expect(script.contains(verb.split(separator: " ")[0]), "\(verb)")
        }
        guard Program.isInstalled(shell) else { return }
        let run = try sandbox.shell("sbfs completion \(shell) | \(shell) -n")
        #expect(run.err.isEmpty)
    }

    @Test func `bash completes verbs, second words, options and files`() throws {
        #expect(try offers("sbfs", "se") == ["search", "set"])
        #expect(try offers("sbfs", "tag", "").isSuperset(of: ["add", "rm", "set"]))
        #expect(try offers("sbfs", "list", "--nd") == ["--ndjson"])
        #expect(try offers("sbfs", "--library", "x", "res") == ["restore", "restore-snapshot"])
        try sandbox.file("report.pdf")
        #expect(try offers("sbfs", "add", "rep") == ["report.pdf"])
    }

    @Test(arguments: [[], ["tcsh"], ["bash", "zsh"]])
    func `another shell is a usage error`(words: [String]) throws {
        #expect(
            try sandbox.sbfs(words: ["completion"] + words, exits: 2).err.contains("which shell? bash, zsh or fish"))
    }
}
