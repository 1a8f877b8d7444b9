internal import Characters
internal import Confinement
internal import Files
internal import Glibc
internal import HTML
internal import JSONFormat
internal import Reader
internal import Time

/// `extract FILE URL`: prints the article of a saved page as one JSON object. `extract --serve`: does so for every
/// line `{"html": FILE, "url": URL}` of standard input. `extract --explain FILE URL`: prints a page of HTML with the
/// decision for each block.
enum Extract {
    private static let pageLimit = 256 << 20

    static func run(_ arguments: [String]) -> Int32 {
        CharacterEncoding.loadConverters()
        if arguments == ["--serve"] { return serve() }
        if arguments.count == 3, arguments[0] == "--explain" { return explain(arguments[1], url: arguments[2]) }
        guard arguments.count == 1 || arguments.count == 2 else {
            StandardError.say("usage: sbfs-worker extract FILE [URL] | extract --explain FILE URL | extract --serve")
            return 2
        }
        Confinement(.parse, reading: [arguments[0]]).apply()
        do throws(FileError) {
            write(try article(arguments[0], url: arguments.count > 1 ? arguments[1] : ""))
            return 0
        } catch {
            StandardError.say("sbfs: \(error)")
            return 1
        }
    }

    private static func explain(_ path: String, url: String) -> Int32 {
        Confinement(.parse, reading: [path]).apply()
        do throws(FileError) {
            let page = try Descriptor.open(path: path)
            let bytes = try page.readAll(expecting: page.status().byteCount, limit: pageLimit)
            StandardOutput.write(ExplanationPage.html(page: bytes, url: url, today: Timestamp.now.localDate))
            return 0
        } catch {
            StandardError.say("sbfs: \(error)")
            return 1
        }
    }

    /// This process reads the requests and opens the files. Another one, which cannot open files, parses them.
    private static func serve() -> Int32 {
        var reader: ExtractReader?
        while let line = readLine() {
            guard let question = try? JSONDocument(parsing: Array(line.utf8)),
                let file = question.member("html", of: question.root).flatMap(question.string)
            else {
                write(error: "expected {\"html\": FILE, \"url\": URL}")
                continue
            }
            let url = question.member("url", of: question.root).flatMap(question.string) ?? ""
            let descriptor = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
            if descriptor < 0 {
                write(error: "\(file): \(String(cString: strerror(errno)))")
                continue
            }
            if reader == nil { reader = ExtractReader.start { write(answer(to: $0, url: $1)) } }
            if reader?.ask(descriptor, url: url) != true {
                reader = nil
                write(error: "\(file): what it holds was too much for sbfs-worker")
            }
            close(descriptor)
        }
        return 0
    }

    private static func answer(to number: Int32, url: String) -> [UInt8] {
        do throws(FileError) {
            let page = try Descriptor.adopt(number, path: "the page")
            return article(try page.readAll(expecting: page.status().byteCount, limit: pageLimit), url: url)
        } catch {
            return line(.object([.init("error", .string("\(error)"))]))
        }
    }

    private static func write(error: String) { write(line(.object([.init("error", .string(error))]))) }

    private static func article(_ path: String, url: String) throws(FileError) -> [UInt8] {
        let page = try Descriptor.open(path: path)
        return article(try page.readAll(expecting: page.status().byteCount, limit: pageLimit), url: url)
    }

    private static func article(_ page: [UInt8], url: String) -> [UInt8] {
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
        StandardOutput.write(line + [0x0A])
    }
}
