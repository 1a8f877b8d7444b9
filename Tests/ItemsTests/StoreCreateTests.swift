import Files
import JSONFormat
import TestSupport
import Testing

@testable import Items

/// Making and opening libraries.
struct StoreCreateTests {
    let scratch: ScratchDirectory

    init() throws { scratch = try ScratchDirectory() }

    private func create(_ name: String = "library", isForced: Bool = false) throws -> Bool {
        try ItemStore.create(at: scratch.full(name), name: "Test", isForced: isForced)
    }

    @Test func `a new library has its folders, its files and three smart folders`() throws {
        #expect(try create("a/b/library"))
        #expect(
            try scratch.names("a/b/library") == [
                ".gitattributes", ".gitignore", ".stignore", ".vscode", "collections", "inbox", "items", "library.json",
                "schema",
                "smart", "tags", "tombstones",
            ])
        #expect(try scratch.names("a/b/library/inbox") == ["rejected"])
        #expect(
            try scratch.names("a/b/library/smart").map { $0.split(separator: "-").dropLast().joined(separator: "-") }
                == [
                    "pinned", "this-week", "today",
                ])
        #expect(try scratch.text("a/b/library/.gitattributes") == "* -text\n")
        #expect(try scratch.text("a/b/library/.gitignore") == "/.sbfs/\n")
        #expect(try scratch.bytes("a/b/library/schema/item-1.json") == ItemSchema.bytes)
        let store = try ItemStore(path: scratch.full("a/b/library"))
        #expect(store.settings.name == "Test")
        #expect(store.device != nil)
    }

    @Test func `every file of a new library is JSON that is read back`() throws {
        _ = try create()
        for path in ["library.json", "schema/item-1.json", ".vscode/settings.json"] {
            let json = try JSONDocument(parsing: try scratch.bytes("library/" + path))
            #expect(json.kind(json.root) == .object)
        }
        let check = try Check(ItemStore(path: scratch.full("library")), readsData: true, isPortable: true).run()
        #expect(check.findings.map(\.path) == [])
    }

    @Test func `creating again changes nothing`() throws {
        #expect(try create())
        let before = try scratch.bytes("library/library.json")
        #expect(try !create())
        #expect(try scratch.bytes("library/library.json") == before)
    }

    @Test func `a folder with other things is refused and stays as it was, unless forced`() throws {
        try scratch.write("library/thesis.tex", "x")
        let error = #expect(throws: ItemError.self) { _ = try create() }
        #expect(error?.description.contains("already holds other files (thesis.tex)") == true)
        #expect(try scratch.names("library") == ["thesis.tex"])
        #expect(try create(isForced: true))
        #expect(try scratch.text("library/thesis.tex") == "x")
    }

    @Test func `a half-made library is completed`() throws {
        try scratch.makeDirectory("library/items")
        try scratch.write("library/.gitignore", "mine\n")
        #expect(throws: ItemError.self) { _ = try ItemStore(path: scratch.full("library")) }
        #expect(try create())
        #expect(try scratch.text("library/.gitignore") == "mine\n")
    }

    @Test func `a folder that is no library is reported as such`() throws {
        let absent = #expect(throws: ItemError.self) { _ = try ItemStore(path: scratch.full("absent")) }
        guard case .noLibrary? = absent else {
            Issue.record("\(String(describing: absent))")
            return
        }
        try scratch.makeDirectory("empty")
        let empty = #expect(throws: ItemError.self) { _ = try ItemStore(path: scratch.full("empty")) }
        guard case .noLibrary? = empty else {
            Issue.record("\(String(describing: empty))")
            return
        }
        #expect(try scratch.names("empty").isEmpty)
    }

    @Test func `a library.json that is a link is not followed`() throws {
        _ = try create()
        try scratch.makeDirectory("other")
        try scratch.link("other/library.json", to: "../library/library.json")
        #expect(throws: ItemError.self) { _ = try ItemStore(path: scratch.full("other")) }
        #expect(try scratch.names("other") == ["library.json"])
    }

    @Test func `folders and files that are missing come back when a library is opened`() throws {
        _ = try create()
        try scratch.removeFile("library/.stignore")
        try scratch.removeFile("library/schema/item-1.json")
        for folder in ["tombstones", "tags", "inbox/rejected", "inbox", "schema"] {
            try scratch.removeEmptyDirectory("library/" + folder)
        }
        _ = try ItemStore(path: scratch.full("library"))
        #expect(scratch.exists("library/inbox/rejected"))
        #expect(scratch.exists("library/tombstones"))
        #expect(try scratch.bytes("library/schema/item-1.json") == ItemSchema.bytes)
        #expect(try scratch.text("library/.stignore") == "/.sbfs\n")
    }

    @Test func `opening a library writes nothing through links that somebody put there`() throws {
        _ = try create()
        try scratch.makeDirectory("outside")
        try scratch.removeFile("library/schema/item-1.json")
        try scratch.removeEmptyDirectory("library/schema")
        try scratch.link("library/schema", to: "../outside")
        try scratch.removeEmptyDirectory("library/inbox/rejected")
        try scratch.removeEmptyDirectory("library/inbox")
        try scratch.link("library/inbox", to: "../outside")
        _ = try ItemStore(path: scratch.full("library"))
        #expect(try scratch.names("outside").isEmpty)
    }

    @Test func `a library of a newer format is read and not written`() throws {
        _ = try create()
        let id = ItemID.make()
        try scratch.write("library/library.json", "{\"format\": 2, \"minReader\": 1, \"id\": \"\(id)\"}")
        try scratch.write("library/" + Layout.itemFolder(id) + "/item.json", "{\"title\": \"x\"}")
        let store = try ItemStore(path: scratch.full("library"))
        let session = WriteSession(store)
        #expect(store.device == nil)
        #expect(!scratch.exists("library/.sbfs"))
        let item = try #require(try store.item(id))
        #expect(item.item.title == "x")
        let error = #expect(throws: ItemError.self) { try session.add([NewItem(kind: .snippet)]) }
        guard case .readOnlyFormat? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(throws: ItemError.self) { try session.change([(.purgeDays, .integer(5))]) }
    }

    // MARK: library.json beside editors

    private static let settings = "library/library.json"

    /// Changes purgeDays from 10 to 30 while an editor saves as the arguments say.
    private func swapSettings(
        staged: @escaping () throws -> Void, displaced: @escaping () throws -> Void = {}
    ) throws -> (isDone: Bool, store: ItemStore) {
        let store = try ItemStore(path: scratch.full("library"))
        let old = try scratch.text(Self.settings)
        var swap = Swap(session: WriteSession(store), target: .library)
        swap.isStaged = { try? staged() }
        swap.isDisplaced = { try? displaced() }
        let new = old.replacing("\"purgeDays\": 10", with: "\"purgeDays\": 30")
        return (try swap.run(Array(old.utf8), Array(new.utf8)), store)
    }

    @Test(arguments: [false, true])
    func `a save of library.json between reading and writing stays`(_ byRename: Bool) throws {
        _ = try create()
        let theirs = try scratch.text(Self.settings).replacing("Test", with: "Theirs")
        let (isDone, _) = try swapSettings {
            try scratch.write(byRename ? "library/.new" : Self.settings, theirs)
            if byRename { try scratch.rename("library/.new", to: Self.settings) }
        }
        #expect(!isDone)
        #expect(try scratch.text(Self.settings) == theirs)
        try WriteSession(ItemStore(path: scratch.full("library"))).change([(.purgeDays, .integer(30))])
        let settings = try ItemStore(path: scratch.full("library")).settings
        #expect(settings.name == "Theirs" && settings.purgeDays == 30)
        #expect(try scratch.names("library").allSatisfy { !$0.hasPrefix("library-") })
    }

    @Test func `of two saves of library.json the later stays, and check names the other`() throws {
        _ = try create()
        let text = try scratch.text(Self.settings)
        let (isDone, store) = try swapSettings {
            try scratch.write(Self.settings, text.replacing("Test", with: "Theirs"))
        } displaced: {
            try scratch.write(Self.settings, text.replacing("Test", with: "Later"))
        }
        #expect(!isDone)
        #expect(try ItemStore(path: scratch.full("library")).settings.name == "Later")
        let kept = try #require(try scratch.names("library").first { $0.hasPrefix("library-") })
        #expect(try scratch.text("library/" + kept).contains("Theirs"))
        #expect(store.takeNotices().count == 1)
        #expect(try Check(store).run().findings.map(\.path) == [kept])
    }

    @Test(
        arguments: [
            ("base", "ours", "ours", "base"), ("ours", "ours", "base", "ours"), ("ours", "ours", "theirs", "theirs"),
            ("later", "ours", "theirs", "later"),
        ])
    func `a staged library.json of a killed process is dropped, or the displaced one goes back`(
        _ live: String, _ new: String, _ holding: String, _ expected: String
    ) throws {
        _ = try create()
        let text = try scratch.text(Self.settings)
        func version(_ name: String) -> [UInt8] { Array(text.replacing("Test", with: name).utf8) }
        let staged = StagedName(.library, file: Layout.libraryFile, new: version(new), base: version("base"))
        #expect(StagedName(staged.name) == staged)
        let session = "library/.sbfs/staging/00000000deadbeef"
        _ = try ItemStore(path: scratch.full("library"))
        try scratch.write(session + "/" + staged.name, version(holding))
        try scratch.write(Self.settings, version(live))
        _ = try ItemStore(path: scratch.full("library"))
        #expect(try scratch.bytes(Self.settings) == version(expected))
        #expect(!scratch.exists(session))
        let kept = try scratch.names("library").filter { $0.hasPrefix("library-") }
        #expect(try kept.map { try scratch.bytes("library/" + $0) } == (live == "later" ? [version(holding)] : []))
    }

    @Test func `a changed setting is in library.json, other keys keep their place`() throws {
        _ = try create()
        let id = ItemID.make()
        try scratch.write(
            "library/library.json", "{\"mine\": 1.0, \"format\": 1, \"id\": \"\(id)\", \"purgeDays\": 20}")
        let store = try ItemStore(path: scratch.full("library"))
        let session = WriteSession(store)
        try session.change([(.purgeDays, .integer(30)), (.weekStart, .string("sunday"))])
        let settings = try ItemStore(path: scratch.full("library")).settings
        #expect(settings.purgeDays == 30)
        #expect(settings.weekStartsOnSunday)
        #expect(try scratch.text("library/library.json").hasPrefix("{\n  \"mine\": 1.0,\n  \"format\": 1,\n"))
        try session.change([(.purgeDays, nil)])
        #expect(try ItemStore(path: scratch.full("library")).settings.purgeDays == 10)
    }
}
