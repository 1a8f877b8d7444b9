import StuffBucket

extension AIError {
    /// What to do about it, as the end of a sentence.
    var hint: String {
        switch self {
        case .notSetUp: "; \"sbfs ai setup\" chooses one"
        case .badSettings: "; \"sbfs ai setup\" writes it again"
        case .exposed(let path): "; \"chmod 600 \(path)\" makes it yours alone, and a new key is safer"
        case .badURL(_, .credentials): "; give the key by itself"
        case .noKey: "; \"sbfs ai status\" shows where it is looked for"
        case .unauthorized: "; \"sbfs ai setup\" takes another key"
        case .notFound: "; see \"sbfs ai status\""
        case .rateLimited, .server: "; run the same command later"
        case .brokenAnswer: "; another model may do better"
        case .tooLarge: "; --cut takes its beginning, --parts makes several requests"
        case .doubtfulNever: "; correct it with \"sbfs config ai.never QUERY\""
        default: ""
        }
    }
}
