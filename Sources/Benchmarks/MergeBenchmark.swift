import Files
import Glibc
import Items
import StuffBucket

/// Times the joining of two copies of a library in which every item was edited on both sides.
struct MergeBenchmark {
    private let sbfs: String
    private let count: Int
    private let folder: String
    private var one: String { folder + "/one" }
    private var two: String { folder + "/two" }

    static func run(_ words: [String]) throws {
        let options = try BenchmarkOptions(words)
        let folder = try options.folder()
        setenv("XDG_STATE_HOME", folder + "/state", 1)
        setenv("XDG_CONFIG_HOME", folder + "/config", 1)
        setenv("HOME", folder, 1)
        let bench = MergeBenchmark(
            sbfs: FilePath.real(options.text("sbfs", LibraryBenchmark.besideThis())) ?? "sbfs",
            count: options.number("items", 5000), folder: folder)
        print(
            "\(bench.count) items with five paragraphs; a title changes here, a paragraph and a tag in the copy; "
                + "seconds")
        try bench.copies()
        try bench.git()
        print("left in \(folder); remove it when you like")
    }

    // MARK: Two folders

    private func copies() throws {
        try make(one)
        try shell("cp -a '\(one)' '\(two)' && rm -rf '\(two)/.sbfs'")
        _ = try timed([sbfs, "--library", two, "reindex"])
        let plain = try byteCount(one)
        try edit(one, .title(1))
        try edit(two, .paragraph(1))
        try row("merge DIR", [sbfs, "--library", one, "merge", two])
        try row("merge DIR --both", [sbfs, "--library", one, "merge", two, "--both"])
        try row("merge DIR --both, with nothing to do", [sbfs, "--library", one, "merge", two, "--both"])
        try check()
        for round in 2...5 { try edit(one, round.isMultiple(of: 2) ? .title(round) : .paragraph(round)) }
        let history = try byteCount(one, "history")
        // The joined versions, and four further edits.
        print(
            "  history/: \(history / max(1, count) / 7) bytes a version, of items with \(plain / max(1, count)) bytes")
    }

    /// Both edits of each item are in both copies.
    private func check() throws {
        for path in [one, two] {
            let library = try Library(path: path)
            for query in ["title:renamed1", "text:changed1", "tag:edited1"] {
                var request = ItemRequest(library.parse(query).query, limit: 1)
                request.isFresh = true
                let found = try library.find(request).count
                if found != count {
                    throw BenchmarkError(description: "\(path): \(query) finds \(found) of \(count) items")
                }
            }
        }
    }

    // MARK: git

    private func git() throws {
        let path = folder + "/git"
        try make(path, min(count, 1000))
        let git = "cd '\(path)' && git -c user.name=b -c user.email=b@example.org"
        try shell("\(git) init -q -b main . && '\(sbfs)' --library '\(path)' git setup")
        try shell("\(git) add -A && \(git) commit -q -m base && git checkout -q -b side")
        try edit(path, .paragraph(1))
        try shell("\(git) add -A && \(git) commit -q -m side && git checkout -q main")
        try edit(path, .title(1))
        try shell("\(git) add -A && \(git) commit -q -m main")
        let driver = "git -c user.name=b -c user.email=b@example.org -C '\(path)'"
        var times: [[Double]] = [[], []]
        for _ in 0..<3 {
            for (index, setting) in ["", "-c merge.sbfs.driver=true"].enumerated() {
                times[index].append(try timed(["/bin/sh", "-c", "\(driver) \(setting) merge -q --no-edit side"]))
                try shell("git -C '\(path)' reset -q --hard HEAD~1")
            }
        }
        let medians = times.map { $0.sorted()[1] }
        print(
            "  git merge of \(min(count, 1000)) items: \(Self.text(medians[0])) s with sbfs as the driver, "
                + "\(Self.text(medians[1])) s with /bin/true: \(Self.text(medians[0] / medians[1])) times")
    }

    // MARK: Steps

    private enum Edit {
        case title(Int)
        case paragraph(Int)
    }

    private func make(_ path: String, _ count: Int? = nil) throws {
        _ = try Library.create(at: path, name: "Benchmark")
        let library = try Library(path: path)
        let additions = (0..<(count ?? self.count)).map { number -> Addition in
            let paragraphs = (0..<5).map { part in
                "Paragraph \(part) of item \(number): "
                    + (0..<20).map { "word\((number * 31 + part * 7 + $0) % 4999)" }
                    .joined(separator: " ")
            }
            var addition = Addition(.text(Array((paragraphs.joined(separator: "\n\n") + "\n").utf8)))
            addition.title = "Item \(number)"
            addition.tags = ["tag\(number % 50)"]
            return addition
        }
        _ = try library.change("benchmark") { try $0.add(additions, knownLinks: .duplicate) }
    }

    /// Edits each item in one step.
    private func edit(_ path: String, _ edit: Edit) throws {
        let library = try Library(path: path)
        let rows = try library.find(ItemRequest()).rows
        _ = try library.change("edit") { step in
            for row in rows {
                let stored = try library.item(row)
                var change = ItemEdit(base: stored.json)
                switch edit {
                case .title(let round):
                    change.set(.title, .string("renamed\(round) \(row.id.short)"))
                    _ = try step.update(stored, change)
                case .paragraph(let round):
                    guard let text = try library.text(of: stored) else { continue }
                    var lines = String(decoding: text, as: UTF8.self).split(
                        separator: "\n", omittingEmptySubsequences: false
                    ).map(String.init)
                    lines[4] = "changed\(round) " + lines[4]
                    try step.updateText(
                        stored, .replace(base: text, with: Array(lines.joined(separator: "\n").utf8)))
                    change = ItemEdit(base: try library.item(row).json)
                    change.addTag("edited\(round)")
                    _ = try step.update(library.item(row), change)
                }
            }
        }
    }

    private func row(_ name: String, _ words: [String]) throws {
        print("  \(name): \(Self.text(try timed(words))) s")
    }

    private func timed(_ words: [String]) throws -> Double {
        let run = try ProcessRun(words)
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

    /// The bytes of item.json and text.md, or of all files in folders of a name, below items/.
    private func byteCount(_ path: String, _ name: String? = nil) throws -> Int {
        let filter = name.map { "-path '*/\($0)/*'" } ?? "\\( -name item.json -o -name text.md \\)"
        let output = folder + "/bytes"
        try shell(
            "find '\(path)/items' -type f \(filter) -printf '%s\\n' | awk '{s += $1} END {print s + 0}' > '\(output)'")
        let bytes = try Directory(path: folder).contentsIfPresent(of: "bytes", limit: 1000)?.bytes ?? []
        return Int(String(decoding: bytes, as: UTF8.self).split(separator: "\n").first ?? "") ?? 0
    }

    private static func text(_ seconds: Double) -> String {
        let hundredths = Int((seconds * 100).rounded())
        return "\(hundredths / 100).\(hundredths % 100 < 10 ? "0" : "")\(hundredths % 100)"
    }
}
