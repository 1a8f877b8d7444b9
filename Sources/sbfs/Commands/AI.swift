import StuffBucket

extension Commands {
    static let aiSetup = Command(
        "ai setup", .care, "Choose a model, and give its key",
        details: """
            Asks for the provider, the model and the key, or takes them from the options. Providers: anthropic (Messages \
            API), openai (Chat Completions), and compatible: any server that speaks OpenAI's protocol, such as Ollama, \
            llama.cpp, vLLM or LM Studio, by its --url. Models: \
            \(AIProvider.allCases.flatMap(\.models).joined(separator: ", ")), or any other by its name. The key is \
            typed without being shown, or comes at each use from a command or a variable. One small request checks it, \
            then a typed key is saved in $XDG_CONFIG_HOME/sbfs/ai.json, for you alone, or with --keep desktop in the \
            desktop's secret store, by the program secret-tool. http is for this machine only. Nothing else \
            is ever sent before you run suggest-tags or summarize. See "sbfs help privacy".
            """,
        options: [
            Option("provider", value: "PROVIDER", "anthropic, openai or compatible"),
            Option("model", value: "MODEL", "the model (\(AIProvider.anthropic.defaultModel ?? ""); gpt-4o)"),
            Option("url", value: "URL", "the address below which requests go, such as http://localhost:11434/v1"),
            Option("key-command", value: "COMMAND", "a shell command that prints the key"),
            Option("key-env", value: "NAME", "the variable of the environment that holds the key"),
            Option("no-key", "the server needs no key"),
            Option("keep", value: "PLACE", "where a typed key is kept: file or desktop (file)"),
        ],
        examples: [
            .init("sbfs ai setup", "asks for everything"),
            .init("sbfs ai setup --keep desktop", "asks, and keeps the key in the desktop's secret store"),
            .init("sbfs ai setup --provider anthropic --key-command 'pass show anthropic'", "the key stays in pass"),
            .init(
                "sbfs ai setup --provider compatible --url http://localhost:11434/v1 --model llama3.2 --no-key",
                "Ollama on this machine"),
        ]
    ) { invocation in
        let setup = try AISetup(invocation)
        var settings = try setup.settings()
        let service = try invocation.aiService(settings)
        defer { service.end() }
        invocation.talk.say("asking \(settings.model) at \(settings.baseURL) for one word")
        do {
            try service.check()
        } catch {
            throw CommandFailure(ExitStatus(for: error), "\(error.wording)\nNothing was saved")
        }
        let former = try? AISettings.read(in: Environment.configFolder)
        if setup.keepsOnDesktop, case .stored(let key) = settings.keySource {
            do {
                try DesktopSecrets(address: settings.baseURL).keep(key)
            } catch let failure as CommandFailure {
                throw CommandFailure(
                    failure.status, "\(failure.description)\nNothing was saved; --keep file needs no store")
            }
            settings.keySource = .desktop
        }
        try settings.write(in: Environment.configFolder)
        invocation.talk.say("it answered; the settings are in \(Environment.configFolder)/\(AISettings.fileName)")
        if case .desktop = settings.keySource { invocation.talk.say("the key is in the desktop's secret store") }
        try AISetup.forgetKey(of: former, unlessOf: settings)
        return .done
    }

    static let aiStatus = Command(
        "ai status", .care, "Show which model is set up, and what is never sent", options: [Option.json],
        examples: [.init("sbfs ai status", "provider, model, address, and where the key is")]
    ) { invocation in
        let never = try LocalSettings.read()[LocalSettings.Key.aiNever.rawValue] ?? ""
        guard let settings = try AISettings.read(in: Environment.configFolder) else {
            throw CommandFailure(.nothingFound, AIError.notSetUp.wording)
        }
        let key =
            switch settings.keySource {
            case .stored: "saved in \(Environment.configFolder)/\(AISettings.fileName)"
            case .command(let command): "printed by \(command)"
            case .environment(let name): "in $\(name)"
            case .desktop: "in the desktop's secret store"
            case .none: "none"
            }
        let rows = [
            ("provider", settings.provider.rawValue), ("model", settings.model), ("url", settings.baseURL.text),
            ("key", key), ("never sent", never.isEmpty ? "items in the trash" : "items in the trash, and: \(never)"),
        ]
        if invocation.has("json") {
            let object = JSON.members(
                rows.dropLast().map { ($0.0, .string($0.1)) } + [("never", .string(never))])
            try invocation.output.write(Printable.json(JSON.array([object]).file))
            return .done
        }
        for (name, value) in rows {
            try invocation.output.line(invocation.style.dim(TextWidth.pad(name, to: 12)) + Printable.line(value))
        }
        if !never.isEmpty, let library = try? invocation.library() {
            let sent = try NeverSent(never, library)
            let count = try library.ids().count { id in
                (try? library.stored(id)).flatMap { $0 }.map { sent.reason($0, library) == .query } ?? false
            }
            try invocation.output.line(invocation.style.dim(TextWidth.pad("", to: 12)) + "(now \(itemCount(count)))")
        }
        return .done
    }

