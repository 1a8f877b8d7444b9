import Items
import JSONFormat
import Merge
import TestSupport
import Time

/// Devices that edit, join and receive one item's versions from each other. Every value is a token that occurs nowhere
/// else, so that it can be told what was lost and what came back.
struct Replicas {
    /// What happened to one token.
    struct Life {
        /// The versions whose edit removed or replaced it.
        var deaths: [ContentHash] = []
    }

    private(set) var versions: [ContentHash: Version] = [:]
    private(set) var texts: [ContentHash: [UInt8]] = [:]
    /// The versions that each device has.
    private(set) var devices: [Set<ContentHash>]
    private(set) var lives: [String: Life] = [:]
    /// Tokens of every conflict that a join made.
    private(set) var inConflicts: Set<String> = []
    private var random: SeededGenerator
    private var time: Int64 = 1_795_256_100_000
    private var serial = 0

    init(seed: UInt64, steps: Int) {
        random = SeededGenerator(seed: seed)
        devices = Array(repeating: [], count: 3)
        let words = ["P1", "P2", "P3", "P4"].map { token($0) + " amber birch cedar delta" }
        let root = State(
            title: token("T"), tags: [token("G"), token("G")], notes: [], paragraphs: words, key: token("K"), time: time
        )
        let name = note(root, [])
        for device in devices.indices { devices[device].insert(name) }
        for _ in 0..<steps {
            time += Int64.random(in: 0...60_000, using: &random)
            let device = Int.random(in: devices.indices, using: &random)
            if Int.random(in: 0..<3, using: &random) == 0 {
                devices[device].formUnion(devices[Int.random(in: devices.indices, using: &random)])
            } else {
                edit(device)
            }
        }
    }

    /// All devices meet; what they join to.
    mutating func meet() throws -> Joined? {
        let all = devices.reduce(into: Set<ContentHash>()) { $0.formUnion($1) }
        for device in devices.indices { devices[device] = all }
        return try settle(0)
    }

    func graph(_ names: some Collection<ContentHash>) -> VersionGraph {
        VersionGraph(names.compactMap { versions[$0] }, texts: Set(texts.keys))
    }

    /// Joins the heads of a device, and notes the result.
    mutating func settle(_ device: Int) throws -> Joined? {
        let joined = try graph(devices[device]).joined { [texts] in texts[$0] }
        guard let joined, joined.isMerge else { return joined }
        versions[joined.version.name] = joined.version
        if let text = joined.state.text { texts[ContentHash(of: text)] = text }
        devices[device].insert(joined.version.name)
        for conflict in joined.conflicts { inConflicts.formUnion(Self.tokens(conflict.bytes)) }
        return joined
    }

    // MARK: Edits

    private mutating func edit(_ device: Int) {
        guard let joined = try? settle(device) else { return }
        var state = State(joined.state)
        switch Int.random(in: 0..<9, using: &random) {
        case 0: state.title = token("T")
        case 1: state.tags.insert(token("G"), at: Int.random(in: 0...state.tags.count, using: &random))
        case 2: if let gone = state.tags.indices.randomElement(using: &random) { state.tags.remove(at: gone) }
        case 3: state.paragraphs.insert(paragraph(), at: Int.random(in: 0...state.paragraphs.count, using: &random))
        case 4:
            if let place = state.paragraphs.indices.randomElement(using: &random) {
                state.paragraphs[place] = paragraph()
            }
        case 5:
            if state.paragraphs.count > 1, let gone = state.paragraphs.indices.randomElement(using: &random) {
                state.paragraphs.remove(at: gone)
            }
        case 6:
            if state.paragraphs.count > 2, let from = state.paragraphs.indices.randomElement(using: &random) {
                let moved = state.paragraphs.remove(at: from)
                state.paragraphs.insert(moved, at: Int.random(in: 0...state.paragraphs.count, using: &random))
            }
        case 7: state.notes.append(token("N"))
        default: state.key = token("K")
        }
        time += 1
        state.time = max(time, state.time + 1)
        let name = note(state, [joined.version.name])
        devices[device].insert(name)
        for gone in Self.tokens(joined.state).subtracting(Self.tokens(state.item)) { lives[gone]?.deaths.append(name) }
    }

    private mutating func note(_ state: State, _ parents: [ContentHash]) -> ContentHash {
        let item = state.item
        let text = item.text ?? []
        let version = Version(parents: parents, item: item.members, text: ContentHash(of: text))
        versions[version.name] = version
        texts[ContentHash(of: text)] = text
        return version.name
    }

    private mutating func token(_ prefix: String) -> String {
        serial += 1
        let token = "\(prefix)_\(serial)x"
        lives[token] = Life()
        return token
    }

    private mutating func paragraph() -> String {
        let words = ["amber", "birch", "cedar", "delta", "ember", "fjord"]
        return ([token("P")] + (0..<4).map { _ in words[Int.random(in: words.indices, using: &random)] })
            .joined(separator: " ")
    }

    // MARK: Tokens

    static func tokens(_ state: ItemState) -> Set<String> {
        tokens(JSONWriter.file(.object(state.members))).union(tokens(state.text ?? []))
    }

    static func tokens(_ bytes: [UInt8]) -> Set<String> {
        let words = bytes.split { !(0x30...0x39 ~= $0 || 0x41...0x5A ~= $0 || 0x61...0x7A ~= $0 || $0 == 0x5F) }
        return Set(words.filter { $0.contains(0x5F) && $0.last == 0x78 }.map { String(decoding: $0, as: UTF8.self) })
    }
}

/// The item of the scripts.
private struct State {
    var title: String
    var tags: [String]
    var notes: [String]
    var paragraphs: [String]
    var key: String
    var time: Int64

    init(title: String, tags: [String], notes: [String], paragraphs: [String], key: String, time: Int64) {
        self.title = title
        self.tags = tags
        self.notes = notes
        self.paragraphs = paragraphs
        self.key = key
        self.time = time
    }

    init(_ state: ItemState) {
        func value(_ key: String) -> JSON? { state.members.first { $0.key == key }?.value }
        func text(_ value: JSON?) -> String { if case .string(let text) = value { text } else { "" } }
        func list(_ value: JSON?) -> [String] { if case .array(let values) = value { values.map(text) } else { [] } }
        title = text(value("title"))
        tags = list(value("tags"))
        notes = list(value("annotations"))
        key = text(value("x-key"))
        paragraphs = String(decoding: state.text ?? [], as: UTF8.self).split(
            separator: "\n", omittingEmptySubsequences: true
        )
        .map(String.init)
        time = Timestamp(text(value("updatedAt")))?.milliseconds ?? 0
    }

    var item: ItemState {
        ItemState(
            members: [
                JSON.Member("title", .string(title)), JSON.Member("tags", .strings(tags)),
                JSON.Member("annotations", .strings(notes)), JSON.Member("x-key", .string(key)),
                JSON.Member("updatedAt", .string(Timestamp(milliseconds: time).rfc3339)),
            ], text: Array(paragraphs.joined(separator: "\n\n").utf8))
    }
}
