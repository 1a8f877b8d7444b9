import Foundation
import Items
import TestSupport
import Testing

@testable import StuffBucket

/// A file in the place of a folder that sbfs makes in an item's folder.
struct NoFolderTests {
    @Test(arguments: ["history", "conflicts"])
    func `it is named once by each sync and by merge, and what came is joined when it is gone`(_ name: String) throws {
        let (fleet, id) = try Fleet.withItem()
        try fleet.add()
        let (a, b) = (fleet[0], fleet[1])
        try a.change(id) { $0.addTag("may") }
        try fleet.settle()
        let folder = a.scratch.full(a.path(id, name))
        let away = a.scratch.full("away")
        if FileManager.default.fileExists(atPath: folder) {
            try FileManager.default.moveItem(atPath: folder, toPath: away)
        }
        try a.save(id, name, "Mine.")
        try b.change(id) { $0.addTag("june") }
        try b.sync()
        for _ in 0..<2 {
            let report = try a.sync()
            #expect(report.left.map(\.path) == [Layout.itemFolder(id) + "/" + name])
            #expect(report.left.map(\.reason) == [.noFolder])
            #expect(report.taken.left.isEmpty)
        }
        let left = try a.library.merge(b.scratch.full("library")).left
        #expect(left.count == 1 && "\(left[0].reason)".contains(name))
        #expect(try a.scratch.text(a.path(id, name)) == "Mine.")
        try a.scratch.removeFile(a.path(id, name))
        if FileManager.default.fileExists(atPath: away) {
            try FileManager.default.moveItem(atPath: away, toPath: folder)
        }
        try fleet.settle()
        #expect(try a.stored(id).item.tags == ["may", "june"])
        try fleet.expectEqual()
    }
}
