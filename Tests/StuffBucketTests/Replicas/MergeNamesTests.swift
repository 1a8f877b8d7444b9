import Files
import Foundation
import Items
import JSONFormat
import StuffBucket
import TestSupport
import Testing
import Time

/// `Library.merge`: the person's own files, and those of collections/, tags/ and smart/.
struct MergeNamesTests: TwoCopies {
    let a: Replica, b: Replica

    init() throws {
        a = try Replica()
        b = try Replica(copyOf: a)
        try b.look()
    }

    @Test func `the person's own files come, and one that differs stays and is named`() throws {
        try b.scratch.write(b.folder + "/notes/own.txt", "there")
        try b.scratch.write(b.folder + "/same.txt", "there")
        try a.scratch.write(a.folder + "/same.txt", "here")
        try b.change { $0.addTag("rye") }
        let report = try merge(b, into: a)
        #expect(try a.scratch.text(a.folder + "/notes/own.txt") == "there")
        #expect(try a.scratch.text(a.folder + "/same.txt") == "here")
        #expect(report.left.map(\.path) == ["items/01/\(Replica.id)/same.txt"])
    }

    @Test func `colours and smart folders of both are there`() throws {
        _ = try a.library.change("colour") { try $0.setNamed(.tags, "dough", [("colour", .string("#112233"))]) }
        _ = try b.library.change("smart") { try $0.setNamed(.smart, "Breads", [("query", .string("dough"))]) }
        let report = try merge(b, into: a)
        #expect(report.smallFiles.count == 1)
        #expect(try a.scratch.names("library/smart").contains { $0.hasPrefix("breads-") })
        #expect(try a.scratch.names("library/tags").count == 1)
    }

    @Test func `a name that was deleted does not come back, and one that was used again lives`() throws {
        try a.library.change("smart") { step in
            try step.addNamed(.smart, "Breads", [("query", .string("bread"))])
            try step.addNamed(.tags, "dough", [("colour", .string("red"))])
            try step.addNamed(.collections, "Work", [("icon", .string("x"))])
        }
        let copy = try Replica(copyOf: a)
        usleep(20_000)
        try a.library.change("delete") { step in
            for (folder, name) in [(NamedFolder.smart, "Breads"), (.tags, "dough"), (.collections, "Work")] {
                let isRemoved = try step.removeNamed(folder, name)
                #expect(isRemoved)
            }
        }
        func names(_ one: Replica) throws -> [String] {
            try NamedFolder.allCases.flatMap { try one.library.namedFiles(in: $0).files.map(\.name) }
        }
        let before = try names(a)
        #expect(Set(before).isDisjoint(with: ["Breads", "dough", "Work"]))
        try merge(copy, into: a)
        #expect(try names(a) == before)
        try a.library.change("again") { try $0.addNamed(.tags, "dough", [("colour", .string("blue"))]) }
        _ = try a.library.mergeBoth(path(copy))
        for one in [a, copy] {
            #expect(try names(one).contains("dough"))
            #expect(try Set(names(one)).isDisjoint(with: ["Breads", "Work"]))
            #expect(try one.library.namedFile(.tags, "dough")?.colour == "blue")
        }
    }

    @Test func `of two queries of one smart folder the newer stands, and the file is named`() throws {
        try a.library.change("smart") { try $0.addNamed(.smart, "Breads", [("query", .string("bread"))]) }
        let copy = try Replica(copyOf: a)
        usleep(20_000)
        _ = try a.library.change("smart") { try $0.setNamed(.smart, "Breads", [("query", .string("here"))]) }
        usleep(20_000)
        _ = try copy.library.change("smart") { try $0.setNamed(.smart, "Breads", [("query", .string("there"))]) }
        let report = try merge(copy, into: a)
        #expect(try a.library.namedFile(.smart, "Breads")?.query == "there")
        guard case .newerStands(let keys) = report.left.first?.reason else {
            Issue.record("\(report)")
            return
        }
        #expect(keys == ["query"])
    }
}
