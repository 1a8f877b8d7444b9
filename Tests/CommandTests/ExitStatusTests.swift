import Glibc
import Testing

/// Each exit code occurs as `sbfs help exit-codes` describes.
struct ExitStatusTests {
    let sandbox: Sandbox
    let id: String

    init() throws {
        sandbox = try Sandbox()
        id = try sandbox.snippet("text", title: "Note")
    }

    @Test func `0 to 5 and 7`() throws {
        try sandbox.sbfs("show", "Note", exits: 0)
        try sandbox.sbfs("add", "absent", exits: 1)
        try sandbox.sbfs("show", "--bogus", exits: 2)
        try sandbox.sbfs("show", "nobody", exits: 3)
        try sandbox.sbfs("show", "Note", "nobody", exits: 4)
        try sandbox.useEditor(#"sed -i s/Note/Theirs/ '\#(sandbox.path(id, "item.json"))'; sed -i s/Note/Ours/ "$1""#)
        try sandbox.sbfs("edit", "Note", exits: 5)
        try sandbox.sbfs("config", "maxFileSizeMB", "50")
        try sandbox.shell("truncate -s 51M large.bin")
        try sandbox.sbfs("add", "large.bin", exits: 7)
    }

    @Test func `6 while another program holds the library, and nothing is written`() throws {
        try sandbox.sbfs("list")
        let lock = open(sandbox.library + "/.sbfs/lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        defer { close(lock) }
        try #require(lock >= 0 && flock(lock, LOCK_EX | LOCK_NB) == 0)
        let before = try sandbox.snapshot()
        #expect(try sandbox.sbfs("list", "--ids").lines == [id])
        let run = try sandbox.shell(
            """
            echo x | sbfs add - & first=$!
            sbfs title Note New & second=$!
            sbfs purge Note --now --yes & third=$!
            wait $first; a=$?; wait $second; b=$?; wait $third; echo $a $b $?
            """)
        #expect(run.lines.last == "6 6 1")
        #expect(run.err.contains("another program has been writing for 10 s; try again when it is done"))
        // An empty shard is no item.
        let changes = try sandbox.changes(since: before, in: "library")
        #expect(
            changes.filter { !$0.hasPrefix("library/.sbfs/") && $0.utf8.count != "library/items/c4".utf8.count }.isEmpty
        )
        try sandbox.sbfs("list")
    }
}
