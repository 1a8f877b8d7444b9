import Foundation
import TestSupport
import Testing

/// `sbfs drop`, `sbfs keep` and thin replicas: wiring, wording and exit codes. `DropTests` tests what happens to files.
struct ThinTests {
    private let a: Sandbox
    private let exchange: String
    private let id: String

    init() throws {
        a = try Sandbox()
        exchange = a.scratch.full("exchange")
        id = try a.snippet("Of bread.", title: "Bread")
        let folder = try a.sbfs("path", id).lines[0]
        for (name, text) in [
            (
                "page.html",
                "<title>T</title><p>Knead the sourdough.</p><p><a href='https://example.org/w'>Wombats</a></p>"
            ),
            ("reader.html", "<title>T</title><p>Knead the sourdough.</p>"),
        ] { try Data(text.utf8).write(to: URL(fileURLWithPath: folder + "/" + name)) }
        try a.sbfs("remote", "add", "cloud", exchange)
        try a.sbfs("sync")
    }

    /// A thin device.
    private func thin() throws -> Sandbox {
        let b = try Sandbox(isLibraryMade: false)
        try b.sbfs("init", "--from", exchange, "--thin")
        try b.sbfs("sync")
        return b
    }

    private func hasPage(_ device: Sandbox) throws -> Bool {
        FileManager.default.fileExists(atPath: try device.sbfs("path", id).lines[0] + "/page.html")
    }

    @Test func `without a remote, what to do is said for what is away`() throws {
        let a = try Sandbox(), exchange = a.scratch.full("exchange")
        try a.file("plan.txt", "Sow in May.")
        let id = try #require(try a.sbfs("add", "plan.txt").lines.first)
        try a.sbfs("remote", "add", "cloud", exchange)
        try a.sbfs("sync")
        try a.sbfs("drop", id)
        try a.sbfs("remote", "remove", "cloud")
        for words in [["open", id], ["open", id, "--document"]] {
            #expect(try a.sbfs(words: words, exits: 3).err.contains("name its folder: sbfs remote add NAME DIR"))
        }
    }

    @Test func `a document that somebody removed here opens from the exchange, and show names keep`() throws {
        try a.file("plan.txt", "Sow in May.")
        let id = try #require(try a.sbfs("add", "plan.txt").lines.first)
        try a.sbfs("sync")
        let file = a.path(id, "document/plan.txt")
        try a.shell("rm '\(file)'")
        try a.sbfs("sync")
        let copy = try a.sbfs("open", id, "--print").lines[0]
        try a.shell("grep -q 'Sow in May.' '\(copy)'")
        let shown = try a.sbfs("show", id).out
        #expect(shown.contains("unavailable: deleted, or not here yet; an exchange has it: sbfs keep \(id.suffix(8))"))
        try a.sbfs("keep", id)
        try a.shell("grep -q 'Sow in May.' '\(file)'")
    }

    @Test func `a thin replica finds the same, opens from the exchange and brings back what is kept`() throws {
        let b = try thin()
        #expect(try !hasPage(b))
        #expect(try b.sbfs("remote", "list").out == "exchange\tread and write, thin\t\(exchange)\n")
        #expect(try b.ids("status:away") == [id] && a.ids("status:away").isEmpty)
        for query in ["sourdough", "wombats", "has:archive", "has:reader", "not status:unavailable"] {
            #expect(try b.ids(query) == a.ids(query), "\(query)")
        }
        try b.sbfs("reindex", "--full")
        #expect(try b.ids("wombats") == [id])
        let opened = try b.sbfs("open", id, "--print").lines[0]
        #expect(opened.contains("/.sbfs/cache/") && opened.hasSuffix("/page.html"))
        #expect(try String(contentsOfFile: opened, encoding: .utf8).contains("Wombats"))
        #expect(try b.sbfs("read", id).out.contains("Knead the sourdough."))
        #expect(try b.sbfs("links", id, "--urls").out == "https://example.org/w\n")
        #expect(try b.sbfs("show", id).out.contains("in an exchange only"))
        #expect(try b.sbfs("path", id, "--page", exits: 3).err.contains("sbfs keep"))
        #expect(try b.sbfs("check").out.contains("1 note") || b.sbfs("check").err.contains("1 note"))
        #expect(try b.sbfs("sync").out == "exchange: nothing to do (1 other device)\n")
        #expect(try b.sbfs("keep", id).err.contains("brought files of 1 item"))
        #expect(try b.ids("status:away").isEmpty)
        #expect(try hasPage(b) && b.sbfs("open", id, "--print").lines[0].hasSuffix(id + "/page.html"))
        #expect(try b.sbfs("drop", id).err.contains("dropped files of 1 item"))
        #expect(try !hasPage(b))
        #expect(try hasPage(a))
    }

