import Foundation
import Items
import TestSupport
import Testing
import Time

@testable import StuffBucket

/// What another device brought of an item just before this one changed the same item, documents of which no version knows, and versions
/// whose parents never come.
struct ArrivedBeforeTests: TwoCopies {
    let a: Replica, b: Replica

    init() throws { (a, b) = try Replica.pair() }

    private func addParagraph(_ paragraph: String, to one: Replica) throws {
        try one.setText(one.text + "\n" + paragraph + "\n")
    }

    @Test(arguments: ["versions", "copy"])
    func `a command joins what came to the item that it changes`(_ kind: String) throws {
        if kind == "versions" {
            try addParagraph("Of b.", to: b)
            usleep(20_000)
            try addParagraph("Of a.", to: a)
            try a.meet(b)
        } else {
            try addParagraph("Of a.", to: a)
            usleep(20_000)
            let copied = try a.text + "\nOf b.\n"
            try a.scratch.write(a.folder + "/text (conflicted copy 2026-11-27 071313).md", copied)
        }
        usleep(20_000)
        // No question looked at the files in between.
        try a.change { $0.addTag("late") }
        if kind == "versions" {
            #expect(try a.text.contains("Of a.") && a.text.contains("Of b.") && a.tags.contains("late"))
            #expect(try a.versions.count(where: \.isHead) == 1)
        } else {
            // It waits for the version that explains it, and is not forgotten.
            #expect(try a.library.waitingJoins().map(\.id) == [Replica.id])
        }
    }

    @Test func `a purge stops for what came and nobody saw`() throws {
        try addParagraph("Of b.", to: b)
        usleep(20_000)
        try addParagraph("Of a.", to: a)
        _ = try a.library.change("trash") { try $0.trash(a.stored) }
        try a.meet(b)
        #expect {
            try a.library.change("purge") { try $0.purge(a.stored) }
        } throws: { error in
            if case .joinedBeforePurge? = error as? ItemError { true } else { false }
        }
        #expect(try a.text.contains("Of b."))
        try a.library.change("purge") { try $0.purge(a.stored) }
        #expect(try a.library.store.item(Replica.id) == nil)
    }

    @Test(arguments: ["plan.txt", "other.txt"], [false, true])
    func `two documents that persons put into an item without versions both stay`(_ name: String, isMerge: Bool) throws
    {
        try a.scratch.write(a.folder + "/document/plan.txt", "Of a.")
        usleep(20_000)
        try b.scratch.write(b.folder + "/document/" + name, "Of b, later.")
        if isMerge {
            try merge(b, into: a)
        } else {
            try a.change { $0.addTag("of a") }
            try b.change { $0.addTag("of b") }
            try meetAll()
        }
        let texts = try a.names("document").map { try document(a, $0) }
        #expect(Set(texts) == ["Of a.", "Of b, later."])
    }

    @Test func `a version whose parent never comes counts after 30 days, and goes on counting`() throws {
        var state = KnownState()
        let name = Items.ContentHash(of: [1])
        var now = Timestamp.now
        for _ in 0..<5 {
            state.waits(for: [name], now: now)
            now = now.adding(seconds: 10 * 86_400)
        }
        #expect(state.waited(now: now) == [name] && !state.isUnsettled(now: now))
        // It is whole for the graph then.
        state.waits(for: [], now: now)
        #expect(state.waited(now: now) == [name])
        // One that came meanwhile is forgotten when it is whole.
        let other = Items.ContentHash(of: [2])
        state.waits(for: [other], now: now)
        #expect(state.isUnsettled(now: now))
        state.waits(for: [], now: now)
        #expect(!state.isUnsettled(now: now) && state.versions.map(\.name) == [name])
    }
}
