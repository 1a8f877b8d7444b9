import Foundation
import TestSupport
import Testing

/// Documents that a program gave a name that no item.json may say (FORMAT.md § 21.1), on two devices with one exchange.
struct NamesThatCannotTravelTests {
    private let a: Sandbox, b: Sandbox
    private let id: String

    init() throws {
        a = try Sandbox()
        b = try Sandbox(isLibraryMade: false)
        try a.file("d.txt", "The document.")
        id = try a.sbfs("add", "d.txt").out.trimmingCharacters(in: .newlines)
        try a.sbfs("remote", "add", "box", a.scratch.full("exchange"))
        try a.sbfs("sync")
        try b.sbfs("init", "--from", a.scratch.full("exchange"))
        try b.sbfs("sync")
    }

    private func documents(_ one: Sandbox) throws -> [String] { try one.scratch.names(one.folder(id) + "/document") }

    /// Syncs both devices twice: then each has what the other one wrote.
    private func meet() throws {
        for one in [b, a, b, a] { try one.sbfs("sync") }
    }

    @Test(arguments: ["new\nname.txt", "new\tname.txt", "new\u{7F}name.txt"])
    func `a document that is renamed to such a name gets the name that attach would give it`(_ name: String) throws {
        let folder = b.scratch.full(b.folder(id) + "/document/")
        try FileManager.default.moveItem(atPath: folder + "d.txt", toPath: folder + name)
        let other = try b.snippet("Other.", title: "Other")
        try b.sbfs("append", id, "Hello.")
        try meet()
        #expect(try a.ids().sorted() == [id, other].sorted())
        for one in [a, b] {
            #expect(try documents(one) == ["new_name.txt"])
            #expect(try one.scratch.text(one.folder(id) + "/document/new_name.txt") == "The document.")
            #expect(try one.scratch.text(one.folder(id) + "/text.md").contains("Hello."))
            try one.sbfs("check")
        }
    }

    @Test func `so does a file that a person puts into an item without a document`() throws {
        let note = try b.snippet("Text.", title: "Bread")
        try b.scratch.write(b.folder(note) + "/document/new\nname.txt", "Mine.")
        try b.sbfs("append", note, "Hello.")
        try meet()
        for one in [a, b] {
            #expect(try one.scratch.names(one.folder(note) + "/document") == ["new_name.txt"])
        }
    }
}
