import StuffBucket

extension Commands {
    static let gitSetup = Command(
        "git setup", .care, "Let git join, show and check this library's files",
        details: """
            Run it once in each clone, after "git init" or "git clone". It writes

              .gitattributes  what sbfs joins, and what git shows no lines of
              .gitignore      what is of this device alone: .sbfs, history/, temporary files
              .git/config     how git starts sbfs, to join files and to show items
              pre-commit, prepare-commit-msg, pre-applypatch
                              hooks that refuse a commit of damaged JSON, or of conflicts that nobody resolved; \
            "git rebase --continue" runs the second one alone
              post-merge      a hook that says whether a merge of another clone or a forge left something out \
            ("sbfs git rejoin")

            into a block of lines of its own where the file may have others. The first two belong into the next commit. \
            Run again, it changes nothing. Settings, attributes and hooks of your own stay, and it names each with what \
            to do; it ends with code 4 then. --replace sets them, but for the hooks. --remove takes out what it wrote, and puts \
            back the settings that --replace replaced.

            The library's folder must be the top of the work tree. core.hooksPath, linked work trees and submodules work.
            """,
        options: [
            Option("remove", "take out what this command wrote"),
            Option("replace", "replace settings and attributes of your own that differ"), Option.dryRun,
        ],
        examples: [
            .init("git -C ~/StuffBucket init && sbfs git setup", "put a library into git"),
            .init("sbfs git setup --dry-run", "show what it would write"),
            .init("sbfs git setup --remove", "undo it"),
        ]
    ) { invocation in
        if !invocation.positionals.isEmpty { throw invocation.usage("git setup takes no arguments") }
        let isRemoval = invocation.has("remove")
        if isRemoval, invocation.has("replace") { throw invocation.usage("give --remove or --replace, not both") }
        // Opening it makes sure that it is a library.
        let library = try invocation.library()
        let tree = try GitWorkTree(library.path)
        var setup = GitSetup(tree, try GitSettings())
        if isRemoval { try setup.remove() } else { try setup.install(invocation.has("replace") ? .replaced : .kept) }
        var names: [String] = []
        for change in setup.changes where names.last != change.shown(in: tree) { names.append(change.shown(in: tree)) }
        let all = names.joined(separator: ", ")
        if invocation.isDryRun {
            try show(setup, invocation)
            let verb = isRemoval ? "would change or remove" : "would write"
            invocation.talk.say(names.isEmpty ? "would change nothing" : "\(verb) \(all)")
        } else {
            try make(setup)
            if isRemoval {
                invocation.talk.say(names.isEmpty ? "git has nothing of sbfs here" : "took out of git: \(all)")
            } else if names.isEmpty {
                invocation.talk.say("git is set up already; nothing was changed")
            } else {
                invocation.talk.say("wrote \(all)")
                let tracked = names.filter { $0.hasSuffix(".gitattributes") || $0.hasSuffix(".gitignore") }
                if !tracked.isEmpty {
                    invocation.talk.say(
                        "commit \(tracked.joined(separator: " and ")); each other clone runs \"sbfs git setup\" once")
                }
            }
        }
        for remark in setup.remarks { invocation.talk.warn(Printable.line(remark)) }
        if !isRemoval {
            if !invocation.isDryRun, setup.remarks.isEmpty, let why = try setup.overruled() {
                invocation.talk.warn(why)
            }
            if !invocation.isDryRun, try setup.changesLineEnds() {
                invocation.talk.warn(
                    ".gitattributes lets git change the ends of lines in your documents; make \"* -text\" its first line, and take other "
                        + "lines with \"text\" out")
            }
            if try setup.tracksOwnFiles() {
                invocation.talk.warn(
                    "git tracks files of this device alone; take them out: git rm -r --cached --ignore-unmatch .sbfs "
                        + "'items/*/*/history/*'")
            }
        }
        if !isRemoval, !invocation.isDryRun, let advice = NewMerges(library.path)?.advice {
            invocation.talk.warn(advice)
        }
        return setup.remarks.isEmpty ? .done : .partlyDone
    }

    private static func make(_ setup: GitSetup) throws {
        var done: [String] = []
        for change in setup.changes {
            do {
                try change.make(in: setup.tree)
            } catch {
                if done.isEmpty { throw error }
                throw CommandFailure(
                    .failed,
                    "\(error.wording); \(done.joined(separator: ", ")) changed before that. Run this again when it is settled"
                )
            }
            let name = change.shown(in: setup.tree)
            if done.last != name { done.append(name) }
        }
    }

