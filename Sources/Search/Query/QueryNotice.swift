/// A place in a query that may have been meant otherwise than it was read.
public enum QueryNotice: Hashable, Sendable {
    /// A quote that nothing closes; it is left out.
    case unclosedQuote
    /// A `)` without `(`; it is left out.
    case unopenedParenthesis
    /// A `(` without `)`; it is closed at the end.
    case unclosedParenthesis
    /// Parentheses nested deeper than the limit; they are left out.
    case parenthesesTooDeep(limit: Int)
    /// A `not` nested deeper than the limit; it is left out.
    case negationTooDeep(limit: Int)
    /// An `OR` with nothing on one side; it is left out.
    case emptyAlternative
    /// An `AND` or `NOT` that has nothing to join or to exclude; it is left out.
    case danglingOperator(String)
    /// `and` or `or` between words; it is searched as a word.
    case lowercaseOperator(String)
    /// A `-` with nothing directly behind it; it is left out.
    case loneMinus
    /// Another dash in the place of a `-`; it excludes.
    case dash(Character)
    /// Several `-` in a row; they are read as one.
    case severalMinuses(String)
    /// A `-` that excludes an exclusion.
    case doubleNegation
    /// A condition behind a `-` that no item meets, those in the trash neither, as it is typed; a name that exists and is
    /// spelt nearly so.
    case excludesNothing(filter: String, suggestion: String?)
    /// A `!` before a condition; it is left out.
    case exclamation
    /// No letters or digits; it is left out.
    case wordless(String)
    /// `tag:` without a value; it is read as text.
    case valueless(String)
    /// A filter that takes no such value; it is read as text.
    case unknownValue(key: String, value: String)
    /// `key:value` that is no filter; it is read as text.
    case unknownFilter(key: String, suggestion: String?)
    /// `created>2025`; it is read as text.
    case comparison(String)
    /// `#word`; it is searched as a word.
    case hash(String)
    /// A `*` that is not at the end; it is read as a space.
    case innerStar(String)
    /// A `|` between a filter's value and a word; the word is an alternative of its own.
    case barBehindFilter(String)
    /// One argument of a command line that is a filter whose value has spaces; all of it is the value.
    case spacedValue(String)
    /// `smart:name` of a smart folder that is not there; nothing is found by it.
    case noSmartFolder(String)
    /// `smart:name` within itself, or too many of them; nothing is found by it.
    case smartFolderLoop(String)

    /// How much depends on it.
    public enum Weight: Comparable, Sendable {
        /// The reading is most likely what was meant. Nothing should be changed by it, though; worth a word where
        /// nothing matches.
        case caution
        /// The query most likely means something else: worth a word in any case.
        case doubt
    }

    /// Whether nothing should be changed by the query: not where an exclusion is only not needed yet.
    public var stopsChanges: Bool {
        if case .excludesNothing(_, suggestion: nil) = self { false } else { true }
    }

    /// Whether it is worth a word in any case; see `Weight`.
    public var weight: Weight {
        switch self {
        case .wordless, .loneMinus, .spacedValue: .caution
        default: .doubt
        }
    }
}
