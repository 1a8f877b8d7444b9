import Testing

/// A second copy of the library, "other", that rsync carries.
extension Sandbox {
    /// Both look, rsync runs both ways as README says, and both look again. The first call makes the copy.
    func meet(_ place: SourceLocation = #_sourceLocation) throws {
        try shell(
            """
            look() { for one in "$SBFS_LIBRARY" other; do test ! -d "$one" || sbfs --library "$one" conflicts || test $? = 3; done; }
            set -e; look
            rsync -a -u --exclude=.sbfs "$SBFS_LIBRARY/" other/; rsync -a -u --exclude=.sbfs other/ "$SBFS_LIBRARY/"
            look; sleep 1.1
            """, sourceLocation: place)
    }

    func expectEqualCopies(_ place: SourceLocation = #_sourceLocation) throws {
        try shell("diff -r -x .sbfs \"$SBFS_LIBRARY\" other", sourceLocation: place)
    }
}
