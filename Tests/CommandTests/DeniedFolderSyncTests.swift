import Foundation
import TestSupport
import Testing

/// A sync on a device where a folder cannot be written or read.
struct DeniedFolderSyncTests {
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

    @Test(arguments: ["", "/history", "/own", "/document"])
    func `a folder that cannot be written keeps out what belongs there, and nothing else`(_ name: String) throws {
        let (one, two) = (try a.snippet("One.", title: "One"), try a.snippet("Two.", title: "Two"))
        try a.file("plan.txt", "Sow.")
        for id in [one, two] {
            try a.sbfs("attach", id, "plan.txt")
            try a.shell(
                "mkdir '\(a.scratch.full(a.folder(id)))/own'; echo 1 >'\(a.scratch.full(a.folder(id)))/own/notes'")
            try a.sbfs("tag", "add", id, "may")
        }
        try a.sbfs("remote", "add", "cloud", exchange)
        try a.sbfs("sync")
        let b = try second()
        try b.sbfs("sync")
        try a.file("plan.txt", "Sow in May.")
        for id in [one, two] {
            try a.sbfs("title", id, "New")
            try a.sbfs("attach", id, "plan.txt", "--replace", "--yes")
            try a.shell("echo 2 >'\(a.scratch.full(a.folder(id)))/own/notes'")
        }
        try a.sbfs("collection", "new", "Bread")
        try a.sbfs("sync")
        let folder = b.scratch.full(b.folder(one)) + name
        try b.shell("chmod 500 '\(folder)'")
        for _ in 0..<2 {
            let run = try b.shell(Sbfs.bound + "'\(Sbfs.binary)' sync", exits: 4)
            #expect(run.err.contains(one) && !run.err.contains(two) && !run.err.contains("/.sbfs/"), "\(run)")
        }
        #expect(try b.sbfs("show", two).lines.first == "New")
        try b.shell("ls '\(b.library)'/collections/bread-*.json")
        try b.shell("chmod 700 '\(folder)'")
        try b.sbfs("sync")
        try a.sbfs("sync")
        try b.sbfs("sync")
        for part in ["items", "collections"] {
            try b.shell("diff -r '\(a.library)/\(part)' '\(b.library)/\(part)'")
        }
    }

    @Test(arguments: [false, true])
    func `a folder of an item that cannot be read, and items that cannot be written, keep out nothing else`(
        _ isItems: Bool
    ) throws {
        let (one, two) = (try a.snippet("One.", title: "One"), try a.snippet("Two.", title: "Two"))
        try a.sbfs("remote", "add", "cloud", exchange)
        try a.sbfs("sync")
        let b = try second()
        try b.sbfs("sync")
        for id in [one, two] { try a.sbfs("title", id, "New") }
        if isItems { for number in 0..<4 { _ = try a.snippet("\(number)", title: "\(number)") } }
        try a.sbfs("sync")
        let folder = isItems ? b.library + "/items" : b.scratch.full(b.folder(one))
        try b.shell("chmod \(isItems ? "555" : "000") '\(folder)'")
        if !isItems {
            let status = try b.shell(Sbfs.bound + "'\(Sbfs.binary)' sync --status", exits: 4)
            #expect(status.out.contains("cannot be read: \(b.folder(one).dropFirst("library/".count)): you may not"))
            #expect(status.out.contains("to write: 0 items"), "\(status)")
        }
        let run = try b.shell(Sbfs.bound + "'\(Sbfs.binary)' sync", exits: 4)
        try b.shell("chmod 700 '\(folder)'")
        #expect(!run.err.contains("/.sbfs/") && (isItems || run.err.contains(one)), "\(run)")
        #expect(try b.sbfs("show", two).lines.first == "New")
        try b.sbfs("sync")
        try a.sbfs("sync")
        try b.shell("diff -r '\(a.library)/items' '\(b.library)/items'")
    }

    @Test(arguments: ["shard", "collections", "tags", "smart"])
    func `a folder that cannot be read is named, and the rest is taken and written`(_ name: String) throws {
        let (one, two) = (try a.snippet("One.", title: "One"), try a.snippet("Two.", title: "Two"))
        try a.sbfs("remote", "add", "cloud", exchange)
        try a.sbfs("sync")
        let b = try second()
        try b.sbfs("sync")
        for id in [one, two] { try a.sbfs("title", id, "New") }
        try a.sbfs("collection", "new", "Bread")
        try a.sbfs("sync")
        try b.sbfs("tag", "add", two, "may")
        let folder =
            name == "shard" ? b.folder(one).split(separator: "/").dropFirst().dropLast().joined(separator: "/") : name
        let path = b.library + "/" + folder
        try b.shell("mkdir -p '\(path)'; chmod 000 '\(path)'")
        for line in ["sync", "sync", "merge '\(a.library)'"] {
            let run = try b.shell(Sbfs.bound + "'\(Sbfs.binary)' \(line)", exits: 4)
            #expect(run.err.contains(folder) && !run.err.contains("/.sbfs/"), "\(run)")
            #expect(!run.err.contains("was here, and its folder is gone"), "\(run)")
        }
        #expect(try b.sbfs("show", two).lines.first == "New")
        try b.shell("chmod 700 '\(path)'")
        try b.sbfs("sync")
        try a.sbfs("sync")
        #expect(try a.tags(two) == ["may"])
        for part in ["items", "collections"] { try b.shell("diff -r '\(a.library)/\(part)' '\(b.library)/\(part)'") }
        // The other copy of a merge, too.
        try b.sbfs("title", two, "Newer")
        try b.shell("chmod 000 '\(path)'")
        let run = try a.shell(Sbfs.bound + "'\(Sbfs.binary)' merge '\(b.library)'", exits: 4)
        try b.shell("chmod 700 '\(path)'")
        #expect(run.err.contains(folder), "\(run)")
        #expect(try a.sbfs("show", two).lines.first == "Newer")
    }

