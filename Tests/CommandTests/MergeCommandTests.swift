import Testing

/// `sbfs merge` as a person uses it; `Library.merge` has tests of its own.
struct MergeCommandTests {
    @Test func `undoing a merge says that joined items stay`() throws {
        let sandbox = try Sandbox()
        let id = try sandbox.snippet("words", title: "Bread")
        try sandbox.shell("cp -a '\(sandbox.library)' there && rm -rf there/.sbfs")
        try sandbox.sbfs("--library", "there", "add", "-", "--title", "Only there", input: "alone\n")
        try sandbox.sbfs("--library", "there", "tag", "add", id, "there")
        let run = try sandbox.sbfs("merge", "there")
        #expect(run.out.contains("1 added, 1 joined"), "\(run)")
        let undo = try sandbox.sbfs("undo")
        #expect(undo.err.contains("1 item") && undo.err.contains("items that were joined stay as they are"), "\(undo)")
        #expect(try sandbox.ids() == [id] && sandbox.ids("tag:there") == [id])
    }
}
