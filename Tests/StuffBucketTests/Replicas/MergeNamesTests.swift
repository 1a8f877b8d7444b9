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
        (a, b) = try Replica.pair()
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

    @Test func `the person's own files are looked at where the items are the same`() throws {
        try meetAll()
        try b.scratch.write(b.folder + "/notes/own.txt", "there")
        try b.scratch.write(b.folder + "/differs.txt", "there")
        try a.scratch.write(a.folder + "/differs.txt", "what is here")
        try a.scratch.write(a.folder + "/alike.txt", "alike")
        try b.scratch.write(b.folder + "/alike.txt", "alike")
        for isDry in [true, false] {
            let report = isDry ? try a.library.mergePreview(path(b)) : try merge(b, into: a)
            #expect(report.joined.count == 1 && report.sameCount == 0, "\(report)")
            #expect(report.left.map(\.path) == ["items/01/\(Replica.id)/differs.txt"], "\(report)")
            let isThere = a.scratch.exists(a.folder + "/notes/own.txt")
            #expect(isThere != isDry)
        }
        let again = try merge(b, into: a)
        #expect(again.sameCount == 1 && again.left.map(\.path) == ["items/01/\(Replica.id)/differs.txt"], "\(again)")
        #expect(try a.scratch.text(a.folder + "/differs.txt") == "what is here")
    }

    @Test func `a folder with files in the place of the document is no hindrance`() throws {
        try attach("The plan.", to: a)
        try meetAll()
        let file = b.folder + "/document/plan.txt"
        try b.scratch.removeFile(file)
        try b.scratch.write(file + "/own.txt", "mine")
        try b.change { $0.addTag("rye") }
        for _ in 1...2 {
            let report = try merge(b, into: a)
            #expect(report.left.map(\.path) == ["items/01/\(Replica.id)/document/plan.txt/own.txt"], "\(report)")
            #expect(try document(a, "plan.txt") == "The plan.")
            #expect(try a.tags.contains("rye"))
        }
        _ = try merge(a, into: b)
        #expect(try b.scratch.text(file + "/own.txt") == "mine")
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

    /// How a smart folder is edited in the copy: by a command, and by an editor that leaves `updatedAt` alone.
    enum Edit: CaseIterable {
        case command, editor, editorOfTimed
    }

    @Test(arguments: Edit.allCases, [true, false])
    func `an edit that a later deletion did not see lives on`(_ edit: Edit, isMergedFirst: Bool) throws {
        let file = "library/smart/" + Layout.settingsFile(named: "Breads")
        let time = edit == .editorOfTimed ? ", \"updatedAt\": \"2026-11-21T10:15:00.000Z\"" : ""
        try a.scratch.write(file, "{\"name\": \"Breads\", \"query\": \"bread\"\(time)}")
        let copy = try Replica(copyOf: a)
        usleep(20_000)
        if edit == .command {
            _ = try copy.library.change("smart") { try $0.setNamed(.smart, "Breads", [("query", .string("rye"))]) }
        } else {
            try copy.scratch.write(file, "{\"name\": \"Breads\", \"query\": \"rye\"\(time)}")
        }
        usleep(20_000)
        #expect(try a.library.change("delete") { try $0.removeNamed(.smart, "Breads") })
        let report = isMergedFirst ? try merge(copy, into: a) : try merge(a, into: copy)
        #expect(report.left.isEmpty)
        _ = try a.library.mergeBoth(path(copy))
        for one in [a, copy] { #expect(try one.library.namedFile(.smart, "Breads")?.query == "rye") }
        #expect(try a.scratch.bytes(file) == copy.scratch.bytes(file))
    }

    @Test func `an older state than the deleted one stays deleted, and is named`() throws {
        try a.library.change("smart") { try $0.addNamed(.smart, "Breads", [("query", .string("bread"))]) }
        let copy = try Replica(copyOf: a)
        usleep(20_000)
        _ = try a.library.change("smart") { try $0.setNamed(.smart, "Breads", [("query", .string("rye"))]) }
        #expect(try a.library.change("delete") { try $0.removeNamed(.smart, "Breads") })
        let report = try a.library.mergeBoth(path(copy))
        for one in [a, copy] { #expect(try one.library.namedFile(.smart, "Breads") == nil) }
        guard case .deletionStands = report.here.left.first?.reason else {
            Issue.record("\(report.here)")
            return
        }
    }

    @Test func `a deletion that an older program wrote counts by its time`() throws {
        let file = "library/smart/" + Layout.settingsFile(named: "Breads")
        try a.scratch.write(file, "{\"name\": \"Breads\", \"query\": \"bread\"}")
        let copy = try Replica(copyOf: a)
        try a.scratch.write(file, "{\"name\": \"Breads\", \"deletedAt\": \"2026-11-21T10:15:00.000Z\"}")
        usleep(20_000)
        try copy.scratch.write(file, "{\"name\": \"Breads\", \"query\": \"rye\"}")
        try merge(copy, into: a)
        #expect(try a.library.namedFile(.smart, "Breads")?.query == "rye")
        try a.scratch.write(file, "{\"name\": \"Breads\", \"deletedAt\": \"2026-11-21T10:15:00.000Z\"}")
        try a.scratch.setModified(file, seconds: 4_000_000_000)
        try merge(a, into: copy)
        #expect(try copy.library.namedFile(.smart, "Breads") == nil)
    }

    @Test func `two deletions of one name are no conflict for git`() throws {
        func deletion(_ day: Int) -> [UInt8] {
            let time = "2026-11-\(day)T10:15:00.000Z"
            return Array(
                #"{"name": "x", "deletedAt": "\#(time)", "stateSHA256": "\#(day)", "stateUpdatedAt": "\#(time)"}"#.utf8)
        }
        let base = Array(#"{"name": "x", "query": "bread"}"#.utf8)
        let joined = try FileJoin(.object, base: base, ours: deletion(21), theirs: deletion(22))
        let swapped = try FileJoin(.object, base: base, ours: deletion(22), theirs: deletion(21))
        let text = String(decoding: joined.bytes, as: UTF8.self)
        #expect(
            joined.conflicts.isEmpty && joined.bytes == swapped.bytes && text.contains("\"deletedAt\": \"2026-11-22"))
    }

    @Test func `git joins two changes of a collection that has no time, and gives it none`() throws {
        func file(_ colour: String, _ icon: String) -> [UInt8] {
            Array("{\"name\": \"Work\", \"colour\": \"\(colour)\", \"icon\": \"\(icon)\"}".utf8)
        }
        let joined = try FileJoin(
            .object, base: file("green", "star"), ours: file("red", "star"), theirs: file("green", "book"))
        let text = String(decoding: joined.bytes, as: UTF8.self)
        #expect(joined.conflicts.isEmpty && text.contains("red") && text.contains("book"), "\(text)")
        #expect(!text.contains("updatedAt"), "\(text)")
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

    @Test func `an older query that a merge brought does not win over the newest of a third copy`() throws {
        try a.library.change("smart") { try $0.addNamed(.smart, "Breads", [("query", .string("bread"))]) }
        let older = try Replica(copyOf: a), newest = try Replica(copyOf: a)
        for (copy, query) in [(older, "older"), (newest, "newest")] {
            usleep(20_000)
            _ = try copy.library.change("smart") { try $0.setNamed(.smart, "Breads", [("query", .string(query))]) }
        }
        usleep(20_000)
        for _ in 0..<2 {
            _ = try merge(older, into: a)
            _ = try merge(a, into: newest)
            _ = try merge(newest, into: older)
        }
        for copy in [a, older, newest] {
            #expect(try copy.library.namedFile(.smart, "Breads")?.query == "newest")
        }
    }
}
