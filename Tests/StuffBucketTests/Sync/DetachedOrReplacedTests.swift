import Foundation
import Items
import TestSupport
import Testing

@testable import StuffBucket

/// One device takes the document out of an item, and another one replaces it before they meet: Documentation/Merge.md § 3.
struct DetachedOrReplacedTests {
    private let fleet: Fleet
    private let id: ItemID

    init() throws {
        fleet = try Fleet(1)
        id = try fleet[0].addPlan("Sow in May.")
        try fleet[0].sync()
        for _ in 1..<3 { try fleet.add() }
    }

    private func detach(_ device: SyncDevice) throws {
        _ = try device.library.change("detach") { try $0.detachDocument(from: device.stored(id)) }
    }

    private func replace(_ device: SyncDevice) throws {
        try device.scratch.write("new.txt", "Sow in April.")
        _ = try device.library.change("attach") {
            try $0.attach(device.scratch.full("new.txt"), to: device.stored(id), .replace)
        }
    }

    /// A document that was attached has a second name, which the damage reaches, too.
    @Test func `a document that was damaged and repaired goes when another device took it out`() throws {
        let (fleet, id) = try Fleet.withItem()
        let a = fleet[0]
        try a.scratch.write("plan.txt", "Sow in May.")
        _ = try a.library.change("attach") { try $0.attach(a.scratch.full("plan.txt"), to: a.stored(id), .refuse) }
        try a.sync()
        let b = try fleet.add(), path = a.path(id, "document/plan.txt"), file = a.scratch.full(path)
        try a.shell("touch -r '\(file)' '\(file)2' && printf ZZ | dd of='\(file)' conv=notrunc 2>/dev/null")
        try a.shell("touch -r '\(file)2' '\(file)' && rm '\(file)2'")
        _ = try b.library.change("detach") { try $0.detachDocument(from: b.stored(id)) }
        try b.sync()
        let worker = try CaptureWorker(path: BuiltProgram.path("sbfs-worker"))
        #expect(try a.library.repair(from: [.exchange(a.exchange)], worker).repaired.count == 1)
        try fleet.settle()
        try fleet.expectEqual()
        #expect(!a.scratch.exists(path))
    }

    private func changeBoth(isReplacedLater: Bool) throws {
        if isReplacedLater { try detach(fleet[0]) } else { try replace(fleet[1]) }
        usleep(5_000)
        if isReplacedLater { try replace(fleet[1]) } else { try detach(fleet[0]) }
    }

    @Test(arguments: [false, true], [false, true])
    func `the new document is there once, and nothing grows`(isReplacedLater: Bool, isEdited: Bool) throws {
        try changeBoth(isReplacedLater: isReplacedLater)
        for device in fleet.devices + fleet.devices {
            try device.sync()
            if isEdited { try device.change(id) { $0.addTag(device === fleet[0] ? "one" : "other") } }
        }
        try fleet.settle()
        for device in fleet.devices {
            let names = try device.scratch.names(device.path(id, "document"))
            try #require(names.count == 1, "\(names)")
            #expect(names[0].components(separatedBy: ".conflict-").count == (isReplacedLater ? 1 : 2))
            #expect(try device.scratch.text(device.path(id, "document/" + names[0])) == "Sow in April.")
            let stored = try device.stored(id)
            #expect(stored.document?.name == (isReplacedLater ? "new.txt" : nil))
            #expect(try device.library.versions(of: stored).versions.count(where: \.isHead) == 1)
            #expect(try device.library.conflicts(of: stored).count == (isReplacedLater ? 0 : 1))
        }
        try fleet.expectEqual()
    }

    @Test(arguments: [[1, 0], [0, 1]])
    func `a file that is the document after a detachment is replaced on the other device`(_ order: [Int]) throws {
        let (a, b) = (fleet[0], fleet[1])
        try a.save(id, "document/of-a.txt", "Of a.")
        try b.save(id, "document/of-b.txt", "Of b.")
        try detach(b)
        for place in order { try fleet[place].sync() }
        try replace(a)
        try b.change(id) { $0.set(.title, .string("New")) }
        try fleet.settle()
        try fleet.expectEqual()
        let stored = try a.stored(id)
        #expect(stored.document?.name == "new.txt" && stored.item.title == "New")
        #expect(try a.scratch.text(a.path(id, "document/new.txt")) == "Sow in April.")
        #expect(try a.scratch.text(a.path(id, "document/of-a.txt")) == "Of a.")
        let texts = try a.scratch.names(a.path(id, "document")).map { try a.scratch.text(a.path(id, "document/" + $0)) }
        // What the command took away without having seen that the other device edited it is kept.
        #expect(Set(texts).isSubset(of: ["Sow in April.", "Of a.", "Of b."]))
    }

