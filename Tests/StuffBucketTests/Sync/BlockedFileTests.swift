import Foundation
import Glibc
import Items
import TestSupport
import Testing

@testable import StuffBucket

/// Files that another device has and that cannot come: something is in their place, or a folder cannot be written.
struct BlockedFileTests {
    private let fleet: Fleet
    private let id: ItemID
    private var a: SyncDevice { fleet[0] }
    private var b: SyncDevice { fleet[1] }

    init() throws {
        (fleet, id) = try Fleet.withItem()
        try fleet.add()
        try a.save(id, "notes", "Mine.")
        try a.sync()
    }

    private enum InTheWay: String, CaseIterable {
        case link, fifo, folder
    }

    @Test(arguments: InTheWay.allCases)
    private func `what is in the place of a file is named by each sync until it is gone`(_ thing: InTheWay) throws {
        let path = b.scratch.full(b.path(id, "notes"))
        switch thing {
        case .link: try #require(symlink("/nowhere", path) == 0)
        case .fifo: try #require(mkfifo(path, 0o600) == 0)
        case .folder:
            try b.save(id, "notes/inner", "Theirs.")
        }
        for _ in 0..<3 {
            let report = try b.sync()
            #expect(report.left.map(\.path) == [Layout.itemFolder(id) + "/notes"])
            #expect(report.left.map(\.reason) == [.inTheWay])
            #expect(report.taken.left.isEmpty)
            try a.sync()
        }
        try b.shell("mv '\(path)' '\(path).away'")
        #expect(try b.sync().left.isEmpty)
        #expect(try b.scratch.text(b.path(id, "notes")) == "Mine.")
    }

    @Test func `a file in the place of a folder is named by each sync`() throws {
        try b.sync()
        try a.save(id, "own/inner", "Mine.")
        try b.save(id, "own", "Theirs.")
        try fleet.settle()
        #expect(try a.sync().left.map(\.path) == [Layout.itemFolder(id) + "/own"])
        #expect(try b.sync().left.map(\.path) == [Layout.itemFolder(id) + "/own/inner"])
        try a.shell("rm -r '\(a.scratch.full(a.path(id, "own")))'")
        try fleet.settle()
        try fleet.expectEqual()
        #expect(try a.sync().left.isEmpty)
        #expect(try b.sync().left.isEmpty)
    }
}
