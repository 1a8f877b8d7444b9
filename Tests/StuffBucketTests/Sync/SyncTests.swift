import Files
import Foundation
import Items
import TestSupport
import Testing

@testable import StuffBucket

/// `Library.sync`: devices that meet in a folder. Documentation/Exchange.md.
struct SyncTests {
    @Test func `what programs changed during a sync is looked at at its end`() throws {
        let fleet = try Fleet(2)
        let id = try fleet[0].addPlan("Sow in May.")
        try fleet.settle()
        try fleet[0].change(id) { $0.addTag("may") }
        try fleet[0].sync()
        let b = fleet[1].library
        let monitor = Monitor { _, _ in ForeignChanges(b.store)?.note([id]) }
        _ = try b.sync(
            with: fleet[1].exchange, CaptureWorker(path: BuiltProgram.path("sbfs-worker")),
            as: StepHeader(command: "sync"),
            monitor)
        // The sync itself held the lock that this look needs.
        #expect(ForeignChanges(b.store)?.read() == nil)
    }

    @Test func `a new device gets every item with its files, and writes no pack of its own`() throws {
        let fleet = try Fleet(1)
        let a = fleet[0]
        let note = try a.library.change("add") { try $0.addSnippet("Bread with quinoa.") }
        let page = try a.library.change("add") { try $0.addSnippet("With a page.") }
        for (name, text) in [
            ("page.html", "<p>Page"), ("reader.html", "<p>Reader"), ("assets/0123456789abcdef.css", "p{}"),
            ("document/Größe.txt", "A document."), ("own.txt", "My own."), ("notes/deep/own.txt", "Mine."),
            ("snapshots/20261121T101500Z-0123abcd/page.html", "<p>Old"),
        ] { try a.save(page, name, text) }
        let report = try a.sync()
        #expect(Set(report.sent) == [note, page] && report.leftOut.isEmpty)
        let b = try fleet.add()
        try fleet.expectEqual()
        #expect(try b.library.find(ItemRequest(b.library.parse("quinoa").query)).count == 1)
        #expect(try b.stored(note).item.title == a.stored(note).item.title)
        let before = try fleet.names()
        #expect(try fleet.settle() <= 1)
        #expect(before.filter { $0.hasPrefix("objects/") } == (try fleet.names().filter { $0.hasPrefix("objects/") }))
    }

    @Test func `a sync with nothing to do writes nothing`() throws {
        let fleet = try Fleet(2)
        _ = try fleet[0].library.change("add") { try $0.addSnippet("One.") }
        try fleet.settle()
        let before = try fleet.names()
        for device in fleet.devices {
            let report = try device.sync()
            #expect(report.sent.isEmpty && report.takenPackCount == 0 && report.taken.hasNothing && report.left.isEmpty)
        }
        #expect(try fleet.names() == before)
    }

    @Test func `edits of two devices are all there, and the loser of two titles is a conflict`() throws {
        let fleet = try Fleet(1)
        let id = try fleet[0].library.change("add") { try $0.addSnippet("One.\n\nTwo.\n\nThree.\n") }
        try fleet[0].sync()
        try fleet.add()
        try fleet[0].change(id) { $0.set(.title, .string("Sourdough")) }
        try fleet[0].save(id, "text.md", "One.\n\nTwo, here.\n\nThree.\n")
        try fleet[1].change(id) { $0.set(.title, .string("Rye")) }
        try fleet[1].change(id) { $0.addTag("rye") }
        try fleet[1].save(id, "text.md", "One.\n\nTwo.\n\nThree.\n\nFour.\n")
        try fleet.settle()
        try fleet.expectEqual()
        let stored = try fleet[0].stored(id)
        #expect(stored.item.title == "Rye" && stored.item.tags == ["rye"])
        #expect(try fleet[0].scratch.text(fleet[0].path(id, "text.md")) == "One.\n\nTwo, here.\n\nThree.\n\nFour.\n")
        #expect(try fleet[0].scratch.names(fleet[0].path(id, "conflicts")).count == 1)
    }

    @Test func `a document that lost stays beside the one that won`() throws {
        let fleet = try Fleet(1)
        let id = try fleet[0].library.change("add") { try $0.addSnippet("Text.") }
        try fleet[0].scratch.write("a.txt", "First.")
        _ = try fleet[0].library.change("attach") {
            try $0.attach(fleet[0].scratch.full("a.txt"), to: fleet[0].stored(id))
        }
        try fleet[0].sync()
        try fleet.add()
        try fleet[0].save(id, "document/a.txt", "Of the first device.")
        try fleet[1].save(id, "document/a.txt", "Of the second device.")
        try fleet.settle()
        try fleet.expectEqual()
        let names = try fleet[0].scratch.names(fleet[0].path(id, "document"))
        let texts = try Set(names.map { try fleet[0].scratch.text(fleet[0].path(id, "document/" + $0)) })
        #expect(texts.isSuperset(of: ["Of the first device.", "Of the second device."]), "\(names)")
    }

