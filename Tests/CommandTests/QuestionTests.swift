import Testing

/// Destructive commands ask first and name the item.
struct QuestionTests {
    struct Question: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let words: [String]
        let asks: String
    }

    static let questions = [
        Question(
            testDescription: "purge", words: ["purge", "Old", "--now"], asks: "Old\r\nRemove this item for good? [y/N]"),
        Question(
            testDescription: "purge all", words: ["purge", "--now"], asks: "Old\r\nRemove this item for good? [y/N]"),
        Question(
            testDescription: "detach document", words: ["detach", "Note", "document"],
            asks: "Take the document out of \"Note\""),
        Question(
            testDescription: "detach link", words: ["detach", "Note", "link"], asks: "Take the link out of \"Note\""),
        Question(
            testDescription: "detach text", words: ["detach", "Note", "text"], asks: "Take the text out of \"Note\""),
        Question(
            testDescription: "replace the document", words: ["attach", "Note", "b.txt", "--replace"],
            asks: "Replace the document of \"Note\""),
        Question(
            testDescription: "replace the link", words: ["attach", "Note", "https://b.example", "--replace"],
            asks: "Replace the link of \"Note\""),
        Question(
            testDescription: "several", words: ["detach", "-q", "tag:food", "text"],
            asks: "Take the text out of 2 items:\r\n"),
    ]

    private func sandbox() throws -> Sandbox {
        let sandbox = try Sandbox()
        try sandbox.file("a.txt")
        try sandbox.file("b.txt")
        let id = try sandbox.snippet("text", title: "Note", tags: "food")
        try sandbox.sbfs("attach", id, "a.txt")
        try sandbox.sbfs("attach", id, "https://a.example")
        try sandbox.snippet("text", title: "Other", tags: "food")
        try sandbox.snippet("text", title: "Old")
        try sandbox.sbfs("trash", "Old")
        return sandbox
    }

    @Test(arguments: questions)
    func `no, the default, the end of input and no terminal all change nothing; yes does`(question: Question) throws {
        let sandbox = try sandbox()
        let before = try sandbox.snapshot()
        for answer in ["n\n", "\n", "\u{4}", "maybe\n"] {
            let run = try sandbox.run(question.words, typing: answer, exits: 1)
            #expect(run.terminal.contains(question.asks), "\(run)")
            #expect(run.err.contains("nothing was changed"))
        }
        let alone = try sandbox.sbfs(words: question.words, input: Array("y\n".utf8), exits: 1)
        #expect(alone.err.contains("There is no terminal to ask on; --yes answers yes. Nothing was changed"))
        #expect(try sandbox.changes(since: before).isEmpty)
        try sandbox.run(question.words, typing: "yes\n", exits: 0)
        #expect(try !sandbox.changes(since: before).isEmpty)
    }

    @Test(arguments: questions)
    func `--yes asks nothing`(question: Question) throws {
        let sandbox = try sandbox()
        let before = try sandbox.snapshot()
        try sandbox.sbfs(words: question.words + ["--yes"])
        #expect(try !sandbox.changes(since: before).isEmpty)
    }
}

extension Sandbox {
    @discardableResult
    fileprivate func run(_ words: [String], typing answer: String, exits status: Int32) throws -> Run {
        let run = try Launch(
            words: [Sbfs.binary] + words, environment: environment, folder: desk, screen: .asking, typed: answer
        ).run()
        #expect(run.status == status, "\(run)")
        return run
    }
}
