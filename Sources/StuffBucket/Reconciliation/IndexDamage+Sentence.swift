internal import Search

extension IndexDamage {
    /// What a person is told when the index is made anew.
    var sentence: String {
        isOtherVersion
            ? "the search index has the format of another version; sbfs rebuilds it"
            : "the search index is damaged (\(self)); sbfs rebuilds it"
    }
}
