import JSONFormat
import TestSupport
import Testing

@testable import Items

/// The times of the keys of small files: FORMAT.md § 9.2.
struct NamedKeysTests {
    private static func state(_ text: String, _ seconds: Int64) -> NamedState {
        NamedState(Array(text.utf8), modified: seconds * 1_000_000_000)
    }

    private static func value(_ key: String, _ bytes: [UInt8]) -> String? {
        NamedState(bytes, modified: 0).keys?.value(key).map { String(decoding: $0.oneLine, as: UTF8.self) }
    }

    /// A file of a few keys, whose `changedAt` may lack keys, name keys that are gone, and have the hash of another value.
    ///
    /// - Parameter isTimed: whether every key that is there has a time.
    private static func random(_ generator: inout SeededGenerator, isTimed: Bool = false) -> NamedState {
        func mark(_ value: JSON?) -> KeyTime.Mark {
            KeyTime.Mark(at: Int64.random(in: 0..<9, using: &generator) * 1000, hash: KeyTime.hash(value))
        }
        var members: [JSON.Member] = [], times: [JSON.Member] = []
        let hasTimes = isTimed || Bool.random(using: &generator)
        for key in ["name", "colour", "icon", "order", "mine"] {
            let value: JSON? =
                Int.random(in: 0..<4, using: &generator) == 0
                ? nil : .number(String(Int.random(in: 0..<3, using: &generator)))
            if let value { members.append(JSON.Member(key, value)) }
            if hasTimes, isTimed || Int.random(in: 0..<5, using: &generator) > 0 {
                let isEdited = Int.random(in: 0..<4, using: &generator) == 0
                let former = (0..<6).map { _ in mark(.number(String(Int.random(in: 0..<3, using: &generator)))) }
                let time = KeyTime(mark(isEdited ? .string("x") : value), former: former)
                times.append(JSON.Member(key, .string(time.text)))
            }
        }
        if Int.random(in: 0..<6, using: &generator) == 0 {
            let second = Int.random(in: 0..<9, using: &generator)
            members.append(JSON.Member("updatedAt", .string("1970-01-01T00:00:0\(second).000Z")))
        }
        if !times.isEmpty { members.append(JSON.Member("changedAt", .object(times))) }
        members.shuffle(using: &generator)
        return NamedState(
            JSONWriter.file(.object(members)), modified: Int64.random(in: 0..<9, using: &generator) * 1_000_000_000)
    }

    @Test func `any two states join to the same bytes on both sides, and joining again changes nothing`() throws {
        var generator = SeededGenerator(seed: 1)
        for _ in 0..<3000 {
            let a = Self.random(&generator), b = Self.random(&generator)
            if a.bytes == b.bytes { continue }
            let one = try #require(NamedUnion(a, b)), two = try #require(NamedUnion(b, a))
            try #require(one.bytes == two.bytes && one.modified == two.modified && one.lost == two.lost)
            let joined = NamedState(one.bytes, modified: one.modified)
            for state in [a, b] where state.bytes != joined.bytes {
                let again = try #require(NamedUnion(joined, state))
                try #require(NamedState(again.bytes, modified: again.modified).keys == joined.keys)
            }
        }
    }

    @Test func `in whatever order three states join, each key has the same value and times`() throws {
        var generator = SeededGenerator(seed: 2)
        func join(_ a: NamedState, _ b: NamedState) throws -> NamedState {
            if a.bytes == b.bytes { return a.modified < b.modified ? b : a }
            let union = try #require(NamedUnion(a, b))
            return NamedState(union.bytes, modified: union.modified)
        }
        for _ in 0..<3000 {
            let states = (0..<3).map { _ in Self.random(&generator, isTimed: true) }
            let results = try [[0, 1, 2], [0, 2, 1], [1, 2, 0]].map { order in
                try join(join(states[order[0]], states[order[1]]), states[order[2]]).keys
            }
            try #require(results[0] == results[1] && results[1] == results[2])
        }
    }

