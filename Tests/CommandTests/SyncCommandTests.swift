import Foundation
import TestSupport
import Testing

/// `sbfs sync` and `sbfs remote`: wiring, wording and exit codes. `SyncTests` tests what a sync does.
struct SyncCommandTests {
    private let a: Sandbox
    private let exchange: String

    init() throws {
        a = try Sandbox()
        exchange = a.scratch.full("exchange")
    }

    /// A second device, whose library comes from the exchange.
    private func second() throws -> Sandbox {
        let b = try Sandbox(isLibraryMade: false)
        let run = try b.sbfs("init", "--from", exchange)
        #expect(run.err.contains("next: sbfs sync"))
        return b
    }

    @Test func `two devices sync through a folder`() throws {
        let id = try a.snippet("Text.", title: "Bread")
        #expect(try a.sbfs("remote", "add", "cloud", exchange).err.contains("made the exchange"))
        #expect(try a.sbfs("sync", "--dry-run").out.contains("would write: 1 item"))
        #expect(try a.sbfs("sync").out.contains("cloud: 1 written"))
        let b = try second()
        #expect(try b.sbfs("sync").out.contains("exchange: 1 added (1 other device)"))
        #expect(try b.ids() == [id])
        try b.sbfs("title", id, "Rye")
        try b.sbfs("sync")
        let report = try #require(try a.sbfs("sync", "cloud", "--json").array().first)
        #expect(report["joined"] as? [String] == [id] && report["devices"] as? Int == 1)
        #expect(try a.sbfs("show", id).lines.first == "Rye")
        #expect(try a.sbfs("sync").out == "cloud: nothing to do (1 other device)\n")
    }

