import Glibc
import StuffBucket

extension Commands {
    static let pick = Command(
        "pick", .find, "Choose items from a list that narrows as you type", arguments: "[QUERY]…",
        details: """
            Shows items in fzf with a preview, and prints the ids of those that you choose (Tab selects several). \
            --lines prints the lines for another program: id, title, tags and collections, day of the last change, \
            separated by tabs. "sbfs preview ID" shows one item.
            """,
        options: [
            Option("lines", "print lines for another program"), Option.sort, Option.reverse, Option.limit, Option.fresh,
        ],
        examples: [
            .init("sbfs open $(sbfs pick)", "open what is chosen"),
            .init("sbfs pick type:link | sbfs trash -", "several at once"),
            .init(
                "sbfs pick --lines | sk -d '\\t' --with-nth 2.. --preview 'sbfs preview {1}'", "with another program"),
        ]
    ) { invocation in
        let library = try invocation.library()
        let parsed = try invocation.readQuery(invocation.positionals)
        let text = parsed.text
        var request = ItemRequest(parsed.query)
        if let order = try invocation.order() { request.order = order }
        request.direction = invocation.has("reverse") ? .reversed : .forward
        request.limit = try invocation.count("limit")
        request.isFresh = invocation.has("fresh")
        let listing = try library.find(request)
        invocation.tell(listing.faults)
        if listing.rows.isEmpty {
            throw CommandFailure(.nothingFound, text.isEmpty ? "the library is empty" : "nothing matches \(text)")
        }
        if invocation.has("lines") {
            try PickLines(invocation, library).write(listing.rows) { try invocation.output.write($0) }
            return .done
        }
        return try choose(listing.rows, library, invocation)
    }

    private static func choose(_ rows: [Row], _ library: Library, _ invocation: Invocation) throws -> ExitStatus {
        guard let path = Environment["PATH"],
            path.split(separator: ":").contains(where: { access($0 + "/fzf", X_OK) == 0 })
        else {
            throw CommandFailure(
                .failed, "fzf is not installed (package fzf); \"sbfs pick --lines\" prints lines for another program")
        }
        setenv("SBFS_LIBRARY", FileOfPerson.absolute(library.path), 1)
        setenv("SBFS_PICK", Program.ownPath, 1)
        // fzf runs the preview with $SHELL. fish or another shell may read it differently, so sh is used. The command
        // contains only the id, never a title.
        setenv("SHELL", "/bin/sh", 1)
        // The person's own options come first (FZF_DEFAULT_OPTS); these follow and take precedence.
        let words = [
            "fzf", "--ansi", "--multi", "--delimiter=\t", "--with-nth=2..", "--no-sort", "--prompt=item> ",
            "--header-lines=0", "--no-read0", "--no-print0", "--no-print-query", "--no-expect",
            "--preview=\"$SBFS_PICK\" preview --color always {1}", "--preview-window=right:50%:wrap",
        ]
        let lines = PickLines(invocation, library, style: Style("always"))
        let answer = try Program.filter(words) { write in try lines.write(rows) { write($0) } }
        guard let answer else { throw CommandFailure(.failed, "fzf cannot be started") }
        if answer.status == 2 {
            // fzf shows its list on the terminal, wherever its streams go.
            let terminal = Glibc.open("/dev/tty", O_RDWR | O_CLOEXEC)
            if terminal >= 0 { close(terminal) }
            throw CommandFailure(
                .failed,
                terminal < 0
                    ? "there is no terminal to choose on; \"sbfs pick --lines\" prints lines for another program"
                    : "fzf failed (exit 2); is FZF_DEFAULT_OPTS right?")
        }
        // Other lines, which a person's options may print, are no items.
        let known = Set(rows.map(\.id.description))
        let chosen = answer.output.split { $0 == 0x0A || $0 == 0 }.map { line in
            String(decoding: line.prefix { $0 != 0x09 }, as: UTF8.self)
        }.filter(known.contains)
        for id in chosen { try invocation.output.line(id) }
        return answer.status == 0 && !chosen.isEmpty ? .done : .nothingFound
    }
}

/// Items as lines for a program that filters a list interactively.
struct PickLines {
    private let printer: ItemPrinter
    private let library: Library
    private let style: Style

    init(_ invocation: Invocation, _ library: Library, style: Style? = nil) {
        self.library = library
        self.style = style ?? Style("never")
        printer = ItemPrinter(
            format: .table, library: library, output: invocation.output, style: self.style, columns: Terminal.columns,
            reach: ExchangeReach(library))
    }

    /// - Parameter write: receives many lines at a time.
    func write(_ rows: [Row], _ write: ([UInt8]) throws -> Void) throws {
        for start in stride(from: 0, to: rows.count, by: 512) {
            let chunk = Array(rows[start..<min(start + 512, rows.count)])
            // Items that vanished meanwhile are left out.
            let lines = try Parallel.map(chunk) { row in (try? library.item(row)).map { Array(line($0).utf8) } ?? [] }
            try write(Array(lines.joined()))
        }
    }

    private func line(_ stored: StoredItem) -> String {
        let tags = printer.tagLine(stored.item)
        return [
            stored.id.description, printer.marks(stored) + Printable.field(library.displayTitle(of: stored)),
            tags.styled, style.dim(stored.effectiveUpdatedAt.localDate.description),
        ].joined(separator: "\t") + "\n"
    }
}
