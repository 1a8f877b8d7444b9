import Testing

/// `sbfs conflicts` where two devices changed one of the person's own files.
struct OwnFileConflictTests {
    private let a: Sandbox
    private let b: Sandbox
    private let id: String

    /// Two devices, which have each changed the same two files, and have synced.
    init() throws {
        a = try Sandbox()
        let exchange = a.scratch.full("exchange")
        id = try a.snippet("Mix.", title: "Bread")
        try Self.save(a, id, "First.")
        try a.sbfs("remote", "add", "box", exchange)
        try a.sbfs("sync")
        b = try Sandbox(isLibraryMade: false)
        try b.sbfs("init", "--from", exchange)
        try b.sbfs("sync")
        try Self.save(a, id, "Of a.")
        try Self.save(b, id, "Of b.")
        for device in [a, b, a] { try device.sbfs("sync", exits: nil) }
    }

    private static func save(_ device: Sandbox, _ id: String, _ text: String) throws {
        for name in ["own/notes.txt", "own/plan.txt"] { try device.scratch.write(device.folder(id) + "/" + name, text) }
    }

    @Test func `both files are listed as what they are, on each device, until one goes`() throws {
        for device in [a, b] {
            let run = try device.sbfs("conflicts")
            let rows = run.lines.map { $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init) }
            #expect(rows.count == 2, "\(run)")
            for (row, name) in zip(rows, ["own/notes", "own/plan"]) {
                let kept = try #require(row.count == 7 ? row[2] : nil)
                #expect(kept.hasPrefix("\(name).conflict-") && kept.hasSuffix(".txt"))
                #expect(row == [id, "file", kept, "\(name).txt", kept, "", "1"])
            }
            #expect(try device.sbfs("conflicts", id).out == run.out)
            let objects = try device.sbfs("conflicts", "--json").array()
            #expect(objects.count == 2 && objects.allSatisfy { $0["field"] as? String == "file" })
            let refused = try device.sbfs("resolve", id, "--take", "1", exits: 1)
            #expect(refused.err.contains("2 such conflicts; name the file"))
        }
        let own = a.scratch.full(a.folder(id)) + "/own"
        try a.shell("cd '\(own)' && rm notes.conflict-* && mv plan.conflict-* mine.txt")
        #expect(try a.sbfs("conflicts", exits: 3).err == "sbfs: no conflicts\n")
        try a.sbfs("sync")
        try b.sbfs("sync")
        #expect(try b.sbfs("conflicts", exits: 3).err == "sbfs: no conflicts\n")
    }

    @Test func `an item in the trash is not listed unless it is named`() throws {
        try a.sbfs("trash", id)
        #expect(try a.sbfs("conflicts", exits: 3).out.isEmpty)
        #expect(try a.sbfs("conflicts", id).lines.count == 2)
    }
}