    @Test func `what no exchange has any more is unavailable in lists and queries, until a device writes it again`()
        throws
    {
        let b = try thin()
        #expect(try b.ids("status:unavailable").isEmpty)
        // The bundle of the page is the object that no pack is.
        let packs = try a.shell("grep -o '[0-9a-f]\\{64\\}' '\(exchange)'/heads/*.json").out
        for path in try a.shell("find '\(exchange)/objects' -name '*.tar.zst'").lines {
            let name = String(try #require(path.split(separator: "/").last?.prefix(64)))
            if !packs.contains(name) { try a.shell("rm '\(path)'") }
        }
        try b.sbfs("sync", exits: 4)
        #expect(try b.ids("status:unavailable") == [id])
        #expect(try b.sbfs("list", "--format", "table").out.contains("⚠"))
        try b.sbfs("reindex", "--full")
        #expect(try b.ids("status:unavailable") == [id])
        try a.sbfs("sync")
        try b.sbfs("sync")
        #expect(try b.ids("status:unavailable").isEmpty && b.ids("status:away") == [id])
        #expect(try b.sbfs("read", id).out.contains("Knead the sourdough."))
    }

    @Test func `a full export counts files that it lacks as what they are`() throws {
        for number in 0..<6 {
            try a.file("\(number).txt", "Text \(number).\n")
            try a.sbfs("add", "\(number).txt")
        }
        try a.sbfs("sync")
        try a.sbfs(words: ["drop"] + a.ids())
        try a.scratch.rename("exchange", to: "elsewhere")
        let told = try a.sbfs("export", "--full", a.scratch.full("all.tar.zst"), exits: 4).err
        #expect(told.contains("and 3 more;") && !told.contains("items cannot be read"), "\(told)")
    }

    @Test func `a full export has what is away from the exchange, and names only what that cannot give`() throws {
        for (name, text) in [("plan.txt", "Sow in May.\n"), ("lost.txt", "Lost.\n"), ("bad.txt", "Good.\n")] {
            try a.file(name, text)
            try a.sbfs("add", name)
        }
        let assets = try a.sbfs("path", id).lines[0] + "/assets"
        try a.shell("mkdir '\(assets)' && printf 'p {}' > '\(assets)/0123456789abcdef.css'")
        try a.sbfs("sync")
        let b = try thin()
        let whole = "'\(a.scratch.full("whole"))'", own = "'\(b.scratch.full("own"))'"
        func unpack(_ device: Sandbox, _ folder: String, exits status: Int32) throws -> String {
            let file = device.scratch.full("all.tar")
            let told = try device.sbfs("export", "--full", file, exits: status).err
            try device.shell("rm -rf \(folder) && mkdir \(folder) && tar -C \(folder) -xf '\(file)'")
            return told
        }
        #expect(try unpack(a, whole, exits: 0).contains("exported"))
        let before = try b.shell("cd '\(b.library)' && find items | sort").out
        #expect(try !unpack(b, own, exits: 0).contains("exchange"))
        #expect(try b.shell("diff -r \(whole)/items \(own)/items").out.isEmpty)
        #expect(try b.shell("cd '\(b.library)' && find items | sort").out == before, "nothing stays here")
        #expect(try b.shell("find '\(b.library)/.sbfs' -name '*page.html' | wc -l").out == "0\n")
        // One object is gone, and one is damaged.
        for (text, line) in [("Lost.", "rm"), ("Good.", "sed -i s/Good/Evil/")] {
            let sum = try a.shell("printf '\(text)\\n' | sha256sum").out.prefix(64)
            try a.shell("\(line) '\(exchange)/objects/\(sum.prefix(2))/\(sum)'")
        }
        let told = try unpack(b, own, exits: 4)
        #expect(told.contains("document/lost.txt: it is in an exchange that cannot give it now (exchange: "), "\(told)")
        #expect(told.contains("document/bad.txt: it is in an exchange that cannot give it now (exchange: "), "\(told)")
        #expect(!told.contains("page.html") && !told.contains("plan.txt"), "\(told)")
        let differing = try b.shell("diff -r \(whole)/items \(own)/items", exits: 1).lines
        #expect(differing.count == 2 && differing.allSatisfy { $0.hasPrefix("Only in ") }, "\(differing)")
        try b.sbfs("remote", "remove", "exchange")
        #expect(try unpack(b, own, exits: 4).contains("this device names none (sbfs remote add)"))
    }

    @Test func `check --read-data looks into the exchange for what is away`() throws {
        for (name, text) in [("plan.txt", "Sow in May.\n"), ("lost.txt", "Lost.\n")] {
            try a.file(name, text)
            try a.sbfs("add", name)
        }
        try a.sbfs("sync")
        let b = try thin()
        #expect(try b.sbfs("check", "--read-data", exits: 0).err.contains("0 errors, 0 warnings"))
        let sum = try a.shell("printf 'Lost.\\n' | sha256sum").out.prefix(64)
        let object = "objects/\(sum.prefix(2))/\(sum)"
        try a.shell("rm '\(exchange)/\(object)'")
        let page = try a.shell(
            "for f in '\(exchange)'/objects/*/*.tar.zst; do tar -tf $f | grep -qx page.html && echo $f; done; true"
        ).lines
        let bundle = try #require(page.first)
        try a.shell("printf XXXX | dd of='\(bundle)' bs=1 seek=40 conv=notrunc 2>/dev/null")
        let told = try b.sbfs("check", "--read-data", exits: 1)
        #expect(told.err.contains("2 errors, 0 warnings"), "\(told)")
        let lost = "document/lost.txt: is not on this device, and \(exchange) lacks its object \(object); "
        #expect(told.out.contains(lost), "\(told)")
        #expect(told.out.contains("/page.html: is not on this device, and \(exchange) has it as objects/"), "\(told)")
        #expect(told.out.contains("\"sbfs sync\" asks the devices that have it to write it again"))
        #expect(try b.sbfs("check", exits: 0).err.contains("0 errors"))
        // The devices that have the files write them again.
        try b.sbfs("sync", exits: nil)
        try a.sbfs("sync")
        #expect(try b.sbfs("check", "--read-data", exits: 0).err.contains("0 errors, 0 warnings"))
        try a.scratch.rename("exchange", to: "elsewhere")
        let away = try b.sbfs("check", "--read-data", exits: 0)
        #expect(away.out.components(separatedBy: "warning: ").count == 2, "\(away)")
        #expect(away.out.contains("warning: \(exchange): files are in exchanges only, and this one was not looked"))
        try b.sbfs("remote", "remove", "exchange")
        #expect(try b.sbfs("check", "--read-data", exits: 0).out.contains("files of 3 items are in an exchange only"))
    }

    @Test func `JSON of an item names its document as before when it is away`() throws {
        try a.file("plan.txt", "Sow in May.\n")
        let plan = try #require(try a.sbfs("add", "plan.txt").lines.first)
        try a.sbfs("sync")
        let keys = ["document", "documentByteCount"]
        func told() throws -> [String] {
            let item = try #require(try a.sbfs("show", plan, "--json").array().first)
            let derived = try #require(item["sbfs"] as? [String: Any])
            return keys.map { "\(derived[$0] ?? "none")" }
        }
        let before = try told()
        #expect(before == ["plan.txt", "12"])
        try a.sbfs("drop", plan)
        #expect(try told() == before)
    }

    @Test func `what cannot be fetched is unavailable, and the remote is named`() throws {
        let b = try thin()
        try a.scratch.rename("exchange", to: "elsewhere")
        let run = try b.sbfs("open", id, "--page", "--print", exits: 3)
        #expect(run.err.contains("exchange: \(exchange) is no exchange"), "\(run.err)")
        #expect(try b.sbfs("show", id).out.contains("unavailable: it is in an exchange that cannot give it now"))
        #expect(try b.sbfs("list", "--format", "table").out.contains("⚠"))
        #expect(try b.ids("status:unavailable") == [id] && b.ids("has:archive -status:unavailable").isEmpty)
        #expect(
            try b.sbfs("trash", "-q", "status:unavailable", exits: 3).err.contains("nothing"),
            "for what is missing alone")
        #expect(try b.sbfs("read", id).out.contains("Knead the sourdough."), "its words are here")
        #expect(try b.sbfs("keep", id, exits: 1).err.contains("is no exchange"))
        try a.scratch.rename("elsewhere", to: "exchange")
        try b.sbfs("open", id, "--print")
        try a.scratch.rename("exchange", to: "elsewhere")
        #expect(try b.sbfs("open", id, "--print").out.contains("/.sbfs/cache/"), "the copy of before")
    }

