import Foundation
import Glibc
import TestSupport
import Testing

/// Commands without /proc, as in a plain chroot.
struct WithoutProcTests {
    let sandbox: Sandbox
    private let root: String
    /// Runs a program with another root folder; another user than root becomes root in a user namespace.
    private let enter: String

    init() throws {
        sandbox = try Sandbox()
        root = sandbox.scratch.full("root")
        enter = (getuid() == 0 ? "chroot" : "unshare --map-root-user --root") + " '\(root)'"
        // The program, its libraries and the worker, at their usual paths.
        try sandbox.shell(
            """
            set -e
            for program in '\(Sbfs.binary)' '\(Sbfs.binary)-worker'; do
                for file in "$program" $(ldd "$program" | grep -o '/[^ ]*'); do
                    mkdir -p "\(root)$(dirname "$file")"
                    [ -e "\(root)$file" ] || cp -L "$file" "\(root)$file"
                done
            done
            mkdir -p '\(root)/home' '\(root)/dev' '\(root)/tmp'
            cp -a '\(sandbox.library)' '\(root)/library'
            : > '\(root)/dev/null'
            """)
        sandbox.environment["SBFS_LIBRARY"] = "/library"
        for (name, folder) in [
            ("HOME", ""), ("XDG_CONFIG_HOME", "/c"), ("XDG_STATE_HOME", "/s"), ("XDG_CACHE_HOME", "/k"),
        ] {
            sandbox.environment[name] = "/home" + folder
        }
    }

    /// Runs a command in the folder without /proc; the words are shell.
    @discardableResult
    private func sbfs(_ words: String, exits status: Int32? = 0) throws -> Run {
        try sandbox.shell("\(enter) '\(Sbfs.binary)' \(words)", exits: status)
    }

    @Test func `a command makes the requested change`() throws {
        let id = try #require(try sandbox.shell("echo soup | \(enter) '\(Sbfs.binary)' add -").lines.first)
        #expect(sandbox.scratch.exists("root/library/items/\(id.suffix(2))/\(id)/text.md"))
        #expect(try sbfs("list --ids").lines == [id])
        #expect(try sbfs("version").out.hasPrefix("sbfs "))
        #expect(try sbfs("lst", exits: 2).err.contains("did you mean \"list\"?"))
        try sbfs("tag add \(id) kitchen")
        #expect(try sbfs("log").out.contains("sbfs tag add \(id) kitchen"))
    }

    @Test func `no words at all show the overview`() throws {
        #expect(try sbfs("").out.contains("The library is empty. Keep something:"))
    }

    @Test func `the worker is found, by the path that sbfs was started by`() throws {
        try sandbox.shell("echo '<title>Soup</title><p>Roast the squash first.' > '\(root)/tmp/page.html'")
        #expect(try sbfs("extract /tmp/page.html https://example.org/").out.contains("Soup"))
        // Without a slash in its name, it is found on PATH.
        sandbox.environment["PATH"] = (Sbfs.binary as NSString).deletingLastPathComponent + ":/usr/sbin:/usr/bin:/bin"
        let found = try sandbox.shell("\(enter) sbfs extract /tmp/page.html https://example.org/")
        #expect(found.out.contains("Soup"))
    }

    @Test func `a row is refused, since another terminal's cannot be distinguished`() throws {
        let run = try sandbox.shell(
            "echo soup | \(enter) '\(Sbfs.binary)' add - && \(enter) '\(Sbfs.binary)' list && "
                + "\(enter) '\(Sbfs.binary)' trash @1", exits: 1)
        #expect(run.err.contains("@1: sbfs cannot tell which rows this terminal showed"))
        #expect(run.err.contains("name the item by its id"))
        #expect(try sbfs("list --ids").lines.count == 1)
    }
}
