import StuffBucket

extension Commands {
    static let mergeDriver = Command(
        "merge-driver", .tools, "Join two versions of one file, for git",
        arguments: "BASE OURS THEIRS SIZE PATH",
        details: """
            git starts it for each file that both sides of a merge, rebase, cherry-pick or stash pop changed. BASE, OURS \
            and THEIRS are files with the three versions, SIZE is the length of git's conflict markers, and PATH is the \
            file's path in the work tree. The joined file replaces OURS. item.json, library.json and the files of \
            collections/, tags/ and smart/ are joined field by field, text.md paragraph by paragraph, and tombstones of one item are \
            united. Where both changed \
            one field or paragraph, the later side of a JSON file stands (in a text: the one with the larger SHA-256), and a file in \
            the item's conflicts/ has both. Commit that file, too: \
            git add -A && git commit.

            If both put different documents into one item, the joined file names the one of the later side, and the code is 1: the \
            other document lies beside it, and a person chooses.

            A version that does not parse, another file, or a conflict outside of an item ends with code 1: OURS stays as it is, and \
            git says that there is a conflict.

            "sbfs git setup" tells git to start it, once in each clone.
            """,
        examples: [
            .init("sbfs merge-driver base ours theirs 7 items/c4/ID/item.json", "join ours and theirs into ours")
        ]
    ) { invocation in
        guard invocation.positionals.count == 5, let size = Int(invocation.positionals[3]) else {
            throw invocation.usage("merge-driver needs BASE, OURS, THEIRS, SIZE and PATH")
        }
        let names = invocation.positionals
        let path = names[4]
        guard let kind = FileJoin.Kind(path: path) else {
            throw CommandFailure(.failed, "\(path): sbfs does not join such files; both versions are left to git")
        }
        let limit = 64 << 20
        let base = try FileOfPerson.read(names[0], limit: limit)
        let ours = try FileOfPerson.read(names[1], limit: limit), theirs = try FileOfPerson.read(names[2], limit: limit)
        let join: FileJoin
        do throws(FileJoin.Failure) {
            // git gives an empty file as the base of a file that both sides added.
            join = try FileJoin(kind, base: base.isEmpty ? nil : base, ours: ours, theirs: theirs)
        } catch {
            throw CommandFailure(.failed, "\(path): \(error); both versions are left to git")
        }
        // git lengthens the markers while it joins several bases into one: nobody sees that result.
        if try size <= 7 || size <= usualSize(of: path) {
            if let first = join.conflicts.first, !isOfItem(path) {
                throw CommandFailure(
                    .failed, "\(path): both sides changed \(first.field); both versions are left to git")
            }
            for kept in try join.keepConflicts(of: path, in: ".") {
                invocation.talk.warn(
                    "\(path): both sides changed one place; \(kept) has both. Commit that, too: git add -A && git commit"
                )
            }
        }
        let documents = try size <= 7 || size <= usualSize(of: path) ? join.documents : nil
        let parts = names[1].split(separator: "/", omittingEmptySubsequences: false)
        let folder = parts.dropLast().joined(separator: "/")
        try LocalFolder(parts.count == 1 ? "." : folder.isEmpty ? "/" : folder)
            .write(join.bytes, to: String(parts[parts.count - 1]), permissions: 0o600, .lazy)
        if let documents {
            let item = path.split(separator: "/").dropLast().map { $0 + "/" }.joined()
            let other = TypedLine.quoted(item + documents.other)
            let keeping = documents.lost.map {
                ", or \"git mv \(other) \(TypedLine.quoted(item + $0))\" keeps it as a lost document"
            }
            throw CommandFailure(
                .failed,
                """
                \(path): both sides put a document into the item. \(Printable.line(documents.standing)) is the document now, and \
                \(Printable.line(documents.other)) lies beside it: \"git rm \(other)\" removes that one\(keeping ?? ""). Then: git add -A && \
                git commit
                """)
        }
        return .done
    }

    /// The length of git's markers where it joins no bases, if an attribute sets another one.
    private static func usualSize(of path: String) throws -> Int {
        let words = ["git", "check-attr", "conflict-marker-size", "--", path]
        guard let found = try Program.filter(words, errors: .dropped, limit: 4096, { _ in }), found.status == 0 else {
            return 7
        }
        // PATH: conflict-marker-size: VALUE
        let value = (found.output.split(separator: UInt8(ascii: " ")).last ?? []).filter { $0 != 0x0A }
        return Int(String(decoding: value, as: UTF8.self)) ?? 7
    }

    /// Whether a joined file lies in the folder of an item, which has conflicts/.
    private static func isOfItem(_ path: String) -> Bool {
        let name = path.split(separator: "/").last
        return name == "item.json" || name == "text.md"
    }
}
