import JSONFormat
import TestSupport
import Testing

@testable import Items

/// Files of collections/, tags/ and smart/, and changes to them while other programs save them.
struct NamedFileTests {
    let library: TestLibrary

    init() throws { library = try TestLibrary() }

    private var store: ItemStore { library.store }
    private var session: WriteSession { library.session }

    private func path(_ name: String, _ folder: NamedFolder = .tags) -> String {
        folder.path + "/" + Layout.settingsFile(named: name)
    }

    private func read(_ name: String, _ folder: NamedFolder = .tags) throws -> String {
        try library.scratch.text(path(name, folder))
    }

    // MARK: Reading

    @Test func `a file is read without its unusable parts`() throws {
        try library.scratch.write(
            path("Work", .collections),
            #"{"name": " Work  ", "colour": "red", "icon": "💼", "order": 2.5, "mine": [1]}"#)
        try library.scratch.write(
            path("Odd", .collections), #"{"name": "Odd", "colour": 5, "order": "x", "icon": null}"#)
        let (files, faults) = try store.namedFiles(in: .collections)
        #expect(faults.isEmpty)
        #expect(files.map(\.name) == ["Work", "Odd"])
        #expect(files[0].colour == "red" && files[0].icon == "💼" && files[0].order == 2.5)
        #expect(files[1].colour == nil && files[1].icon == nil && files[1].order == nil)
    }

    @Test(
        arguments: [
            ("{", "1:2: expected"), ("[]", "1:1: expected an object"), ("{}", "1:1: has no \"name\""),
            ("{\n  \"name\": 5}", "2:11: name: expected a string"), (#"{"name": " "}"#, "1:10: \"name\" is empty"),
            (#"{"name": "x"}"#, "1:1: has no \"query\""),
            ("{\"name\": \"x\",\n\"query\": []}", "2:10: query: expected"),
        ])
    func `an unusable file is reported with its place, and the others are read`(_ text: String, says: String) throws {
        try library.scratch.write("smart/broken.json", text)
        let (files, faults) = try store.namedFiles(in: .smart)
        #expect(files.map(\.name) == ["Pinned", "This Week", "Today"])
        #expect(faults.count == 1)
        #expect("\(faults[0])".hasPrefix("smart/broken.json:" + says), "\(faults[0])")
    }

    @Test func `a file is found by the name in it, whatever its file name`() throws {
        try library.scratch.write("tags/by-hand.json", #"{"name": "CAFÉ", "colour": "red"}"#)
        #expect(try store.namedFile(.tags, "cafe\u{301}")?.file == "by-hand.json")
        #expect(try session.setNamed(.tags, "café", [("colour", .string("blue"))]))
        #expect(try library.scratch.text("tags/by-hand.json").contains("blue"))
        #expect(try library.scratch.names("tags") == ["by-hand.json"])
        // The file named after the name counts.
        try library.scratch.write(path("café"), #"{"name": "Café"}"#)
        #expect(try store.namedFile(.tags, "café")?.name == "Café")
        #expect(try store.namedFiles(in: .tags).files.map(\.name) == ["Café"])
    }

    @Test func `temporary names, links and folders are not read`() throws {
        try library.scratch.write("tags/.x.json.swp", "{")
        try library.scratch.write("tags/x.sync-conflict-1.json", "{")
        try library.scratch.link("tags/y.json", to: "../library.json")
        try library.scratch.makeDirectory("tags/z.json")
        let (files, faults) = try store.namedFiles(in: .tags)
        #expect(files.isEmpty && faults.isEmpty)
    }

    // MARK: Changes

    @Test func `keys are set and removed, and unknown ones stay`() throws {
        #expect(try session.setNamed(.tags, "Swift", [("colour", .string("red"))]))
        let head = "{\n  \"name\": \"Swift\",\n  \"colour\": \"red\",\n  \"changedAt\": {\n    \"name\": \"20"
        #expect(try read("swift").hasPrefix(head))
        try library.scratch.write(path("swift"), #"{"mine":1.0,"name":"Swift","order":3}"#)
        #expect(try session.setNamed(.tags, "SWIFT", [("colour", .string("blue")), ("order", nil)]))
        let start = "{\n  \"mine\": 1.0,\n  \"name\": \"Swift\",\n  \"colour\": \"blue\",\n  \"changedAt\": {\n"
        #expect(try read("swift").hasPrefix(start))
        // The key that was removed has a time, and the hash of nothing.
        #expect(try read("swift").contains("\"order\": \"20") && read("swift").contains("Z e3b0c442 20"))
        #expect(try !session.setNamed(.tags, "swift", [("colour", .string("blue"))]))
        #expect(try !session.setNamed(.tags, "absent", [("colour", nil)]))
        #expect(throws: ItemError.self) { try session.setNamed(.tags, "swift", [], isNew: true) }
        #expect(try library.leftovers().isEmpty)
    }

    @Test func `a copy under another name keeps everything, and fills missing keys of the other`() throws {
        try library.scratch.write(path("Old"), #"{"name":"Old","colour":"red","mine":{"a":1e2}}"#)
        let copy = try #require(try session.copyNamed(.tags, "old", to: "New"))
        #expect(try read("new").contains("\"name\": \"New\"") && read("new").contains("1e2"))
        try session.removeNamed(copy)
        #expect(try store.namedFile(.tags, "old") == nil)
        try library.scratch.write(path("Third"), #"{"name":"Third","colour":"blue"}"#)
        _ = try session.copyNamed(.tags, "New", to: "third")
        let third = try read("third")
        #expect(third.contains("blue") && third.contains("1e2") && third.contains("\"Third\""))
    }

    @Test func `another case is the same file with a new spelling`() throws {
        try session.setNamed(.tags, "Swift", [("colour", .string("red"))])
        #expect(try session.copyNamed(.tags, "Swift", to: "swift") == nil)
        #expect(try library.scratch.names("tags").count == 1)
        #expect(try store.namedFile(.tags, "SWIFT")?.name == "swift")
    }

    @Test(arguments: ["{", #"{"name": "Other"}"#])
    func `a file of another name or of none is never replaced`(_ text: String) throws {
        try library.scratch.write(path("Swift"), text)
        let error = #expect(throws: ItemError.self) {
            try session.setNamed(.tags, "Swift", [("colour", .string("red"))])
        }
        #expect("\(String(describing: error))".contains(Layout.settingsFile(named: "Swift")))
        #expect(try read("swift") == text)
        #expect(try library.leftovers().isEmpty)
    }

    // MARK: Beside editors

    private func replace(
        _ old: String?, _ new: String?, saving: @escaping () throws -> Void
    ) throws -> Bool {
        var swap = Swap(session: session, target: .named(.tags, Layout.settingsFile(named: "x")))
        swap.isStaged = { try? saving() }
        return try swap.run(old.map { Array($0.utf8) }, new.map { Array($0.utf8) })
    }

    @Test func `the exact time is there before an editor can save`() throws {
        let old = #"{"name": "x"}"#, new = #"{"name": "x", "order": 1}"#
        try save(old)
        var swap = Swap(
            session: session, target: .named(.tags, Layout.settingsFile(named: "x")), modified: 1_000_000_000_000,
            isExact: true)
        #expect(try swap.run(Array(old.utf8), Array(new.utf8)))
        let file = try library.scratch.directory().file(path("x"))
        #expect(try file.status().modified == 1_000_000_000_000)
        swap.isExact = false
        #expect(try swap.run(Array(new.utf8), Array(old.utf8)))
        #expect(try library.scratch.directory().file(path("x")).status().modified == 1_000_001_000_000)
    }

    private func save(_ text: String) throws { try library.scratch.write(path("x"), text) }

    private func saveByRename(_ text: String) throws {
        try library.scratch.write("tags/.new", text)
        try library.scratch.rename("tags/.new", to: path("x"))
    }

    @Test func `a save between reading and writing stays, and nothing is left`() throws {
        try save("base")
        for step in [save, saveByRename] {
            try save("base")
            #expect(try !replace("base", "ours") { try step("theirs") })
            #expect(try read("x") == "theirs")
            try save("base")
            #expect(try !replace("base", nil) { try step("theirs") })
            #expect(try read("x") == "theirs")
        }
        try library.scratch.removeFile(path("x"))
        #expect(try !replace(nil, "ours") { try save("theirs") })
        #expect(try read("x") == "theirs")
        #expect(try library.leftovers().isEmpty)
        #expect(try library.scratch.names("tags").count == 1)
    }

    @Test func `a file that an editor has renamed away is not made again over it`() throws {
        try save("base")
        #expect(try !replace("base", "ours") { try library.scratch.removeFile(path("x")) })
        #expect(!library.scratch.exists(path("x")))
        #expect(try !replace("base", nil) {})
        #expect(try library.leftovers().isEmpty)
    }

    @Test func `permissions stay`() throws {
        let root = try library.scratch.directory()
        try root.writeFile(path("x"), Array("base".utf8), permissions: 0o600)
        #expect(try replace("base", "ours") {})
        #expect(try root.statusIfPresent(of: path("x"))?.permissions == 0o600)
    }

    @Test func `many writers of one file lose nothing`() async throws {
        let session = session
        try session.setNamed(.tags, "x", [("colour", .string("red"))])
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<16 {
                group.addTask { _ = try? session.setNamed(.tags, "x", [("key\(number)", .integer(number))]) }
            }
        }
        let text = try read("x")
        for number in 0..<16 { #expect(text.contains("\"key\(number)\": \(number)")) }
        #expect(try library.leftovers().isEmpty)
    }

    // MARK: After a crash

    private static let session = ".sbfs/staging/00000000deadbeef"

    private func leave(new: String?, base: String, holding: String) throws {
        let name = StagedName(
            .named(.tags), file: Layout.settingsFile(named: "x"), new: new.map { Array($0.utf8) },
            base: Array(base.utf8))
        #expect(StagedName(name.name) == name)
        try library.scratch.write(Self.session + "/" + name.name, holding)
        try library.reopened()
        #expect(!library.scratch.exists(Self.session))
    }

    @Test(
        arguments: [
            ("base", "ours", "ours", "base"), ("ours", "ours", "base", "ours"), ("ours", "ours", "theirs", "theirs"),
            (nil, nil, "base", nil), (nil, nil, "theirs", "theirs"),
        ] as [(String?, String?, String, String?)])
    func `the leftover of a killed process is dropped, or goes back`(
        _ live: String?, new: String?, holding: String, expected: String?
    ) throws {
        if let live { try save(live) }
        try leave(new: new, base: "base", holding: holding)
        #expect((try? read("x")) == expected)
    }

    @Test func `a version for which there is no place is kept beside the file`() throws {
        try save("third")
        try leave(new: "ours", base: "base", holding: "theirs")
        #expect(try read("x") == "third")
        let names = try library.scratch.names("tags")
        #expect(names.count == 2)
        #expect(try names.map { try library.scratch.text("tags/" + $0) }.sorted() == ["theirs", "third"])
    }
}
