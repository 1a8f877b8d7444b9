import Files
import Glibc
import Items
import StuffBucket

/// Times syncing a library of saved pages through a folder, beside programs that back up the same tree.
struct ExchangeBenchmark {
    private let sbfs: String
    private let count: Int
    private let folder: String
    /// Pages that are saved again and again; empty for generated ones.
    private let pages: [[UInt8]]
    private var library: String { folder + "/one" }
    private var exchange: String { folder + "/exchange" }

    static func run(_ words: [String]) throws {
        let options = try BenchmarkOptions(words)
        let folder = try options.folder()
        setenv("XDG_STATE_HOME", folder + "/state", 1)
        setenv("XDG_RUNTIME_DIR", folder + "/run", 1)
        setenv("HOME", folder, 1)
        setenv("RESTIC_PASSWORD", "benchmark", 1)
        setenv("BORG_UNKNOWN_UNENCRYPTED_REPO_ACCESS_IS_OK", "yes", 1)
        var pages: [[UInt8]] = []
        let source = options.text("pages", "")
        if !source.isEmpty {
            let directory = try Directory(path: source)
            for name in try directory.entries().compactMap(\.name.string).filter({ $0.hasSuffix(".html") }).sorted() {
                pages.append(try directory.contents(of: name, limit: 4 << 20).bytes)
            }
        }
        let bench = ExchangeBenchmark(
            sbfs: FilePath.real(options.text("sbfs", LibraryBenchmark.besideThis())) ?? "sbfs",
            count: options.number("items", 10_000), folder: folder, pages: pages)
        try bench.all(edits: options.number("edits", 40))
    }

    private func all(edits: Int) throws {
        device("one")
        try make()
        let bytes = try byteCount(library + "/items")
        tell("\(count) items with \(Self.megabytes(bytes)) MB, most of it saved pages; seconds")
        _ = try timed([sbfs, "--library", library, "remote", "add", "box", exchange])
        let first = try timed([sbfs, "--library", library, "sync"])
        let held = try byteCount(exchange)
        tell(
            "  sync, first: \(Self.text(first)) (\(Self.megabytes(Int(Double(bytes) / first))) MB/s), \(Self.megabytes(held)) MB"
        )
        let idle = try (0..<5).map { _ in try timed([sbfs, "--library", library, "sync"]) }.sorted()
        tell("  sync, nothing to do: \(Self.text(idle[2]))")
        try compareSizes()
        try peers()
        try thin(bytes)
        try daemons(edits)
        tell("left in \(folder); remove it when you like")
    }

    /// Prints a line at once, also into a file: a run takes minutes.
    private func tell(_ line: String) {
        print(line)
        fflush(nil)
    }

    /// Commands from here on are those of a device.
    private func device(_ name: String) { setenv("XDG_CONFIG_HOME", folder + "/config-" + name, 1) }

    // MARK: The library

    /// Numbers that repeat from run to run: xorshift64 (Marsaglia, 2003).
    private struct Numbers {
        var state: UInt64

        mutating func next() -> UInt64 {
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            return state
        }
    }

    private func make() throws {
        _ = try Library.create(at: library, name: "Benchmark")
        for number in 0..<count {
            var numbers = Numbers(state: UInt64(number + 1) &* 0x9E37_79B9_7F4A_7C15)
            let id = ItemID.random()
            let place = library + "/items/\(id.description.suffix(2))/\(id)"
            try Directory.make(path: place + "/assets")
            let item = try Directory(path: place)
            let page = self.page(number, &numbers)
            let picture = (0..<4_000).flatMap { _ in withUnsafeBytes(of: numbers.next()) { Array($0) } }
            let name = String(SHA256.hex(picture).prefix(16)) + ".png"
            try item.writeFile("page.html", page + Array("<img src=\"assets/\(name)\">".utf8))
            try item.writeFile("reader.html", Array(page.prefix(page.count / 6)))
            try item.directory("assets").writeFile(name, picture)
            try item.writeFile(
                "item.json",
                Array(
                    """
                    {
                      "id": "\(id)",
                      "title": "Page \(number)",
                      "linkURL": "https://example.org/\(number)",
                      "archiveStatus": "full",
                      "createdAt": "2026-01-01T00:00:00.000Z",
                      "updatedAt": "2026-01-01T00:00:00.000Z"
                    }

                    """.utf8))
        }
        _ = try timed([sbfs, "--library", library, "reindex"])
    }

    private func page(_ number: Int, _ numbers: inout Numbers) -> [UInt8] {
        let head = "<!doctype html><meta charset=utf-8><title>Page \(number)</title>"
        if !pages.isEmpty { return Array(head.utf8) + pages[number % pages.count] }
        // As on the web, a tenth is text that a reader sees; the rest is style and markup.
        var text = head + "<style>"
        while text.utf8.count < 30_000 {
            text += ".c\(numbers.next() % 4_000){margin:\(numbers.next() % 90)px;color:#\(numbers.next() % 999_999)}"
        }
        text += "</style>"
        while text.utf8.count < 75_000 {
            text +=
                "<div class=\"c\(numbers.next() % 4_000) c\(numbers.next() % 4_000)\" data-id=\"\(numbers.next())\">"
            text += "<a href=\"/a/\(numbers.next())?b=\(numbers.next())\" class=\"c\(numbers.next() % 4_000)\"></a><p>"
            for _ in 0..<6 {
                // Frequent words are frequent: the square of a uniform number.
                let one = numbers.next() % 4_000
                text += "w\((one * one) / 4_000) "
            }
            text += "</p></div>"
        }
        return Array(text.utf8)
    }

    // MARK: Beside others

