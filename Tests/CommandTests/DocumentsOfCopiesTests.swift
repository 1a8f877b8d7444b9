import TestSupport
import Testing

/// Documents in two copies that rsync carries: Documentation/Merge.md § 3.
struct DocumentsOfCopiesTests {
    @Test func `a document that was added, and replaced by one of another name, goes from both`() throws {
        let sandbox = try Sandbox()
        try sandbox.file("one.txt", "first\n")
        try sandbox.file("other.txt", "second\n")
        let id = try #require(try sandbox.sbfs("add", "one.txt").lines.first)
        try sandbox.meet()
        try sandbox.sbfs("attach", id, "other.txt", "--replace", "--yes")
        try sandbox.shell("sleep 1.1")
        for _ in 0..<2 { try sandbox.meet() }
        for library in ["\"$SBFS_LIBRARY\"", "other"] {
            #expect(try sandbox.shell("ls \(library)/items/*/*/document").out == "other.txt\n")
        }
        try sandbox.expectEqualCopies()
    }
}
