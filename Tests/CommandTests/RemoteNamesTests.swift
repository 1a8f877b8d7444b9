import Foundation
import TestSupport
import Testing

/// The names, the options and the folders of remotes, as this device keeps them.
struct RemoteNamesTests {
    private let a: Sandbox
    private let exchange: String

    init() throws {
        a = try Sandbox()
        exchange = a.scratch.full("exchange")
    }

    @Test func `a collection that no item has is warned of`() throws {
        let id = try a.snippet("Text.")
        try a.sbfs("collection", "add", id, "Travel/Spain")
        let told = try a.sbfs("remote", "add", "cloud", exchange, "-c", "Travle/Spain").err
        #expect(
            told.contains(
                "there is no collection \"Travle/Spain\"; did you mean \"Travel/Spain\"? No new item is written until one has it"
            ), "\(told)")
        #expect(try a.sbfs("remote", "list").out.contains("collection Travle/Spain"))
        for name in ["Travel", "travel/spain"] {
            try a.sbfs("remote", "remove", "cloud")
            let told = try a.sbfs("remote", "add", "cloud", exchange, "-c", name).err
            #expect(!told.contains("no collection"), "\(told)")
        }
    }

    @Test func `a sync warns that no item has the collection of a remote any more`() throws {
        let id = try a.snippet("Text.")
        try a.sbfs("collection", "add", id, "Work")
        try a.sbfs("remote", "add", "cloud", exchange, "-c", "Work")
        #expect(try !a.sbfs("sync").err.contains("no collection"))
        // A rename here carries the limit along; what renames it elsewhere does not.
        #expect(try a.sbfs("collection", "rename", "Work", "Job").err.contains("the remote cloud was limited to it"))
        #expect(try a.sbfs("remote", "list").out.contains("collection Job\n"))
        #expect(try a.sbfs("sync").out.contains("cloud: 1 written"))
        try a.sbfs("collection", "rename", "Job", "Work")
        try a.sbfs("collection", "rm", id, "Work")
        try a.sbfs("collection", "add", id, "Office")
        let told = try a.sbfs("sync").err
        #expect(told.contains("cloud: there is no collection \"Work\""), "\(told)")
        #expect(told.contains("o new item is written until one has it"), "\(told)")
    }

    @Test func `an undo of a collection's new name takes the limits of remotes back, and a redo renames them`() throws {
        let ids = try [a.snippet("One."), a.snippet("Two.")]
        try a.sbfs("collection", "add", ids[0], "Work")
        try a.sbfs("collection", "add", ids[1], "Job")
        try a.sbfs("remote", "add", "cloud", exchange, "-c", "Work")
        func limit() throws -> String { try String(a.sbfs("remote", "list").out.split(separator: "\t")[3]) }
        // The two become one.
        try a.sbfs("collection", "rename", "Work", "Job")
        #expect(try limit() == "collection Job\n")
        #expect(try a.sbfs("undo", "--dry-run").err.contains("is limited to") == false)
        #expect(try limit() == "collection Job\n")
        #expect(try a.sbfs("undo").err.contains("the remote cloud is limited to \"Work\" again"))
        #expect(try limit() == "collection Work\n")
        #expect(try a.sbfs("redo").err.contains("the remote cloud is limited to \"Job\" now"))
        #expect(try limit() == "collection Job\n")
        // A limit that a person gave meanwhile stays.
        try a.sbfs("remote", "remove", "cloud")
        try a.sbfs("remote", "add", "cloud", exchange, "-c", "Other")
        #expect(try !a.sbfs("undo").err.contains("is limited to"))
        #expect(try limit() == "collection Other\n")
    }

    @Test func `a folder that is gone has one name, however its path is written`() throws {
        try a.sbfs("remote", "add", "stick", exchange)
        try FileManager.default.moveItem(atPath: exchange, toPath: exchange + ".away")
        for path in [exchange + "/", exchange + "//", exchange + "/."] {
            let refused = try a.sbfs("remote", "add", "again", path, exits: 1).err
            #expect(refused.contains("the remote \"stick\" is \(exchange) already"), "\(refused)")
        }
        #expect(!FileManager.default.fileExists(atPath: exchange))
    }

    @Test func `remotes are kept on this device, and not in the library`() throws {
        try a.sbfs("remote", "add", "cloud", exchange)
        let settings = try a.scratch.text("home/config/sbfs/remotes.json")
        #expect(settings.contains(exchange))
        #expect(
            try a.shell("grep -rl exchange '\(a.library)' --include=*.json --exclude-dir=.sbfs || true").out.isEmpty)
        #expect(try a.sbfs("remote", "list").out == "cloud\tread and write\t\(exchange)\n")
        #expect(try a.sbfs("remote", "add", "cloud", exchange, exits: 1).err.contains("already"))
        // One folder has one memory, and one name.
        let refused = try a.sbfs("remote", "add", "mirror", exchange + "/", "--read-only", exits: 1).err
        #expect(refused.contains("the remote \"cloud\" is \(exchange) already"), "\(refused)")
        try a.sbfs("remote", "remove", "cloud")
        try a.sbfs("remote", "add", "mirror", exchange, "--read-only", "-c", "Work")
        #expect(try a.sbfs("remote", "list").out.contains("mirror\tread-only\t\(exchange)\tcollection Work\n"))
        #expect(try a.sbfs("remote", "list").lines.count == 1)
        // What "remote remove" says adds it again as it was.
        let told = try a.sbfs("remote", "remove", "mirror").err
        #expect(
            told.contains("to add it again: sbfs remote add mirror \(exchange) --read-only --collection Work\n"),
            "\(told)")
        let line = try #require(told.components(separatedBy: "to add it again: ").last)
        try a.shell(line)
        #expect(try a.sbfs("remote", "list").out.contains("mirror\tread-only\t\(exchange)\tcollection Work\n"))
        #expect(try a.scratch.names("exchange").contains("exchange.json"))
        #expect(try a.sbfs("sync", "cloud", exits: 3).err.contains("no remote"))
        #expect(try a.sbfs("complete", "--", "sync", "m").lines.dropFirst() == ["mirror"])
    }
}
