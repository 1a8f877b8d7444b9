internal import Search

extension IndexDamage {
    /// What a person is told when the index is made anew.
    var sentence: String {
        isOtherVersion
            ? "the search index is of another version of sbfs; it is made anew from the items"
            : "the search index is damaged (\(self)); it is made anew from the items"
    }
}