    @Test
    func `a file that is the document after a detachment, and that another device removed, comes to rest`() throws {
        try fleet[0].save(id, "document/other.txt", "Other.")
        try fleet.settle()
        try detach(fleet[0])
        try fleet[1].scratch.removeFile(fleet[1].path(id, "document/other.txt"))
        for place in [1, 0, 2, 1, 0, 2, 1, 0, 2] { try fleet[place].sync() }
        for device in fleet.devices { #expect(try device.sync().hasNothing) }
        try fleet.expectEqual()
    }

    @Test(arguments: [false, true]) func `a person's own file in the folder stays as it is`(_ isReplacedLater: Bool)
        throws
    {
        try fleet[0].save(id, "document/side.txt", "Of mine.")
        try fleet.settle()
        try changeBoth(isReplacedLater: isReplacedLater)
        try fleet.settle()
        for device in fleet.devices {
            let names = try device.scratch.names(device.path(id, "document"))
            // Where the document was taken out, the only other file was the document (FORMAT.md § 7.1), and it lost.
            let lost = isReplacedLater ? "side.conflict-" : "new.conflict-"
            #expect(names.count == (isReplacedLater ? 3 : 2) && names.contains("side.txt"), "\(names)")
            #expect(names.count { $0.contains(".conflict-") } == 1 && names.contains { $0.hasPrefix(lost) }, "\(names)")
            #expect(try device.scratch.text(device.path(id, "document/side.txt")) == "Of mine.")
            #expect(try device.stored(id).document?.name == (isReplacedLater ? "new.txt" : "side.txt"))
            let texts = try names.map { try device.scratch.text(device.path(id, "document/" + $0)) }
            #expect(Set(texts) == ["Of mine.", "Sow in April."])
            #expect(try device.library.versions(of: device.stored(id)).versions.count(where: \.isHead) == 1)
        }
        try fleet.expectEqual()
    }

    @Test func `the document that lost can be taken, and ends the conflict everywhere`() throws {
        try changeBoth(isReplacedLater: false)
        try fleet.settle()
        let device = fleet[2]
        let names = try device.scratch.names(device.path(id, "document"))
        let lost = try #require(names.first)
        try device.scratch.rename(
            device.path(id, "document/" + lost), to: device.path(id, "document/new.txt"))
        try fleet.settle()
        for device in fleet.devices {
            #expect(try device.scratch.names(device.path(id, "document")) == ["new.txt"])
            #expect(try device.stored(id).document?.name == "new.txt")
        }
        try fleet.expectEqual()
    }

    @Test func `the document that lost is attached under the name that it had`() throws {
        try changeBoth(isReplacedLater: false)
        try fleet.settle()
        let device = fleet[2], folder = device.path(id, "document")
        let lost = try #require(try device.scratch.names(folder).first)
        // Where it lost against a document of another name, too.
        for other in [nil, "Sow in March."] {
            if let other {
                try device.scratch.write("other.txt", other)
                _ = try device.library.change("attach") {
                    try $0.attach(device.scratch.full("other.txt"), to: device.stored(id), .replace)
                }
            }
            _ = try device.library.change("attach") {
                try $0.attach(device.scratch.full(folder + "/" + lost), to: device.stored(id), .replace)
            }
            #expect(try device.stored(id).document?.name == "new.txt")
            #expect(try device.scratch.text(folder + "/new.txt") == "Sow in April.")
        }
    }

    @Test(arguments: [[0, 1], [1, 0]])
    func `a file beside a document that is taken out elsewhere is the document, and no conflict`(_ order: [Int]) throws
    {
        try detach(fleet[0])
        try fleet[1].save(id, "document/extra.txt", "Notes.")
        for place in order { try fleet[place].sync() }
        try fleet.settle()
        try fleet.expectEqual()
        for device in fleet.devices {
            #expect(try device.scratch.names(device.path(id, "document")) == ["extra.txt"])
            #expect(try device.library.conflicts(of: device.stored(id)).count == 0)
        }
    }
}
