import Foundation
import Glibc
import TestSupport
import Testing

@testable import sbfs

/// Every command with every option, on a library whose every field is hostile: nothing is printed raw.
///
/// The commands come from the command table, so that new ones are tested too. A command with an unknown argument
/// fails here until a sample is added.
struct EveryVerbTests {
    static let id = "01a19b7c-a680-7000-8f3e-5d2c9b7a61c4"
    static let other = "01a19b7c-a680-7000-8f3e-5d2c9b7a62c4"

    /// ESC, BEL, CR, C1, DEL, bidirectional controls, line separators, zero-width characters, joiners and selectors
    /// in wrong places, tags, fillers, soft hyphens, and a line that a person could mistake for the program's own.
    static let evil =
        "hostile\u{1B}]0;b\u{7}c\rd\u{9B}31me\u{7F}f\u{202E}g\u{2066}h\u{200F}i\u{2028}j\u{FEFF}k\u{61C}l\u{200B}m\u{2060}n"
        + "\u{E0041}o\u{E0001}p\u{FE0F}\u{FE0F}q\u{E0101}r\u{AD}s\u{34F}t\u{3164}u\u{180E}v\u{206A}w\u{FFF9}x\u{200D}y\u{200C}z"
        + "\u{2029}\t\nFORGED \u{1F3F4}\u{E0067}\u{E0062}"

    let sandbox: Sandbox

    init() throws {
        sandbox = try Sandbox()
        for (name, script) in [("fzf", "cat"), ("xdg-open", "exit 0"), ("less", "cat")] {
            let program = try sandbox.file("bin/\(name)", "#!/bin/sh\n\(script)\n")
            chmod(program, 0o755)
        }
        sandbox.environment["PATH"] = sandbox.desk + "/bin:" + (sandbox.environment["PATH"] ?? "")
        sandbox.environment["SBFS_PAGER"] = "cat"
        sandbox.environment["EDITOR"] = "true"
        try sandbox.file("page.html", "<!doctype html><title>\(Self.evil)</title><p>\(Self.evil) and more words of it.")
        try sandbox.file(
            "bookmarks.html",
            "<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<DL><DT><A HREF=\"https://example.org/b\" TAGS=\"\(Self.evil)\">\(Self.evil)"
                + "</A>\n<DT><A HREF=\"javascript:\(Self.evil)\">x</A></DL>")
        try plantAll()
        try sandbox.sbfs("reindex", exits: nil)
        try sandbox.sbfs("remote", "add", "cloud", "exchange", "-c", Self.evil)
    }

    private func json(_ object: [String: Any]) throws -> String {
        String(decoding: try JSONSerialization.data(withJSONObject: object, options: .sortedKeys), as: UTF8.self)
    }

    private func plantAll() throws {
        let words = ["title", "linkTitle", "linkAuthor", "description", "linkSite", "aiSummary", "documentName"]
        var item: [String: Any] = Dictionary(uniqueKeysWithValues: words.map { ($0, Self.evil) })
        item["tags"] = [Self.evil, "collection:" + Self.evil + "/" + Self.evil]
        item["linkURL"] = "https://example.org/\u{202E}\u{9B}\u{1B}[2J"
        item["isPinned"] = Self.evil
        item["aiModelID"] = Self.evil
        item["aiArtifacts"] = ["keyPoints": [Self.evil], "entities": [Self.evil]]
        item[Self.evil] = Self.evil
        item["archiveStatus"] = "partial"
        try sandbox.plant(Self.id, try json(item))
        try sandbox.plant(
            Self.other, try json(["tags": [Self.evil], "trashedAt": "2020-01-01T00:00:00Z", "title": Self.evil]))
        let folder = sandbox.folder(Self.id)
        try sandbox.scratch.write(folder + "/document/\u{202E}gnp\u{1B}[2J\u{E0041}.exe", "x")
        try sandbox.scratch.write(folder + "/page.html", "<title>\(Self.evil)</title><p>\(Self.evil)")
        let bytes = Array(Self.evil.replacing("FORGED", with: "text").utf8) + [0xFF, 0x9B, 0x0A]
        try bytes.withUnsafeBufferPointer {
            try Data($0).write(to: URL(fileURLWithPath: sandbox.path(Self.id, "text.md")))
        }
        for (folder, extra) in [("tags", "colour"), ("collections", "icon"), ("smart", "query")] {
            let file: [String: Any] = ["name": Self.evil, extra: Self.evil, "order": 1]
            try sandbox.scratch.write("library/\(folder)/hostile-00000000.json", try json(file))
        }
    }

