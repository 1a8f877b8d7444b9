import Foundation
import Items
import JSONFormat
import StuffBucket
import TestSupport
import Testing

/// Small files that two devices change, key by key: FORMAT.md § 9.2.
struct MergeKeysTests: TwoCopies {
    let a: Replica, b: Replica
    private static let name = "Work"

    init() throws {
        a = try Replica()
        try a.library.change("make") {
            try $0.addNamed(
                .collections, Self.name,
                [("colour", .string("red")), ("icon", .string("star")), ("order", .number("1"))])
        }
        b = try Replica(copyOf: a)
        usleep(20_000)
    }

    private var file: String { "library/collections/" + Layout.settingsFile(named: Self.name) }

    private func set(_ key: String, _ value: JSON?, _ one: Replica) throws {
        #expect(try one.library.change(key) { try $0.setNamed(.collections, Self.name, [(key, value)]) })
        usleep(20_000)
    }

    private func named(_ one: Replica) throws -> NamedFile {
        try #require(try one.library.namedFile(.collections, Self.name))
    }

    private func changedAt(_ one: Replica) throws -> JSON? {
        let json = try JSONDocument(parsing: one.scratch.bytes(file))
        return json.member("changedAt", of: json.root).map { json.exactCopy($0) }
    }

    /// Saves as an editor does.
    private func edit(_ old: String, _ new: String, _ one: Replica) throws {
        let text = try one.scratch.text(file)
        #expect(text.contains(old))
        try one.scratch.write(file, text.replacingOccurrences(of: old, with: new))
        usleep(20_000)
    }

    @Test(arguments: [true, false])
    func `edits of different keys are all there, and nothing is named`(_ isFromA: Bool) throws {
        try set("colour", .string("blue"), a)
        try set("icon", .string("book"), b)
        let both = try isFromA ? a.library.mergeBoth(path(b)) : b.library.mergeBoth(path(a))
        #expect(both.here.left.isEmpty && both.there.left.isEmpty, "\(both)")
        for one in [a, b] {
            let named = try named(one)
            #expect(named.colour == "blue" && named.icon == "book" && named.order == 1)
        }
        #expect(try a.scratch.bytes(file) == b.scratch.bytes(file))
        let again = try a.library.merge(path(b))
        #expect(again.hasNothing && again.left.isEmpty, "\(again)")
    }

