import TestSupport
import Testing

/// A combining mark behind a sign that separates does not hide the sign.
struct CombiningMarkTests {
    private static let mark = "\u{301}"
    let box: Sandbox

    init() throws { box = try Sandbox() }

    @Test func `options, fields, tags and collections`() throws {
        let id = try #require(
            try box.sbfs("add", "-", "--title=\(Self.mark)x", "--tag=\(Self.mark)a,\(Self.mark)b", input: "text").lines
                .first)
        #expect(try Array((box.title(id) ?? "").unicodeScalars) == ["\u{301}", "x"])
        #expect(try box.tags(id).count == 2)
        try box.sbfs("set", id, "title=\(Self.mark)y")
        #expect(try Array((box.title(id) ?? "").unicodeScalars) == ["\u{301}", "y"])
        try box.sbfs("collection", "add", id, "\(Self.mark)One,\(Self.mark)Two")
        #expect(try box.tags(id).count == 4)
        #expect(try box.ids("tag:\(Self.mark)a") == [id] && box.ids("-tag:\(Self.mark)a").isEmpty)
    }

    @Test func `comments`() throws {
        let id = try #require(
            try box.sbfs(
                "add", "-", "-m", "\"\(Self.mark)quoted\" one,\(Self.mark)two #\(Self.mark)three", input: "text"
            )
            .lines.first)
        let tags = try box.tags(id).map { Array($0.unicodeScalars) }
        #expect(tags.count == 3 && tags.allSatisfy { $0.allSatisfy { $0 != "," && $0 != "#" } }, "\(tags.count)")
    }
}
