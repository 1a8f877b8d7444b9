import Files
import Glibc
import Items
internal import JSONFormat
import Search

/// `sbfs-bench search serve`: answers JSON requests, one a line on standard input, until the input ends.
enum SearchServing {
    static func run(_ options: BenchmarkOptions) throws {
        let folder = try IndexFolder(path: options.text("index", "index"))
        let server = try Server(folder, reachesParts: options.text("parts", "no") == "yes")
        while let line = readLine() {
            if line.isEmpty { continue }
            print(try server.answer(JSONDocument(parsing: Array(line.utf8))))
            fflush(nil)
        }
    }

    private final class Server {
        private let folder: IndexFolder
        private let reachesParts: Bool
        private var writer: IndexWriter?
        private let searcher: Searcher

        init(_ folder: IndexFolder, reachesParts: Bool) throws {
            self.folder = folder
            self.reachesParts = reachesParts
            guard let snapshot = try folder.snapshot() else { throw BenchmarkError(description: "there is no index") }
            searcher = try Searcher(snapshot)
        }

        func answer(_ json: JSONDocument) throws -> String {
            let operation = json.member("op", of: json.root).flatMap { json.string($0) } ?? ""
            switch operation {
            case "query": return try query(json)
            case "put":
                guard let document = json.member("doc", of: json.root) else {
                    throw BenchmarkError(description: "put has no doc")
                }
                try openWriter().put(CorpusFile.document(json, at: document))
                return #"{"ok":true}"#
            case "commit":
                let writer = try openWriter()
                let clock = Clock()
                try writer.commit(isSynced: true)
                try searcher.show(writer.snapshot)
                return #"{"ok":true,"us":\#(clock.microseconds)}"#
            case "correct":
                let word = json.member("word", of: json.root).flatMap { json.string($0) } ?? ""
                let clock = Clock()
                let found = try searcher.snapshot.corrections(word)
                let time = clock.microseconds
                return #"{"n":\#(found.count),"us":\#(time)}"#
            case "segments": return #"{"n":\#(searcher.segmentCount)}"#
            default: throw BenchmarkError(description: "\(operation) is not an operation")
            }
        }

        private func openWriter() throws -> IndexWriter {
            if let writer { return writer }
            guard let new = try IndexWriter.open(folder) else {
                throw BenchmarkError(description: "another process writes the index")
            }
            writer = new
            return new
        }

        private func query(_ json: JSONDocument) throws -> String {
            func text(_ key: String) -> String? { json.member(key, of: json.root).flatMap { json.string($0) } }
            func list(_ key: String) -> [String] {
                json.member(key, of: json.root).map { json.elements($0).compactMap { json.string($0) } } ?? []
            }
            let (terms, bare) = (list("terms"), list("bare"))
            let (phrase, prefix, tag, sort) = (text("phrase"), text("prefix"), text("tag"), text("sort"))
            let isAll = json.member("all", of: json.root).map { json.kind($0) == .true } ?? false
            let limit = text("limit").flatMap(Int.init) ?? 10
            let clock = Clock()
            var parts = terms.map(Query.phrase)
            parts += bare.map(Query.word)
            if let phrase { parts.append(.phrase(phrase)) }
            if let prefix { parts.append(.prefix(prefix)) }
            if let tag { parts.append(.filter(.tag(tag))) }
            var request = SearchRequest(parts.count == 1 ? parts[0] : .and(parts))
            request.order = sort == "recent" ? .recent : .relevance
            request.limit = isAll ? nil : limit
            request.reachesParts = reachesParts
            let answer = try searcher.search(request)
            let ids = answer.hits.map { ItemID(high: $0.key.high, low: $0.key.low).description }
            let microseconds = clock.microseconds
            return #"{"ids":[\#(ids.map { "\"\($0)\"" }.joined(separator: ","))],"us":\#(microseconds)}"#
        }
    }
}
