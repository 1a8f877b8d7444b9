/// A place in a query that may mean something else than was read.
public enum QueryNotice: Hashable, Sendable {
    /// An opening quote without a closing one; it is ignored.
    case unclosedQuote
    /// A `)` without `(`; it is ignored.
    case unopenedParenthesis
    /// A `(` without `)`; it is closed at the end.
    case unclosedParenthesis
    /// Parentheses nested deeper than the limit; they are ignored.
    case parenthesesTooDeep(limit: Int)
    /// A `not` nested deeper than the limit; it is ignored.
    case negationTooDeep(limit: Int)
    /// More words, phrases and filters than the limit, smart folders included; the query matches nothing.
    case tooManyConditions(limit: Int)
    /// An `OR` with nothing on one side; it is ignored.
    case emptyAlternative
    /// An `AND` or `NOT` with nothing to join or exclude; it is ignored.
    case danglingOperator(String)
    /// `and` or `or` between words; it is searched as a word.
    case lowercaseOperator(String)
    /// A `-` that precedes nothing; it is ignored.
    case loneMinus
    /// Another dash instead of a `-`; it excludes.
    case dash(Character)
    /// Several `-` in succession; they are read as one.
    case severalMinuses(String)
    /// A `-` that excludes an exclusion.
    case doubleNegation
    /// An excluded condition that no item meets, not even in the trash, as typed; and what may be meant: a
    /// similar name that exists, or several.
    case excludesNothing(filter: String, suggestion: String?)
    /// An excluded text that occurs nowhere, as typed, in a query of nothing but exclusions that excludes no item.
    case selectsEverything(excluded: String, count: Int)
    /// A `!` before a condition; it is ignored.
    case exclamation
    /// Text without letters and digits; it is ignored.
    case wordless(String)
    /// `tag:` without a value; it is read as text.
    case valueless(String)
    /// A filter that does not allow the value; it is read as text.
    case unknownValue(key: String, value: String)
    /// `key:value` without such a filter; it is read as text.
    case unknownFilter(key: String, suggestion: String?)
    /// `created>2025`; it is read as text.
    case comparison(String)
    /// `#word`; it is searched as a word.
    case hash(String)
    /// A `*` that is not at the end; it is read as a space.
    case innerStar(String)
    /// A `|` between a filter's value and a word; the word is a separate alternative.
    case barBehindFilter(String)
    /// One argument of a command line is a filter with spaces in its value; all of it is the value.
    case spacedValue(String)
    /// `smart:name` without such a smart folder; it matches nothing.
    case noSmartFolder(String)
    /// `smart:name` within itself, or too many smart folders; it matches nothing.
    case smartFolderLoop(String)

    /// A word that names the case. It stays in later versions.
    public var code: String {
        switch self {
        case .unclosedQuote: "unclosed_quote"
        case .unopenedParenthesis: "unopened_parenthesis"
        case .unclosedParenthesis: "unclosed_parenthesis"
        case .parenthesesTooDeep: "parentheses_too_deep"
        case .negationTooDeep: "negation_too_deep"
        case .tooManyConditions: "too_many_conditions"
        case .emptyAlternative: "empty_alternative"
        case .danglingOperator: "dangling_operator"
        case .lowercaseOperator: "lowercase_operator"
        case .loneMinus: "lone_minus"
        case .dash: "dash"
        case .severalMinuses: "several_minuses"
        case .doubleNegation: "double_negation"
        case .excludesNothing: "excludes_nothing"
        case .selectsEverything: "selects_everything"
        case .exclamation: "exclamation"
        case .wordless: "wordless"
        case .valueless: "valueless"
        case .unknownValue: "unknown_value"
        case .unknownFilter: "unknown_filter"
        case .comparison: "comparison"
        case .hash: "hash"
        case .innerStar: "inner_star"
        case .barBehindFilter: "bar_behind_filter"
        case .spacedValue: "spaced_value"
        case .noSmartFolder: "no_smart_folder"
        case .smartFolderLoop: "smart_folder_loop"
        }
    }

    /// How important the notice is.
    public enum Weight: Comparable, Sendable {
        /// The reading is probably right. A command that changes items should stop, though; mention it if nothing
        /// matches.
        case caution
        /// The query probably means something else. Mention it always.
        case doubt
    }

    /// Whether commands that change items should stop. An exclusion that excludes nothing yet does not stop them.
    public var stopsChanges: Bool {
        if case .excludesNothing(_, suggestion: nil) = self { false } else { true }
    }

    /// Whether to mention it always; see `Weight`.
    public var weight: Weight {
        switch self {
        case .wordless, .loneMinus, .spacedValue: .caution
        default: .doubt
        }
    }
}
