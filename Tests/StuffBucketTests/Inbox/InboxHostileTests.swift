import Files
import Glibc
import Items
import TestSupport
import Testing
import Time

@testable import StuffBucket

/// Names and files that mean harm.
struct InboxHostileTests {
    private let inbox: InboxSample

    init() throws { inbox = try InboxSample() }

    static let names: [[UInt8]] = [
        Array("new\nline.txt".utf8), Array("\u{1B}[2Jclear.txt".utf8), Array("\u{202E}txt.exe".utf8),
        [0x66, 0xFF, 0xFE, 0x2E, 0x62, 0x69, 0x6E], Array(String(repeating: "n", count: 251).utf8) + Array(".txt".utf8),
        Array(repeating: 0xF0, count: 255), Array(" .txt".utf8), Array("-rf".utf8), Array("con.txt".utf8),
        Array("a\\".utf8), Array("e\u{301}.pdf".utf8), Array("\u{301}.txt".utf8),
    ]

    @Test(arguments: names) func `any name is taken in, also of a folder`(name: [UInt8]) throws {
        let folder = try Directory(path: inbox.scratch.full("library/inbox"))
        let cName = name.map(CChar.init(bitPattern:)) + [0]
        try inbox.drop("plain", "folder")
        try inbox.drop("plain.txt", "file")
        let path = inbox.scratch.full("library/inbox/")
        func rename(_ old: String, _ new: [CChar]) -> Int32 {
            let full = path.utf8.map(CChar.init(bitPattern:)) + new
            return Glibc.rename(path + old, full)
        }
        try #require(rename("plain.txt", cName) == 0)
        try inbox.take()
        #expect(try inbox.items().count == 2)
        #expect(try folder.entries().map(\.name.repaired) == ["rejected"])
        // The same name as a folder.
        try inbox.drop("plain/in.txt", "text")
        try #require(rename("plain", cName) == 0)
        let report = try inbox.take()
        #expect(report.lines.count == 1 && report.lines.first?.hasPrefix("added") == true)
        #expect(try inbox.items().count == 3)
    }

    @Test(arguments: [
        "<?xml version=\"1.0\"?><!DOCTYPE x [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;&a;&a;&a;&a;\"><!ENTITY c "
            + "\"&b;&b;&b;&b;&b;&b;&b;&b;\">]><plist><dict><key>URL</key><string>&c;</string></dict></plist>",
        "<?xml version=\"1.0\"?><!DOCTYPE x [<!ENTITY a SYSTEM \"file:///etc/passwd\">]><plist><dict><key>URL</key>"
            + "<string>https://example.org/&a;</string></dict></plist>",
        "<?xml version=\"1.0\"?><plist>" + String(repeating: "<array>", count: 100_000),
    ])
    func `a webloc with entities reads no file and unfolds nothing`(text: String) throws {
        try inbox.drop("a.webloc", text)
        try inbox.take()
        let items = try inbox.items()
        for stored in items {
            let file = try inbox.scratch.text("library/\(stored.folder)/item.json")
            #expect(!file.contains("root:") && file.utf8.count < 4096)
        }
        #expect(try inbox.names().isEmpty)
    }

    @Test func `a url file of a gigabyte is not read`() throws {
        let path = inbox.scratch.full("library/inbox/big.url")
        try inbox.drop("big.url", "[InternetShortcut]\nURL=https://example.org/\n")
        #expect(truncate(path, 1 << 30) == 0)
        #expect(try inbox.take().lines == ["rejected big.url"])
        // One above the limit of a shortcut is a document.
        try inbox.drop("middle.url", "[InternetShortcut]\nURL=https://example.org/\n")
        #expect(truncate(inbox.scratch.full("library/inbox/middle.url"), (1 << 20) + 1) == 0)
        #expect(try inbox.take().lines == ["added middle.url"])
        #expect(try inbox.item().kind == .document)
    }

    @Test(arguments: ["\"", "\u{201C}", "'", "\u{2018}", "\u{201E}", "a,", "#", "\u{0}", "\u{301}"])
    func `a comment of one character repeated takes linear time`(character: String) throws {
        try inbox.drop("a.txt", "text")
        let count = (60 << 10) / character.utf8.count
        try inbox.drop("a.txt.comment", String(repeating: character, count: count))
        #expect(try inbox.take().lines == ["added a.txt"])
    }