    @Test func `a removed key stays removed`() throws {
        try set("icon", nil, a)
        try set("colour", .string("blue"), b)
        _ = try a.library.mergeBoth(path(b))
        for one in [a, b] { #expect(try named(one).icon == nil && named(one).colour == "blue") }
    }

    @Test func `an editor's change and a command's are both there`() throws {
        try set("colour", .string("blue"), a)
        try edit("\"star\"", "\"book\"", b)
        try set("order", .number("2"), b)
        _ = try a.library.mergeBoth(path(b))
        for one in [a, b] { #expect(try named(one).icon == "book" && named(one).order == 2) }
        // The file had no times when the editor saved it, so its values may all be of then.
        try edit("\"book\"", "\"pen\"", b)
        try set("colour", .string("pink"), a)
        _ = try a.library.mergeBoth(path(b))
        for one in [a, b] { #expect(try named(one).icon == "pen" && named(one).colour == "pink") }
    }

    @Test func `undo wins over the change that another copy has, and the other's changes stay`() throws {
        try set("order", .number("2"), a)
        try set("colour", .string("blue"), a)
        let step = try #require(try a.library.history()?.undoable.first?.number)
        _ = try a.library.mergeBoth(path(b))
        try set("icon", .string("book"), b)
        #expect(try a.library.undo([step], StepHeader(command: "undo")).changedCount == 1)
        #expect(try named(a).colour == "red")
        _ = try a.library.mergeBoth(path(b))
        for one in [a, b] {
            let named = try named(one)
            #expect(named.colour == "red" && named.icon == "book" && named.order == 2)
        }
    }

    @Test func `steps are undone one after the other, and the first gives back the values of the editor`() throws {
        let bytes = Array(#"{"name": "Work", "colour": "red", "mine": 1.0}"#.utf8)
        try a.scratch.write(file, bytes)
        usleep(20_000)
        try set("colour", .string("blue"), a)
        try set("icon", .string("book"), a)
        func step(_ number: Int) throws -> Int { try #require(try a.library.history()).undoable[number].number }
        let steps = try [step(0), step(1)]
        let header = StepHeader(command: "undo")
        #expect(try a.library.undo([steps[0]], header).changedCount == 1)
        #expect(try named(a).icon == nil && named(a).colour == "blue")
        #expect(try a.library.undo([steps[1]], header).changedCount == 1)
        #expect(try named(a).colour == "red" && a.scratch.text(file).contains("\"mine\": 1.0"))
        let redoable = try #require(a.library.history()?.redoable)
        #expect(try a.library.redo(redoable, StepHeader(command: "redo")).changedCount == 1)
        #expect(try named(a).colour == "blue")
    }

    // MARK: Copying programs

    @Test(arguments: [true, false])
    func `a change that a copying program replaced comes back`(_ isLookedAt: Bool) throws {
        try set("colour", .string("blue"), a)
        try set("icon", .string("book"), b)
        try a.meet(b)
        #expect(try named(a).colour == "red")
        _ = a.library.takeNotices()
        if isLookedAt { try a.settle() } else { try set("order", .number("5"), a) }
        let path = String(file.dropFirst("library/".count))
        #expect(a.library.takeNotices() == [.laterKeysStand(path: path, keys: ["colour"])])
        #expect(try named(a).colour == "blue" && named(a).icon == "book")
        try meetAll()
        for one in [a, b] {
            let named = try named(one)
            #expect(named.colour == "blue" && named.icon == "book" && named.order == (isLookedAt ? 1 : 5))
        }
        #expect(try a.scratch.bytes(file) == b.scratch.bytes(file))
    }

    @Test func `what was deleted here and comes back by a copy is told`() throws {
        let old = try a.scratch.bytes(file)
        #expect(try a.library.change("delete") { try $0.removeNamed(.collections, Self.name) })
        try a.scratch.write(file + ".part", old)
        try a.scratch.setModified(file + ".part", seconds: 1_000_000_000)
        try a.scratch.rename(file + ".part", to: file)
        _ = a.library.takeNotices()
        try a.settle()
        #expect(try a.library.namedFile(.collections, Self.name) == nil)
        let path = String(file.dropFirst("library/".count))
        #expect(a.library.takeNotices() == [.smallFileStands(path: path, isDeleted: true)])
    }

    @Test func `what an editor here saves stands, and the file says when`() throws {
        try set("colour", .string("blue"), a)
        try a.scratch.write(file, b.scratch.text(file))
        try a.settle()
        #expect(try named(a).colour == "red")
        #expect(try a.scratch.text(file).contains("changedAt"))
        let bytes = try a.scratch.bytes(file)
        try a.settle()
        #expect(try a.scratch.bytes(file) == bytes)
    }

    @Test(arguments: [true, false])
    func `the keys that two editors changed or removed are those of both`(_ isByCopying: Bool) throws {
        // Nothing says when a key was set.
        for one in [a, b] {
            try one.scratch.write(file, #"{"name": "Work", "colour": "red", "icon": "star", "order": 1}"#)
            try? FileManager.default.removeItem(atPath: one.scratch.full("library/.sbfs/small"))
            try one.change { $0.addTag("seen") }
            usleep(20_000)
        }
        try edit("\"red\"", "\"blue\"", a)
        try edit(", \"order\": 1", "", a)
        try a.settle()
        try edit("\"star\"", "\"book\"", b)
        try b.settle()
        if isByCopying { try meetAll() } else { _ = try a.library.mergeBoth(path(b)) }
        for one in [a, b] {
            let named = try named(one)
            #expect(named.colour == "blue" && named.icon == "book" && named.order == nil)
        }
        #expect(try a.scratch.bytes(file) == b.scratch.bytes(file))
    }

    @Test func `a file of another copy, with the times of that, stands as it is`() throws {
        try set("colour", .string("blue"), a)
        try set("icon", .string("book"), b)
        try set("colour", .string("pink"), b)
        let bytes = try b.scratch.bytes(file)
        try a.scratch.write(file, bytes)
        try a.settle()
        #expect(try a.scratch.bytes(file) == bytes)
    }

    @Test(arguments: [true, false])
    func `an editor that drops the times of keys does not take them away`(_ isChanging: Bool) throws {
        try set("colour", .string("blue"), a)
        let icon = isChanging ? "book" : "star"
        let times = try changedAt(a)
        try a.scratch.write(file, #"{"name": "Work", "colour": "blue", "icon": "\#(icon)", "order": 1}"#)
        try a.settle()
        #expect(try isChanging || changedAt(a) == times)
        try set("order", .number("7"), b)
        _ = try a.library.mergeBoth(path(b))
        for one in [a, b] {
            let named = try named(one)
            #expect(named.colour == "blue" && named.icon == icon && named.order == 7)
        }
    }

    @Test func `what a copying program replaces in the middle of a step is joined at its end`() throws {
        try set("colour", .string("blue"), a)
        try set("icon", .string("book"), b)
        try a.settle()
        try a.library.change("tag") { _ in
            try a.scratch.write(file + ".part", b.scratch.bytes(file))
            try a.scratch.setModified(file + ".part", seconds: 1_000_000_000)
            try a.scratch.rename(file + ".part", to: file)
        }
        #expect(try named(a).colour == "blue" && named(a).icon == "book")
    }

    @Test func `what a program writes into the old file, with the time of another copy, is joined`() throws {
        try set("icon", .string("book"), b)
        try set("colour", .string("blue"), a)
        try a.scratch.write(file, b.scratch.bytes(file))
        try a.scratch.setModified(file, seconds: 1_000_000_000)
        try a.settle()
        #expect(try named(a).colour == "blue")
        #expect(try named(a).icon == "book")
    }

    @Test func `a deletion that a copying program brings does not take an edit with it`() throws {
        try set("colour", .string("blue"), a)
        usleep(20_000)
        #expect(try b.library.change("delete") { try $0.removeNamed(.collections, Self.name) })
        try a.meet(b)
        #expect(try a.library.namedFile(.collections, Self.name) == nil)
        try meetAll()
        for one in [a, b] { #expect(try named(one).colour == "blue") }
    }

    @Test func `in a work tree of git, an earlier file stands`() throws {
        try set("colour", .string("blue"), a)
        try FileManager.default.createDirectory(
            atPath: a.scratch.full("library/.git"), withIntermediateDirectories: true)
        let old = try b.scratch.bytes(file)
        try a.scratch.write(file, old)
        try a.scratch.setModified(file, seconds: 1_000_000_000)
        try FileManager.default.removeItem(atPath: a.scratch.full("library/.sbfs/small"))
        try a.settle()
        #expect(try a.scratch.bytes(file) == old)
        #expect(!FileManager.default.fileExists(atPath: a.scratch.full("library/.sbfs/small")))
    }

    // MARK: Copies, and git

    @Test func `a conflict copy with other keys is joined and goes`() throws {
        try set("colour", .string("blue"), a)
        try set("icon", .string("book"), b)
        let copy = file.dropLast(5) + ".sync-conflict-20261121-101500-ABCDEFG.json"
        try b.scratch.write(String(copy), a.scratch.bytes(file))
        try b.settle()
        #expect(!b.scratch.exists(String(copy)))
        #expect(try named(b).colour == "blue" && named(b).icon == "book")
    }

    @Test func `a conflict copy with two values of a key gives the others, and stays`() throws {
        try set("colour", .string("blue"), a)
        try set("order", .number("7"), a)
        try set("colour", .string("pink"), b)
        let copy = String(file.dropLast(5) + ".sync-conflict-20261121-101500-ABCDEFG.json")
        try b.scratch.write(copy, a.scratch.bytes(file))
        for _ in 0..<2 {
            try b.settle()
            #expect(b.scratch.exists(copy))
            #expect(try named(b).colour == "pink" && named(b).order == 7)
        }
    }

    @Test func `for git the times are no conflict, and those of a key go with its value`() throws {
        try set("order", .number("3"), a)
        _ = try a.library.mergeBoth(path(b))
        let base = try a.scratch.bytes(file)
        try set("colour", .string("blue"), a)
        try set("icon", .string("book"), b)
        let ours = try a.scratch.bytes(file), theirs = try b.scratch.bytes(file)
        let joined = try FileJoin(.object, base: base, ours: ours, theirs: theirs)
        #expect(try joined == FileJoin(.object, base: base, ours: theirs, theirs: ours) && joined.conflicts.isEmpty)
        // It is what joining without a base gives, key by key.
        try a.scratch.write(file, joined.bytes)
        let report = try a.library.merge(path(b))
        #expect(report.left.isEmpty && report.smallFiles.isEmpty, "\(report)")
        #expect(try named(a).colour == "blue" && named(a).icon == "book")

        try set("colour", .string("pink"), b)
        let clash = try FileJoin(.object, base: base, ours: ours, theirs: b.scratch.bytes(file))
        #expect(clash.conflicts.map(\.field) == ["colour"])
    }
}
