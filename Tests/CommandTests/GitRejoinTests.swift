import TestSupport
import Testing

/// `sbfs git rejoin`: a merge that a forge made without the driver is made again.
struct GitRejoinTests: GitLibraryTests {
    let library: GitLibrary

    /// Two clones: "one" changed the title and added a tag, "two" changed the title, took a tag out and changed a paragraph.
    init() throws {
        library = try GitLibrary()
        try clone()
        try sandbox.shell(
            """
            set -e
            sbfs --library one title \(id) One; sbfs --library one tag add \(id) rye; git -C one commit -qam one
            sbfs --library two tag rm \(id) dough; sed -i 's/Wait/Wait long/' two/\(folder)/text.md
            sbfs --library two title \(id) Two; git -C two commit -qam two
            """)
    }

    /// Merges "two" in a clone of "one" without sbfs, as a forge does, and pulls that into "one".
    private func forge(_ merge: String) throws {
        try sandbox.shell(
            """
            set -e
            git clone -q one forge; cd forge; git pull -q --no-rebase ../two \(merge) > /dev/null 2>&1 || true
            git add -A; git -c core.hooksPath=/dev/null commit -qm merged || true; cd ..; git -C one pull -q --ff-only ../forge
            """)
    }

    private func isJoined() throws {
        let item = try sandbox.shell("tr -d '\\n ' < one/\(folder)/item.json").out
        #expect(item.contains("\"title\":\"Two\""), "\(item)")
        #expect(item.contains("\"tags\":[\"toread\",\"rye\"]"), "\(item)")
        #expect(try sandbox.shell("cat one/\(folder)/text.md").out.contains("Wait long."))
        let conflicts = try sandbox.shell("sbfs --library one conflicts").out
        #expect(conflicts.contains("title") && conflicts.contains("One") && conflicts.contains("Two"), "\(conflicts)")
    }

    @Test func `a side that a forge took whole gets the other side's edits, and the conflict is there`() throws {
        try forge("-X ours")
        let trial = try sandbox.shell("sbfs --library one git rejoin --dry-run")
        #expect(trial.out.contains("item.json") && trial.err.contains("would join 1 file"), "\(trial)")
        #expect(try sandbox.shell("git -C one status --porcelain").out.isEmpty)
        let run = try sandbox.shell("sbfs --library one git rejoin")
        #expect(run.out.contains("\(folder)/item.json") && run.err.contains("see \"sbfs conflicts\""), "\(run)")
        try isJoined()
        try sandbox.shell("git -C one add -A && git -C one commit -qm joined")
        #expect(try sandbox.shell("sbfs --library one git rejoin --dry-run").err.contains("has what sbfs makes"))
    }

    @Test func `markers that a forge committed are named with what joins both sides`() throws {
        try forge("")
        let told = try sandbox.shell("sbfs --library one conflicts", exits: 4)
        #expect(told.err.contains("git rejoin"), "\(told)")
        try sandbox.shell("sbfs --library one git rejoin")
        try isJoined()
        #expect(try !sandbox.shell("sbfs --library one conflicts").err.contains("git rejoin"))
    }

    @Test func `an edit since the merge stays`() throws {
        try forge("-X ours")
        try sandbox.shell("sbfs --library one tag add \(id) later; git -C one commit -qam later")
        try sandbox.shell("sbfs --library one git rejoin")
        let item = try sandbox.shell("tr -d '\\n ' < one/\(folder)/item.json").out
        #expect(item.contains("\"tags\":[\"toread\",\"rye\",\"later\"]"), "\(item)")
    }

    @Test func `a merge that sbfs made is whole, also with a conflict`() throws {
        try sandbox.shell(
            "git -C one pull -q --no-rebase ../two > /dev/null 2>&1 || true; git -C one add -A; git -C one commit -qm merged"
        )
        let run = try sandbox.shell("sbfs --library one git rejoin")
        #expect(run.out.isEmpty && run.err.contains("has what sbfs makes"), "\(run)")
        try isJoined()
    }

    @Test func `what is no merge is refused`() throws {
        #expect(try sandbox.shell("sbfs --library one git rejoin", exits: 3).err.contains("there is no merge"))
        #expect(
            try sandbox.shell("sbfs --library one git rejoin HEAD", exits: 1).err.contains("is no merge of two commits")
        )
        #expect(
            try sandbox.shell("sbfs --library one git rejoin nothing", exits: 1).err.contains("git knows no commit"))
    }
}
