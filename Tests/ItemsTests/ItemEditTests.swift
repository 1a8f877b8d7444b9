import JSONFormat
import Testing

@testable import Items
@testable import Time

/// A change to item.json, applied to the version that was seen or to a later one.
struct ItemEditTests {
    static let time = Timestamp(milliseconds: 1_795_256_100_000)

    private func json(_ text: String) throws -> JSONDocument { try JSONDocument(parsing: Array(text.utf8)) }

    private func apply(_ base: String, to current: String? = nil, _ change: (inout ItemEdit) -> Void) throws -> JSON? {
        var edit = ItemEdit(base: try json(base))
        change(&edit)
        guard let bytes = try edit.apply(to: try json(current ?? base), at: Self.time) else { return nil }
        let result = try JSONDocument(parsing: bytes)
        return result.copy(result.root)
    }

    private func member(_ key: String, _ value: JSON?) -> JSON? {
        guard case .object(let members)? = value else { return nil }
        return members.first { $0.key == key }?.value
    }

    @Test func `a field is set, updatedAt with it, everything else stays`() throws {
        let result = try apply(#"{"mine":1.0,"title":"old","tags":["a"]}"#) { $0.set(.title, .string("new")) }
        #expect(
            result
                == .object([
                    .init("mine", .number("1.0")), .init("title", .string("new")), .init("tags", .strings(["a"])),
                    .init("updatedAt", .string("2026-11-21T10:15:00.000Z")),
                ]))
    }

    @Test func `a change that is there already writes nothing`() throws {
        let base = #"{"title":"x","tags":["Work"],"isPinned":null}"#
        #expect(try apply(base) { $0.set(.title, .string("x")) } == nil)
        #expect(try apply(base) { $0.remove(.description) } == nil)
        #expect(try apply(base) { $0.remove(.isPinned) } == nil)
        #expect(try apply(base) { $0.addTag("WORK") } == nil)
        #expect(try apply(base) { $0.removeTag("absent") } == nil)
        #expect(try apply(base) { _ in } == nil)
    }

    @Test func `the other program's edit of another field is kept`() throws {
        let result = try apply(#"{"title":"a"}"#, to: #"{"title":"a","description":"theirs","x":[1]}"#) {
            $0.set(.title, .string("ours"))
        }
        #expect(member("title", result) == .string("ours"))
        #expect(member("description", result) == .string("theirs"))
        #expect(member("x", result) == .array([.number("1")]))
    }

