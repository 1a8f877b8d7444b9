import Files
import TestSupport
import Testing

@testable import Items

/// An item's text: appended, replaced, removed.
struct StoreTextTests {
    let library: TestLibrary

    init() throws { library = try TestLibrary() }

    private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

    @Test(arguments: [
        ("", "b", "b"), ("a", "b", "a\n\nb"), ("a\n", "b", "a\n\nb"), ("a\n\n", "b", "a\n\nb"),
        ("a\r\n", "b", "a\r\n\nb"),
        ("\n", "b", "\n\nb"),
    ])
    func `a paragraph is appended after a blank line`(_ text: String, paragraph: String, result: String) throws {
        let stored = try library.add { $0.text = bytes(text) }
        #expect(try library.session.updateText(stored, .append(bytes(paragraph))))
        #expect(try library.text(stored, "text.md") == result)
        #expect(try library.item(stored.id).item.updatedAt != stored.item.updatedAt)
        #expect(try library.leftovers().isEmpty)
    }

    @Test func `a first text makes text.md`() throws {
        let stored = try library.add()
        #expect(try library.session.updateText(stored, .append(bytes("a"))))
        #expect(try library.text(stored, "text.md") == "a")
        let other = try library.add()
        #expect(try library.session.updateText(other, .replace(base: nil, with: bytes("b"))))
        #expect(try library.text(other, "text.md") == "b")
    }

    @Test func `textContent is appended to in text.md`() throws {
        let stored = try library.stored(#"{"textContent": "a"}"#)
        #expect(try library.session.updateText(stored, .append(bytes("b"))))
        #expect(try library.text(stored, "text.md") == "a\n\nb")
        #expect(try library.item(stored.id).item.textContent == nil)
    }

    @Test func `a replacement takes the place of the text that was seen`() throws {
        let stored = try library.add { $0.text = bytes("a") }
        #expect(try library.session.updateText(stored, .replace(base: bytes("a"), with: bytes("b"))))
        #expect(try library.text(stored, "text.md") == "b")
        #expect(try !library.session.updateText(stored, .replace(base: bytes("a"), with: bytes("b"))))
    }

    @Test func `a text that was changed meanwhile stays, and ours is kept`() throws {
        let stored = try library.add { $0.text = bytes("a") }
        try library.write(stored, "text.md", "theirs")
        let error = #expect(throws: ItemError.self) {
            _ = try library.session.updateText(stored, .replace(base: bytes("a"), with: bytes("ours")))
        }
        guard case .conflict(stored.id, "the text", let kept?)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(try library.scratch.text(kept) == "ours")
        #expect(try library.text(stored, "text.md") == "theirs")
    }

    @Test func `a text that was removed meanwhile stays away, and ours is kept`() throws {
        let stored = try library.add { $0.text = bytes("a") }
        try library.scratch.removeFile(stored.folder + "/text.md")
        let error = #expect(throws: ItemError.self) {
            _ = try library.session.updateText(stored, .replace(base: bytes("a"), with: bytes("ours")))
        }
        guard case .conflict(stored.id, "the text", .some)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(try library.conflicts(stored) == ["ours"])
        #expect(!library.scratch.exists(stored.folder + "/text.md"))
    }

    @Test func `a text.md that is a link or a FIFO is refused and never counts as written`() throws {
        let (first, second) = (try library.add(), try library.add())
        try library.scratch.write("outside", "x")
        try library.scratch.link(first.folder + "/text.md", to: "../../../outside")
        try library.scratch.makeFIFO(second.folder + "/text.md")
        for stored in [first, second] {
            #expect(throws: ItemError.self) { _ = try library.session.updateText(stored, .append(bytes("b"))) }
        }
        #expect(try library.scratch.text("outside") == "x")
    }

    @Test func `a text above its limit is refused`() throws {
        let stored = try library.add { $0.text = bytes("a") }
        let large = [UInt8](repeating: 0x61, count: Layout.textByteLimit)
        let error = #expect(throws: ItemError.self) { _ = try library.session.updateText(stored, .append(large)) }
        guard case .tooLarge? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(try library.text(stored, "text.md") == "a")
        let empty = try library.add()
        #expect(throws: ItemError.self) { _ = try library.session.updateText(empty, .append(large + [1])) }
        #expect(!library.scratch.exists(empty.folder + "/text.md"))
        #expect(try library.leftovers().isEmpty)
    }

    @Test func `a text is removed if it is the one that was seen`() throws {
        let stored = try library.add { $0.text = bytes("a") }
        try library.session.removeText(stored)
        #expect(try !library.item(stored.id).hasText)
        let content = try library.stored(#"{"textContent": "a"}"#)
        try library.session.removeText(content)
        #expect(try !library.item(content.id).hasText)
        let changed = try library.add { $0.text = bytes("a") }
        try library.scratch.setModified(changed.folder + "/text.md", seconds: 1_000_000_000)
        #expect(throws: ItemError.self) { try library.session.removeText(changed) }
        #expect(try library.text(changed, "text.md") == "a")
    }
}
