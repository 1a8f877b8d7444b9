import Files
import Foundation
import Items
import Search
import TestSupport
import Testing

@testable import StuffBucket

/// Files that a person puts in the place of those that are away, and lost documents that one deletes: Documentation/Exchange.md § 9.
extension ThinReplicaTests {
    @Test func `a document that a person puts in the place of one that is away stands, and both stay`() throws {
        try thin.save(id, "document/plan.txt", "Another plan.")
        try thin.sync()
        let kept = try #require(try names(thin, "document").first { $0.contains("conflict") })
        #expect(
            thin.library.takeNotices().contains(.awayReplaced(id, file: "document/plan.txt", kept: "document/" + kept)))
        try fleet.settle()
        for device in [full, thin] {
            #expect(try device.scratch.text(device.path(id, "document/plan.txt")) == "Another plan.")
            #expect(try device.scratch.text(device.path(id, "document/" + kept)) == "The plan.")
            #expect(try device.library.conflicts(of: device.stored(id)).documents.count == 1)
        }
        #expect(try thin.sync().sent.isEmpty)
        try expectEqualFiles()
    }

    @Test func `a document that lost and that a person deletes here goes on all devices`() throws {
        let third = try fleet.add()
        for (device, text) in [(full, "Of one."), (third, "Of two.")] {
            try device.scratch.write("plan.txt", text)
            _ = try device.library.change("attach") {
                try $0.attach(device.scratch.full("plan.txt"), to: device.stored(id), .replace)
            }
        }
        try fleet.settle()
        let lost = try #require(try names(thin, "document").first)
        #expect(
            try lost.contains("conflict") && names(thin, "document").count == 1 && names(full, "document").count == 2)
        try thin.scratch.removeFile(thin.path(id, "document/" + lost))
        try fleet.settle()
        #expect(try names(thin, "document").isEmpty)
        for device in [full, third] { #expect(try names(device, "document") == ["plan.txt"]) }
        #expect(try thin.sync().sent.isEmpty)
        try expectEqualFiles()
    }

    @Test func `a page that a person puts in the place of one that is away stands, and both stay`() throws {
        try thin.save(id, "page.html", "<p>Another page.</p>")
        try fleet.settle()
        for device in [full, thin] {
            let snapshot = try #require(try names(device, "snapshots").first)
            let path = device.path(id, "snapshots/\(snapshot)/page.html")
            #expect(try device.scratch.text(path) == "<p>Knead the sourdough.</p><p>Menu of wombats</p>")
            #expect(try names(device, "snapshots").count == 1)
        }
        #expect(try full.scratch.text(full.path(id, "page.html")) == "<p>Another page.</p>")
        #expect(try thin.sync().sent.isEmpty)
        try expectEqualFiles()
    }

    @Test func `both documents stay, too, where another device changed the page meanwhile`() throws {
        try thin.save(id, "document/plan.txt", "Another plan.")
        try full.save(id, "page.html", "<p>A later page.</p>")
        try full.sync()
        try thin.sync()
        try fleet.settle()
        for device in [full, thin] {
            let names = try names(device, "document")
            #expect(names.count == 2 && names.contains("plan.txt"))
            #expect(try device.scratch.text(device.path(id, "document/plan.txt")) == "Another plan.")
        }
        #expect(try full.scratch.text(full.path(id, "page.html")) == "<p>A later page.</p>")
        try expectEqualFiles()
    }

    @Test func `a file that cannot be read in the place of one that is away stops nothing else`() throws {
        try thin.save(id, "document/plan.txt", "Another plan.")
        let path = thin.scratch.full(thin.path(id, "document/plan.txt"))
        try thin.shell("rm '\(path)' && mkfifo '\(path)'")
        let other = try thin.library.change("add") { try $0.addSnippet("Of rye.") }
        #expect(try thin.sync().sent.contains(other))
    }

    @Test func `the same bytes in the place of a document that is away are no conflict`() throws {
        try thin.save(id, "document/plan.txt", "The plan.")
        try fleet.settle()
        for device in [full, thin] { #expect(try names(device, "document") == ["plan.txt"]) }
    }

    @Test func `what replaces a document that the exchange lacks waits`() throws {
        try thin.save(id, "document/plan.txt", "Another plan.")
        let object = try #require(try fleet.objects(Items.ContentHash(of: Array("The plan.".utf8)).hex).first)
        try fleet.scratch.rename("exchange/" + object, to: "aside")
        #expect(try thin.sync().left.contains { $0.path == object })
        try full.sync()
        #expect(try full.scratch.text(full.path(id, "document/plan.txt")) == "The plan.")
        try fleet.settle()
        // The full device has written the object again.
        #expect(try names(full, "document").count == 2)
        try expectEqualFiles()
    }
}
