import Items
import JSONFormat
import Merge
import MergeHistories
import Testing
import Time

/// Two heads with several lowest common ancestors, which have different values of a field.
struct CrossedHistoryTests {
    /// Where the value is that every version of a history has in its own way.
    enum Place: CaseIterable {
        case field, object, note, unit, document, paragraph

        func members(_ value: String) -> [JSON.Member] {
            let text = JSON.string(value)
            return switch self {
            case .field: [JSON.Member("title", text)]
            case .object: [JSON.Member("x-object", .members([("inner", .members([("key", text)]))]))]
            case .note: [JSON.Member("annotations", .array([.members([("id", .string("1")), ("text", text)])]))]
            case .unit: [JSON.Member("aiSummary", text), JSON.Member("aiModelID", text)]
            case .document: [JSON.Member("documentName", text)]
            case .paragraph: []
            }
        }
    }

    /// The versions of a history, and their texts.
    struct History {
        let place: Place
        var versions: [Version] = []
        var texts: [ContentHash: [UInt8]] = [:]

        mutating func edit(
            _ parents: [Version], _ given: String?, isLast: Bool = false, other: String = "", second: Int64,
            resolved: [String] = []
        ) -> Version {
            let time = Timestamp(milliseconds: 1_795_256_100_000 + second * 1000).rfc3339
            let value = given ?? ""
            let middle = given.map { "\($0)\n\n" } ?? ""
            let paragraphs = isLast ? "The beginning.\n\nThe end.\n\n\(value)" : "The beginning.\n\n\(middle)The end."
            let text = Array((place == .paragraph ? paragraphs : "").utf8)
            let bytes = Array(value.utf8)
            let files =
                place == .document
                ? [Version.File(path: "document/a.txt", sha256: ContentHash(of: bytes), size: bytes.count)] : []
            let version = Version(
                parents: parents.map(\.name),
                item: (given == nil ? [] : place.members(value)) + [
                    JSON.Member("description", .string(other)), JSON.Member("updatedAt", .string(time)),
                ], text: ContentHash(of: text), files: files, resolved: resolved)
            texts[ContentHash(of: text)] = text
            versions.append(version)
            return version
        }

        /// Notes what these join to, with the versions that they come from alone.
        mutating func join(_ heads: [Version]) throws -> Joined {
            var names = Set(heads.map(\.name))
            for version in versions.reversed() where names.contains(version.name) { names.formUnion(version.parents) }
            let graph = VersionGraph(versions.filter { names.contains($0.name) }, texts: Set(texts.keys))
            let found = try graph.joined { [texts] in texts[$0] }
            let joined = try #require(found)
            if let text = joined.state.text { texts[ContentHash(of: text)] = text }
            versions.append(joined.version)
            return joined
        }
    }

    @Test(arguments: Place.allCases)
    func `a value that one side replaced stays away, whichever ancestor's value the other side has`(
        _ place: Place
    ) throws {
        var history = History(place: place)
        let root = history.edit([], "old", second: 0)
        let one = history.edit([root], "replaced", second: 1), two = history.edit([root], "other", second: 2)
        // Here the first one's value stands, because it is in the later version.
        let here = history.edit([one], "replaced", other: "here", second: 10)
        let left = try history.join([here, two])
        // There somebody replaced it, and the second one's value stands.
        let there = history.edit([one], "new", second: 3), later = history.edit([two], "other", other: "a", second: 4)
        let right = try history.join([there, later])
        #expect(history.shown(left) == "replaced")
        #expect(history.shown(right) == "other")
        let joined = try history.join([left.version, right.version])
        #expect(joined.version.parents.count == 2)
        #expect(history.shown(joined) == "other")
        #expect(joined.conflicts.filter { $0.field != "description" } == [])
    }

    @Test(arguments: Place.allCases)
    func `a value that one side put back is a change of that side`(_ place: Place) throws {
        var history = History(place: place)
        let root = history.edit([], "old", second: 0)
        let one = history.edit([root], "first", second: 1), two = history.edit([root], "second", second: 2)
        let both = history.edit([one], "first", other: "here", second: 10)
        let chosen = try history.join([both, two])
        let changed = history.edit([chosen.version], "draft", second: 20)
        let left = history.edit([changed], "first", second: 30)
        let there = history.edit([one], "new", second: 3), later = history.edit([two], "second", other: "a", second: 4)
        let right = try history.join([there, later])
        let joined = try history.join([left, right.version])
        #expect(history.shown(joined) == "first")
    }

    @Test(arguments: Place.allCases, [[], ["a"], ["b"], ["a", "b"]])
    func `a value that a person decided for stands, whichever value the other side chose`(
        _ place: Place, _ deciding: [String]
    ) throws {
        var history = History(place: place)
        let root = history.edit([], "old", second: 0)
        let one = history.edit([root], "first", second: 1), two = history.edit([root], "second", second: 2)
        let conflict = ["conflicts/0123456789abcdef.json"]
        let left = try history.join([one, two])
        let a = history.edit(
            [left.version], "second", other: "a", second: 20, resolved: deciding.contains("a") ? conflict : [])
        let here = history.edit([one], "first", other: "here", second: 10)
        let right = try history.join([here, two])
        #expect(history.shown(left) == "second" && history.shown(right) == "first")
        let b = history.edit(
            [right.version], "first", other: "b", second: 30, resolved: deciding.contains("b") ? conflict : [])
        let joined = try history.join([a, b])
        // The joined ancestors have the second value, so that the first one counts as a change.
        #expect(history.shown(joined) == (deciding == ["a"] ? "second" : "first"))
    }