    @Test func `what no exchange has stays, with exit code 4`() throws {
        try a.sbfs("remote", "remove", "cloud")
        #expect(try a.sbfs("drop", id, exits: 1).err.contains("there is no remote"))
        try a.sbfs("remote", "add", "other", a.scratch.full("other"))
        #expect(try a.sbfs("drop", id, exits: 4).err.contains("run \"sbfs sync\" first"))
        #expect(try hasPage(a))
        try a.sbfs("sync")
        #expect(try a.sbfs("drop", id, "--dry-run").err.contains("would drop files of 1 item"))
        #expect(try hasPage(a))
        let report = try a.sbfs("drop", id, "--json").array()[0]
        #expect(report["done"] as? [String] == [id])
        #expect(try a.sbfs("drop", id).err.contains("there is nothing to do"))
    }

    @Test func `a change that needs a file that is away says how to bring it`() throws {
        let b = try thin()
        try b.scratch.write(
            "page.html", "<title>N</title><p>A later page of bread, which is long enough to be one.</p>")
        let run = try b.sbfs("set", id, "linkURL=https://example.org/", exits: nil)
        let saved = try b.sbfs("archive", id, "--from", b.scratch.full("page.html"), exits: nil)
        #expect(saved.status != 0 && saved.err.contains("sbfs keep"), "\(run.err) \(saved.err)")
        #expect(try b.sbfs("open", id, "--print").out.contains("/.sbfs/cache/"))
    }

    @Test func `a remote that holds the only copy is named when it is forgotten`() throws {
        try a.sbfs("drop", id)
        #expect(try a.sbfs("remote", "remove", "cloud").err.contains("files of 1 item are in an exchange only"))
        #expect(try a.sbfs("show", id).out.contains("this device names none"))
        try a.sbfs("remote", "add", "cloud", exchange)
        try a.sbfs("keep", id)
        #expect(try hasPage(a))
        #expect(try !a.sbfs("remote", "remove", "cloud").err.contains("exchange only"))
    }

    @Test func `thin needs an exchange`() throws {
        #expect(try a.sbfs("init", a.scratch.full("new"), "--thin", exits: 2).err.contains("--thin needs --from"))
    }
}