    /// Forbidden characters; line feeds and tabs are the program's own.
    static func faults(_ bytes: [UInt8]) -> [String] {
        guard let text = String(validating: bytes, as: UTF8.self) else { return ["invalid UTF-8"] }
        var found = text.unicodeScalars.filter { scalar in
            switch scalar.value {
            case 0x09, 0x0A: false
            case 0x00..<0x20, 0x7F..<0xA0, 0xAD, 0x34F, 0x61C, 0x180B...0x180E, 0x200B...0x200F, 0x2028...0x202E,
                0x2060...0x206F, 0x3164, 0xFE00...0xFE0F, 0xFEFF, 0xFFF9...0xFFFB, 0xE0000...0xE0FFF:
                true
            default: false
            }
        }.map { "U+" + String($0.value, radix: 16) }
        if text.split(separator: "\n").contains(where: { $0.hasPrefix("FORGED") }) { found.append("a forged line") }
        return found
    }

    // MARK: Samples

    /// Samples for the placeholders of help.
    private static let samples: [String: [String]] = [
        "ITEM": [id], "FILE": ["page.html"], "TAGS": [evil], "TAG": [evil], "NAMES": [evil], "NAME": [evil],
        "OLD": [evil], "NEW": [evil + "2"], "INTO": [evil + "3"], "QUERY": ["hostile"], "TEXT": [evil], "TITLE": [evil],
        "URL": ["https://example.org/\(evil)"], "DIR": ["folder"], "FOLDER": ["folder"], "STEP": ["1"], "KEY": ["name"],
        "VALUE": [evil], "PREFIX": ["host"], "WORD": ["show", ""], "SNAPSHOT": [evil], "VERSION": [evil],
        "COMMIT": [evil],
        "COMMAND": ["list"],
        "TOPIC": ["query"], "COLOUR": [evil], "ICON": [evil], "NUMBER": [evil], "FIELD=VALUE": ["description=" + evil],
        "FIELD": [evil],
        "PARENT": [evil + "4"], "BASE": ["page.html"], "OURS": ["page.html"], "THEIRS": ["bookmarks.html"],
        "SIZE": ["7"],
        "PATH": ["items/ab/\(evil)/item.json"], "REMOTE": ["cloud", evil], "--": ["--"], "-": ["-"],
    ]
    /// Values of options, by their name in help.
    private static let values: [String: [String]] = samples.merging(
        [
            "FORMAT": ItemFormat.allCases.map(\.rawValue) + ["html", "csv", evil], "ORDER": ["title", evil],
            "N": ["3", evil], "SECONDS": ["1"], "WHEN": ["never", evil], "WHICH": ["never"],
            "BROWSER": ["firefox", evil], "PROFILE": ["documents", evil], "MODE": ["symlink", evil],
            "PROVIDER": ["compatible", evil], "PLACE": ["desktop", evil], "MODEL": [evil], "BYTES": ["1000", evil],
            "TAR": ["-"], "FIELDS": ["description", evil], "HOW": ["typed"], "TYPE": ["link", evil], "END": [evil],
            "DEVICE": [evil], "COLLECTION": [evil], "FILE": ["page.html", "bookmarks.html", evil], "DIR": ["folder2"],
            "DIR|REMOTE": ["folder", "cloud"], "REMOTE": ["cloud"],
            "QUERY": ["hostile", evil],
        ]
    ) { $1 }

    /// Options that end a command which otherwise runs until somebody stops it.
    private static let ends = ["events": ["--seconds", "1"], "watch": ["--once"]]

    private static let shown = "git textconv"

    private struct NoSample: Error, CustomStringConvertible {
        let description: String
    }

    private static func positionals(_ command: Command) throws -> [String] {
        try command.arguments.prefix { $0 != "|" || command.arguments.contains("|--") == false }.split(separator: " ")
            .flatMap { place -> [String] in
                let name = String(place.filter { !"[]…".contains($0) })
                let first = String(name.prefix { $0 != "|" })
                if first.isEmpty { return [] }
                // What is no JSON has any lines.
                if command.name == Self.shown { return ["../library/items/\(id.suffix(2))/\(id)/item.json"] }
                if let sample = samples[first] { return sample }
                // Literal words.
                if first.allSatisfy({ $0.isLowercase || $0 == "-" }) { return [first] }
                throw NoSample(description: "give a sample of \(first), which \(command.fullName) takes")
            }
    }

    /// The words after the command, for each option alone and for none.
    private static func variants(_ command: Command) throws -> [[String]] {
        let words = try positionals(command)
        var variants = [words]
        if command.name == "import" { variants.append(["bookmarks.html"]) }
        for option in command.options {
            guard let value = option.value else {
                variants.append(words + ["--" + option.name])
                continue
            }
            // In narrow lines any word may be the first of one.
            guard let samples = option.name == "width" ? ["300"] : values[value] else {
                throw NoSample(
                    description: "give a value \(value) of --\(option.name), which \(command.fullName) takes")
            }
            for sample in samples {
                // A query replaces the items.
                let rest = option.name == Option.query.name ? words.filter { $0 != id } : words
                variants.append(rest + ["--" + option.name, sample])
            }
        }
        if let end = ends[command.name] { return variants.map { $0 + end } }
        // Options go before "--".
        return variants.map { words in
            guard let dashes = words.firstIndex(of: "--") else { return words }
            return Array(words[(dashes + 1)...].filter { $0.hasPrefix("--") }) + words.filter { !$0.hasPrefix("--") }
        }
    }