    @Test func `what cannot travel is named by the first sync and by each status`() throws {
        let id = try a.snippet("Text.", title: "Bread")
        try a.scratch.write(a.folder(id) + "/bad\u{1}name.txt", "Mine.")
        try a.scratch.write("library/tags/notes.txt", "Mine.")
        try a.sbfs("remote", "add", "box", exchange)
        let first = try a.sbfs("sync").err
        #expect(first.contains("name cannot travel") && first.contains("tags/notes.txt: only files"), "\(first)")
        for _ in 0..<2 {
            #expect(!(try a.sbfs("sync").err.contains("travel")))
            for command in [["sync", "--status"], ["remote", "status"]] {
                let out = try a.sbfs(words: command).out
                #expect(
                    out.contains("left out: tags/notes.txt: only files with a name in UTF-8 that ends in .json")
                        && out.contains("name cannot travel"))
            }
            let status = try #require(try a.sbfs("sync", "--status", "--json").array().first)
            #expect(status["notSmallFiles"] as? [String] == ["tags/notes.txt"])
        }
    }

    @Test func `what undo takes back of names is taken back on the other device, and comes again with redo`() throws {
        _ = try a.snippet("Text.", title: "Bread")
        try a.sbfs("tag", "add", "Bread", "rye")
        try a.sbfs("remote", "add", "cloud", exchange)
        try a.sbfs("sync")
        let b = try second()
        try b.sbfs("sync")
        func both() throws { for device in [a, b, a] { try device.sbfs("sync") } }
        func agree(_ isThere: Bool) throws {
            for device in [a, b] {
                #expect(try device.sbfs("smart", "list").out.contains("Loaves") == isThere)
                let files = "cat '\(device.library)'/tags/*.json 2>/dev/null | grep -c '\"colour\": \"red\"'; true"
                #expect(try device.shell(files).out == (isThere ? "1\n" : "0\n"))
            }
        }
        try a.sbfs("smart", "add", "Loaves", "rye")
        try a.sbfs("tag", "colour", "rye", "red")
        try both()
        try agree(true)
        for _ in 0..<2 { try a.sbfs("undo") }
        try both()
        try agree(false)
        for _ in 0..<2 { try a.sbfs("redo") }
        try both()
        try agree(true)
    }

    @Test func `what the second of two folders brings is in the first one after the same sync`() throws {
        let id = try a.snippet("Text.")
        let second = a.scratch.full("second")
        try a.sbfs("remote", "add", "one", exchange)
        try a.sbfs("remote", "add", "two", second)
        try a.sbfs("sync")
        let b = try Sandbox(isLibraryMade: false), c = try Sandbox(isLibraryMade: false)
        try b.sbfs("init", "--from", exchange)
        try c.sbfs("init", "--from", second)
        for device in [b, c] { try device.sbfs("sync") }
        try c.sbfs("title", id, "Rye")
        try c.sbfs("sync")
        #expect(
            try a.sbfs("sync").lines.map { String($0.prefix(13)) } == [
                "one: nothing ", "two: 1 joined", "one: 1 writte",
            ])
        try b.sbfs("sync")
        #expect(try b.sbfs("show", id).lines.first == "Rye")
        #expect(try a.sbfs("sync", "--json").array().count == 2)
    }

    @Test func `a document above the limit of another device is named so, and not as deleted`() throws {
        try a.file("plan.txt", "Sow in May.")
        let id = try #require(try a.sbfs("add", "plan.txt").lines.first)
        try a.sbfs("config", "maxFileSizeMB", "50")
        try a.shell("truncate -s 52M '\(a.library)/items/\(id.suffix(2))/\(id)/document/plan.txt'")
        try a.sbfs("remote", "add", "cloud", exchange)
        #expect(try a.sbfs("sync").err.contains("above the limit"))
        let b = try second()
        for _ in 0..<2 {
            try b.sbfs("sync")
            try b.sbfs("tag", "add", id, "may")
            for words in [["show", id], ["check"]] {
                let run = try b.sbfs(words: words)
                #expect(run.out.contains("above the limit of the device that has it"), "\(run)")
            }
            try b.sbfs("tag", "rm", id, "may")
        }
        let c = try second()
        try c.sbfs("sync")
        #expect(try c.sbfs("open", id, exits: 3).err.contains("above the limit of the device that has it"))
        try c.sbfs("sync")
    }

    @Test func `a person's own file that another device removed goes here, and is counted and named`() throws {
        let id = try a.snippet("Text.")
        try a.sbfs("remote", "add", "cloud", exchange)
        let own = "items/\(id.suffix(2))/\(id)/notes.txt"
        try a.shell("echo 'Sow in May.' > '\(a.library)/\(own)'")
        try a.sbfs("sync")
        let b = try second()
        try b.sbfs("sync")
        for (device, other) in [(a, b), (b, a)] {
            try device.shell("rm '\(device.library)/\(own)'")
            try device.sbfs("sync")
            #expect(try other.sbfs("sync", "--json").out.contains(own))
            try other.shell("test ! -e '\(other.library)/\(own)' && echo 'Reap.' > '\(other.library)/\(own)'")
            try other.sbfs("sync")
            #expect(try device.sbfs("sync").out.contains("1 joined"))
        }
        try a.shell("rm '\(a.library)/\(own)'")
        try a.sbfs("sync")
        #expect(try b.sbfs("sync").out.contains("1 of your own files removed, as on another device (\(own))"))
    }

    @Test(arguments: ["", "{", "{}"])
    func `a library.json that does not parse comes back from the exchange as the error says`(_ text: String) throws {
        let id = try a.snippet("Text.", title: "Bread")
        try a.sbfs("remote", "add", "cloud", exchange)
        try a.sbfs("sync")
        let file = "'\(a.library)/library.json'"
        try a.shell("cp \(file) kept; printf '%s' '\(text)' >\(file)")
        let told = try a.sbfs("list", exits: 1).err
        #expect(told.contains("\"sbfs init \(a.library) --from EXCHANGE\""), "\(told)")
        try a.shell("mv \(file) away")
        try a.sbfs("init", a.library, "--from", exchange)
        try a.shell("cmp kept \(file)")
        #expect(try a.ids() == [id])
    }

    @Test func `what stands in the place of a document, and is no file, is named with code 4`() throws {
        try a.file("plan.txt", "Sow in May.")
        let id = try #require(try a.sbfs("add", "plan.txt").lines.first)
        try a.sbfs("remote", "add", "cloud", exchange)
        try a.sbfs("sync")
        try a.shell("cd '\(a.library)/items/\(id.suffix(2))/\(id)/document' && rm plan.txt && ln -s /nowhere plan.txt")
        let run = try a.sbfs("sync", exits: 4)
        #expect(run.err.contains("plan.txt: a link or a folder is in its place"), "\(run)")
        try a.shell("rm '\(a.library)/items/\(id.suffix(2))/\(id)/document/plan.txt'")
        try a.sbfs("repair", "--from", "cloud")
        #expect(try a.sbfs("sync").err.isEmpty)
    }

    @Test(arguments: [true, false])
    func `a damaged or missing exchange json is written again by what the message says`(isMissing: Bool) throws {
        try a.sbfs("remote", "add", "cloud", exchange)
        try a.sbfs("sync")
        if isMissing { try a.shell("rm '\(exchange)/exchange.json'") }
        if !isMissing { try a.scratch.write("exchange/exchange.json", "{") }
        let told = try a.sbfs("sync", exits: 1).err
        #expect(told.contains("rm \(exchange)/exchange.json") != isMissing, "\(told)")
        #expect(
            told.contains("sbfs remote add NAME \(exchange)\", with the options that the former says"), "\(told)")
        if !isMissing { try a.shell("rm '\(exchange)/exchange.json'") }
        try a.sbfs("remote", "remove", "cloud")
        try a.sbfs("remote", "add", "cloud", exchange)
        #expect(try a.sbfs("sync").out.contains("nothing to do"))
    }

    @Test func `a dry run and a status write nothing`() throws {
        _ = try a.snippet("Text.")
        try a.sbfs("remote", "add", "cloud", exchange)
        let before = try a.snapshot()
        let names = try FileManager.default.subpathsOfDirectory(atPath: exchange).sorted()
        try a.sbfs("sync", "--dry-run")
        try a.sbfs("sync", "--status")
        try a.sbfs("remote", "status", "cloud", "--json")
        #expect(try a.changes(since: before).isEmpty)
        #expect(try FileManager.default.subpathsOfDirectory(atPath: exchange).sorted() == names)
    }

    @Test func `a status counts collections and purges that a sync would write`() throws {
        let item = try a.snippet("Text.")
        try a.sbfs("collection", "new", "Work")
        try a.sbfs("remote", "add", "cloud", exchange)
        try a.sbfs("sync")
        #expect(try !a.sbfs("sync", "--status").out.contains("collections"))
        try a.sbfs("collection", "colour", "Work", "red")
        let waiting = "write: 0 items (0 bytes), 1 file of collections, tags, smart folders or purges ("
        #expect(try a.sbfs("sync", "--status").out.contains("to " + waiting))
        #expect(try a.sbfs("sync", "--dry-run").out.contains("would " + waiting))
        #expect(try a.sbfs("sync").out.contains("written"))
        try a.sbfs("trash", item)
        try a.sbfs("sync")
        try a.sbfs("purge", item, "--now", "--yes")
        let object = try #require(try a.sbfs("sync", "--status", "--json").array().first)
        #expect(object["smallFilesToWrite"] as? Int == 1 && object["itemsToWrite"] as? Int == 0)
    }

    @Test func `a status counts what a sync would write, and names what cannot be read`() throws {
        let work = try a.snippet("Text.")
        _ = try a.snippet("Other.")
        try a.sbfs("collection", "add", work, "Work")
        try a.sbfs("remote", "add", "cloud", exchange, "-c", "Work")
        #expect(try a.sbfs("sync", "--status").out.contains("to write: 1 item ("))
        #expect(try a.sbfs("sync").out.contains("cloud: 1 written"))
        #expect(try a.sbfs("sync", "--status").out.contains("to write: 0 items"))
        let b = try second()
        try b.sbfs("sync")
        let heads = try FileManager.default.contentsOfDirectory(atPath: exchange + "/heads").sorted()
        let first = try #require(heads.first)
        try a.scratch.write("exchange/heads/" + first, "{")
        let device = try #require(try a.sbfs("sync", "--status", "--json").array().first?["device"] as? String)
        let reader = first.contains(device) ? b : a
        let told = try reader.sbfs("sync", "--status").out
        #expect(told.contains("cannot be read: heads/\(first): its bytes are damaged"), "\(told)")
        // The head of a newer program, and one of another library.
        let (other, own) = reader.library == a.library ? (b, a) : (a, b)
        let id = try #require(try other.sbfs("sync", "--status", "--json").array().first?["device"] as? String)
        let head = "exchange/heads/" + id + ".json"
        try a.scratch.write(head, "{\"format\": 99}")
        let newer = try own.sbfs(
            "remote", "prune", own.library == a.library ? "cloud" : "exchange", "--forget", id, exits: 1
        ).err
        #expect(newer.contains("a newer sbfs wrote the head of \(id)") && newer.contains("install that"), "\(newer)")
        try a.scratch.write(head, "{\"format\": 1, \"library\": \"01a1961f-5c00-7000-9d41-3b7e60a2f25a\"}")
        let foreign = try own.sbfs("sync", exits: 4).err
        #expect(foreign.contains("it is of another library") && foreign.contains("move it away"), "\(foreign)")
    }

    @Test func `of two copies on one device, one is thin and the other is whole`() throws {
        try a.file("plan.txt", "abc")
        let id = try #require(try a.sbfs("add", "plan.txt").lines.first)
        try a.sbfs("remote", "add", "cloud", exchange)
        try a.sbfs("sync")
        for (name, options) in [("thin", ["--thin"]), ("whole", [])] {
            let told = try a.sbfs(words: ["--library", name, "init", "--from", exchange] + options).err
            #expect(told.contains("another copy on this device named the exchange cloud"), "\(told)")
            try a.sbfs("--library", name, "sync")
        }
        #expect(try a.sbfs("--library", "thin", "remote", "list").out.contains("thin"))
        #expect(try !a.sbfs("remote", "list").out.contains("thin"))
        func files(_ name: String) throws -> [String] {
            try a.shell("find \(name)/items '\(a.library)/items' -name plan.txt").lines.filter { $0.hasPrefix(name) }
        }
        #expect(try files("thin").isEmpty)
        #expect(try files("whole").count == 1)
        try a.file("other.txt", "def")
        try a.sbfs("--library", "thin", "add", "other.txt")
        try a.sbfs("--library", "thin", "sync")
        try a.sbfs("sync")
        #expect(try a.sbfs("check", "--read-data").err.contains("2 items: 0 errors, 0 warnings, 0 notes"))
        #expect(a.scratch.exists(a.folder(id) + "/document/plan.txt"))
    }

    @Test func `a folder that is not there is named with what to do, and the next attempt waits`() throws {
        try a.sbfs("remote", "add", "cloud", exchange)
        try FileManager.default.moveItem(atPath: exchange, toPath: exchange + "2")
        let told = try a.sbfs("sync", exits: 1).err
        #expect(told.contains("perhaps the disk or share is not mounted") && told.contains("mount it"))
        // Who makes an exchange in an empty mount point has two of them later.
        #expect(!told.contains("remote add"), "\(told)")
        let status = try a.sbfs("sync", "--status", exits: 4)
        #expect(status.out.contains("failed 1 time") && status.out.contains("next attempt"))
        #expect(try a.sbfs("sync", "--due").out.isEmpty)
        // Of several folders, one does not stop the others.
        try a.sbfs("remote", "add", "stick", a.scratch.full("stick"))
        let both = try a.sbfs("sync", exits: 4)
        #expect(both.out.contains("stick: ") && both.err.contains("cloud: "))
        try FileManager.default.moveItem(atPath: exchange + "2", toPath: exchange)
        #expect(try a.sbfs("sync").out.contains("cloud: "))
        #expect(!(try a.sbfs("sync", "--status").out.contains("failed")))
    }

    @Test(arguments: [
        "rclone:", "rclone:foo", "rclone:-v", "rclone:-vv:foo", "rclone:--config=/tmp/x:foo", "rclone::local",
        "rclone:/folder:x", "rclone::", "rclone:a/b:c",
    ]) func `what names no place in a cloud is refused before rclone runs`(_ path: String) throws {
        try a.shell("mkdir -p bin && printf '#!/bin/sh\\necho ran > ran\\n' > bin/rclone && chmod +x bin/rclone")
        a.environment["PATH"] = a.desk + "/bin:" + (a.environment["PATH"] ?? "")
        #expect(try a.sbfs("remote", "add", "x", path, exits: 1).err.contains("rclone:REMOTE:PATH"))
        #expect(try a.sbfs("init", a.desk + "/new", "--from", path, exits: 1).err.contains("rclone:REMOTE:PATH"))
        #expect(!a.scratch.exists("desk/ran") && !a.scratch.exists("desk/new"))
    }

    @Test func `what is damaged is named with code 4`() throws {
        _ = try a.snippet("Text.")
        try a.sbfs("remote", "add", "cloud", exchange)
        try a.sbfs("sync")
        let b = try second()
        try a.shell("for file in '\(exchange)'/objects/*/*.zst; do printf x > \"$file\"; done")
        let run = try b.sbfs("sync", exits: 4)
        #expect(run.err.contains("damaged or still arriving"))
        #expect(try b.sbfs("sync", "--status").out.contains("waits for: objects/"))
    }

    @Test func `another library's exchange is refused`() throws {
        try a.sbfs("remote", "add", "cloud", exchange)
        let other = try Sandbox()
        #expect(try other.sbfs("remote", "add", "cloud", exchange, exits: 1).err.contains("another library"))
        #expect(try other.sbfs("remote", "list").out.isEmpty)
        #expect(try other.sbfs("init", "--from", exchange, exits: 1).err.contains("no device has written"))
    }

    @Test(arguments: [
        ["remote", "add", "cloud"], ["remote", "add", "-x", "folder"], ["remote", "add", "a/b", "folder"],
        ["remote", "add", "", "folder"], ["remote", "remove"], ["remote", "prune"], ["remote", "list", "x"],
        ["sync", "--status", "--dry-run"], ["init", "--from", "x", "--name", "y"],
    ]) func `a wrong line is refused`(_ words: [String]) throws {
        #expect(try a.sbfs(words: words, exits: 2).out.isEmpty)
    }

    @Test func `prune lists the devices, and forgets one after asking`() throws {
        _ = try a.snippet("Text.")
        try a.sbfs("remote", "add", "cloud", exchange)
        try a.sbfs("sync")
        let b = try second()
        try b.sbfs("sync")
        try a.sbfs("sync")
        let list = try a.sbfs("remote", "prune", "cloud")
        #expect(list.lines.count == 2 && list.out.contains("this device") && list.err.contains("nothing is unused"))
        let device = try #require(list.lines.first { !$0.contains("this device") }?.prefix(36))
        try a.sbfs("remote", "prune", "cloud", "--forget", String(device), exits: 1)
        try a.sbfs("remote", "prune", "cloud", "--forget", String(device), "--yes")
        #expect(try a.sbfs("remote", "prune", "cloud", "--json").array().first?["unused"] as? Int == 0)
        #expect(
            try a.sbfs("remote", "prune", "cloud", "--forget", "00000000", "--yes", exits: 3).err.contains(
                "no other device"))
        // It looks before it asks.
        #expect(
            try a.sbfs("remote", "prune", "cloud", "--forget", "00000000", exits: 3).err.contains("no other device"))
    }

    @Test func `prune marks a device that wrote nothing for long, and the start of its id names it`() throws {
        _ = try a.snippet("Text.")
        try a.sbfs("remote", "add", "cloud", exchange)
        try a.sbfs("sync")
        try second().sbfs("sync")
        try a.sbfs("sync")
        let list = try a.sbfs("remote", "prune", "cloud")
        #expect(!list.out.contains("wrote nothing") && !list.err.contains("--forget"))
        let device = String(try #require(list.lines.first { !$0.contains("this device") }).prefix(36))
        try a.shell("touch -d '143 days ago' '\(exchange)/heads/'*")
        let quiet = try a.sbfs("remote", "prune", "cloud")
        let line = try #require(quiet.lines.first { $0.hasPrefix(device) })
        #expect(line.hasSuffix("\twrote nothing for 143 days"), "\(line)")
        #expect(quiet.lines.count { $0.contains("wrote nothing") } == 1)
        #expect(quiet.err.contains("sbfs remote prune cloud --forget \(device.suffix(8))"))
        let devices = try #require(
            try a.sbfs("remote", "prune", "cloud", "--json").array().first?["devices"] as? [[String: Any]])
        #expect(devices.compactMap { $0["quietDays"] as? Int } == [143])
        let told = try a.sbfs("remote", "prune", "cloud", "--forget", String(device.prefix(8)), "--yes").err
        #expect(told.contains("forgot \(device)"))
    }

    @Test func `the device of another library is not forgotten, and its head stays`() throws {
        _ = try a.snippet("Text.")
        try a.sbfs("remote", "add", "cloud", exchange)
        try a.sbfs("sync")
        let id = "19f3f9fb-0996-482f-8e4a-1dba8efac296"
        let head = #"{"format": 1, "library": "01a1961f-5c00-7000-9d41-3b7e60a2f25a", "device": "\#(id)", "packs": []}"#
        try a.scratch.write("exchange/heads/\(id).json", head)
        let run = try a.sbfs("remote", "prune", "cloud", "--forget", id, "--yes", exits: 1)
        #expect(run.err.contains("heads/\(id).json is of another library"), "\(run)")
        #expect(run.err.contains("move it away"), "\(run)")
        #expect(try a.scratch.text("exchange/heads/\(id).json") == head)
    }

    @Test func `a folder that cannot be written is named, and the next sync goes on`() throws {
        let id = try a.snippet("Text.")
        try a.sbfs("remote", "add", "cloud", exchange)
        try a.shell("rm -r '\(exchange)/objects' && touch '\(exchange)/objects'")
        #expect(try a.sbfs("sync", exits: 1).err.contains("/objects"))
        #expect(try a.scratch.names("exchange/heads").isEmpty)
        try a.shell("rm '\(exchange)/objects'")
        try a.sbfs("sync")
        let b = try second()
        try b.sbfs("sync")
        #expect(try b.ids() == [id])
    }
}