    /// The lines that would be written, each below the name of its file.
    private static func show(_ setup: GitSetup, _ invocation: Invocation) throws {
        var last = ""
        for change in setup.changes where !change.lines.isEmpty {
            let name = change.shown(in: setup.tree)
            if name != last { try invocation.output.line(Printable.line(name)) }
            last = name
            for line in change.lines { try invocation.output.line("    " + Printable.line(line)) }
        }
        try invocation.output.flush()
    }

    static let gitRejoin = Command(
        "git rejoin", .care, "Join again what git merged without sbfs", arguments: "[COMMIT]",
        details: """
            A merge on a forge, or in a clone without "sbfs git setup", joins lines: it takes one side's fields and loses the \
            other's, or commits conflict markers. This compares each merge in the history of HEAD that was not looked at \
            yet with what sbfs makes of its two sides, and puts what it left out into the files of the work tree, with the \
            conflicts. What was changed in the merge or since stays. COMMIT is one merge, also one that was looked at.

            Look at the result with "git diff", then commit it; "sbfs undo" takes it back. Saved pages and documents \
            are as the merge has them. What cannot be joined is named, and the exit code is 4.

            "sbfs conflicts" says whether there is such a merge, and so does "git pull" after "sbfs git setup".
            """,
        options: [
            Option.dryRun,
            Option("hook", "for the hook post-merge: say how much is missing in the work tree here, and what to do"),
        ],
        examples: [
            .init("git pull && sbfs git rejoin", "after a merge on a forge"),
            .init("sbfs git rejoin HEAD~3 --dry-run", "name the files that one merge left incomplete"),
        ]
    ) { invocation in
        if invocation.positionals.count > 1 { throw invocation.usage("git rejoin takes one commit, or none") }
        if invocation.has("hook") {
            // git starts hooks at the top of the work tree, whatever library the person's settings name.
            let top = FilePath.real(".") ?? FilePath.absolute(".")
            if let advice = NewMerges(top, besidesOwn: true)?.advice { invocation.talk.warn(advice) }
            return .done
        }
        let library = try invocation.library()
        let tree = try GitWorkTree(library.path)
        if try !StagedMerge.heads(tree.git).isEmpty {
            throw CommandFailure(
                .failed, "git is in the middle of a merge or a rebase; end it first, then run this again")
        }
        let name = invocation.positionals.first
        let new = try NewMerges(tree, name)
        if new.merges.isEmpty {
            invocation.talk.say("there is no merge that was not looked at")
            tell(octopuses: new.octopusCount, invocation)
            return .done
        }
        var paths: Set<String> = [], conflicts: Set<String> = [], open: [MergeCommit] = []
        for merge in new.merges {
            let look = try MergeLook(tree, merge)
            var left = look.left
            for file in look.files {
                var written = wanted(file)
                if !invocation.isDryRun {
                    do {
                        written = try invocation.step().complete(file.path, seen: file.seen, with: file.again)
                    } catch let error as ItemError where concernsOneFile(error) {
                        left.append((file.path, error.wording))
                        continue
                    }
                }
                for path in written where paths.insert(path).inserted {
                    if path != file.path { conflicts.insert(path) }
                    try invocation.output.line(Printable.line(path))
                }
            }
            for (path, why) in left { invocation.talk.warn("\(Printable.line(path)) (\(merge.shown)): \(why)") }
            if !left.isEmpty { open.append(merge) }
        }
        tell(octopuses: new.octopusCount, invocation)
        let count = paths.count - conflicts.count
        let files = count == 1 ? "1 file" : "\(count) files"
        let merges = new.merges.count == 1 ? new.merges[0].shown : "\(new.merges.count) merges"
        if !paths.isEmpty, invocation.isDryRun {
            let plan =
                count == 0 ? "would keep the other value of \(Self.counted(conflicts))" : "would complete \(files)"
            invocation.talk.say("\(plan) (\(merges))")
        } else if !paths.isEmpty {
            let done = count == 0 ? "kept the other value of \(Self.counted(conflicts))" : "completed \(files)"
            invocation.talk.say("\(done) (\(merges)); look at it with git diff, then: git add -A && git commit")
            if !conflicts.isEmpty { invocation.talk.say("both sides changed one place; see \"sbfs conflicts\"") }
        } else if open.isEmpty {
            invocation.talk.say("\(merges): nothing of either side is missing")
        }
        if !invocation.isDryRun { new.remember(open: open) }
        return open.isEmpty ? .done : .partlyDone
    }

    private static func counted(_ conflicts: Set<String>) -> String {
        conflicts.count == 1 ? "a conflict" : "\(conflicts.count) conflicts"
    }

