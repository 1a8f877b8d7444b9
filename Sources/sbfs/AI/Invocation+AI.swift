import Glibc
import StuffBucket

/// What every command that asks a model needs.
extension Invocation {
    static let atOnce = Option("at-once", value: "N", "send N requests at once, 1 to 16 (4)")
    static let budget = Option("budget", value: "BYTES", "send at most BYTES of text and article of an item")

    /// - Throws: `AIError.notSetUp`.
    func aiSettings() throws -> AISettings {
        guard let settings = try AISettings.read(in: Environment.configFolder) else { throw AIError.notSetUp }
        return settings
    }

    /// The service, with the key from where the settings say.
    func aiService(_ settings: AISettings) throws -> AIService {
        try refuseOffline()
        let service = try AIService(
            settings, key: try Self.key(of: settings), workerPath: try WorkerProgram.path())
        service.atOnce = try aiCount("at-once", 1...16) ?? service.atOnce
        return service
    }

    static func key(of settings: AISettings) throws -> AIKey? {
        switch settings.keySource {
        case .none: return nil
        case .stored(let key): return key
        case .environment(let name):
            guard let key = Environment[name].flatMap({ AIKey($0) }) else { throw AIError.noKey("$" + name) }
            return key
        case .desktop:
            guard let key = try DesktopSecrets(address: settings.baseURL).key() else {
                throw AIError.noKey("the desktop's secret store, or the store is locked or not running")
            }
            return key
        case .command(let command):
            guard let result = try Program.filter(["/bin/sh", "-c", command], limit: 64 << 10, { _ in }),
                result.status == 0,
                let key = AIKey(String(decoding: result.output.prefix { $0 != 0x0A }, as: UTF8.self))
            else { throw AIError.noKey("what \"\(command)\" prints") }
            return key
        }
    }

    /// What is never sent.
    func neverSent(_ library: Library) throws -> NeverSent {
        try NeverSent(try LocalSettings.read()[LocalSettings.Key.aiNever.rawValue] ?? "", library)
    }

    func aiByteLimit() throws -> Int? { try aiCount("budget", 500...1_000_000) }

    private func aiCount(_ option: String, _ range: ClosedRange<Int>) throws -> Int? {
        guard let number = try count(option) else { return nil }
        guard range.contains(number) else {
            throw usage("--\(option) takes \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// The items that may be sent; the others are counted and named.
    func itemsToSend(_ selection: Selection, _ never: NeverSent) throws -> (items: [StoredItem], leftCount: Int) {
        var leftCount = selection.missingCount
        var hidden: [StoredItem] = []
        var items: [StoredItem] = []
        for row in selection.rows {
            do {
                let stored = try selection.library.item(row)
                switch never.reason(stored, selection.library) {
                case nil: items.append(stored)
                case .query: hidden.append(stored)
                case .trash:
                    leftCount += 1
                    talk.warn("\(row.id.short) is in the trash and is not sent")
                }
            } catch {
                leftCount += 1
                talk.warn(error.wording)
            }
        }
        if !hidden.isEmpty {
            leftCount += hidden.count
            let names = hidden.prefix(5).map(\.id.short).joined(separator: ", ") + (hidden.count > 5 ? ", …" : "")
            talk.warn("\(itemCount(hidden.count)) (\(names)) not sent, by the setting ai.never")
        }
        if items.isEmpty { throw CommandFailure(.nothingFound, "there is nothing to send") }
        return (items, leftCount)
    }

    /// Above these, a person is asked before anything is sent.
    private static let askedItems = 20
    private static let askedTokens = 50_000

    /// Says how much is sent and to whom, and asks if it is much.
    func consent(toSend count: Int, tokens: Int, _ settings: AISettings) throws {
        let amount =
            "\(itemCount(count)), about \(Self.grouped(tokens)) tokens, to \(settings.model) at \(settings.baseURL)"
        if count > Self.askedItems || tokens > Self.askedTokens {
            try confirm("Send \(amount)?")
        } else {
            talk.say("sending \(amount)")
        }
    }

    private static func grouped(_ number: Int) -> String {
        var text = ""
        for (place, digit) in String(number).reversed().enumerated() {
            if place > 0, place % 3 == 0 { text = "," + text }
            text = String(digit) + text
        }
        return text
    }

    /// Prints exactly what would be sent: each body on a line of standard output, the rest as messages.
    func show(_ requests: [AIRequest]) throws {
        guard let first = requests.first else { return }
        talk.say("would send \(requests.count) request\(requests.count == 1 ? "" : "s") by POST to \(first.url)")
        talk.say(
            "with the fields "
                + (first.fields + (first.keyField.map { ["\($0): (the key)"] } ?? [])).joined(separator: "; "))
        talk.say("about \(Self.grouped(requests.reduce(0) { $0 + $1.estimatedTokens })) tokens; the bodies follow")
        for request in requests { try output.write(request.body + [0x0A]) }
    }
}
