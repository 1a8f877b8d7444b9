import Testing

/// The programs of Examples, which use only the library.
struct ExampleTests {
    private let sandbox: Sandbox

    init() throws { sandbox = try Sandbox(isLibraryMade: false) }

    private func example(_ words: String..., exits status: Int32 = 0) throws -> String {
        try sandbox.program(words[0], Array(words.dropFirst()), exits: status).out
    }

    @Test func `a reading list adds links, lists unread ones, and undoes`() throws {
        let list = sandbox.library
        #expect(try example("reading-list", list, "next", exits: 1).contains("there is no reading list yet"))
        let added = try example("reading-list", list, "add", "https://example.org/a", "A", "long", "read")
        #expect(added.hasSuffix(" waits to be read\n"))
        _ = try example("reading-list", list, "add", "https://example.org/b", "Another")
        #expect(try sandbox.sbfs("list", "source:reading-list", "--ids").out.split(separator: "\n").count == 2)
        var next = try example("reading-list", list, "next")
        #expect(next.contains("A long read\n") && next.contains("Another\n") && next.hasSuffix("2 of 2\n"))
        #expect(try example("reading-list", list, "next", "long").hasSuffix("1 of 1\n"))
        #expect(try example("reading-list", list, "done", "A long read") == "read: A long read\n")
        next = try example("reading-list", list, "next")
        #expect(!next.contains("A long read") && next.hasSuffix("1 of 1\n"))
        #expect(try sandbox.sbfs("list", "tag:read", "--ids").out.split(separator: "\n").count == 1)
        let undone = try example("reading-list", list, "undo")
        #expect(undone == "took back reading-list done A long read: 1 changed, 0 left\n")
        #expect(try example("reading-list", list, "next").hasSuffix("2 of 2\n"))
        #expect(try sandbox.sbfs("log").out.contains("reading-list add https://example.org/a A long read"))
    }

    @Test func `a list of feeds is imported as one step, and other lines are named`() throws {
        try sandbox.sbfs("init")
        let urls = try sandbox.file(
            "urls",
            """
            # my feeds
            https://example.org/feed.xml news "long reads" "~The Example"
            https://example.org/other !hidden
            "query:unread:unread = \\"yes\\""

            https://example.org/feed.xml again
            """)
        let out = try example("feed-list", sandbox.library, urls)
        #expect(out.hasPrefix("2 added, 1 known already, 1 skipped\n") && out.contains("line 4: "))
        #expect(try sandbox.sbfs("list", "The Example", "tag:long reads", "tag:again", "--ids").out.count > 30)
        #expect(try sandbox.sbfs("list", "tag:feed", "--ids").out.split(separator: "\n").count == 2)
        try sandbox.sbfs("undo")
        #expect(try sandbox.sbfs("list", "tag:feed", "--ids", exits: nil).out.isEmpty)
    }

    @Test
    func `a service tags new links as items like them, each as one step, names a damaged item, and ends by a signal`()
        throws
    {
        try sandbox.sbfs("init")
        try sandbox.sbfs("add", "-", "--title", "Onion soup", "--tag", "soup,winter", input: "Onions in stock\n")
        let damaged = try sandbox.sbfs("add", "-", "--title", "Onion stew", "--tag", "stew", input: "Onions\n").out
        let path = "\"$SBFS_LIBRARY\"/items/*/\(damaged.dropLast())/item.json"
        let folder = Sbfs.binary.split(separator: "/").dropLast().map { "/" + $0 }.joined()
        let out = try sandbox.shell(
            """
            wait_for() { until grep -q -- "$1" out; do kill -0 $service || exit 9; sleep 0.02; done; }
            '\(folder)/similar-tags' "$SBFS_LIBRARY" >out 2>&1 & service=$!
            wait_for '^watching '
            '\(Sbfs.binary)' add https://example.org/onion-stock --title 'Stock of onions' --no-archive
            wait_for ' +.*soup'
            '\(Sbfs.binary)' list --ids tag:soup tag:winter tag:stew type:link | grep -c .
            '\(Sbfs.binary)' undo
            '\(Sbfs.binary)' list --ids tag:winter type:link
            for path in \(path); do echo '{' >"$path"; done
            '\(Sbfs.binary)' add https://example.org/onions --title 'More onions' --no-archive >id
            wait_for "^$(tail -c 9 id) +"
            kill -TERM $service
            wait $service && tail -n 1 out
            grep -c 'cannot be read: .*item.json' out
            """, exits: nil)
        let lines = out.out.split(separator: "\n")
        #expect(lines.count == 4 && lines[1...] == ["1", "ended", "1"], "\(out)")
    }

    /// The shared libraries that a program names, from its dynamic section.
    private func libraries(of program: String) throws -> [String] {
        let folder = Sbfs.binary.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(
            separator: "/")
        return try sandbox.shell("readelf -dW '\(folder)/\(program)'").out.split(separator: "\n")
            .filter { $0.contains("(NEEDED)") }
            .compactMap { line in
                line.split(whereSeparator: { $0 == "[" || $0 == "]" }).dropFirst().first.map(String.init)
            }
    }

    @Test func `a program on the library links no C library but the system's, and the worker does`() throws {
        // Dispatch is a part of Swift's runtime, which the service uses for signals.
        let runtime = ["libdispatch.so", "libBlocksRuntime.so"]
        let system =
            runtime + ["libc.so", "libm.so", "ld-linux", "libgcc_s.so", "libstdc++.so", "libpthread.so", "libdl.so"]
        for program in ["reading-list", "feed-list", "similar-tags", "sbfs"] {
            let libraries = try libraries(of: program)
            #expect(libraries.contains { $0.hasPrefix("libc.so") }, "\(program): \(libraries)")
            for library in libraries where !library.hasPrefix("libswift") {
                #expect(system.contains { library.hasPrefix($0) }, "\(program) links \(library)")
            }
        }
        #expect(try libraries(of: "sbfs-worker").contains { $0.hasPrefix("libcurl") })
    }
}
