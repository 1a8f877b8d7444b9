import Glibc
import Testing

/// Files of another user in a library, as "sudo sbfs" leaves them.
struct ForeignOwnerTests {
    private let sandbox: Sandbox
    private let user = "setpriv --reuid=nobody --regid=nogroup --clear-groups "

    init() throws {
        sandbox = try Sandbox()
        if geteuid() == 0 {
            let path = sandbox.scratch.path
            try sandbox.shell("chown -R nobody:nogroup '\(path)' && chmod 755 '\(path)'")
        }
    }

    @Test(.enabled(if: geteuid() == 0, "only root makes files of another user"))
    func `what root left is named with the command that gives it back, and root is warned`() throws {
        let add = try sandbox.shell("\(user)'\(Sbfs.binary)' add - --title Note <<x\nsoup\nx")
        #expect(add.err.isEmpty, "\(add)")
        let root = try sandbox.sbfs("add", "-", "--title", "Stew", input: "stew")
        #expect(root.err.hasPrefix("sbfs: this runs as root in the library of nobody: "), "\(root)")
        let id = try #require(root.lines.first)
        let advice =
            "belongs to root, as after \"sudo sbfs\"; this makes it yours again: sudo chown -R nobody "
            + sandbox.library + "\n"
        for line in ["title \(id) Soup", "undo", "trash \(id)"] {
            let run = try sandbox.shell("\(user)'\(Sbfs.binary)' \(line)", exits: 1)
            #expect(run.err.hasSuffix(advice), "\(run)")
            #expect(run.err.split(separator: "\n").count { $0.contains("chown") } == 1, "\(run)")
        }
        try sandbox.shell("chown -R nobody '\(sandbox.library)'")
        let mended = try sandbox.shell("\(user)'\(Sbfs.binary)' title \(id) Soup")
        #expect(mended.err == "sbfs: titled 1 item\n", "\(mended)")
    }

    @Test(.enabled(if: geteuid() == 0, "only root makes files of another user"))
    func `a library whose own folder belongs to root is named`() throws {
        try sandbox.shell("\(user)'\(Sbfs.binary)' list && chown -R root '\(sandbox.library)/.sbfs'")
        let run = try sandbox.shell("\(user)'\(Sbfs.binary)' add https://example.org", exits: 1)
        #expect(run.err.contains("cannot be written by you"), "\(run)")
        #expect(run.err.contains("/.sbfs belongs to root, as after \"sudo sbfs\""), "\(run)")
        #expect(run.err.contains("sudo chown -R nobody"), "\(run)")
    }

    @Test(.enabled(if: geteuid() == 0, "only root makes files of another user"))
    func `nobody is told to take another person's library`() throws {
        try sandbox.snippet("soup", title: "Note")
        try sandbox.shell("chown -R daemon '\(sandbox.library)' && chmod -R a+rX '\(sandbox.library)'")
        let run = try sandbox.shell("\(user)'\(Sbfs.binary)' title Note Soup", exits: 1)
        #expect(run.err.hasSuffix(" belongs to daemon\n") && !run.err.contains("chown"), "\(run)")
    }
}
