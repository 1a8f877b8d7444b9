import StuffBucket

/// The merges in the history of HEAD that were not looked at yet: a merge that git made without sbfs may lack edits of one side.
struct NewMerges {
    /// The oldest first.
    let merges: [MergeCommit]
    /// Merges of more than two commits, which nobody looks at.
    let octopusCount: Int
    private let tree: GitWorkTree
    private let memory: MergeMemory

    /// So many merges are looked at where a person asked for something else.
    private static let lookLimit = 50

    /// - Parameter name: a merge that is looked at in any case; `nil` for those that were not looked at.
    init(_ tree: GitWorkTree, _ name: String? = nil) throws {
        self.tree = tree
        memory = try MergeMemory(tree)
        if let name {
            merges = [try MergeCommit(tree.git, named: name)]
            octopusCount = 0
        } else {
            let list = try MergeCommit.all(tree.git, after: memory.looked)
            merges = list.merges
            octopusCount = list.octopusCount
        }
    }

    /// - Parameter besidesOwn: whether a merge that this clone just made, with the driver, is left out.
    /// - Returns: `nil` if the library is not in git, or git cannot be asked.
    init?(_ library: String, besidesOwn: Bool = false) {
        guard (try? LocalFolder(library).status(of: ".git")) ?? nil != nil, let tree = try? GitWorkTree(library),
            let all = try? NewMerges(tree)
        else { return nil }
        guard besidesOwn, let last = all.merges.last, CloneCheck.hasDriver(library),
            (try? tree.git.line("rev-parse", "HEAD")) == last.name,
            (try? tree.git.line("rev-parse", "-q", "--verify", "ORIG_HEAD")) == last.parents[0],
            let action = try? tree.git.line("log", "-g", "-1", "--format=%gs"), !action.hasSuffix("Fast-forward")
        else {
            self = all
            return
        }
        self = NewMerges(all, all.merges.dropLast())
    }

    private init(_ all: NewMerges, _ merges: ArraySlice<MergeCommit>) {
        self.merges = Array(merges)
        octopusCount = all.octopusCount
        tree = all.tree
        memory = all.memory
    }

    /// Remembers that all of them were looked at.
    func remember() { memory.remember(try? tree.git.line("rev-parse", "-q", "--verify", "HEAD^{commit}")) }

    /// What a person does about merges that left something out, as a sentence; `nil` if there is none.
    var advice: String? {
        if merges.isEmpty { return nil }
        let command = "run: sbfs --library \(TypedLine.quoted(tree.folder)) git rejoin"
        var files: Set<String> = [], incomplete: [MergeCommit] = []
        for merge in merges.suffix(Self.lookLimit) {
            guard let look = try? MergeLook(tree, merge) else { continue }
            if look.files.isEmpty, look.left.isEmpty { continue }
            files.formUnion(look.files.map(\.path) + look.left.map(\.path))
            incomplete.append(merge)
        }
        if let last = incomplete.last {
            let names = incomplete.count == 1 ? last.shown : "\(incomplete.count) merges"
            let lack = files.count == 1 ? "1 file lacks" : "\(files.count) files lack"
            return
                "\(names) was made without sbfs, and \(lack) what one side changed; to have sbfs join both sides, \(command)"
        }
        if merges.count > Self.lookLimit {
            return
                "\(merges.count) merges were not looked at: git may have made them without sbfs; \(command) --dry-run"
        }
        remember()
        return nil
    }
}