    @Test func `each key has the later value, and a removal counts`() throws {
        let old = Self.state(#"{"name": "x", "colour": "red", "icon": "a", "order": 1}"#, 100)
        var one = try #require(old.keys), two = one
        one.set("colour", .string("blue"), at: .init(milliseconds: 200_000))
        one.set("order", nil, at: .init(milliseconds: 300_000))
        two.set("icon", .string("b"), at: .init(milliseconds: 250_000))
        let a = NamedState(JSONWriter.file(.object(one.members)), modified: 1)
        let b = NamedState(JSONWriter.file(.object(two.members)), modified: 999 * 1_000_000_000)
        for (ours, theirs) in [(a, b), (b, a)] {
            let union = try #require(NamedUnion(ours, theirs))
            #expect(union.lost.isEmpty)
            #expect(Self.value("colour", union.bytes) == "\"blue\"" && Self.value("icon", union.bytes) == "\"b\"")
            #expect(Self.value("order", union.bytes) == nil)
        }
        // What both came from is known to be older, and is not lost.
        let union = try #require(NamedUnion(old, a))
        #expect(union.lost.isEmpty && union.bytes == a.bytes)
    }

    @Test func `a value that an editor changed has the time of the file, and the others keep theirs`() throws {
        var keys = try #require(Self.state(#"{"name": "x", "colour": "red", "icon": "a"}"#, 100).keys)
        keys.set("colour", .string("blue"), at: .init(milliseconds: 200_000))
        let text = String(decoding: JSONWriter.file(.object(keys.members)), as: UTF8.self)
        let edited = try #require(Self.state(text.replacing("\"a\"", with: "\"b\""), 400).keys)
        #expect(edited.keys[Array("icon".utf8)]?.at == 400_000 && edited.keys[Array("colour".utf8)]?.at == 200_000)
        // The clock of the editor's device is late, or the file system has no times.
        let late = try #require(Self.state(text.replacing("\"blue\"", with: "\"pink\""), 150).keys)
        #expect(late.keys[Array("colour".utf8)]?.at == 200_001)
        // A tool that gives the file another time changes nothing.
        #expect(Self.state(text, 9999).keys == keys)
    }

    @Test func `what two devices set without each other is named, and kept where a copy stays`() throws {
        let old = Self.state(#"{"name": "x", "colour": "red", "icon": "a"}"#, 100)
        var one = try #require(old.keys), two = one
        one.set("colour", .string("blue"), at: .init(milliseconds: 200_000))
        two.set("colour", .string("pink"), at: .init(milliseconds: 300_000))
        two.set("icon", .string("b"), at: .init(milliseconds: 300_000))
        let a = NamedState(JSONWriter.file(.object(one.members)), modified: 1)
        let b = NamedState(JSONWriter.file(.object(two.members)), modified: 1)
        let union = try #require(NamedUnion(a, b))
        #expect(union.lost == ["colour"] && Self.value("colour", union.bytes) == "\"pink\"")
        let kept = try #require(NamedUnion(a, b, keepsLost: true))
        #expect(kept.lost == ["colour"] && Self.value("colour", kept.bytes) == "\"blue\"")
        #expect(Self.value("icon", kept.bytes) == "\"b\"")
    }

    @Test func `an older value in a file without times is known by its hash`() throws {
        let old = Self.state(#"{"name": "x", "colour": "red", "icon": "a"}"#, 100)
        var keys = try #require(old.keys)
        keys.set("colour", .string("blue"), at: .init(milliseconds: 200_000))
        let set = NamedState(JSONWriter.file(.object(keys.members)), modified: 1)
        let edited = Self.state(#"{"name": "x", "colour": "red", "icon": "b"}"#, 300)
        for (ours, theirs) in [(set, edited), (edited, set)] {
            let union = try #require(NamedUnion(ours, theirs))
            #expect(Self.value("colour", union.bytes) == "\"blue\"" && Self.value("icon", union.bytes) == "\"b\"")
            #expect(union.lost == ["icon"])
        }
    }

    @Test(arguments: [
        "", "2026-11-21T10:15:00.123Z", "2026-11-21T10:15:00.123Z 1F3A9B2C", "2026-11-21 10:15:00.123Z 1f3a9b2c",
        "2026-11-21T10:15:00.123Z  1f3a9b2c", "2026-11-21T10:15:00.123Z 1f3a9b2c ", "x 1f3a9b2c",
        "2026-11-21T10:15:00.123Z 1f3a9b2c yesterday", "9999-12-31T23:59:59.999Z 1f3a9b2c",
        "9999-01-01T00:00:00.000Z 1f3a9b2c 2026-11-21T10:15:00.123Z e3b0c442",
    ])
    func `an entry of another form says nothing`(_ text: String) { #expect(KeyTime(text) == nil) }

    @Test func `a change of a key that was set at the end of time stands`() throws {
        let hash = KeyTime.hash(.string("red"))
        let text =
            #"{"name": "x", "colour": "red", "changedAt": {"colour": "9999-12-31T23:59:59.999Z "# + hash + #""}}"#
        let old = Self.state(text, 100)
        var keys = try #require(old.keys)
        keys.set("colour", .string("blue"), at: .init(milliseconds: 200_000))
        let new = NamedState(JSONWriter.file(.object(keys.members)), modified: 200_000_000_000)
        let union = try #require(NamedUnion(old, new))
        #expect(Self.value("colour", union.bytes) == "\"blue\"")
    }

    @Test func `undo keeps the keys that did not change, of a file with thousands, and updatedAt gets no time`() throws
    {
        let many = (0..<8000).map { #""k\#($0)": 1"# }.joined(separator: ", ")
        let updated = #", "updatedAt": "2026-11-21T10:15:00.000Z""#
        let state = Self.state(#"{"name": "x", "colour": "red", \#(many)}"#, 100)
        let old = Array(#"{"name": "x", \#(many)}"#.utf8)
        let undone = NamedState(state.undone(to: old, at: .init(milliseconds: 200_000)), modified: 0)
        let left = try #require(undone.keys)
        #expect(
            left.keys.values.count(where: { $0.value != nil }) == 8001 && left.value("colour") == nil
                && left.value("k7999") == .number("1"))
        let few = Self.state(#"{"name": "x", "colour": "red"\#(updated)}"#, 100)
        let new = few.undone(to: Array(#"{"name": "x"\#(updated)}"#.utf8), at: .init(milliseconds: 200_000))
        let keys = try #require(NamedState(new, modified: 0).keys)
        #expect(keys.keys[Array("colour".utf8)]?.at == 200_000 && keys.value("colour") == nil)
        #expect(!String(decoding: new, as: UTF8.self).contains("\"updatedAt\": \"1970"))
    }

    @Test func `an entry is written as it is read`() throws {
        let text =
            "2026-11-21T10:15:00.123Z 1f3a9b2c 2026-11-20T00:00:00.000Z e3b0c442 2026-11-19T00:00:00.000Z 00000000"
        #expect(try #require(KeyTime(text)).text == text)
    }
}