    static let aiForget = Command(
        "ai forget", .care, "Forget the model and its key",
        details: """
            Deletes ai.json with the key from this device, and the key from the desktop's secret store if it is there. What \
            models suggested or summarised before stays.
            """,
        examples: [.init("sbfs ai forget", "nothing can be sent any more")]
    ) { invocation in
        do {
            try AISetup.forgetKey(of: try? AISettings.read(in: Environment.configFolder), unlessOf: nil)
        } catch let failure as CommandFailure {
            throw CommandFailure(
                failure.status,
                "\(failure.description)\nThe key stays there; \"sbfs ai forget\" removes it where the store runs")
        }
        guard try AISettings.forget(in: Environment.configFolder) else {
            throw CommandFailure(.nothingFound, "no model is set up")
        }
        invocation.talk.say("forgot the model and its key")
        return .done
    }
}

/// Reads the settings from the options, and asks for the rest.
private struct AISetup {
    let invocation: Invocation

    init(_ invocation: Invocation) throws {
        self.invocation = invocation
        if !invocation.positionals.isEmpty {
            throw invocation.usage("ai setup takes no arguments; a key is typed, or comes from a command or variable")
        }
    }

    /// Whether a typed key goes to the desktop's secret store.
    var keepsOnDesktop: Bool { invocation.value("keep") == "desktop" }

    /// Removes a key from the desktop's secret store that the new settings do not need.
    static func forgetKey(of former: AISettings?, unlessOf settings: AISettings?) throws {
        guard let former, case .desktop = former.keySource else { return }
        if let settings, case .desktop = settings.keySource, settings.baseURL.text == former.baseURL.text { return }
        try DesktopSecrets(address: former.baseURL).forget()
    }

    func settings() throws -> AISettings {
        try invocation.refuseOffline()
        if let place = invocation.value("keep"), !["file", "desktop"].contains(place) {
            throw invocation.usage("--keep must be file or desktop, not \"\(place)\"")
        }
        let names = AIProvider.allCases.map(\.rawValue).joined(separator: ", ")
        let name = try value("provider", "Provider (\(names)):", default: AIProvider.anthropic.rawValue)
        guard let provider = AIProvider(rawValue: name.lowercased()) else {
            throw invocation.usage("--provider must be \(names), not \"\(name)\"")
        }
        var base = invocation.value("url") ?? provider.defaultBaseURL
        if base == nil {
            base = try value("url", "Address of the server, such as http://localhost:11434/v1:", default: nil)
        }
        let url = try AIBaseURL(base ?? "")
        let models = provider.models.isEmpty ? "" : " (\(provider.models.joined(separator: ", ")), or another)"
        let model = provider.modelID(try value("model", "Model\(models):", default: provider.defaultModel))
        if model.isEmpty || model.utf8.count > 200 || !Printable.isPlain(model) {
            throw invocation.usage("a model needs a name of one line")
        }
        return AISettings(provider: provider, model: model, baseURL: url, keySource: try source(provider))
    }

    /// An option's value, else the person's answer. The default needs no terminal.
    private func value(_ option: String, _ question: String, default standard: String?) throws -> String {
        if let value = invocation.value(option) { return value }
        // Who gives one option wants no questions about others that have a default.
        if let standard, invocation.has("provider") || invocation.has("url") { return standard }
        guard let line = Prompt.line(question, default: standard) else {
            throw invocation.usage("there is no terminal to ask on; give --\(option)")
        }
        return line
    }

    private func source(_ provider: AIProvider) throws -> AIKeySource {
        let given = ["key-command", "key-env", "no-key"].filter(invocation.has)
        if given.count > 1 { throw invocation.usage("give the key in one way only") }
        if !given.isEmpty, invocation.has("keep") {
            throw invocation.usage("--keep is about a typed key, so --\(given[0]) does not go with it")
        }
        if let command = invocation.value("key-command") { return .command(command) }
        if let name = invocation.value("key-env") { return .environment(name) }
        if invocation.has("no-key") {
            if provider.needsKey { throw invocation.usage("\(provider.rawValue) answers only with a key") }
            return .none
        }
        let question = provider.needsKey ? "Key (not shown): " : "Key (not shown; empty for none): "
        guard let typed = Prompt.secret(question) else {
            throw invocation.usage("there is no key; give --key-command or --key-env, or type it on a terminal")
        }
        if typed.isEmpty, !provider.needsKey { return .none }
        guard let key = AIKey(String(decoding: typed, as: UTF8.self)) else {
            throw CommandFailure(.failed, "that is no key: it is empty, or has spaces or signs that no key has")
        }
        return .stored(key)
    }
}
