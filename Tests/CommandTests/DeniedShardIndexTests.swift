import Testing

/// The search index where a shard of items/ may not be read.
struct DeniedShardIndexTests {
    private let sandbox: Sandbox
    /// The item in the shard.
    private let denied = "01a19b7c-a680-7000-8f3e-5d2c9b7a61c4"
    private let other = "01a19b7c-a680-7000-8f3e-5d2c9b7a61c5"
    private let shard = "items/c4"

    init() throws {
        sandbox = try Sandbox()
        for (id, name) in [(denied, "one"), (other, "two")] {
            try sandbox.plant(id, "{}")
            try sandbox.scratch.write(sandbox.folder(id) + "/text.md", "soup of \(name)")
        }
        #expect(try found("soup") == [denied, other])
    }

    private func run(_ words: String, exits status: Int32) throws -> Run {
        try sandbox.shell(Sbfs.bound + "'\(Sbfs.binary)' \(words)", exits: status)
    }

    private func found(_ word: String) throws -> [String] {
        try run("search --ids \(word)", exits: 0).lines.sorted()
    }

    private func set(_ mode: String) throws { try sandbox.shell("chmod \(mode) '\(sandbox.library)/\(shard)'") }

    @Test(arguments: ["", "--full", "--verify"], ["000", "444", "111"])
    func `reindex names the shard, goes on with the others, and keeps what the index has`(
        _ option: String, _ mode: String
    ) throws {
        try set(mode)
        try sandbox.scratch.write(sandbox.folder(other) + "/text.md", "stew of two")
        let told = try run("reindex \(option)", exits: 4)
        #expect(told.err.contains(shard) && told.err.contains("Permission denied"), "\(told)")
        #expect(told.err.contains("the index was updated and not rebuilt") == (option == "--full"))
        #expect(try found("stew") == [other])
        #expect(try found("one") == [denied])
        try set("755")
        let after = try sandbox.sbfs("reindex")
        #expect(after.err == "sbfs: 2 items, 0 added, 0 changed, 0 removed\n", "\(after)")
        #expect(try found("one") == [denied])
    }

    @Test func `an index that has to be made is made without the shard, which is found later`() throws {
        try set("000")
        try sandbox.shell("rm -r '\(sandbox.library)/.sbfs/index'")
        #expect(try run("reindex", exits: 4).err.contains(shard))
        #expect(try found("two") == [other])
        try set("755")
        #expect(try found("one") == [denied])
    }
}