    /// Beside `tar | zstd` of each item at zstd's usual level, which is the exchange's.
    private func compareSizes() throws {
        let output = folder + "/sizes"
        try shell(
            """
            cd '\(library)/items' && for item in */*; do
                (cd "$item" && tar --format=ustar --sort=name -cf - page.html reader.html assets | zstd -q -3 | wc -c)
            done | awk '{s += $1} END {print s}' > '\(output)'
            """)
        let theirs = try number(in: "sizes")
        try shell(
            """
            cd '\(exchange)/objects' && for bundle in */*.tar.zst; do
                zstd -q -d -c "$bundle" 2> /dev/null | head -c 9 | grep -q pack.json || stat -c %s "$bundle"
            done | awk '{s += $1} END {print s}' > '\(output)'
            """)
        let ours = try number(in: "sizes")
        tell(
            "  bundles: \(Self.megabytes(ours)) MB, \(Self.text(Double(ours) / Double(theirs))) of tar | zstd -3 item by item"
        )
    }

    private func peers() throws {
        let restic = folder + "/restic"
        let borg = folder + "/borg"
        for (name, prepare, words, store) in [
            (
                "restic backup", "restic init -q -r '\(restic)'",
                ["restic", "backup", "-q", "-r", restic, library + "/items"], restic
            ),
            (
                "borg create, zstd",
                "borg init -e none '\(borg)'",
                ["/bin/sh", "-c", "borg create -C zstd '\(borg)::'$(date +%s%N) '\(library)/items'"], borg
            ),
        ] {
            guard (try? shell(prepare)) != nil else {
                tell("  \(name): not installed")
                continue
            }
            let first = try timed(words)
            let again = try timed(words)
            tell(
                "  \(name): first \(Self.text(first)), unchanged \(Self.text(again)), \(Self.megabytes(try byteCount(store))) MB"
            )
        }
    }

    private func thin(_ full: Int) throws {
        device("thin")
        let thin = folder + "/thin"
        _ = try timed([sbfs, "init", thin, "--from", exchange, "--thin"])
        let time = try timed([sbfs, "--library", thin, "sync"])
        let bytes = try byteCount(thin)
        tell(
            "  thin replica: first sync \(Self.text(time)), \(Self.megabytes(bytes)) MB with its index, "
                + "\(Self.text(Double(bytes) / Double(full + (try byteCount(library + "/.sbfs"))))) of the full one")
        let library = try Library(path: thin)
        let rows = try library.find(ItemRequest(limit: 31)).rows
        let times = try rows.map { try timed([sbfs, "--library", thin, "open", $0.id.description, "--print"]) }.sorted()
        tell("  thin replica: opening a page that is away: median \(Self.text(times[times.count / 2], 3))")
    }

    private func daemons(_ edits: Int) throws {
        let two = folder + "/two"
        device("two")
        _ = try timed([sbfs, "init", two, "--from", exchange])
        _ = try timed([sbfs, "--library", two, "sync"])
        device("one")
        _ = try timed([sbfs, "--library", library, "watch"])
        defer { _ = try? timed([sbfs, "--library", library, "watch", "--stop"]) }
        device("two")
        _ = try timed([sbfs, "--library", two, "watch"])
        defer { _ = try? timed([sbfs, "--library", two, "watch", "--stop"]) }
        usleep(3_000_000)
        let rows = try Library(path: library).find(ItemRequest(limit: edits)).rows
        var times: [Double] = []
        for row in rows {
            let path = "/\(row.folder)/text.md"
            let start = ContinuousClock.now
            let item = try Directory(path: library + "/" + row.folder)
            try item.writeFile(".text.md.new", Array("Edited.\n".utf8))
            try item.replace(".text.md.new", to: item, as: "text.md")
            while access(two + path, F_OK) != 0, ContinuousClock.now - start < .seconds(60) { usleep(5_000) }
            let taken = ContinuousClock.now - start
            times.append(Double(taken.components.seconds) + Double(taken.components.attoseconds) / 1e18)
            usleep(500_000)
        }
        times.sort()
        tell(
            "  an editor's save reaches the other device, both daemons running: median "
                + "\(Self.text(times[times.count / 2])), p95 \(Self.text(times[min(times.count - 1, times.count * 95 / 100)]))"
        )
    }

    // MARK: Steps

    private func timed(_ words: [String]) throws -> Double {
        let run = try ProcessRun(["/usr/bin/env"] + words)
        if run.status != 0 {
            throw BenchmarkError(description: "\(words.joined(separator: " ")) ended with status \(run.status)")
        }
        return run.seconds
    }

    private func shell(_ line: String) throws {
        if try ProcessRun(["/bin/sh", "-c", line]).status != 0 {
            throw BenchmarkError(description: "this failed: \(line)")
        }
    }

    private func byteCount(_ path: String) throws -> Int {
        try shell("find '\(path)' -type f -printf '%s\\n' | awk '{s += $1} END {print s + 0}' > '\(folder)/bytes'")
        return try number(in: "bytes")
    }

    private func number(in name: String) throws -> Int {
        let bytes = try Directory(path: folder).contentsIfPresent(of: name, limit: 1000)?.bytes ?? []
        return Int(String(decoding: bytes, as: UTF8.self).split(separator: "\n").first ?? "") ?? 0
    }

    private static func megabytes(_ bytes: Int) -> String { text(Double(bytes) / 1e6, 1) }

    private static func text(_ value: Double, _ digits: Int = 2) -> String {
        let scale = (0..<digits).reduce(1) { number, _ in number * 10 }
        let whole = Int((value * Double(scale)).rounded())
        let rest = String(whole % scale)
        return "\(whole / scale)." + String(repeating: "0", count: digits - rest.utf8.count) + rest
    }
}
