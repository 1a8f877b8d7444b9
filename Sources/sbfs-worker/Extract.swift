internal import Characters
internal import Files
internal import Glibc
internal import JSONFormat
internal import Reader
internal import Time

/// `extract FILE URL`: the article of a saved page as one JSON object; `extract --serve`: the same for every line
/// `{"html": FILE, "url": URL}` of standard input.
enum Extract {
    private static let pageLimit = 256 << 20

    static func run(_ arguments: [String]) -> Int32 {
        if arguments == ["--serve"] { return serve() }
        guard arguments.count == 1 || arguments.count == 2 else {
            say("usage: sbfs-worker extract FILE [URL] | extract --serve")
            return 2
        }
        do throws(FileError) {
            write(try article(arguments[0], url: arguments.count > 1 ? arguments[1] : ""))
            return 0
        } catch {
            say("\(error)")
            return 1
        }
    }

    private static func serve() -> Int32 {
        while let line = readLine() {
            var answer: [UInt8]
            if let question = try? JSONDocument(parsing: Array(line.utf8)),
                let file = question.member("html", of: question.root).flatMap(question.string)
            {
                let url = question.member("url", of: question.root).flatMap(question.string) ?? ""
                do throws(FileError) {
                    answer = try article(file, url: url)
                } catch {
                    answer = Self.line(.object([.init("error", .string("\(error)"))]))
                }
            } else {
                answer = Self.line(.object([.init("error", .string("expected {\"html\": FILE, \"url\": URL}"))]))
            }
            write(answer)
        }
        return 0
    }

    private static func article(_ path: String, url: String) throws(FileError) -> [UInt8] {
        let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
        let folder = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        let name = slash.map { String(path[path.index(after: $0)...]) } ?? path
        let page = try Directory(path: folder).contents(of: name, limit: pageLimit).bytes
        let article = Article(page: page, url: url, today: Timestamp.now.localDate)
        return Self.line(
            .members([
                ("title", article.title.map(JSON.string)),
                ("author", article.authors.isEmpty ? nil : .strings(article.authors)),
                ("date", article.published.map { .string($0) }),
                ("text", .string(article.text)),
            ]))
    }

    private static func line(_ value: JSON) -> [UInt8] {
        var writer = JSONWriter(.oneLine)
        writer.write(value)
        return Printable.json(writer.bytes)
    }

    private static func write(_ line: [UInt8]) {
        let bytes = line + [0x0A]
        var done = 0
        while done < bytes.count {
            let count = bytes[done...].withUnsafeBytes { Glibc.write(1, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            if count <= 0 { return }
            done += count
        }
    }

    private static func say(_ message: String) {
        let bytes = Array((message + "\n").utf8)
        _ = bytes.withUnsafeBytes { Glibc.write(2, $0.baseAddress, $0.count) }
    }
}
