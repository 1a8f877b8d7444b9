import Glibc
import TestSupport
import Testing

/// A library that can be read but not written.
struct ReadOnlyTests {
    /// Permissions do not stop root; a read-only mount does.
    static let canMount: Bool = {
        if Machine.mustRunAll { return true }
        guard getuid() == 0, Machine.hasProgram("unshare"), let sandbox = try? Sandbox() else { return false }
        return (try? readOnly(sandbox, "true", exits: nil).status) == 0
    }()

    /// Runs a line of shell without single quotes while the library, or another folder, is read-only.
    private static func readOnly(
        _ sandbox: Sandbox, _ line: String, in folder: String? = nil, exits status: Int32?
    ) throws -> Run {
        let library = folder ?? sandbox.library
        if getuid() == 0 {
            let mount = "mount --bind \"$0\" \"$0\" && mount -o remount,ro,bind \"$0\""
            return try sandbox.shell("exec unshare -m sh -c '\(mount) && \(line)' '\(library)'", exits: status)
        }
        try sandbox.shell("chmod -R a-w '\(library)'")
        defer { _ = try? sandbox.shell("chmod -R u+w '\(library)'") }
        return try sandbox.shell(line, exits: status)
    }

    @Test(.enabled(if: getuid() != 0 || canMount, "root may write everywhere, and no mount can be made here"))
    func `reading works and writing says why it does not`() throws {
        let sandbox = try Sandbox()
        let id = try sandbox.snippet("soup", title: "Note")
        try sandbox.file(
            "b.html", "<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<DL><p><DT><A HREF=\"https://example.org/\">x</A></DL>\n")
        try sandbox.sbfs("export", "--full", "a.tar")
        let before = try sandbox.snapshot()
        #expect(try Self.readOnly(sandbox, "sbfs list --ids", exits: 0).lines == [id])
        #expect(try Self.readOnly(sandbox, "sbfs show Note", exits: 0).out.contains("soup"))
        #expect(try Self.readOnly(sandbox, "sbfs check", exits: 0).out.isEmpty)
        for line in [
            "title Note New", "add https://example.org", "trash Note", "append Note x", "config purgeDays 3",
            "pin Note",
            "smart add Soups soup", "collection new Garden", "smart rm Today", "import b.html", "import a.tar", "undo",
        ] {
            let run = try Self.readOnly(sandbox, "sbfs " + line, exits: 1)
            #expect(run.err.contains("cannot be written by you; nothing was changed\n"), "\(line): \(run)")
            #expect(run.err.split(separator: "\n").count == 1, "\(line): \(run)")
            #expect(run.out.isEmpty)
        }
        #expect(try sandbox.changes(since: before, in: "library").isEmpty)
    }

    @Test(.enabled(if: getuid() != 0 || canMount, "root may write everywhere, and no mount can be made here"))
    func `an undo of a purge says first that the library cannot be written`() throws {
        let sandbox = try Sandbox()
        let id = try sandbox.snippet("soup", title: "Note")
        try sandbox.sbfs("trash", id)
        try sandbox.sbfs("purge", id, "--now", "--yes")
        let run = try Self.readOnly(sandbox, "sbfs undo", exits: 1)
        #expect(run.err.hasSuffix("cannot be written by you; nothing was changed\n"), "\(run)")
    }

    @Test(.enabled(if: getuid() != 0 || canMount, "root may write everywhere, and no mount can be made here"))
    func `nothing asks a person to type what cannot be written`() throws {
        let sandbox = try Sandbox()
        try sandbox.snippet("soup", title: "Note")
        for line in ["new", "new Title", "edit Note", "edit Note --text", "bulk", "bulk soup"] {
            let run = try Self.readOnly(sandbox, "EDITOR=\"touch opened; true\" sbfs \(line)", exits: 1)
            #expect(run.err.contains("cannot be written by you; nothing was changed\n"), "\(line): \(run)")
            #expect(run.err.split(separator: "\n").count == 1, "\(line): \(run)")
            #expect(try sandbox.shell("ls").out.contains("opened") == false, "\(line) opened the editor")
        }
        #expect(try sandbox.shell("find . -path '*drafts*' -type f").out == "")
    }

    @Test(.enabled(if: getuid() != 0 || canMount, "root may write everywhere, and no mount can be made here"))
    func `a library that was never opened here can be read`() throws {
        let sandbox = try Sandbox()
        let id = try sandbox.snippet("soup")
        try sandbox.shell("rm -r '\(sandbox.library)/.sbfs' '\(sandbox.library)/inbox' '\(sandbox.library)/schema'")
        #expect(try Self.readOnly(sandbox, "sbfs list --ids", exits: 0).lines == [id])
        #expect(try Self.readOnly(sandbox, "sbfs check", exits: 0).err.contains("0 errors"))
    }

    @Test(.enabled(if: getuid() != 0 || canMount, "root may write everywhere, and no mount can be made here"))
    func `an exchange that cannot be written says that it can be read alone`() throws {
        let a = try Sandbox()
        let exchange = a.scratch.full("exchange")
        let id = try a.snippet("soup")
        try a.sbfs("remote", "add", "cloud", exchange)
        try a.sbfs("sync")
        let b = try Sandbox(isLibraryMade: false)
        try b.sbfs("init", "--from", exchange)
        let told = try Self.readOnly(b, "sbfs sync", in: exchange, exits: 1).err
        #expect(told.contains("\(exchange) cannot be written by you ("), "\(told)")
        #expect(told.contains("sbfs remote add NAME \(exchange) --read-only"), "\(told)")
        #expect(told.split(separator: "\n").count == 1, "\(told)")
        let status = try b.sbfs("sync", "--status", exits: nil).out
        #expect(status.contains("failed 1 time: \(exchange) cannot be written by you"), "\(status)")
        try b.sbfs("remote", "remove", "exchange")
        try b.sbfs("remote", "add", "exchange", exchange, "--read-only")
        #expect(try Self.readOnly(b, "sbfs sync", in: exchange, exits: 0).out.hasPrefix("exchange: "))
        #expect(try b.ids() == [id])
    }

    @Test func `a newer format that may be read is not written`() throws {
        let sandbox = try Sandbox()
        let id = try sandbox.snippet("soup", title: "Note")
        let text = try sandbox.scratch.text("library/library.json")
        try sandbox.scratch.write(
            "library/library.json", text.replacing("\"format\": 1", with: "\"format\": 2,\n  \"minReader\": 1"))
        let before = try sandbox.snapshot()
        #expect(try sandbox.sbfs("list", "--ids").lines == [id])
        let run = try sandbox.sbfs("title", id, "New", exits: 1)
        #expect(
            run.err.contains(
                "the library has format 2, which this program (format 1) may only read; install a newer sbfs"))
        for words in [
            ["add", "https://example.org"], ["trash", id], ["config", "purgeDays", "5"], ["purge", "--yes"],
        ] {
            let run = try sandbox.sbfs(words: words, exits: nil)
            #expect(words[0] == "purge" || run.status == 1, "\(run)")
        }
        #expect(try sandbox.changes(since: before, in: "library").isEmpty)
    }

    @Test func `a newer format that may not be read is refused`() throws {
        let sandbox = try Sandbox()
        let text = try sandbox.scratch.text("library/library.json")
        try sandbox.scratch.write("library/library.json", text.replacing("\"format\": 1", with: "\"format\": 2"))
        let run = try sandbox.sbfs("list", exits: 1)
        #expect(
            run.err.contains("library.json: the library has format 2, this program reads up to 1; install a newer sbfs")
        )
    }
}
