import Exchange
import Items
import Testing

struct FolderPathTests {
    @Test(arguments: [["Work", "Projects"], ["AI/ML"], ["a\\b"], ["/", "x"], ["a/\u{301}b", "c"], []])
    func `folders are one text and back`(folders: [String]) {
        #expect(FolderPath.split(FolderPath.joined(folders)) == folders)
    }

    @Test(arguments: [
        (["a\\", "b"], #"a\\/b"#, [#"a\\"#, "b"]), (["a", "b\\"], #"a/b\"#, ["a", "b\\"]),
        ([#"AC\/DC"#, "x"], #"AC\\\/DC/x"#, [#"AC\\/DC"#, "x"]), ([#"a\\"#, "b"], #"a\\/b"#, [#"a\\"#, "b"]),
    ])
    func `a backslash before a border gets a second one, and joins no levels`(
        folders: [String], text: String, levels: [String]
    ) {
        #expect(FolderPath.joined(folders) == text)
        #expect(FolderPath.split(text) == levels)
        #expect(CollectionName(text)?.levels == levels)
        // What is read once stays.
        #expect(FolderPath.joined(levels) == text)
    }

    @Test func `after the last level that is allowed, a slash belongs to it`() {
        #expect(FolderPath.split("a/b/c\\/d/e", limit: 2) == ["a", "b/c/d/e"])
        #expect(FolderPath.split("a/b", limit: 2) == ["a", "b"])
    }

    @Test func `names are trimmed, emptied ones go, and long ones are cut at a character`() {
        #expect(FolderPath.cleaned([" a \n b ", " ", "c"]) == ["a b", "c"])
        // One folder is one level, whether others are in it or not (FORMAT.md § 5.7).
        #expect(FolderPath.cleaned([#"a\"#, #"b\\"#, #"c\\\"#]) == [#"a\\"#, #"b\\"#, #"c\\\\"#])
        let long = FolderPath.cleaned([String(repeating: "ä", count: 1000)])[0]
        #expect(long.utf8.count == ImportedEntry.folderNameByteLimit)
        #expect(FolderPath.cleaned(Array(repeating: "x", count: 500)).count == ImportedEntry.folderDepthLimit)
    }
}
