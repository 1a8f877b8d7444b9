internal import Search

extension IndexDamage {
    /// The message for the person when the index is rebuilt.
    var sentence: String {
        isOtherVersion
            ? "the search index has the format of another version; sbfs rebuilds it"
            : "the search index is damaged (\(self)); sbfs rebuilds it"
    }
}
