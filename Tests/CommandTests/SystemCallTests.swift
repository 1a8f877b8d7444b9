import Testing

/// System calls, seen by strace(1): the order of syncs and renames, the lock, and how files are opened.
@Suite(.enabled(if: Sandbox.canTrace, "strace is not installed or may not trace"))
struct SystemCallTests {
    struct Writer: CustomTestStringConvertible, Sendable {
        let testDescription: String
        /// A command run before, without tracing.
        var before = "true"
        /// `traced` is `sbfs` under strace, `$ID` an item, `$LIBRARY` the library.
        let script: String
    }

    static let additions = [
        Writer(testDescription: "add a text", script: "printf text | traced add - --type snippet"),
        Writer(testDescription: "add a link", script: "traced add https://example.org/new"),
        Writer(testDescription: "add a document", before: "seq 5000 > paper.txt", script: "traced add paper.txt"),
        Writer(
            testDescription: "add many",
            before: "for i in $(seq 20); do echo https://example.org/$i; done > links",
            script: "traced add --input links"),
        Writer(
            testDescription: "add many documents",
            before: "for i in $(seq 20); do echo $i > paper$i.txt; done", script: "traced add paper*.txt"),
        Writer(testDescription: "new", script: "EDITOR=\"sh -c 'echo text > \\$1' sh\" traced new"),
    ]

    static let changes = [
        Writer(testDescription: "title", script: "traced title $ID New"),
        Writer(testDescription: "set", script: "traced set $ID isFavorite=true"),
        Writer(testDescription: "tag", script: "traced tag add $ID one,two"),
        Writer(testDescription: "collection", script: "traced collection add $ID Shelf"),
        Writer(
            testDescription: "several at once", before: "printf words | sbfs add -",
            script: "traced tag add -q words one"),
        Writer(testDescription: "append", script: "traced append $ID more"),
        Writer(testDescription: "edit", script: "EDITOR='sed -i s/Note/Changed/' traced edit $ID"),
        Writer(testDescription: "edit --text", script: "EDITOR='sed -i s/words/figures/' traced edit $ID --text"),
        Writer(testDescription: "attach a document", before: "echo x > a.txt", script: "traced attach $ID a.txt"),
        Writer(
            testDescription: "attach another document",
            before: "echo x > a.txt; sbfs attach $ID a.txt; echo y > b.txt",
            script: "traced attach $ID b.txt --replace --yes"),
        Writer(
            testDescription: "attach a document of the same name",
            before: "echo x > a.txt; sbfs attach $ID a.txt; echo y > a.txt",
            script: "traced attach $ID a.txt --replace --yes"),
        Writer(
            testDescription: "attach a text", before: "sbfs detach $ID text --yes",
            script: "echo text | traced attach $ID -"),
        Writer(
            testDescription: "detach the document", before: "echo x > a.txt; sbfs attach $ID a.txt; mkdir out",
            script: "traced detach $ID document --to out --yes"),
        Writer(testDescription: "detach the text", script: "traced detach $ID text --yes"),
        Writer(testDescription: "trash", script: "traced trash $ID"),
        Writer(testDescription: "restore", before: "sbfs trash $ID", script: "traced restore $ID"),
        Writer(testDescription: "purge", before: "sbfs trash $ID", script: "traced purge $ID --now --yes"),
        Writer(testDescription: "config", script: "traced config purgeDays 30"),
        Writer(
            testDescription: "repair a wrong shard",
            before: """
                shard=$LIBRARY/items/$(printf %s $ID | tail -c 2)
                other=$LIBRARY/items/$(printf %s $ID | tail -c 2 | tr 0-9a-f 1-9a-f0)
                mkdir -p "$other"; mv "$shard/$ID" "$other"
                """, script: "traced check --repair --yes"),
        Writer(
            testDescription: "repair a copy",
            before: "shard=$LIBRARY/items/$(printf %s $ID | tail -c 2); cp -a \"$shard/$ID\" \"$shard/copy\"",
            script: "traced check --repair --yes"),
        Writer(
            testDescription: "repair a tombstone",
            before: """
                shard=$LIBRARY/tombstones/$(printf %s $ID | tail -c 2); mkdir -p "$shard"
                echo '{"purgedAt": "2026-01-01T00:00:00Z"}' > "$shard/$ID.json"
                """, script: "traced check --repair --yes"),
    ]

    static let initialization = Writer(testDescription: "init", before: "rm -r \"$LIBRARY\"", script: "traced init")

    let sandbox: Sandbox

    init() throws {
        sandbox = try Sandbox()
        sandbox.environment["ID"] = try sandbox.snippet("words\n", title: "Note")
        sandbox.environment["LIBRARY"] = sandbox.library
    }

    private func calls(of writer: Writer) throws -> [TracedCall] {
        try sandbox.shell(writer.before)
        let calls = try sandbox.trace(writer.script).calls
        #expect(calls.contains { $0.has(sandbox.library) })
        return calls
    }

    private func isInLibrary(_ path: String) -> Bool { path.hasPrefix(sandbox.library + "/") }

    @Test(arguments: additions + changes + [initialization])
    func `files are on the disk before they get their names, and names before the command reports success`(
        writer: Writer
    ) throws {
        var order = SyncOrder(library: sandbox.library)
        for call in try calls(of: writer) { order.follow(call) }
        #expect(order.early.isEmpty)
        #expect(order.late.isEmpty)
    }

