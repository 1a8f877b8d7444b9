internal import Characters
internal import JSONFormat

/// A request in the form of a provider's protocol.
public struct AIRequest: Sendable {
    /// The whole address.
    public let url: String
    /// The header fields without the key, each `Name: value`.
    public let fields: [String]
    /// The name of the header field that holds the key; `nil` without a key.
    public let keyField: String?
    /// Exactly the bytes that are sent: JSON on one line, in which invisible characters are escaped.
    public let body: [UInt8]
    /// The longest answer in tokens.
    public let answerTokens: Int

    /// Tokens in and out, at most: four bytes a token, and the longest answer.
    public var estimatedTokens: Int { body.count / 4 + 1 + answerTokens }

    init(_ question: AIQuestion, _ settings: AISettings) {
        let content = Self.line(question.content)
        let form: [(String, JSON)]
        switch settings.provider {
        case .anthropic:
            form = [
                ("max_tokens", .integer(question.answerTokens)), ("system", .string(question.instructions)),
                ("messages", .array([Self.message("user", content)])), ("stream", .bool(true)),
                (
                    "tools",
                    .array([
                        .members([
                            ("name", .string(question.name)), ("description", .string("Gives the answer.")),
                            ("input_schema", question.schema),
                        ])
                    ])
                ), ("tool_choice", .members([("type", .string("tool")), ("name", .string(question.name))])),
            ]
        case .openAI:
            let function = JSON.members([
                ("name", .string(question.name)), ("description", .string("Gives the answer.")),
                ("parameters", question.schema),
            ])
            let choice = JSON.members([("name", .string(question.name))])
            form =
                Self.chat(question, content, limit: "max_completion_tokens") + [
                    ("tools", .array([.members([("type", .string("function")), ("function", function)])])),
                    ("tool_choice", .members([("type", .string("function")), ("function", choice)])),
                ]
        case .compatible:
            // More of these servers hold an answer to a schema than call tools.
            let schema = JSON.members([
                ("name", .string(question.name)), ("strict", .bool(true)), ("schema", question.schema),
            ])
            form =
                Self.chat(question, content, limit: "max_tokens") + [
                    ("response_format", .members([("type", .string("json_schema")), ("json_schema", schema)]))
                ]
        }
        self.init(form, settings, answerTokens: question.answerTokens)
    }

    private init(_ form: [(String, JSON)], _ settings: AISettings, answerTokens: Int) {
        let isAnthropic = settings.provider == .anthropic
        url = settings.baseURL.text + (isAnthropic ? "/messages" : "/chat/completions")
        fields =
            ["Content-Type: application/json", "Accept: application/json, text/event-stream", "User-Agent: sbfs"]
            + (isAnthropic ? ["anthropic-version: 2023-06-01"] : [])
        if case .none = settings.keySource {
            keyField = nil
        } else {
            keyField = isAnthropic ? "x-api-key" : "Authorization"
        }
        let members = [("model", JSON.string(settings.model))] + form
        body = Printable.json(Array(Self.line(.members(members)).utf8))
        self.answerTokens = answerTokens
    }

    /// The smallest request: whether the key, the model and the address are right.
    static func check(_ settings: AISettings) -> AIRequest {
        let limit = settings.provider == .openAI ? "max_completion_tokens" : "max_tokens"
        let form: [(String, JSON)] = [
            (limit, .integer(16)), ("messages", .array([message("user", "Say OK.")])),
        ]
        return AIRequest(form, settings, answerTokens: 16)
    }

    private static func chat(_ question: AIQuestion, _ content: String, limit: String) -> [(String, JSON)] {
        [
            (limit, .integer(question.answerTokens)), ("stream", .bool(true)),
            ("messages", .array([message("system", question.instructions), message("user", content)])),
        ]
    }

    private static func message(_ role: String, _ text: String) -> JSON {
        .members([("role", .string(role)), ("content", .string(text))])
    }

    private static func line(_ json: JSON) -> String {
        var writer = JSONWriter(.oneLine)
        writer.write(json)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    /// The header fields with the key.
    func fields(_ key: AIKey?) -> [String] {
        guard let keyField, let key else { return fields }
        return fields + [keyField + ": " + (keyField == "Authorization" ? "Bearer " : "") + key.text]
    }
}