    /// Bytes that another program needs: exported files, and paths.
    private static func printsBytes(_ command: Command, _ words: [String]) -> Bool {
        command.name == "export" || command.name == "path" || command.name == "open" && words.contains("--print")
    }

    @Test(arguments: CommandTable.commands.map(\.name))
    func `nothing of a library is printed raw`(verb: String) throws {
        let command = try #require(CommandTable.commands.first { $0.name == verb })
        for words in try Self.variants(command) {
            try plantAll()
            let line = verb.split(separator: " ").map(String.init) + words
            let run = try sandbox.sbfs(words: line, input: Array("\(Self.evil)\n".utf8), exits: nil)
            #expect(run.status <= 8, "\(run)")
            #expect(Self.faults(run.errBytes).isEmpty, "\(Self.faults(run.errBytes)) \(run)")
            if !Self.printsBytes(command, words) {
                #expect(Self.faults(run.outBytes).isEmpty, "\(Self.faults(run.outBytes)) \(run)")
            }
        }
    }

    @Test(arguments: CommandTable.commands.map(\.name))
    func `a terminal is shown nothing raw`(verb: String) throws {
        let command = try #require(CommandTable.commands.first { $0.name == verb })
        let line =
            try verb.split(separator: " ").map(String.init) + Self.positionals(command) + (Self.ends[verb] ?? [])
        let run = try Launch(
            words: [Sbfs.binary, "--color", "never"] + line, environment: sandbox.environment, folder: sandbox.desk,
            screen: .whole, typed: "n\n\u{4}"
        ).run()
        // The terminal's own line ends, its echo of typed text, and the progress bar.
        let shown = run.terminal.replacing("\r\n", with: "\n").replacing("^D\u{8}\u{8}", with: "")
            .replacing(#/\r([^\r\n]+)(?: \[[#.]*\])? \d+(?: of \d+)?/#) { String($0.1) }
            .replacing("\r\u{1B}[K", with: "")
        #expect(Self.faults(Array(shown.utf8)).isEmpty, "\(Self.faults(Array(shown.utf8))) \(run)")
    }

    @Test(arguments: [
        ("family", "👨‍👩‍👧‍👦 ❤️‍🔥 👩🏽‍💻 🏳️‍🌈 1️⃣ 🏴󠁧󠁢󠁥󠁮󠁧󠁿"), ("Persian", "می‌خواهم کتاب‌ها"), ("Hindi", "क्‍ष नमस्‌ते"), ("ideographs", "葛󠄀"),
    ])
    func `joiners and selectors in their place stay`(_ name: String, text: String) throws {
        try sandbox.plant(Self.id, try json(["title": text]))
        #expect(try sandbox.sbfs("show", Self.id).lines.first == text)
        #expect(try sandbox.sbfs("list", "--ndjson", "--ids").lines.contains(Self.id))
        #expect(try sandbox.sbfs("show", "--json", Self.id).out.contains(text))
    }

    @Test(arguments: [
        ("a\u{200D}b", #"a\u200db"#), ("می\u{200C}\u{200C}خواهم", "می\\u200c\\u200cخواهم"),
        ("1\u{200D}2", #"1\u200d2"#),
        ("❤\u{FE0F}\u{FE0F}", "❤\u{FE0F}\\ufe0f"), ("x\u{FE0F}", #"x\ufe0f"#),
        (
            "🏴\u{E0067}\u{E0062}\u{E0078}\u{E0078}\u{E0078}\u{E007F}",
            #"🏴\U000e0067\U000e0062\U000e0078\U000e0078\U000e0078\U000e007f"#
        ),
        ("葛\u{E0100}\u{E0100}", "葛\u{E0100}\\U000e0100"), ("a\u{AD}b\u{3164}", #"a\u00adb\u3164"#),
    ])
    func `elsewhere they are escaped`(_ title: String, shown: String) throws {
        try sandbox.plant(Self.id, try json(["title": title]))
        #expect(try sandbox.sbfs("show", Self.id).lines.first == shown)
        let item = try #require(try sandbox.sbfs("show", "--json", Self.id).array().first)
        #expect((item["title"] as? String)?.unicodeScalars.elementsEqual(title.unicodeScalars) == true)
    }
}
