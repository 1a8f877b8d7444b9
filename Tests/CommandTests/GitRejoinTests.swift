import TestSupport
import Testing

/// `sbfs git rejoin`: what a merge left out that git made without the driver.
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
    ///
    /// - Parameter edits: commands that run in the clone before the merge is committed.
    /// - Returns: what the pull said.
    @discardableResult
    private func forge(_ merge: String, _ edits: String = "") throws -> String {
        try sandbox.shell(
            """
            set -e
            git clone -q one forge; cd forge; git fetch -q ../two HEAD
            git merge -q --no-commit \(merge) FETCH_HEAD > /dev/null 2>&1 || true
            \(edits)
            git add -A; git -c core.hooksPath=/dev/null commit -qm merged; cd ..; git -C one pull -q --ff-only ../forge
            """
        ).err
    }

    @discardableResult
    private func rejoin(_ words: String = "", exits status: Int32 = 0) throws -> Run {
        try sandbox.shell("sbfs --library one git rejoin \(words)", exits: status)
    }

    private func commit() throws { try sandbox.shell("git -C one add -A && git -C one commit -qm later") }

    private func item() throws -> String { try sandbox.shell("tr -d '\\n ' < one/\(folder)/item.json").out }

    private func conflicts() throws -> String {
        try sandbox.shell("sbfs --library one conflicts || test $? = 3").out
    }

    @Test func `a side that a forge took whole gets what the other side changed, and the conflict`() throws {
        #expect(try forge("-X ours").contains("git rejoin"))
        #expect(try sandbox.shell("sbfs --library one conflicts", exits: 4).err.contains("1 file lacks"))
        let trial = try rejoin("--dry-run")
        #expect(trial.lines.count == 2 && trial.err.contains("would complete 1 file"), "\(trial)")
        #expect(try sandbox.shell("git -C one status --porcelain").out.isEmpty)
        let run = try rejoin()
        #expect(run.out.contains("\(folder)/conflicts/") && run.err.contains("see \"sbfs conflicts\""), "\(run)")
        #expect(run.lines == trial.lines)
        #expect(try item().contains("\"title\":\"One\"") && item().contains("\"tags\":[\"toread\",\"rye\"]"))
        #expect(try sandbox.shell("cat one/\(folder)/text.md").out.contains("Wait long."))
        #expect(try conflicts().contains("One") && conflicts().contains("Two"))
        #expect(try !sandbox.shell("sbfs --library one conflicts").err.contains("git rejoin"))
    }

    @Test func `undo takes it back`() throws {
        try forge("-X ours")
        try rejoin()
        try sandbox.shell("sbfs --library one undo")
        #expect(try item().contains("[\"dough\",\"toread\",\"rye\"]"))
        #expect(try conflicts().isEmpty)
        #expect(try rejoin("HEAD --dry-run").err.contains("would complete 1 file"))
        #expect(try rejoin("HEAD").out.contains("/conflicts/"))
        #expect(try conflicts().contains("Two"))
    }

    @Test func `markers that a forge committed go, and both sides are joined`() throws {
        #expect(try forge("").contains("git rejoin"))
        #expect(try sandbox.shell("sbfs --library one conflicts", exits: 4).err.contains("git rejoin"))
        let run = try rejoin()
        #expect(run.err.contains("completed 1 file"), "\(run)")
        #expect(try item().contains("\"title\":\"Two\"") && item().contains("\"tags\":[\"toread\",\"rye\"]"))
        #expect(try conflicts().contains("One") && conflicts().contains("Two"))
    }

    @Test func `what a person changed since the merge stays`() throws {
        try forge("-X ours")
        try sandbox.shell("sbfs --library one tag add \(id) later; sbfs --library one title \(id) Three")
        try commit()
        try rejoin()
        #expect(try item().contains("\"title\":\"Three\"") && item().contains("[\"toread\",\"rye\",\"later\"]"))
        #expect(try conflicts().isEmpty)
    }

    @Test func `what was decided in the merge stays, and nobody is asked`() throws {
        try forge("-X ours", "sed -i 's/\"One\"/\"Both\"/' \(folder)/item.json")
        try rejoin()
        #expect(try item().contains("\"title\":\"Both\"") && item().contains("\"tags\":[\"toread\",\"rye\"]"))
        #expect(try conflicts().isEmpty)
    }

    @Test func `a decision for the other value since the merge is one`() throws {
        try forge("-X ours")
        try sandbox.shell("sbfs --library one title \(id) Two")
        try commit()
        try rejoin()
        #expect(try item().contains("\"title\":\"Two\"") && conflicts().isEmpty)
    }

    @Test func `what is taken out after the files were joined does not come back`() throws {
        try forge("-X ours")
        try rejoin()
        try commit()
        #expect(try rejoin().err.contains("there is no merge that was not looked at"))
        try sandbox.shell("sbfs --library one tag add \(id) dough; sbfs --library one resolve \(id) title --take 2")
        try commit()
        let again = try rejoin("HEAD~2")
        #expect(again.out.isEmpty && again.err.contains("nothing of either side is missing"), "\(again)")
        // Another clone, which never looked, finds the same.
        try sandbox.shell("git -C two pull -q --no-rebase ../one > /dev/null 2>&1 || true")
        #expect(try sandbox.shell("sbfs --library two git rejoin HEAD~2 --dry-run").out.isEmpty)
    }

    @Test func `a merge that sbfs made is whole, also with a conflict`() throws {
        let pull = try sandbox.shell("git -C one pull -q --no-rebase ../two")
        #expect(!pull.err.contains("git rejoin"), "\(pull)")
        try commit()
        let run = try rejoin()
        #expect(run.out.isEmpty && run.err.contains("nothing of either side is missing"), "\(run)")
    }

    @Test func `a conflict of a text that the driver kept and nobody committed yet is not missing`() throws {
        try sandbox.shell("sed -i 's/Wait/Wait here/' one/\(folder)/text.md; git -C one commit -qam wait")
        let pull = try sandbox.shell("git -C one pull -q --no-rebase ../two")
        #expect(pull.err.contains("text.md: both sides changed one place"), "\(pull)")
        let told = try sandbox.shell("sbfs --library one conflicts")
        #expect(told.out.contains("Wait here.") && !told.err.contains("git rejoin"), "\(told)")
        for words in ["--dry-run", ""] {
            let run = try rejoin("HEAD " + words)
            #expect(run.out.isEmpty && run.err.contains("nothing of either side is missing"), "\(run)")
        }
        try sandbox.shell(
            "sbfs --library one resolve \(id) text --take 1; sbfs --library one resolve \(id) title --take 1")
        #expect(try rejoin("HEAD --dry-run").out.isEmpty)
    }

    @Test func `a dry run names the conflicts that would be kept`() throws {
        // The longer title has the later time: "-X theirs" takes that side.
        try forge("-X theirs")
        try sandbox.shell("sbfs --library one tag add \(id) rye")
        let trial = try rejoin("--dry-run")
        let run = try rejoin()
        #expect(trial.lines == run.lines && trial.out.contains("/conflicts/"), "\(trial) \(run)")
    }

    @Test func `a conflict of the driver that was resolved before the commit is not asked in another clone`() throws {
        try sandbox.shell(
            """
            set -e
            git -C one pull -q --no-rebase --no-commit ../two > /dev/null 2>&1 || true
            sbfs --library one resolve \(id) title --take 1; git -C one add -A; git -C one commit -qm merged
            """)
        let pull = try sandbox.shell("git -C two pull -q --ff-only ../one")
        #expect(!pull.err.contains("git rejoin"), "\(pull)")
        #expect(try sandbox.shell("sbfs --library two git rejoin HEAD").out.isEmpty)
    }

    @Test func `an item that was removed since stays away`() throws {
        try forge("-X ours")
        try sandbox.shell("git -C one rm -rq \(folder); git -C one commit -qm gone")
        #expect(try rejoin().out.isEmpty)
        #expect(try sandbox.shell("test ! -e one/\(folder)/item.json").status == 0)
    }

    @Test func `a link in the place of a file is not followed`() throws {
        try sandbox.shell("echo secret > secret; cp two/\(folder)/text.md two/\(folder)/item.json one/")
        try forge("-X ours")
        try sandbox.shell("rm one/\(folder)/item.json; ln -s ../../../../secret one/\(folder)/item.json")
        try rejoin(exits: 4)
        #expect(try sandbox.shell("cat secret").out == "secret\n")
    }

    @Test func `a shallow clone without the merge base is told`() throws {
        try forge("-X ours")
        let run = try sandbox.shell(
            "git clone -q --depth 2 file://$PWD/forge shallow; sbfs --library shallow git rejoin", exits: 4)
        #expect(run.out.isEmpty && run.err.contains("--unshallow") && !run.err.contains("nothing"), "\(run)")
        let whole = try sandbox.shell(
            "git -C shallow fetch -q --unshallow 2>/dev/null; sbfs --library shallow git rejoin")
        #expect(whole.out.contains("item.json"), "\(whole)")
    }

    @Test func `fields of the page that differ are no change, and what was taken out since stays away`() throws {
        try sandbox.shell(
            """
            set -e
            sed -i 's/"source"/"archiveAttempts": 3, "source"/' two/\(folder)/item.json; git -C two commit -qam attempts
            """)
        try forge("-X ours")
        try rejoin()
        try commit()
        #expect(try rejoin("HEAD~1").out.isEmpty)
        try sandbox.shell("sbfs --library one tag rm \(id) rye")
        try commit()
        try sandbox.shell(
            "git -C two pull -q --no-rebase ../one > /dev/null 2>&1 || true; sbfs --library two git rejoin HEAD~2")
        #expect(try !sandbox.shell("cat two/\(folder)/item.json").out.contains("rye"))
    }

    @Test func `a merge that differs in fields of the page alone makes no step`() throws {
        try sandbox.shell(
            """
            set -e
            git -C two reset -q --hard HEAD~1
            sed -i 's/"source"/"archiveAttempts": 3, "source"/' two/\(folder)/item.json; git -C two commit -qam attempts
            """)
        try forge("-s ours")
        let run = try rejoin("HEAD")
        #expect(run.out.isEmpty && run.err.contains("nothing of either side is missing"), "\(run)")
    }

    @Test func `a merge that is no JSON is joined from both sides`() throws {
        try forge("-X ours", "sed -i '0,/,$/s/,$//' \(folder)/item.json")
        #expect(try rejoin().out.contains("item.json"))
        #expect(try item().contains("\"tags\":[\"toread\",\"rye\"]"))
    }

    @Test func `a file that cannot be changed is named, and the others are completed`() throws {
        try forge("-X ours")
        try sandbox.shell("echo '{' > one/\(folder)/item.json")
        let run = try rejoin(exits: 4)
        #expect(run.err.contains("is no JSON object") && run.out.isEmpty, "\(run)")
        try sandbox.shell("git -C one checkout -q -- .")
        #expect(try rejoin().out.contains("item.json"))
    }

    @Test func `a collection that both sides changed gets the key that one side lost`() throws {
        try sandbox.shell(
            """
            set -e
            sbfs --library one collection new Recipes; git -C one add -A; git -C one commit -qm first
            git -C two pull -q --no-rebase ../one; git -C two add -A; git -C two commit -qm joined || true
            sbfs --library one collection colour Recipes red; git -C one commit -qam red
            sbfs --library two collection icon Recipes B; git -C two commit -qam icon
            """)
        try forge("-s ours")
        #expect(try rejoin().out.contains("collections/"))
        let file = try sandbox.shell("cat one/collections/*.json").out
        #expect(file.contains("red") && file.contains("\"B\""), "\(file)")
    }

    @Test func `what is no merge is refused`() throws {
        #expect(try rejoin().err.contains("there is no merge that was not looked at"))
        #expect(try rejoin("HEAD", exits: 1).err.contains("is no merge of two commits"))
        #expect(try rejoin("nothing", exits: 1).err.contains("git knows no commit"))
        try rejoin("HEAD HEAD", exits: 2)
        try sandbox.shell(
            "git -C one fetch -q ../two HEAD; git -C one -c merge.sbfs.driver=false merge -q FETCH_HEAD || true")
        #expect(try rejoin(exits: 1).err.contains("in the middle of a merge"))
    }
}
