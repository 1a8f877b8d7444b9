/// Who answers: a provider, or a server of the person's own.
public enum AIProvider: String, Sendable, CaseIterable {
    /// Anthropic's Messages API.
    case anthropic
    /// OpenAI's Chat Completions API.
    case openAI = "openai"
    /// A server that speaks OpenAI's protocol, such as Ollama, llama.cpp, vLLM or LM Studio.
    case compatible

    /// The address below which requests go if the person names none; `nil` if one must be named.
    public var defaultBaseURL: String? {
        switch self {
        case .anthropic: "https://api.anthropic.com/v1"
        case .openAI: "https://api.openai.com/v1"
        case .compatible: nil
        }
    }

    /// The model if the person names none; `nil` if one must be named.
    public var defaultModel: String? {
        switch self {
        case .anthropic: "claude-sonnet-4-20250514"
        case .openAI: "gpt-4o"
        case .compatible: nil
        }
    }

    /// Names of models to choose from. Any other name works as well.
    public var models: [String] {
        switch self {
        case .anthropic: Self.claudes.map(\.name)
        case .openAI: ["gpt-4o", "gpt-4o-mini", "gpt-4-turbo", "gpt-3.5-turbo"]
        case .compatible: []
        }
    }

    /// The provider's id of a model that a person names. A name without an entry is an id.
    public func modelID(_ name: String) -> String {
        guard self == .anthropic else { return name }
        return Self.claudes.first { $0.name == name }?.id ?? name
    }

    /// Whether the provider answers only with a key.
    public var needsKey: Bool { self != .compatible }

    private static let claudes: [(name: String, id: String)] = [
        ("claude-sonnet-4", "claude-sonnet-4-20250514"), ("claude-opus-4", "claude-opus-4-20250514"),
        ("claude-3.5-sonnet", "claude-3-5-sonnet-20241022"), ("claude-3.5-haiku", "claude-3-5-haiku-20241022"),
    ]
}