    @Test(arguments: [true, false]) func `a device that joins late takes what two agreed on, and writes nothing`(
        _ isFirstEarlier: Bool
    ) throws {
        let fleet = try Fleet(1)
        try fleet[0].scratch.write("Doc.txt", "First.")
        let id = try fleet[0].library.change("add") { try $0.addDocument(at: fleet[0].scratch.full("Doc.txt")) }
        try fleet[0].sync()
        try fleet.add()
        let order = isFirstEarlier ? [0, 1] : [1, 0]
        for place in order {
            try fleet[place].save(id, "document/Doc.txt", "From device \(place).")
            usleep(50_000)
        }
        for place in order + order { try fleet[place].sync() }
        let before = try fleet[0].files()
        #expect(before.keys.count { $0.contains("/document/") } == 2)
        let late = try SyncDevice(from: fleet.path)
        let report = try late.sync()
        #expect(report.sent.isEmpty && report.taken.conflicted.isEmpty, "\(report)")
        #expect(try late.files() == before)
        for device in [fleet[0], fleet[1], late, fleet[0], fleet[1]] {
            #expect(try device.sync().sent.isEmpty)
            #expect(try device.files() == before)
        }
    }

    @Test(arguments: [false, true]) func `an item that was purged here and restored elsewhere gets later edits`(
        _ hasHistory: Bool
    ) throws {
        let fleet = try Fleet(1)
        let id = try fleet[0].library.change("add") { try $0.addSnippet("One.") }
        try fleet[0].sync()
        try fleet.add()
        if hasHistory {
            for (place, text) in [(0, "One.\n\nTwo."), (1, "One.\n\nTwo.\n\nThree."), (0, "One.\n\nThree.")] {
                try fleet[place].save(id, "text.md", text)
                try fleet.settle()
            }
        }
        try fleet[0].library.change("trash") { _ = try $0.trash(fleet[0].stored(id)) }
        try fleet.settle()
        try fleet[0].library.change("purge") { try $0.purge(fleet[0].stored(id)) }
        try fleet[1].library.change("restore") { _ = try $0.restore(fleet[1].stored(id)) }
        // A version without a text of its own: it has one that the purge removed.
        try fleet[1].change(id) { $0.addTag("back") }
        try fleet.settle()
        try fleet[1].save(id, "text.md", "Later, on the second device.")
        try fleet.settle()
        #expect(try fleet[0].scratch.text(fleet[0].path(id, "text.md")) == "Later, on the second device.")
        try fleet[0].change(id) { $0.set(.title, .string("Of the first")) }
        try fleet[0].save(id, "text.md", "Later, on the first device.")
        try fleet[1].change(id) { $0.addTag("again") }
        try fleet.settle()
        for device in fleet.devices {
            #expect(try device.scratch.text(device.path(id, "text.md")) == "Later, on the first device.")
            let stored = try device.stored(id)
            #expect(stored.item.title == "Of the first" && stored.item.tags == ["back", "again"])
            let versions = try device.library.versions(of: stored).versions
            #expect(versions.allSatisfy { !$0.isWaiting || hasHistory })
        }
        let c = try fleet.add()
        try fleet.settle()
        #expect(try c.scratch.text(c.path(id, "text.md")) == "Later, on the first device.")
        #expect(try c.stored(id).item.title == "Of the first")
    }

