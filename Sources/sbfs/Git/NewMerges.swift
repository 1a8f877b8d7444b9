import StuffBucket

/// The merges in the history of HEAD that were not looked at yet: a merge that git made without sbfs may lack edits of one side.
struct NewMerges {
    /// The oldest first. Before them those that could not be compared.
    let merges: [MergeCommit]
    /// Merges of more than two commits, which nobody looks at.
    let octopusCount: Int
    private let tree: GitWorkTree
    private let memory: MergeMemory
    /// The commit whose history this is; `nil` for a merge that a person named.
    private let head: String?
    /// The last merge, if this clone just made it, with the driver: sbfs named then what a person had to decide.
    private let decided: String?

    /// So many merges are looked at where a person asked for something else.
    private static let lookLimit = 50

    /// - Parameter name: a merge that is looked at in any case; `nil` for those that were not looked at.
    init(_ tree: GitWorkTree, _ name: String? = nil) throws {
        self.tree = tree
        decided = nil
        memory = try MergeMemory(tree)
        if let name {
            merges = [try MergeCommit(tree.git, named: name)]
            octopusCount = 0
            head = nil
        } else {
            let commit = try tree.git.line("rev-parse", "-q", "--verify", "HEAD^{commit}")
            let list = try commit.map { [memory] in try MergeCommit.all(tree.git, of: $0, after: memory.looked) }
            let open = memory.open.compactMap { try? MergeCommit(tree.git, named: $0) }
            merges = open + (list?.merges ?? []).filter { merge in !open.contains { $0.name == merge.name } }
            head = commit
            octopusCount = list?.octopusCount ?? 0
        }
    }

    /// - Parameter besidesOwn: whether a merge that this clone just made, with the driver, is left out.
    /// - Returns: `nil` if the library is not in git, or git cannot be asked.
    init?(_ library: String, besidesOwn: Bool = false) {
        guard (try? LocalFolder(library).status(of: ".git")) ?? nil != nil, let tree = try? GitWorkTree(library),
            let all = try? NewMerges(tree)
        else { return nil }
        guard let last = all.merges.last, last.name == all.head, CloneCheck.hasDriver(library),
            (try? tree.git.line("rev-parse", "-q", "--verify", "ORIG_HEAD")) == last.parents[0],
            let action = try? tree.git.line("log", "-g", "-1", "--format=%gs"), !action.hasSuffix("Fast-forward")
        else {
            self = all
            return
        }
        self = NewMerges(all, besidesOwn ? all.merges.dropLast() : all.merges[...], decided: last.name)
    }

    private init(_ all: NewMerges, _ merges: ArraySlice<MergeCommit>, decided: String) {
        self.decided = decided
        self.merges = Array(merges)
        octopusCount = all.octopusCount
        tree = all.tree
        memory = all.memory
        head = all.head
    }

    /// Remembers that all of them were looked at.
    ///
    /// - Parameter open: those that could not be compared whole, and are looked at again.
    func remember(open: [MergeCommit]) {
        if let head { memory.remember(head, open: open.map(\.name)) }
    }

    /// What a person does about merges that left something out, as a sentence; `nil` if there is none.
    var advice: String? {
        if merges.isEmpty { return nil }
        let command = "run: sbfs --library \(TypedLine.quoted(tree.folder)) git rejoin"
        let told = Set(memory.open)
        var files: Set<String> = [], lacking: [MergeCommit] = [], unclear: [MergeCommit] = []
        for merge in merges.suffix(Self.lookLimit) {
            guard let look = try? MergeLook(tree, merge) else { continue }
            if !look.files.isEmpty { lacking.append(merge) }
            files.formUnion(look.files.map(\.path))
            if look.files.isEmpty, !look.left.isEmpty, !told.contains(merge.name), merge.name != decided {
                unclear.append(merge)
            }
        }
        if let last = lacking.last {
            let names = lacking.count == 1 ? last.shown + " was" : "\(lacking.count) merges were"
            let lack = files.count == 1 ? "1 file lacks" : "\(files.count) files lack"
            return
                "\(names) made without sbfs, and \(lack) what one side changed; to have sbfs join both sides, \(command)"
        }
        if let last = unclear.last {
            let names = unclear.count == 1 ? last.shown : "\(unclear.count) merges"
            return "sbfs cannot tell whether \(names) left something out; to name the files, \(command)"
        }
        if merges.count > Self.lookLimit {
            return "\(merges.count) merges were not looked at: git may have made them without sbfs; \(command)"
        }
        remember(open: merges.filter { told.contains($0.name) })
        return nil
    }
}