    @Test(arguments: ["heads/*", "heads"]) func `heads that may not be read are named as that`(_ name: String) throws {
        let id = try a.snippet("One.", title: "One")
        try a.sbfs("remote", "add", "cloud", exchange)
        try a.sbfs("sync")
        let b = try second()
        try b.sbfs("sync")
        try a.sbfs("title", id, "New")
        try a.sbfs("sync")
        let before = try b.shell("find '\(exchange)' -type f | sort").out
        try b.shell("chmod 000 '\(exchange)'/\(name)")
        let status = try b.shell(Sbfs.bound + "'\(Sbfs.binary)' sync --status", exits: 4)
        #expect(status.out.contains("cannot be read: heads") && status.out.contains("to write: 0 items"), "\(status)")
        let run = try b.shell(Sbfs.bound + "'\(Sbfs.binary)' sync", exits: 4)
        try b.shell("chmod 700 '\(exchange)'/heads; chmod 600 '\(exchange)'/heads/*")
        #expect(run.err.contains("heads") && run.err.contains("you may not read it"), "\(run)")
        #expect(!run.err.contains("damaged"), "\(run)")
        if name == "heads" { #expect(try b.shell("find '\(exchange)' -type f | sort").out == before) }
        try b.sbfs("sync")
        #expect(try b.sbfs("show", id).lines.first == "New")
    }

    @Test func `collections, shards and tombstones that cannot be written keep out nothing else`() throws {
        let ids = try (1...3).map { try a.snippet("\($0).", title: "\($0)") }
        try a.sbfs("remote", "add", "cloud", exchange)
        try a.sbfs("sync")
        let b = try second()
        try b.sbfs("sync")
        let shard = b.folder(ids[0]).split(separator: "/").dropLast().last.map(String.init) ?? ""
        try a.sbfs("trash", ids[0])
        try a.sbfs("purge", ids[0], "--now", "--yes")
        try a.sbfs("collection", "new", "Bread")
        try a.sbfs("title", ids[1], "New")
        try a.sbfs("sync")
        let folders = "'\(b.library)/collections' '\(b.library)/items/\(shard)'"
        try b.shell("mkdir -p \(folders); chmod 500 \(folders)")
        let run = try b.shell(Sbfs.bound + "'\(Sbfs.binary)' sync", exits: 4)
        #expect(run.err.contains("collections/bread-") && run.err.contains("cannot be written"), "\(run)")
        #expect(!run.err.contains("/.sbfs/"), "\(run)")
        #expect(try b.sbfs("show", ids[1]).lines.first == "New")
        try b.shell("chmod 700 \(folders)")
        try b.sbfs("sync")
        try b.sbfs("show", ids[0], exits: 3)
        try b.shell("ls '\(b.library)'/collections/bread-*.json")
        for part in ["items", "collections", "tombstones"] {
            try b.shell("diff -r '\(a.library)/\(part)' '\(b.library)/\(part)'")
        }
    }

    @Test func `an edit of a document arrives though the one here could not be read then`() throws {
        try a.file("plan.txt", "Sow.")
        let id = try #require(try a.sbfs("add", "plan.txt").lines.first)
        try a.sbfs("remote", "add", "cloud", exchange)
        try a.sbfs("sync")
        let b = try second()
        try b.sbfs("sync")
        let plan = a.scratch.full(a.folder(id)) + "/document/plan.txt"
        try a.shell("chmod 000 '\(plan)'")
        try b.shell("echo 'In May.' >>'\(b.scratch.full(b.folder(id)))/document/plan.txt'")
        try b.sbfs("sync")
        let run = try a.shell(Sbfs.bound + "'\(Sbfs.binary)' sync", exits: 4)
        #expect(run.err.contains(plan), "\(run)")
        try a.shell("chmod 644 '\(plan)'")
        for one in [a, b, a, b] { try one.sbfs("sync") }
        for one in [a, b] {
            #expect(try one.scratch.text(one.folder(id) + "/document/plan.txt") == "Sow.In May.\n")
            #expect(try one.sbfs("conflicts", exits: nil).out.isEmpty)
        }
    }

    @Test func `a document that an exchange has is not taken out as lost`() throws {
        try a.file("plan.txt", "Sow.")
        let id = try #require(try a.sbfs("add", "plan.txt").lines.first)
        try a.sbfs("remote", "add", "cloud", exchange)
        try a.sbfs("sync")
        let thin = try Sandbox(isLibraryMade: false)
        try thin.sbfs("init", "--from", exchange, "--thin")
        try thin.sbfs("sync")
        let refused = try thin.sbfs("detach", id, "document", "--lost", "--yes", exits: 1)
        #expect(refused.err.contains("is not lost, a remote has it"), "\(refused)")
        try thin.shell("mv '\(exchange)' '\(exchange).away'")
        let unknown = try thin.sbfs("detach", id, "document", "--lost", "--yes", exits: 1)
        #expect(unknown.err.contains("cannot be read now"), "\(unknown)")
        try thin.shell(
            "mv '\(exchange).away' '\(exchange)'; find '\(exchange)/objects' -type f ! -name '*.tar.zst' -delete")
        try thin.sbfs("detach", id, "document", "--lost", "--yes")
        #expect(try !thin.sbfs("show", id).out.contains("plan.txt"))
    }
}
