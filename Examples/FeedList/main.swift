// Takes the feeds of newsboat(1) into a library: its `urls` file has a feed on each line, with tags and a title behind it:
//
//   https://example.org/feed.xml news "long reads" "~A title"
//
//   feed-list LIBRARY FILE
//
// All of it is one step, which "sbfs undo" takes back at once. What is no feed is counted and named.
import Glibc
import StuffBucket

/// The words of a line; what stands in quotes is one word.
func words(of line: Substring) -> [String] {
    var words: [String] = []
    var word = ""
    var isQuoted = false
    var isWord = false
    for character in line {
        switch character {
        case "\"":
            isQuoted.toggle()
            isWord = true
        case " " where !isQuoted, "\t" where !isQuoted:
            if isWord { words.append(word) }
            (word, isWord) = ("", false)
        default:
            word.append(character)
            isWord = true
        }
    }
    if isWord { words.append(word) }
    return words
}

/// A feed as what a library adds; `nil` for what is none.
func addition(_ line: Substring) -> Addition? {
    let words = words(of: line)
    guard let url = words.first, LinkIdentity(url) != nil else { return nil }
    var addition = Addition(.link(url))
    // newsboat's own marks: ~ is a title, ! hides a feed.
    addition.title = words.dropFirst().first { $0.hasPrefix("~") }.map { String($0.dropFirst()) }
    addition.tags = ["feed"] + words.dropFirst().filter { !$0.hasPrefix("~") && !$0.hasPrefix("!") }
    addition.isArchived = false
    return addition
}

func run(_ library: Library, _ path: String) throws {
    let file = try ImportInput(path: path)
    let text = String(decoding: try file.bytes(at: 0, count: min(file.byteCount, 16 << 20)), as: UTF8.self)
    var additions: [Addition] = []
    var skipped: [String] = []
    for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
        if line.isEmpty || line.hasPrefix("#") { continue }
        if let addition = addition(line) {
            additions.append(addition)
        } else {
            skipped.append("line \(number + 1): \(Printable.line(String(line)))")
        }
    }
    let outcomes = try library.change("feed-list \(path)") { step in try step.add(additions) }
    var counts = (added: 0, known: 0)
    for outcome in outcomes {
        switch outcome {
        case .added: counts.added += 1
        case .known, .trashed, .restored: counts.known += 1
        case .refused(let name, let error): skipped.append("\(name): \(error)")
        }
    }
    print("\(counts.added) added, \(counts.known) known already, \(skipped.count) skipped")
    for line in skipped { print("skipped: \(line)") }
}

guard CommandLine.arguments.count == 3 else {
    print("usage: feed-list LIBRARY FILE")
    exit(2)
}
do {
    try run(try Library(path: CommandLine.arguments[1]), CommandLine.arguments[2])
} catch {
    print("feed-list: \(error)")
    exit(1)
}
