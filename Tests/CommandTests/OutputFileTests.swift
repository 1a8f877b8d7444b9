import Foundation
import Glibc
import Testing

/// What `--output`, `--html` and `--report` do to their file.
struct OutputFileTests {
    private static let commands = [
        "export --format html -o", "export --full", "stats --html", "import b.html --report",
    ]

    private func sandbox() throws -> Sandbox {
        let sandbox = try Sandbox()
        try sandbox.link("https://example.org/", title: "Mine")
        try sandbox.file(
            "b.html",
            "<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<DL><p>\n<DT><A HREF=\"https://example.org/b\">B</A>\n</DL>\n")
        return sandbox
    }

    @Test(arguments: commands) func `a device is written in place and stays one`(_ command: String) throws {
        let sandbox = try sandbox()
        // Only root can make a device; for others the machine's own is safe.
        let device = getuid() == 0 ? "full" : "/dev/full"
        if getuid() == 0 { try sandbox.shell("mknod full c 1 7 && mknod null c 1 3") }
        let run = try sandbox.shell("sbfs \(command) \(device)", exits: 1)
        #expect(run.err.contains("No space left on device"))
        let null = getuid() == 0 ? "null" : "/dev/null"
        try sandbox.shell("sbfs \(command) \(null) && test -c \(null) && test -c \(device)")
    }

    @Test(arguments: commands) func `a FIFO and standard output get the bytes`(_ command: String) throws {
        let sandbox = try sandbox()
        let piped = try sandbox.shell(
            "mkfifo f && { cat f > got & sbfs \(command) f; wait; } && test -p f && wc -c < got")
        #expect(Int(piped.out.trimmingCharacters(in: .whitespacesAndNewlines)) ?? 0 > 10)
        for name in ["/dev/stdout", "/proc/self/fd/1"] {
            // After existing bytes, in a file to which others write too.
            try sandbox.shell("echo before > out && { sbfs \(command) \(name); echo after; } >> out")
            let lines = try sandbox.shell("head -n 1 out; tail -c 6 out; wc -l < out").lines
            #expect(lines[0] == "before" && lines[1] == "after")
            #expect(Int(lines[2].trimmingCharacters(in: .whitespaces)) ?? 0 > 2, "\(name)")
        }
    }

    @Test(arguments: ["library.json", ".sbfs/owner", "items/x.json", "tags/x.json"])
    func `files of the library are not overwritten`(_ name: String) throws {
        let sandbox = try sandbox()
        let before = try sandbox.snapshot()
        for command in ["export --format json -o", "export --full", "stats --html"] {
            let run = try sandbox.shell("sbfs \(command) '\(sandbox.library)/\(name)'", exits: 2)
            let why = command.hasPrefix("export") ? "is in the library, which" : "is a part of the library itself"
            #expect(run.err.contains(why), "\(run)")
        }
        #expect(try sandbox.changes(since: before).isEmpty)
    }

    @Test func `a link is followed, and a file that is replaced keeps its permissions, owner and names`() throws {
        let sandbox = try sandbox()
        try sandbox.shell(
            """
            echo old > real && chmod 640 real && ln -s real link && ln -s absent dangling && echo old > one && ln one two
            [ "$(id -u)" != 0 ] || chown 33:34 real; stat -c '%a %u %g' real > before; stat -c %i one > number
            for name in link dangling one; do sbfs export --format html -o $name || exit 1; done
            test -L link && test -L dangling && stat -c '%a %u %g' real | cmp - before && stat -c %i two | cmp - number
            for name in real absent two; do grep -q Mine $name || exit 2; done
            """)
        #expect(try sandbox.shell("ls -A | grep -c part || true").lines == ["0"])
    }

    @Test func `a folder, a file that may not be written and a link to itself are errors, and nothing is left`() throws
    {
        let sandbox = try sandbox()
        try sandbox.shell("mkdir d && ln -s d dlink && ln -s loop loop")
        let before = try sandbox.shell("ls -lA").out
        for name in ["d", "dlink", "d/", "."] {
            #expect(
                try sandbox.sbfs("export", "--format", "html", "-o", name, exits: 1).err.contains("it is a folder"),
                "\(name)")
        }
        for name in ["loop", "absent/x"] { try sandbox.sbfs("export", "--format", "html", "-o", name, exits: 1) }
        #expect(try sandbox.shell("ls -lA").out == before)
    }

    @Test func `the next output removes leftovers of killed processes, but no file that is being written`() throws {
        let sandbox = try sandbox()
        let left = ".out.html-sbfs-0123456789abcdef.part", held = ".out.html-sbfs-0123456789abcde0.part"
        try sandbox.file(left)
        try sandbox.file(held)
        try sandbox.shell("exec 8< \(held) && flock 8 && sbfs export -o out.html")
        let names = try sandbox.shell("ls -A").lines
        #expect(!names.contains(left) && names.contains(held) && names.contains("out.html"))
    }
}
