import Testing

struct SizeLimitTests {
    let sandbox: Sandbox

    init() throws {
        sandbox = try Sandbox()
        try sandbox.sbfs("config", "maxFileSizeMB", "50")
        try sandbox.shell("truncate -s 51M large.bin")
    }

    @Test func `a document above the limit is refused and nothing is written`() throws {
        let before = try sandbox.snapshot()
        let run = try sandbox.sbfs("add", "large.bin", exits: 7)
        #expect(run.out.isEmpty)
        #expect(
            run.err == "sbfs: large.bin: 51 MB is more than the limit of 50 MB; nothing was written "
                + "(see: sbfs config maxFileSizeMB)\n")
        #expect(try sandbox.changes(since: before).isEmpty)
    }

    @Test func `others of the same command are added`() throws {
        try sandbox.file("small.txt")
        let run = try sandbox.sbfs("add", "large.bin", "small.txt", exits: 4)
        #expect(run.lines.count == 1)
        #expect(run.err.contains("large.bin: 51 MB is more than the limit of 50 MB"))
        #expect(try sandbox.ids().count == 1)
    }

    @Test func `all of several above the limit end with the code of one`() throws {
        try sandbox.shell("cp --sparse=always large.bin second.bin")
        try sandbox.sbfs("add", "large.bin", "second.bin", exits: 7)
        #expect(try sandbox.ids().isEmpty)
    }

    @Test func `attaching is limited too, and the old document stays`() throws {
        try sandbox.file("old.txt", "old")
        let id = try #require(try sandbox.sbfs("add", "old.txt").lines.first)
        let before = try sandbox.snapshot()
        try sandbox.sbfs("attach", id, "large.bin", "--replace", "--yes", exits: 7)
        #expect(try sandbox.changes(since: before).isEmpty)
    }

    @Test func `the limit of 512 MB is the default`() throws {
        try sandbox.sbfs("config", "maxFileSizeMB", "--unset")
        try sandbox.shell("truncate -s 513M huge.bin")
        let run = try sandbox.sbfs("add", "huge.bin", exits: 7)
        #expect(run.err.contains("513 MB is more than the limit of 512 MB"))
    }

    @Test func `text above 64 MB is no snippet`() throws {
        try sandbox.shell("head -c 67108865 /dev/zero | tr '\\0' a > long.txt")
        let run = try sandbox.shell("sbfs add - < long.txt", exits: 7)
        #expect(run.err.contains("standard input is longer than 64 MB; nothing was written"))
        #expect(try sandbox.sbfs("add", "--type", "snippet", "long.txt", exits: 7).err.contains("long.txt: 64 MB"))
        #expect(try sandbox.ids().isEmpty)
    }
}