    @Test func `a file that is replaced between the look and the reading is left`() throws {
        try inbox.drop("a.txt", "old")
        let look = try lookNow()
        try inbox.scratch.write("library/inbox/.new", "new bytes")
        try inbox.scratch.rename("library/inbox/.new", to: "library/inbox/a.txt")
        let taking = InboxTaking(inbox.library, nil, inbox.options, Monitor(), at: inbox.options.clock())
        try taking.run(look)
        #expect(taking.report.entries.isEmpty && taking.report.waiting.map(\.path) == ["a.txt"])
        #expect(try inbox.scratch.text("library/inbox/a.txt") == "new bytes")
        #expect(try inbox.items().isEmpty)
    }

    @Test(arguments: ["link", "fifo", "folder", "gone"])
    func `a file that becomes something else is left`(kind: String) throws {
        try inbox.drop("a.txt", "old")
        let look = try lookNow()
        try inbox.scratch.removeFile("library/inbox/a.txt")
        switch kind {
        case "link": try inbox.scratch.link("library/inbox/a.txt", to: "/etc/passwd")
        case "fifo": try inbox.scratch.makeFIFO("library/inbox/a.txt")
        case "folder": try inbox.scratch.makeDirectory("library/inbox/a.txt")
        default: break
        }
        let taking = InboxTaking(inbox.library, nil, inbox.options, Monitor(), at: inbox.options.clock())
        try taking.run(look)
        #expect(taking.report.entries.isEmpty)
        #expect(try inbox.items().isEmpty)
    }

    private func lookNow() throws -> InboxLook {
        var memory = InboxMemory()
        return try InboxLook(inbox.library.store, now: inbox.options.clock(), hasWorker: false, &memory)
    }

    @Test func `a version that is saved while its item is made goes back`() throws {
        try inbox.drop("a.txt", "old")
        let status = try #require(
            try Directory(path: inbox.scratch.full("library/inbox")).status(named: FileName("a.txt")))
        let version = InboxVersion(folder: [], name: FileName("a.txt"), status: status)
        // Written in place: the inode is the same.
        try inbox.scratch.write("library/inbox/a.txt", "newer")
        let results = try inbox.library.session.removeFromInbox([version])
        #expect(try results.map { try $0.get() } == [false])
        #expect(try inbox.scratch.text("library/inbox/a.txt") == "newer")
    }

    @Test func `a version that is still being written is not removed`() throws {
        try inbox.drop("a.txt", "old")
        let status = try #require(
            try Directory(path: inbox.scratch.full("library/inbox")).status(named: FileName("a.txt")))
        let writer = open(inbox.scratch.full("library/inbox/a.txt"), O_WRONLY | O_APPEND | O_CLOEXEC)
        let version = InboxVersion(folder: [], name: FileName("a.txt"), status: status)
        let results = try inbox.library.session.removeFromInbox([version])
        #expect(try results.map { try $0.get() } == [false])
        write(writer, "er", 2)
        close(writer)
        #expect(try inbox.scratch.text("library/inbox/a.txt") == "older")
        #expect(try inbox.take().lines == ["added a.txt"])
        #expect(try inbox.text(inbox.item()) == "older")
    }

    @Test func `a cancelled call keeps what it completed`() throws {
        for number in 0..<20 { try inbox.drop("\(number).txt", "text \(number)") }
        let monitor = Monitor()
        monitor.cancel()
        #expect(throws: ItemError.self) {
            try inbox.library.takeInbox(using: nil, inbox.options, as: StepHeader(command: "x"), monitor)
        }
        #expect(try inbox.names().count == 20)
        #expect(try inbox.take().entries.count == 20)
        #expect(try inbox.scratch.names("library/.sbfs/staging").count <= 1)
    }

    @Test func `many files become items in groups`() throws {
        for number in 0..<1200 { try inbox.drop("\(number % 7)/\(number).txt", "text \(number)") }
        let report = try inbox.take()
        #expect(report.entries.count == 1200 && report.lines.allSatisfy { $0.hasPrefix("added") })
        #expect(try inbox.items().count == 1200)
        #expect(try inbox.names("3").isEmpty)
    }
}
