import Files
import Testing

/// README's tour: each line that begins with `$` is typed, and the lines below it are what the terminal shows.
struct TourTests {
    private struct Line {
        let command: String
        var output: [String] = []
    }

    /// The lines of the `console` blocks between the tour's heading and the next one.
    private static func tour() throws -> [Line] {
        // Tests/CommandTests/TourTests.swift lies two folders below the package.
        let root = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        let readme = try Directory(path: "/" + root).contents(of: "README.md", limit: 1 << 20)
        let lines = String(decoding: readme.bytes, as: UTF8.self)
            .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let section = lines.drop { $0 != "## A two-minute tour" }.dropFirst().prefix { !$0.hasPrefix("## ") }
        var tour: [Line] = []
        var isInside = false
        for line in section {
            if line.hasPrefix("```") {
                isInside = line == "```console"
            } else if isInside, line.hasPrefix("$ ") {
                tour.append(Line(command: String(line.dropFirst(2))))
            } else if isInside, !tour.isEmpty {
                tour[tour.count - 1].output.append(line)
            }
        }
        return tour
    }

    /// A line with ids, dates and the home folder replaced, since they differ from run to run.
    private static func masked(_ line: String, home: String) -> String {
        line.replacing(home, with: "/home/ada")
            .replacing(/\b[0-9a-f]{8}\b/, with: "ID")
            .replacing(/\b\d{4}-\d\d-\d\d\b/, with: "DATE")
    }

    @Test func `README's tour runs in order and prints README's output`() throws {
        let tour = try Self.tour()
        #expect(tour.count >= 12)
        let sandbox = try Sandbox(isLibraryMade: false)
        sandbox.environment["SBFS_LIBRARY"] = nil
        sandbox.environment["NO_COLOR"] = "1"
        let script = tour.map { "echo '== next'\n\($0.command)" }.joined(separator: "\n")
        let run = try sandbox.shell(script, screen: .whole)
        var shown: [[String]] = []
        for line in run.terminal.replacing("\r\n", with: "\n").split(separator: "\n").map(String.init) {
            if line == "== next" { shown.append([]) } else if !shown.isEmpty { shown[shown.count - 1].append(line) }
        }
        #expect(shown.count == tour.count)
        for (line, output) in zip(tour, shown) {
            let expected = line.output.map { Self.masked($0, home: sandbox.home) }
            #expect(output.map { Self.masked($0, home: sandbox.home) } == expected, "\(line.command)")
        }
    }
}
