import Files
import Foundation
import Items
import TestSupport
import Testing

@testable import StuffBucket

/// A text that an editor wrote under another name, and moved over the text after that had changed: Documentation/Merge.md § 2, rule 4.
struct DraftTests {
    let a: Replica

    init() throws { a = try Replica() }

    /// Writes a draft of the live text beside it.
    private func draft(_ change: (String) -> String) throws {
        try a.scratch.write(a.folder + "/.draft", change(a.text))
        // The draft is older than what follows, by the clock of the file system.
        Thread.sleep(forTimeInterval: 0.02)
    }

    private func saveDraft() throws {
        try a.scratch.rename(a.folder + "/.draft", to: a.folder + "/text.md")
        try a.settle()
    }

    private func append(_ text: String) throws {
        try a.setText(a.text + text)
    }

    @Test(arguments: [false, true])
    func `what a command wrote after the draft stays`(_ hasVersions: Bool) throws {
        if hasVersions { try a.change { $0.addTag("early") } }
        try draft { $0 + "\nBy hand.\n" }
        try append("\nOf the command.\n")
        try append("\nOf another one.\n")
        try saveDraft()
        let text = try a.text
        for line in ["One.", "Two.", "Three.", "By hand.", "Of the command.", "Of another one."] {
            #expect(text.contains(line))
        }
        #expect(try a.names("conflicts").isEmpty)
    }

    @Test func `what the draft took away goes, and what came since stays`() throws {
        try draft { $0.replacingOccurrences(of: "Two.\n\n", with: "") }
        try append("\nOf the command.\n")
        try saveDraft()
        #expect(try a.text == "One.\n\nThree.\n\nOf the command.\n")
    }

    @Test func `a draft of the text that is live takes away what it lacks`() throws {
        try append("\nOf the command.\n")
        try a.settle()
        Thread.sleep(forTimeInterval: 0.02)
        try draft { $0.replacingOccurrences(of: "Of the command.", with: "By hand.") }
        try a.change { $0.addTag("late") }
        try saveDraft()
        #expect(try a.text == "One.\n\nTwo.\n\nThree.\n\nBy hand.\n")
    }

    @Test func `a copy of the text from before a command is put back on purpose`() throws {
        let old = try a.text
        try draft { $0 }
        try append("\nOf the command.\n")
        try saveDraft()
        #expect(try a.text == old)
    }
}