    @Test(arguments: additions)
    func `a new item is built in staging and comes in by one rename`(writer: Writer) throws {
        let items = sandbox.library + "/items/"
        let before = try sandbox.ids().count
        var renames: [String] = []
        for call in try calls(of: writer) {
            if call.name == "write" { #expect(call.descriptorPath?.hasPrefix(items) != true, "\(call)") }
            guard let path = call.paths.last, path.hasPrefix(items) else { continue }
            switch call.name {
            case "rename", "renameat", "renameat2":
                #expect(call.paths[0].hasPrefix(sandbox.library + "/.sbfs/staging/"), "\(call)")
                renames.append(path)
            case "mkdir", "mkdirat": #expect(path.dropFirst(items.count).utf8.count == 2, "\(call)")
            default: #expect(!call.has("O_CREAT") && !call.has("O_WRONLY"), "\(call)")
            }
        }
        let added = try sandbox.ids().count - before
        #expect(added > 0 && renames.count == added && Set(renames).count == added)
    }

    @Test(arguments: additions + changes)
    func `files of the library are only renamed under the lock`(writer: Writer) throws {
        let lock = sandbox.library + "/.sbfs/lock"
        var isLocked = false
        var count = 0
        for call in try calls(of: writer) {
            if call.name == "flock", call.descriptorPath == lock { isLocked = true }
            if call.name == "close", call.descriptorPath == lock { isLocked = false }
            guard call.name.hasPrefix("rename"), let path = call.paths.last, isInLibrary(path) else { continue }
            // A version is named by its content: every writer writes the same bytes.
            if path.hasPrefix(sandbox.library + "/.sbfs/") || SyncOrder.isVersion(path) { continue }
            #expect(isLocked, "\(call)")
            count += 1
        }
        #expect(count > 0 || writer.testDescription == "repair a tombstone")
    }

    @Test(arguments: additions + changes)
    func `files of the library are opened without links, without waiting and not for children`(writer: Writer) throws {
        for call in try calls(of: writer) {
            // Segments of the index are never shortened, so they may be mapped.
            if call.name == "mmap", !call.has(".segment>") {
                #expect(!call.has("<\(sandbox.library)/"), "\(call)")
            }
            guard call.name.hasPrefix("open"), let path = call.paths.first, isInLibrary(path) else { continue }
            #expect(call.has("O_CLOEXEC"), "\(call)")
            let name = call.arguments.firstMatch(of: #/"([^"]*)"/#)?.1 ?? ""
            let isOneName = !name.contains("/") && (name == "." || call.has("O_NOFOLLOW"))
            #expect(isOneName || call.has("RESOLVE_BENEATH") && call.has("RESOLVE_NO_SYMLINKS"), "\(call)")
            // Opening a FIFO for both reading and writing does not wait, and neither does creating a file.
            #expect(["O_DIRECTORY", "O_TMPFILE", "O_NONBLOCK", "O_RDWR"].contains(where: call.has), "\(call)")
        }
    }

    @Test func `item json names no document that is gone, whenever the command is interrupted`() throws {
        try sandbox.shell("echo x > a.txt; sbfs attach $ID a.txt")
        let renames = try sandbox.trace("traced detach $ID document --yes").calls.filter { $0.name.hasPrefix("rename") }
        let unnamed = try #require(renames.firstIndex { $0.paths.last?.hasSuffix("/item.json") == true })
        let removed = try #require(renames.firstIndex { $0.paths.first?.hasSuffix("/document/a.txt") == true })
        #expect(unnamed < removed)
    }

    @Test func `a repair that fails is no success, though only warnings are left`() throws {
        try sandbox.shell(try #require(Self.changes.first { $0.testDescription == "repair a tombstone" }).before)
        let run = try sandbox.trace(
            "traced check --repair --yes; echo $?", options: "-e inject=unlinkat:error=ENOSPC"
        ).run
        #expect(run.lines.last == "1", "\(run)")
        #expect(run.err.contains("No space left on device"), "\(run)")
        try sandbox.sbfs("check", "--repair", "--yes")
    }

    @Test func `where the kernel has no openat2, links are not followed either`() throws {
        let fine = try sandbox.snippet("words", title: "Fine")
        let (file, folder) = (try sandbox.snippet("words"), try sandbox.snippet("words", title: "Secret"))
        try sandbox.file("secret.json", #"{"title": "Secret"}"#)
        try sandbox.shell(
            """
            ln -sf "$PWD/secret.json" '\(sandbox.path(file, "item.json"))'
            mv '\(sandbox.path(folder, ""))' moved; ln -s "$PWD/moved" '\(sandbox.scratch.full(sandbox.folder(folder)))'
            """)
        func traced(_ words: String) throws -> Run {
            try sandbox.trace("traced \(words) || true", options: "-e inject=openat2:error=ENOSYS").run
        }
        #expect(try traced("list --json").out.contains(fine))
        for words in ["list --json", "show \(file)", "show \(folder)"] {
            let run = try traced(words)
            #expect(!run.out.contains("Secret"), "\(run)")
        }
        #expect(try traced("append \(fine) more").status == 0)
        #expect(try sandbox.text(fine).contains("more"))
    }
}
