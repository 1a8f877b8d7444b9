internal import Items
internal import Search

extension IndexDamage {
    /// What is said when the index is rebuilt.
    var notice: Notice { isOtherVersion ? .indexOfOtherVersion : .indexDamaged(diagnostic: description) }
}
