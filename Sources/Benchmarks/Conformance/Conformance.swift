internal import Files
internal import JSONFormat

/// Counts how many cases of the published test data of the web's standards pass: `sbfs-bench conformance DIR`.
enum Conformance {
    static func run(_ words: [String]) throws {
        guard let folder = words.first, words.count == 1 else { throw ConformanceError.usage }
        var failed = 0
        for suite in suites {
            let result = try suite.run(try document(folder, suite.file))
            failed += result.failures.count
            print("\(suite.file): \(result.passed) of \(result.passed + result.failures.count) pass\(result.note)")
            for failure in result.failures { print("  " + failure) }
        }
        if failed > 0 { throw ConformanceError.failed(failed) }
    }

    private struct Suite {
        let file: String
        let run: (JSONDocument) throws -> Tally
    }

    private static var suites: [Suite] {
        [
            Suite(file: "urltestdata.json", run: URLConformance.urls),
            Suite(file: "data-urls.json", run: URLConformance.dataURLs),
            Suite(file: "base64.json", run: URLConformance.base64),
            Suite(file: "encodings.json", run: HTMLConformance.encodings),
            Suite(file: "mime-types.json", run: HTMLConformance.mimeTypes),
        ]
            + [
                "contentModelFlags", "domjs", "entities", "escapeFlag", "namedEntities", "numericEntities",
                "pendingSpecChanges", "test1", "test2", "test3", "test4", "unicodeChars", "unicodeCharsProblematic",
            ].map { Suite(file: "html5lib-\($0).json", run: TokenConformance.run) }
    }

    private static func document(_ folder: String, _ name: String) throws -> JSONDocument {
        let contents = try Directory(path: folder).contents(of: name, limit: JSONDocument.byteLimit)
        return try JSONDocument(parsing: contents.bytes)
    }

    /// The number of passed cases, and a description of each failed one.
    struct Tally {
        var passed = 0
        var failures: [String] = []
        var note = ""

        mutating func count(_ passes: Bool, _ failure: @autoclosure () -> String) {
            if passes { passed += 1 } else { failures.append(failure()) }
        }
    }
}

enum ConformanceError: Error, CustomStringConvertible {
    case usage
    case failed(Int)

    var description: String {
        switch self {
        case .usage: "conformance takes the folder of the data files"
        case .failed(let count): "\(count) cases do not pass"
        }
    }
}

extension JSONDocument {
    /// The text of a member; `nil` if it is absent or no string.
    func text(_ object: Value, _ key: String) -> String? { member(key, of: object).flatMap(string) }
}