    /// The paths that completing a file would write: its conflicts, and the file if its bytes change.
    private static func wanted(_ file: MergeLook.File) -> [String] {
        let folder = file.path.prefix(through: file.path.lastIndex(of: "/") ?? file.path.startIndex)
        return file.again.conflicts.map { folder + "conflicts/" + $0.name }
            + (file.again.bytes == file.seen ? [] : [file.path])
    }

    /// Whether other files can be completed after an error.
    private static func concernsOneFile(_ error: ItemError) -> Bool {
        switch error {
        case .malformed, .unsuitable, .noItem, .conflict, .overtaken, .changedSince, .fileChangedSince, .tooLarge,
            .fault,
            .refused:
            true
        default: false
        }
    }

    private static func tell(octopuses count: Int, _ invocation: Invocation) {
        if count == 0 { return }
        let merges = count == 1 ? "1 merge joins" : "\(count) merges join"
        invocation.talk.warn("\(merges) more than two commits; sbfs does not look at such merges")
    }

    static let gitTextconv = Command(
        "git textconv", .tools, "Print an item.json a field a line, for git", arguments: "FILE",
        details: """
            git starts it for "git diff", "git show" and "git log -p" after "sbfs git setup". Each field is a line in the \
            file's order, each tag and each element of a list a line of its own; a text of several lines goes on \
            indented. What is no JSON is printed as it is. Characters that control the terminal are escaped.
            """,
        examples: [.init("sbfs git textconv item.json", "what git compares")]
    ) { invocation in
        guard invocation.positionals.count == 1 else { throw invocation.usage("git textconv needs a file") }
        let bytes = try FileOfPerson.read(invocation.positionals[0], limit: 64 << 20)
        try invocation.output.write(ItemLines.text(bytes))
        return .done
    }

    static let gitCheckStaged = Command(
        "git check-staged", .tools, "Refuse staged files that are damaged, for git",
        details: """
            The hook of "sbfs git setup" starts it before each commit. It reads item.json, library.json and the files of \
            collections/, tags/ and smart/ as they are staged, and names each that is no JSON object, has a key twice, \
            or has conflict markers, with line and column. Any other file is named if a merge left markers in it: between \
            them are lines of the last commit, or git is in the middle of a merge, and no commit that is merged has them. A \
            document may show markers of its own. In a merge it also names an item that one side purged and the other \
            changed, of which git kept some files; a file of which git kept one version and that "git commit -a" takes; and \
            a conflict that nobody added. Then it ends with code 1, and git makes no commit.

            "git rebase --continue" runs no hook but prepare-commit-msg, which any commit runs, too, and after "git rebase --apply" \
            no hook but pre-applypatch. For these hooks is --rebase: it checks while a rebase has stopped at a commit. "git commit --no-verify" is checked \
            there as well. Else it looks at a merge, also at one that git commits by itself, for items that one side purged and the other \
            changed.
            """,
        options: [
            Option(
                "rebase",
                "for the hooks prepare-commit-msg and pre-applypatch: a rebase that has stopped, and purges in a merge")
        ],
        examples: [.init("sbfs git check-staged || exit 1", "in a hook of your own")]
    ) { invocation in
        if !invocation.positionals.isEmpty { throw invocation.usage("git check-staged takes no arguments") }
        let git = Git(folder: nil), isRebase = invocation.has("rebase")
        if isRebase, try !git.isRebasing() {
            let hidden = try StagedMerge(git).halves()
            for line in hidden.prefix(20) { invocation.talk.warn(line) }
            if hidden.isEmpty { return .done }
            throw CommandFailure(
                .failed,
                "nothing was committed (\(hidden.count) to decide; git -c core.hooksPath=/dev/null commit checks nothing)"
            )
        }
        let faults = try StagedFiles(git).faults()
        let undecided = try StagedMerge(git).faults()
        for line in undecided.prefix(20) { invocation.talk.warn(line) }
        if faults.isEmpty {
            if undecided.isEmpty { return .done }
            throw CommandFailure(
                .failed,
                "the merge is not ended, and nothing was committed (\(undecided.count) to decide; "
                    + unchecked(isRebase)
                    + ")")
        }
        for fault in faults.prefix(20) { invocation.talk.warn(fault) }
        let files = faults.count == 1 ? "1 staged file is" : "\(faults.count) staged files are"
        throw CommandFailure(
            .failed,
            "\(files) damaged, and nothing was committed; correct and add again "
                + "(\(unchecked(isRebase)))"
        )
    }

    private static func unchecked(_ isRebase: Bool) -> String {
        isRebase
            ? "git -c core.hooksPath=/dev/null rebase --continue checks nothing"
            : "git commit --no-verify checks nothing"
    }
}