    @Test func `a purged item stays away, and its tombstone travels`() throws {
        let fleet = try Fleet(1)
        let id = try fleet[0].library.change("add") { try $0.addSnippet("Gone.") }
        try fleet[0].sync()
        try fleet.add()
        try fleet.add()
        try fleet[1].library.change("trash") { _ = try $0.trash(fleet[1].stored(id)) }
        try fleet[1].library.change("purge") { try $0.purge(fleet[1].stored(id)) }
        try fleet.settle()
        for device in fleet.devices { #expect(try device.library.store.item(id) == nil) }
        let d = try fleet.add()
        #expect(try d.library.store.item(id) == nil)
        try fleet.settle()
        for device in fleet.devices { #expect(try device.library.store.item(id) == nil) }
    }

    @Test(arguments: ["document/plan.txt", "page.html", "notes.txt"])
    func `an item that was purged after an editor changed a file of it goes elsewhere, too`(_ name: String) throws {
        let fleet = try Fleet(1)
        let id = try fleet[0].addPlan("Sow in May.")
        if name != "document/plan.txt" { try fleet[0].save(id, name, "First.") }
        try fleet[0].sync()
        try fleet.add()
        try fleet[0].save(id, name, "By an editor.")
        try fleet[0].library.change("trash") { _ = try $0.trash(fleet[0].stored(id)) }
        try fleet[0].library.change("purge") { try $0.purge(fleet[0].stored(id)) }
        try fleet.settle()
        for device in fleet.devices { #expect(try device.library.store.item(id) == nil) }
    }

    @Test func `an item that was purged here lives elsewhere with a file that this device did not have`() throws {
        let fleet = try Fleet(1)
        let id = try fleet[0].addPlan("Sow in May.")
        try fleet[0].sync()
        try fleet.add()
        try fleet[1].save(id, "document/plan.txt", "Sow in June.")
        try fleet[0].save(id, "document/plan.txt", "Sow in April.")
        try fleet[1].sync()
        try fleet[0].library.change("trash") { _ = try $0.trash(fleet[0].stored(id)) }
        try fleet[0].library.change("purge") { try $0.purge(fleet[0].stored(id)) }
        try fleet.settle()
        #expect(try fleet[1].scratch.text(fleet[1].path(id, "document/plan.txt")) == "Sow in June.")
    }

    @Test func `what was purged on one device and edited on another lives`() throws {
        let fleet = try Fleet(1)
        let id = try fleet[0].library.change("add") { try $0.addSnippet("Text.") }
        try fleet[0].sync()
        try fleet.add()
        try fleet[0].library.change("trash") { _ = try $0.trash(fleet[0].stored(id)) }
        try fleet[0].library.change("purge") { try $0.purge(fleet[0].stored(id)) }
        try fleet[1].change(id) { $0.set(.title, .string("Edited")) }
        try fleet.settle()
        for device in fleet.devices { #expect(try device.stored(id).item.title == "Edited") }
    }

    @Test func `small files travel`() throws {
        let fleet = try Fleet(2)
        try fleet[0].scratch.write(
            "library/tags/" + Layout.settingsFile(named: "rye"),
            "{\n  \"name\": \"rye\",\n  \"colour\": \"#ff0000\"\n}\n")
        try fleet.settle()
        try fleet.expectEqual()
        #expect(fleet[1].scratch.exists("library/tags/" + Layout.settingsFile(named: "rye")))
    }

    @Test func `devices change different keys of a small file, and all changes are on all devices`() throws {
        let fleet = try Fleet(3)
        func set(_ key: String, _ value: String, _ device: Int) throws {
            _ = try fleet[device].library.change(key) { try $0.setNamed(.tags, "rye", [(key, .string(value))]) }
            usleep(20_000)
        }
        try set("colour", "red", 0)
        try set("icon", "star", 0)
        try fleet.settle()
        try set("colour", "blue", 1)
        try set("mine", "own", 2)
        try set("icon", "book", 0)
        try fleet.settle()
        try fleet.expectEqual()
        let named = try #require(try fleet[2].library.namedFile(.tags, "rye"))
        #expect(named.colour == "blue" && named.icon == "book")
        let file = "library/tags/" + Layout.settingsFile(named: "rye")
        #expect(try fleet[0].scratch.text(file).contains("own"))
    }

    @Test func `a read-only exchange is only read`() throws {
        let fleet = try Fleet(2)
        let id = try fleet[0].library.change("add") { try $0.addSnippet("One.") }
        try fleet[0].sync()
        fleet[1].exchange.isReadOnly = true
        _ = try fleet[1].library.change("add") { try $0.addSnippet("Stays here.") }
        let before = try fleet.names()
        #expect(try fleet[1].sync().taken.added == [id])
        #expect(try fleet.names() == before)
    }

    @Test func `a collection limits what is written, not what is taken`() throws {
        let fleet = try Fleet(2)
        fleet[1].exchange.collection = "work"
        let (inside, outside) = try fleet[1].library.change("add") { step in
            (try step.addSnippet("Inside."), try step.addSnippet("Outside."))
        }
        try fleet[1].change(inside) { $0.addTag("collection:Work/Projects") }
        let other = try fleet[0].library.change("add") { try $0.addSnippet("Other.") }
        try fleet.settle()
        #expect(try fleet[0].library.store.item(inside) != nil)
        #expect(try fleet[0].library.store.item(outside) == nil)
        #expect(try fleet[1].library.store.item(other) != nil)
        // What left the collection is synced on: the other device has it.
        try fleet[1].change(inside) { $0.removeTag("collection:Work/Projects") }
        try fleet.settle()
        #expect(try fleet[0].stored(inside).item.tags == [])
        // And no further: what is written there now is not of the collection.
        let text = fleet[0].path(inside, "text.md")
        for (place, words) in [(1, "Private."), (1, "More that is private.")] {
            try fleet[place].save(inside, "text.md", words)
            try fleet[place].save(other, "text.md", words)
            try fleet.settle()
            #expect(try fleet[0].scratch.text(text) == "Inside.")
            // What others wrote is synced on.
            #expect(try fleet[0].scratch.text(fleet[0].path(other, "text.md")) == words)
        }
        #expect(try fleet[1].status().itemCount == 0)
        // What others do is taken, and back in the collection it is synced again.
        try fleet[0].change(inside) { $0.set(.title, .string("Of the first")) }
        try fleet.settle()
        #expect(try fleet[1].stored(inside).item.title == "Of the first")
        try fleet[1].change(inside) { $0.addTag("collection:Work") }
        try fleet.settle()
        #expect(try fleet[0].scratch.text(text) == "More that is private.")
        #expect(try fleet[0].stored(inside).item.tags == ["collection:Work"])
    }

    @Test(arguments: 0..<3) func `three devices with random edits end equal and lose nothing`(_ seed: Int) throws {
        var random = Seeded(UInt64(seed) + 20_260_001)
        let fleet = try Fleet(1)
        var ids: [ItemID] = []
        for number in 0..<4 {
            ids.append(
                try fleet[0].library.change("add") { try $0.addSnippet("One \(number).\n\nTwo.\n\nThree.\n") })
        }
        try fleet[0].sync()
        try fleet.add()
        try fleet.add()
        var tags: [ItemID: Set<String>] = [:]
        var paragraphs: [ItemID: Set<String>] = [:]
        for step in 0..<30 {
            let device = fleet.devices[Int(random.next() % 3)]
            let id = ids[Int(random.next() % UInt64(ids.count))]
            switch random.next() % 5 {
            case 0:
                try device.change(id) { $0.addTag("tag\(step)") }
                tags[id, default: []].insert("tag\(step)")
            case 1:
                let text = try device.scratch.text(device.path(id, "text.md"))
                try device.save(id, "text.md", text + "\nParagraph \(step).\n")
                paragraphs[id, default: []].insert("Paragraph \(step).")
                // A look, as any command takes one: the edit is known here.
                _ = try device.library.find(ItemRequest(device.library.parse("").query))
            case 2:
                let new = try device.library.change("add") { try $0.addSnippet("New \(step).\n") }
                ids.append(new)
                try device.sync()
                for other in fleet.devices { try other.sync() }
            default: try device.sync()
            }
        }
        try fleet.settle()
        try fleet.expectEqual()
        for device in fleet.devices {
            for (id, wanted) in tags { #expect(try Set(device.stored(id).item.tags).isSuperset(of: wanted)) }
            for (id, wanted) in paragraphs {
                let text = try device.scratch.text(device.path(id, "text.md"))
                for paragraph in wanted { #expect(text.contains(paragraph)) }
            }
        }
    }

    /// SplitMix64 (Steele, Lea, Flood 2014).
    private struct Seeded {
        private var state: UInt64
        init(_ seed: UInt64) { state = seed }
        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var z = state
            z = (z ^ z >> 30) &* 0xBF58_476D_1CE4_E5B9
            z = (z ^ z >> 27) &* 0x94D0_49BB_1331_11EB
            return z ^ z >> 31
        }
    }

    @Test func `an item that is purged here and restored elsewhere comes with its whole history`() throws {
        let fleet = try Fleet(1)
        let (a, id) = (fleet[0], try fleet[0].library.change("add") { try $0.addSnippet("One.\n\nTwo.") })
        try a.change(id) { for tag in ["x", "y"] { $0.addTag(tag) } }
        try a.sync()
        let b = try fleet.add()
        _ = try a.library.change("trash") { try $0.trash(a.stored(id)) }
        try fleet.settle()
        try a.library.change("purge") { try $0.purge(a.stored(id)) }
        _ = try b.library.change("restore") { try $0.restore(b.stored(id)) }
        try fleet.settle()
        try fleet.expectEqual()
        try a.save(id, "text.md", "One, by a.\n\nTwo.")
        try a.change(id) { $0.removeTag("x") }
        try b.change(id) { $0.addTag("z") }
        try b.change(id) { $0.removeTag("y") }
        try fleet.settle()
        try fleet.expectEqual()
        for device in fleet.devices {
            #expect(try device.stored(id).item.tags == ["z"])
            #expect(try device.scratch.text(device.path(id, "text.md")) == "One, by a.\n\nTwo.")
        }
    }
}
