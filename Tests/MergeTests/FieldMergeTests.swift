import Items
import JSONFormat
import Merge
import Testing

/// Members of item.json, seen from outside. `b` is the later side.
struct FieldMergeTests {
    private func merge(_ base: String, _ a: String, _ b: String) throws -> (item: String, conflicts: [Conflict]) {
        func state(_ text: String) throws -> ItemState {
            let document = try JSONDocument(parsing: Array(text.utf8))
            return ItemState(members: document.exactMembers(document.root))
        }
        let merged = try ItemState.merge(base: state(base), state(a), state(b), aWins: false)
        let members = merged.state.members.filter { $0.key != "updatedAt" }
        var writer = JSONWriter(.oneLine)
        writer.write(.object(members))
        return (String(decoding: writer.bytes, as: UTF8.self), merged.conflicts)
    }

    @Test(arguments: [
        (#"{"tags":["a","b"]}"#, #"{"tags":["b"]}"#, #"{"tags":["a","b","c"]}"#, #"{"tags":["b","c"]}"#),
        (#"{"tags":["Éa"]}"#, #"{"tags":["ÉA"]}"#, #"{"tags":["E\u0301a","x"]}"#, #"{"tags":["É"# + "a\",\"x\"]}"),
        (#"{"tags":["a"]}"#, #"{"tags":[]}"#, #"{"tags":["A"]}"#, #"{"tags":[]}"#),
        (#"{"x":{"p":1,"q":2}}"#, #"{"x":{"q":2}}"#, #"{"x":{"p":1,"q":3.0}}"#, #"{"x":{"q":3.0}}"#),
        (#"{"x":{"p":1}}"#, "{}", #"{"x":{"p":2}}"#, #"{"x":{"p":2}}"#),
        (#"{"x":[1,2]}"#, #"{"x":[1,2]}"#, #"{"x":[2]}"#, #"{"x":[2]}"#),
        (#"{"s":"\ud800"}"#, #"{"s":"\ud800","t":1}"#, #"{"s":"\ud800","u":1}"#, #"{"s":"\ud800","u":1,"t":1}"#),
        (
            #"{"annotations":["n",{"id":"1","note":"old"}]}"#, #"{"annotations":["n"]}"#,
            #"{"annotations":[{"id":"1","note":"new"}]}"#, #"{"annotations":[{"id":"1","note":"new"}]}"#
        ),
        // Restored here, edited there; trashed here, edited there.
        (
            #"{"tags":["trashcan"],"trashedAt":"2026-01-01T00:00:00.000Z"}"#, #"{"tags":[]}"#,
            #"{"tags":["x","trashcan"],"trashedAt":"2026-01-01T00:00:00.000Z"}"#, #"{"tags":["x"]}"#
        ),
        (
            #"{"tags":[]}"#, #"{"tags":["trashcan"],"trashedAt":"2026-01-01T00:00:00.000Z"}"#, #"{"tags":["x"]}"#,
            #"{"tags":["x","trashcan"],"trashedAt":"1970-01-01T00:00:00.001Z"}"#
        ),
        // Full over partial, though partial is later; a status never goes with the other side's time.
        (
            "{}", #"{"archiveStatus":"full","archivedAt":"2026-01-01"}"#,
            #"{"archiveStatus":"partial","archiveReason":"login","archivedAt":"2026-02-01"}"#,
            #"{"archiveStatus":"full","archivedAt":"2026-01-01"}"#
        ),
        (
            #"{"createdAt":"2026-02-01"}"#, #"{"createdAt":"2026-01-01"}"#, #"{"createdAt":"2026-03-01"}"#,
            #"{"createdAt":"2026-01-01"}"#
        ),
    ])
    func `members are joined without a conflict`(_ base: String, _ a: String, _ b: String, _ merged: String) throws {
        let result = try merge(base, a, b)
        #expect(result.item == merged)
        #expect(result.conflicts == [])
    }

    @Test func `both values of a field are kept, and the file does not tell who won`() throws {
        let one = try merge(#"{"title":"Bread"}"#, #"{"title":"Sourdough"}"#, #"{"title":"Bread, slow"}"#)
        let two = try merge(#"{"title":"Bread"}"#, #"{"title":"Bread, slow"}"#, #"{"title":"Sourdough"}"#)
        #expect(one.item == #"{"title":"Bread, slow"}"#)
        #expect(two.item == #"{"title":"Sourdough"}"#)
        #expect(one.conflicts.map(\.path) == ["conflicts/61f64f39572c8304.json"])
        #expect(one.conflicts.map(\.bytes) == two.conflicts.map(\.bytes))
    }

    @Test func `tags that are no list are kept whole, and shown`() throws {
        let result = try merge(#"{"tags":["a"]}"#, #"{"tags":"word"}"#, #"{"tags":["a","b"]}"#)
        #expect(result.item == #"{"tags":["a","b"]}"#)
        #expect(result.conflicts.map(\.field) == ["tags"])
    }
}