    @Test(arguments: [
        (#"{"title":"a"}"#, #"{"title":"theirs"}"#), (#"{"title":"a"}"#, "{}"), ("{}", #"{"title":"theirs"}"#),
        (#"{"title":null}"#, #"{"title":"theirs"}"#), (#"{"title":"a"}"#, #"{"title":["a"]}"#),
        (#"{"title":"a"}"#, #"{"title":null}"#),
    ])
    func `a field that the other program changed as well is a clash`(_ base: String, current: String) {
        let clash = #expect(throws: ItemEdit.Clash.self) {
            _ = try apply(base, to: current) { $0.set(.title, .string("ours")) }
        }
        #expect(clash?.key == "title")
    }

    @Test func `removing a value that the other program changed is a clash, removing one that it removed is not`()
        throws
    {
        #expect(throws: ItemEdit.Clash.self) {
            _ = try apply(#"{"title":"a"}"#, to: #"{"title":"b"}"#) { $0.remove(.title) }
        }
        #expect(try apply(#"{"title":"a"}"#, to: "{}") { $0.remove(.title) } == nil)
    }

    @Test func `the same change by both is none`() throws {
        #expect(try apply(#"{"title":"a"}"#, to: #"{"title":"b"}"#) { $0.set(.title, .string("b")) } == nil)
    }

    @Test func `a change of normal form alone is a change`() throws {
        let result = try apply("{\"linkURL\":\"http://a.org/\u{E9}\"}") {
            $0.set(.linkURL, .string("http://a.org/e\u{301}"))
        }
        #expect(member("linkURL", result) == .string("http://a.org/e\u{301}"))
    }

    @Test func `tags of both sides come together`() throws {
        let result = try apply(#"{"tags":["a","b"]}"#, to: #"{"tags":["b","c","d"]}"#) {
            $0.addTag("e")
            $0.addTag("C")
            $0.removeTag("B")
        }
        #expect(member("tags", result) == .strings(["c", "d", "e"]))
    }

    @Test func `the last tag takes the key with it`() throws {
        let result = try apply(#"{"tags":["a"]}"#) { $0.removeTag("A") }
        #expect(result != nil && member("tags", result) == nil)
    }

    @Test(arguments: [#"{"tags":"a, b"}"#, #"{"tags":["a",5]}"#, #"{"tags":{}}"#])
    func `tags that are no list of strings are not overwritten`(_ text: String) {
        let fault = #expect(throws: FieldFault.self) { _ = try apply(text) { $0.addTag("c") } }
        #expect(fault?.key == "tags")
        #expect(fault?.expected == .strings)
    }

    @Test(arguments: ["[1, 2]", "5", "\"x\"", "null"])
    func `a file that holds no object by now is not overwritten`(_ current: String) {
        let fault = #expect(throws: FieldFault.self) {
            _ = try apply("{}", to: current) { $0.set(.title, .string("x")) }
        }
        #expect(fault?.expected == .object)
    }

    @Test func `the last of several changes of a field counts`() throws {
        #expect(
            try apply("{}") {
                $0.set(.title, .string("a")); $0.remove(.title)
            } == nil)
        #expect(
            try apply(#"{"title":"x"}"#) {
                $0.remove(.title); $0.set(.title, .string("x"))
            } == nil)
        #expect(
            try apply(#"{"tags":["a"]}"#) {
                $0.trash(at: Self.time); $0.restore()
            }.flatMap { member("trashedAt", $0) } == nil)
    }

    @Test func `trashing sets both marks and restoring removes both`() throws {
        let trashed = try apply(#"{"tags":["a"]}"#) { $0.trash(at: Self.time) }
        #expect(member("tags", trashed) == .strings(["a", "trashcan"]))
        #expect(member("trashedAt", trashed) == .string("2026-11-21T10:15:00.000Z"))
        let text = #"{"tags":["TrashCan","a"],"trashedAt":"2026-01-01"}"#
        let restored = try apply(text) { $0.restore() }
        #expect(member("tags", restored) == .strings(["a"]))
        #expect(member("trashedAt", restored) == nil)
    }

    @Test func `a touch writes updatedAt alone`() throws {
        let result = try apply(#"{"title":"x"}"#) { $0.touch() }
        #expect(member("title", result) == .string("x"))
        #expect(member("updatedAt", result) == .string("2026-11-21T10:15:00.000Z"))
    }

    @Test(arguments: [
        ("2026-11-21T10:14:59.999Z", "2026-11-21T10:15:00.000Z"),
        ("2026-11-22T10:15:00.001Z", "2026-11-21T10:15:00.000Z"),
        ("3000-01-01T00:00:00Z", "2026-11-21T10:15:00.000Z"), ("nonsense", "2026-11-21T10:15:00.000Z"),
    ])
    func `updatedAt is now, unless it would go back by less than a day`(_ last: String, next: String) throws {
        let result = try apply(#"{"updatedAt":"\#(last)"}"#) { $0.set(.title, .string("x")) }
        #expect(member("updatedAt", result) == .string(next))
    }

    @Test(arguments: ["2026-11-21T10:15:00Z", "2026-11-21T10:15:30Z", "2026-11-22T10:15:00Z"])
    func `updatedAt rises by 1 to 16 ms where the stored one is still to come`(_ last: String) throws {
        let result = try apply(#"{"updatedAt":"\#(last)"}"#) { $0.set(.title, .string("x")) }
        guard case .string(let text)? = member("updatedAt", result) else {
            Issue.record("updatedAt is no string")
            return
        }
        let rise = try #require(Timestamp(text)).milliseconds - (try #require(Timestamp(last))).milliseconds
        #expect((1...16).contains(rise))
    }

    @Test func `a value is dropped only while it is the one that was moved`() throws {
        let moved = try apply(#"{"textContent":"a"}"#) { $0.drop(.textContent, .string("a")) }
        #expect(moved != nil && member("textContent", moved) == nil)
        #expect(
            try apply(#"{"textContent":"a"}"#, to: #"{"textContent":"b"}"#) { $0.drop(.textContent, .string("a")) }
                == nil)
    }

    @Test func `the difference of two versions is the edit between them`() throws {
        let base = try json(#"{"id":"x","title":"a","mine":1,"gone":true,"tags":["a","B"],"updatedAt":"2026-01-01"}"#)
        let edited = try json(#"{"id":"y","title":"b","mine":1,"new":[],"tags":["b","c"],"updatedAt":"2027-01-01"}"#)
        let edit = try ItemEdit(from: base, to: edited)
        let bytes = try #require(try edit.apply(to: base, at: Self.time))
        let result = try JSONDocument(parsing: bytes)
        #expect(
            result.copy(result.root)
                == .object([
                    .init("id", .string("x")), .init("title", .string("b")), .init("mine", .number("1")),
                    .init("tags", .strings(["b", "c"])), .init("updatedAt", .string("2026-11-21T10:15:00.000Z")),
                    .init("new", .array([])),
                ]))
        #expect(try ItemEdit(from: base, to: base).isEmpty)
        #expect(throws: FieldFault.self) { _ = try ItemEdit(from: base, to: try json("[]")) }
        #expect(throws: FieldFault.self) { _ = try ItemEdit(from: base, to: try json(#"{"tags":"a"}"#)) }
    }

    @Test func `a tag is renamed in the current list`() throws {
        let base = #"{"tags":["a","Old","b"]}"#
        #expect(
            member("tags", try apply(base) { $0.renameTag("old", to: "New") }) == .strings(["a", "New", "b"]))
        #expect(
            member("tags", try apply(base, to: #"{"tags":["new","x","OLD"]}"#) { $0.renameTag("old", to: "New") })
                == .strings(["New", "x"]))
        #expect(try apply(base, to: #"{"tags":["x"]}"#) { $0.renameTag("old", to: "New") } == nil)
        #expect(try apply(base) { $0.renameTag("old", to: "Old") } == nil)
        #expect(
            member("tags", try apply(#"{"tags":["caf\u00e9"]}"#) { $0.renameTag("caf\u{E9}", to: "cafe\u{301}") })
                == .strings(["cafe\u{301}"]))
    }

    @Test func `many keys and tags change as few do`() throws {
        func text(_ keys: [(String, Int)], _ tags: [String]) -> String {
            let members =
                keys.map { "\"\($0.0)\": \($0.1)" } + ["\"tags\": [\(tags.map { "\"\($0)\"" }.joined(separator: ","))]"]
            return "{" + members.joined(separator: ", ") + "}"
        }
        let base = text((0..<100).map { ("k\($0)", $0) }, (0..<100).map { "t\($0)" })
        // Removes every third key, changes every third, adds 50; the same with tags.
        var keys = (0..<100).filter { $0 % 3 != 0 }.map { ("k\($0)", $0 % 3 == 1 ? $0 : -$0) }
        keys += (0..<50).map { ("new\($0)", $0) }
        let tags = (0..<100).filter { $0 % 3 != 0 }.map { $0 % 3 == 1 ? "t\($0)" : "T\($0)" } + ["x", "y"]
        let edited = try json(text(keys, tags))
        let edit = try ItemEdit(from: try json(base), to: edited)
        let result = try JSONDocument(parsing: try #require(try edit.apply(to: try json(base), at: Self.time)))
        #expect(
            result.members(result.root).compactMap { result.string($0.key) }.dropLast(51)
                == keys.map(\.0).filter { $0.hasPrefix("k") } + ["tags"])
        for (key, value) in keys {
            #expect(result.member(key, of: result.root).map { result.copy($0) } == .integer(value), "\(key)")
        }
        let written = result.member("tags", of: result.root).map {
            result.elements($0).compactMap { result.string($0) }
        }
        let kept = (0..<100).filter { $0 % 3 == 1 }.map { "t\($0)" }
        #expect(written == kept + (0..<100).filter { $0 % 3 == 2 }.map { "T\($0)" } + ["x", "y"])
        // Applying it again changes nothing.
        #expect(try ItemEdit(from: result, to: result).apply(to: result, at: Self.time) == nil)
    }
}
