import Testing

/// Pins and favourites, and the manual order.
struct MoveTests {
    let sandbox: Sandbox

    init() throws {
        sandbox = try Sandbox()
        for (number, title) in ["a", "b", "c", "d", "e"].enumerated() {
            try sandbox.plant(
                "01a19b7c-a680-7000-8f3e-00000000000\(number)",
                "{\"title\": \"\(title)\", \"createdAt\": \"2026-01-0\(number + 1)T00:00:00Z\"}")
        }
    }

    private func order() throws -> String {
        try sandbox.sbfs("list", "--sort", "manual").lines.map { $0.split(separator: "\t")[3] }.joined()
    }

    private func ranked() throws -> Int {
        let run = try sandbox.shell("grep -l sortOrder '\(sandbox.library)'/items/*/*/item.json | wc -l")
        return Int(run.lines[0]) ?? -1
    }

    @Test(
        arguments: [
            (["e", "--first"], "eabcd"), (["a", "--last"], "bcdea"), (["d", "--before", "b"], "adbce"),
            (["a", "--after", "c"], "bcade"), (["e", "c", "--before", "b"], "aecbd"), (["e", "a", "--last"], "bcdea"),
            (["-q", "a OR d OR e", "--after", "b"], "badec"), (["b", "--after", "a"], "abcde"),
            (["a", "b", "--first"], "abcde"), (["e", "--after", "d"], "abcde"),
        ] as [([String], String)])
    func `items go where they are put, and only they are written`(_ words: [String], _ expected: String) throws {
        try sandbox.sbfs(words: ["move"] + words)
        #expect(try order() == expected)
        let moved = words.contains("-q") ? 3 : words.prefix { !$0.hasPrefix("-") }.count
        #expect(try ranked() == (expected == "abcde" ? 0 : moved))
    }

    @Test func `items of one place make room for another, as few as possible`() throws {
        try sandbox.sbfs("set", "a", "b", "c", "d", "e", "sortOrder=1")
        let run = try sandbox.sbfs("move", "e", "--before", "b")
        #expect(run.err.contains("gave new ranks to 1 neighbour, to make space"))
        #expect(try order() == "aebcd")
    }

    @Test func `a hundred items keep the order in which they are named`() throws {
        let titles = (0..<100).map { "n\($0)" }
        let ids = try sandbox.shell(
            "for i in $(seq 0 99); do echo text | sbfs add - --title n$i; done"
        ).lines
        try sandbox.sbfs(
            words: ["move", "-", "--before", "c"], input: Array(ids.reversed().joined(separator: "\n").utf8))
        #expect(try order() == "ab" + titles.reversed().joined() + "cde")
    }

    @Test(
        arguments: [
            (["a"], 2), (["a", "--first", "--last"], 2), (["--first"], 2), (["a", "--before", "a"], 2),
            (["a", "--before", "nosuch"], 3), (["nosuch", "--first"], 3), (["a", "--before"], 2),
        ] as [([String], Int32)])
    func `a move needs items and a place`(_ words: [String], _ status: Int32) throws {
        try sandbox.sbfs(words: ["move"] + words, exits: status)
        #expect(try order() == "abcde")
    }

    @Test func `an item in the trash is no place`() throws {
        try sandbox.sbfs("trash", "c")
        #expect(try sandbox.sbfs("move", "a", "--after", "c", exits: 1).err.contains("is in the trash"))
    }

    @Test func `pins and favourites are set and removed`() throws {
        #expect(try sandbox.sbfs("pin", "a", "b").err == "sbfs: pinned 2 items\n")
        #expect(try sandbox.ids("is:pinned").count == 2)
        #expect(try sandbox.sbfs("pin", "a").err == "sbfs: nothing to change\n")
        #expect(try sandbox.sbfs("unpin", "-q", "is:pinned").err == "sbfs: unpinned 2 items\n")
        #expect(try sandbox.ids("is:pinned").isEmpty)
        try sandbox.sbfs("favourite", "c")
        #expect(try sandbox.ids("is:favorite").count == 1)
        try sandbox.sbfs("unfavorite", "c")
        #expect(try sandbox.item("01a19b7c-a680-7000-8f3e-000000000002")["isFavorite"] == nil)
    }

    @Test func `undo puts items back where they were`() throws {
        try sandbox.sbfs("move", "e", "d", "--first")
        #expect(try order() == "edabc")
        try sandbox.sbfs("undo")
        #expect(try order() == "abcde")
        #expect(try ranked() == 0)
    }
}