    @Test(arguments: Place.allCases, [true, false])
    func `a value that a person decided for is not replaced in silence by an edit of the other value`(
        _ place: Place, _ isDecided: Bool
    ) throws {
        var history = History(place: place)
        let root = history.edit([], "old", second: 0)
        let one = history.edit([root], "first", second: 1), two = history.edit([root], "second", second: 2)
        let left = try history.join([one, two])
        let a = history.edit(
            [left.version], "second", other: "a", second: 20,
            resolved: isDecided ? ["conflicts/0123456789abcdef.json"] : [])
        let here = history.edit([one], "first", other: "here", second: 10)
        let right = try history.join([here, two])
        let b = history.edit([right.version], "draft", other: "b", second: 30)
        let joined = try history.join([a, b])
        // The joined ancestors have the second value, so that the edit of the first one alone counts as a change.
        #expect(history.shown(joined) == "draft")
        let conflicts = joined.conflicts.filter { $0.field != "description" }
        // Of two documents the one that loses lies beside the other.
        let lost = place == .document ? joined.losers.count : conflicts.count
        #expect(lost == (isDecided ? 1 : 0))
        if isDecided, let conflict = conflicts.first {
            #expect(String(decoding: JSONWriter.file(conflict.loser), as: UTF8.self).contains("second"))
        }
    }

    @Test(arguments: [Place.field, .note, .paragraph])
    func `a value that a person decided for stays where the other side removed the other value`(_ place: Place) throws {
        var history = History(place: place)
        let root = history.edit([], "old", second: 0)
        let one = history.edit([root], "first", second: 1), two = history.edit([root], "second", second: 2)
        let left = try history.join([one, two])
        let a = history.edit(
            [left.version], "second", other: "a", second: 20, resolved: ["conflicts/0123456789abcdef.json"])
        let here = history.edit([one], "first", other: "here", second: 10)
        let right = try history.join([here, two])
        let b = history.edit([right.version], nil, other: "b", second: 30)
        let joined = try history.join([a, b])
        let isField = place == .field
        #expect(history.shown(joined) == (isField ? nil : "second"))
        #expect(joined.conflicts.contains { $0.field == "title" } == isField)
    }

    /// Two histories that crossed: the first has decided for its value, and the second has the other one.
    private func crossed(
        _ decided: String, isLast: Bool = false, then edited: String?
    ) throws -> (history: History, joined: Joined) {
        var history = History(place: .paragraph)
        let root = history.edit([], "old", second: 0)
        let one = history.edit([root], "first", second: 1), two = history.edit([root], "second", second: 2)
        let left = try history.join([one, two])
        let a = history.edit(
            [left.version], decided, isLast: isLast, other: "a", second: 20,
            resolved: ["conflicts/0123456789abcdef.json"])
        let here = history.edit([one], "first", other: "here", second: 10)
        let right = try history.join([here, two])
        let b = edited.map { history.edit([right.version], $0, other: "b", second: 30) } ?? right.version
        return (history, try history.join([a, b]))
    }

    @Test func `a paragraph that a person decided for and moved is not replaced in silence`() throws {
        let (history, joined) = try crossed("second", isLast: true, then: "draft")
        #expect(history.shown(joined) == "draft")
        #expect(joined.conflicts.contains { $0.field == "text" })
    }

    @Test func `both paragraphs of a conflict stay where a person took both`() throws {
        let (_, joined) = try crossed("second\n\nfirst", then: nil)
        let text = String(decoding: joined.state.text ?? [], as: UTF8.self)
        #expect(text.contains("second") && text.contains("first"))
    }

    @Test(arguments: [Place.field, .object, .note, .unit, .paragraph])
    func `a value that lost and that somebody gives again elsewhere is in a conflict again`(_ place: Place) throws {
        var history = History(place: place)
        let root = history.edit([], "old", second: 0)
        let one = history.edit([root], "first", second: 1), two = history.edit([root], "second", second: 2)
        let left = try history.join([one, two])
        let ended = left.conflicts.filter { $0.field != "description" }.map(\.path)
        #expect(ended.count == 1)
        let decided = history.edit([left.version], "first", second: 20, resolved: ended)
        // This device has seen nothing of it.
        let again = history.edit([root], "second", other: "b", second: 30)
        let joined = try history.join([decided, again])
        #expect(history.shown(joined) == "second")
        let conflicts = joined.conflicts.map(\.path).filter { !ended.contains($0) }
        #expect(conflicts.count == 1)
    }

    /// Random histories in which a replaced value stood again.
    @Test(
        arguments: [
            5_000_937, 5_008_838, 5_011_358, 5_013_238, 5_014_375, 5_030_417, 5_038_356, 5_041_512, 5_042_735,
            5_043_558, 5_054_538, 5_054_851, 7_843_913, 7_905_357, 77_007_139,
        ] as [UInt64])
    func `a random history that crosses brings nothing back`(_ seed: UInt64) throws {
        let check = try HistoryCheck(seed: seed)
        #expect(check.isMerge)
        #expect(check.violations == [])
    }
}

extension CrossedHistoryTests.History {
    /// The one word of the place that a joined state has.
    fileprivate func shown(_ joined: Joined) -> String? {
        let text =
            place == .paragraph
            ? String(decoding: joined.state.text ?? [], as: UTF8.self)
            : String(decoding: JSONWriter.file(.object(joined.state.members)), as: UTF8.self)
        let words = ["old", "replaced", "other", "new", "first", "second", "draft"]
        let found = Set(text.split { !$0.isLetter }.map(String.init).filter { words.contains($0) })
        return found.count == 1 ? found.first : nil
    }
}
