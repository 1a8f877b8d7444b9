import Files
internal import Glibc
internal import Synchronization
import TestSupport
import Testing

@testable import Items

/// A save by another program exactly between our read and our write.
struct FileChangeTests {
    private struct Refusal: Error {}

    let library: TestLibrary
    let stored: StoredItem

    init() throws {
        library = try TestLibrary()
        stored = try library.add { $0.text = Array("base".utf8) }
    }

    /// Appends " ours" to the current text; before the n-th try, `saves[n]` is the save of an editor.
    private func run(_ saves: [() throws -> Void], refusing: Bool = false) throws -> Bool {
        var round = 0
        return try change { bytes in
            if refusing, round > 0 { throw Refusal() }
            if round < saves.count { try saves[round]() }
            round += 1
            return bytes + Array(" ours".utf8)
        } describe: { _, kept in
            .conflict(id: stored.id, what: "the text", kept: kept)
        }.run()
    }

    private var target: SwapTarget { .item(stored.id, in: stored.folder, Layout.textFile) }

    private func change(
        apply: @escaping ([UInt8]) throws -> [UInt8]?, describe: @escaping (any Error, String?) -> ItemError
    ) -> FileChange {
        FileChange(session: library.session, target: target, apply: apply, describe: describe)
    }

    private func save(_ text: String) -> () throws -> Void { { try library.write(stored, "text.md", text) } }

    /// As vim does: renames a new file over the old one.
    private func saveByRename(_ text: String) -> () throws -> Void {
        {
            try library.write(stored, ".text.md.new", text)
            try library.scratch.rename(stored.folder + "/.text.md.new", to: stored.folder + "/text.md")
        }
    }

    @Test func `without another program the new version is live and nothing is left`() throws {
        #expect(try run([]))
        #expect(try library.text(stored, "text.md") == "base ours")
        #expect(try library.leftovers().isEmpty)
    }

    @Test(arguments: [false, true])
    func `a save in between is joined`(_ byRename: Bool) throws {
        #expect(try run([byRename ? saveByRename("theirs") : save("theirs")]))
        #expect(try library.text(stored, "text.md") == "theirs ours")
        #expect(try library.conflicts(stored).isEmpty)
        #expect(try library.leftovers().isEmpty)
    }

    @Test func `two saves in between lose neither`() throws {
        #expect(try run([saveByRename("second"), saveByRename("third")]))
        #expect(try library.text(stored, "text.md") == "third ours")
        // The editor itself has replaced the second version by the third.
        #expect(try library.conflicts(stored).isEmpty)
        #expect(try library.leftovers().isEmpty)
    }

    @Test(arguments: [false, true])
    func `a save over ours, while another one is given back, stays live, and the other is kept`(_ byRename: Bool) throws
    {
        var swap = Swap(session: library.session, target: target)
        swap.isStaged = { try? saveByRename("theirs")() }
        swap.isDisplaced = { try? (byRename ? saveByRename("later") : save("later"))() }
        #expect(try !swap.run(Array("base".utf8), Array("ours".utf8)))
        #expect(try library.text(stored, "text.md") == "later")
        #expect(try library.conflicts(stored) == ["theirs"])
        #expect(library.store.takeNotices().count == 1)
        #expect(try library.leftovers().isEmpty)
    }

    @Test func `an entry that is no file any more goes back to its place`() throws {
        let path = stored.folder + "/text.md"
        var swap = Swap(session: library.session, target: target)
        swap.isStaged = {
            try? library.scratch.removeFile(path)
            try? library.scratch.write(path + "/inside", "theirs")
        }
        #expect(try !swap.run(Array("base".utf8), Array("ours".utf8)))
        #expect(try library.scratch.text(path + "/inside") == "theirs")
        #expect(try library.leftovers().isEmpty)
    }

    @Test func `a program that saves all the time is left alone at last, and ours is kept`() throws {
        var count = 0
        let error = #expect(throws: ItemError.self) {
            _ = try change { bytes in
                count += 1
                try save("theirs\(count)")()
                return bytes + Array(" ours".utf8)
            } describe: { _, kept in
                .conflict(id: stored.id, what: "the text", kept: kept)
            }.run()
        }
        guard case .conflict(_, _, let kept?)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(try library.text(stored, "text.md") == "theirs\(count)")
        #expect(try library.scratch.text(kept) == "theirs\(count - 1) ours")
        #expect(try library.leftovers().isEmpty)
    }

    @Test func `a save that cannot be joined stays live and ours is kept`() throws {
        let error = #expect(throws: ItemError.self) { _ = try run([saveByRename("theirs")], refusing: true) }
        guard case .conflict(_, _, let kept?)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(try library.text(stored, "text.md") == "theirs")
        #expect(try library.scratch.text(kept) == "base ours")
        #expect(try library.leftovers().isEmpty)
    }

    @Test func `a file that is renamed away in mid-save is waited for`() throws {
        let (library, stored) = (library, stored)
        let backup = stored.folder + "/text.md~"
        let isAway = Atomic<Bool>(false)
        try Workers.run(2, threads: 2) { piece in
            if piece == 1 {
                // The editor finishes its save long after ours has found the file missing.
                while !isAway.load(ordering: .acquiring) {}
                usleep(300_000)
                try library.scratch.rename(backup, to: stored.folder + "/text.md")
                return
            }
            let isWritten = try FileChange(
                session: library.session, target: .item(stored.id, in: stored.folder, Layout.textFile)
            ) { bytes in
                if !isAway.load(ordering: .acquiring) {
                    try library.scratch.rename(stored.folder + "/text.md", to: backup)
                    isAway.store(true, ordering: .releasing)
                }
                return bytes + Array(" ours".utf8)
            } describe: { error, _ in
                .refused(.other(error))
            }.run()
            #expect(isWritten)
        }
        #expect(try library.text(stored, "text.md") == "base ours")
        #expect(try library.leftovers().isEmpty)
    }

    @Test func `a replacement that finds nothing to do writes nothing`() throws {
        let isWritten = try change { _ in
            nil
        } describe: { error, _ in
            .refused(.other(error))
        }.run()
        #expect(!isWritten)
        #expect(try library.text(stored, "text.md") == "base")
    }
}
