import Foundation
import TestSupport
import Testing

/// Devices that leave files to a cloud, while it does not answer or the network must not be used; and a second cloud, which lacks
/// these files.
final class CloudAbsenceTests {
    private let cloud: Cloud
    private let a: Sandbox
    private let page: String
    private let document: String

    /// A device that left a page and a document to the cloud.
    init() throws {
        cloud = try Cloud()
        a = try Sandbox()
        cloud.configure(a)
        try a.file("plan.txt", "Sow in May.\n")
        document = try #require(try a.sbfs("add", "plan.txt").lines.first)
        page = try #require(try a.sbfs("add", "https://example.org/x", "--no-archive").lines.first)
        try a.file("x.html", "<html><head><title>T</title></head><body><p>Bread of the house is good.</body></html>")
        try a.sbfs("archive", page, "--from", "x.html")
        try a.sbfs("remote", "add", "box", Cloud.exchange)
        try a.sbfs("sync")
        try a.sbfs("drop", page, document)
    }

    @Test func `read shows the words of a page whose cloud does not answer, and open says what is away`() throws {
        cloud.stop()
        let run = try a.sbfs("read", page)
        #expect(run.out.contains("Bread of the house is good."), "\(run)")
        #expect(run.err.contains("box: ") && run.err.contains("these are its words"), "\(run)")
        let open = try a.sbfs("open", "--print", document, exits: nil)
        #expect(open.err.contains("it is in an exchange that cannot give it now"), "\(open)")
        #expect(open.status != 0)
        try cloud.start()
        #expect(try a.sbfs("open", "--print", document).out.contains("plan.txt"))
    }

    @Test func `what a cloud alone has is unavailable from a sync that fails to the next one that does not`() throws {
        #expect(try a.ids("status:unavailable").isEmpty)
        cloud.stop()
        // Nobody asked the cloud since.
        #expect(try a.ids("status:unavailable").isEmpty)
        try a.sbfs("sync", exits: nil)
        #expect(try Set(a.ids("status:unavailable")) == [page, document])
        let show = try a.sbfs("show", document)
        let words = "unavailable: it is in an exchange that cannot give it now (box: the last sync with it failed: "
        #expect(show.out.contains(words), "\(show)")
        try cloud.start()
        try a.sbfs("sync")
        #expect(try a.ids("status:unavailable").isEmpty)
        #expect(try a.sbfs("show", document).out.contains("in an exchange only"))
    }

    @Test func `without the network no command asks the cloud`() throws {
        // What asks it would fail, and say so in other words.
        try a.shell("mkdir bin && printf '#!/bin/sh\\necho asked >> \"%s\"\\nexit 1\\n' '\(a.desk)/asked' > bin/rclone")
        try a.shell("chmod +x bin/rclone")
        a.environment["PATH"] = a.desk + "/bin:" + (a.environment["PATH"] ?? "/usr/bin:/bin")
        for words in [
            ["open", "--print", document], ["keep", document], ["drop", page], ["remote", "prune", "box"],
            ["sync"], ["read", page], ["show", page], ["list", "status:unavailable"], ["check", "--read-data"],
        ] {
            try a.sbfs(words: ["--offline"] + words, exits: nil)
            #expect(!FileManager.default.fileExists(atPath: a.desk + "/asked"), "\(words)")
        }
        #expect(try a.sbfs("--offline", "keep", document, exits: 1).err.contains("the network must not be used"))
        let prune = try a.sbfs("--offline", "remote", "prune", "box", exits: 1)
        #expect(prune.err.contains("the network must not be used") && prune.err.contains("--offline"), "\(prune)")
        #expect(try a.sbfs("--offline", "read", page).out.contains("Bread of the house is good."))
    }

    @Test func `a second cloud gets the items whose files are away, and the files are named`() throws {
        try a.sbfs("remote", "add", "second", "rclone:dav:second")
        let run = try a.sbfs("sync", "second")
        #expect(run.out.contains("second: 2 written"), "\(run)")
        #expect(
            run.err.components(separatedBy: "it is neither on this device nor in this exchange").count == 3, "\(run)")
        #expect(try a.sbfs("sync", "second").out.contains("nothing to do"))
        let b = try Sandbox(isLibraryMade: false)
        cloud.configure(b)
        try b.sbfs("init", "--from", "rclone:dav:second")
        #expect(try b.sbfs("sync").out.contains("2 added"))
        #expect(try b.ids() == [page, document])
        // When they are here again, they are written.
        try a.sbfs("keep", page, document)
        let back = try a.sbfs("sync", "second")
        #expect(back.out.contains("2 written"), "\(back)")
        try b.sbfs("sync")
        #expect(try b.shell("cat '\(b.library)'/items/*/\(document)/document/plan.txt").out == "Sow in May.\n")
        #expect(try b.sbfs("read", page).out.contains("Bread of the house is good."))
    }
}
