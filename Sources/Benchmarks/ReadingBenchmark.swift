internal import Files
internal import Glibc
internal import JSONFormat
internal import Reader
internal import Time

/// Articles of pages for harnesses. Requests are lines `{"html": FILE, "url": URL}` of standard input.
enum ReadingBenchmark {
    static func run(_ words: [String]) throws {
        let options = try BenchmarkOptions(Array(words.dropFirst()))
        switch words.first {
        case "features": try serve(sample)
        case "articles":
            var model: BlockModel?
            let file = options.text("model", "")
            if !file.isEmpty {
                let bytes = try Descriptor.open(path: file).readAll(expecting: 0, limit: 1 << 20)
                model = BlockModel(bytes)
                if model == nil { throw BenchmarkError(description: "\(file) is no model") }
            }
            try serve { article($0, url: $1, model) }
        default: throw BenchmarkError(description: "read takes \"features\" or \"articles\"")
        }
    }

    private static let today = CalendarDate(year: 2026, month: 11, day: 21)

    private static func serve(_ answer: ([UInt8], String) -> JSON) throws {
        while let line = readLine() {
            let question = try JSONDocument(parsing: Array(line.utf8))
            let file = question.member("html", of: question.root).flatMap(question.string) ?? ""
            let url = question.member("url", of: question.root).flatMap(question.string) ?? ""
            let page = try Descriptor.open(path: file)
            let bytes = try page.readAll(expecting: page.status().byteCount, limit: Article.byteLimit)
            var writer = JSONWriter(.oneLine)
            writer.write(answer(bytes, url))
            print(String(decoding: writer.bytes, as: UTF8.self))
            fflush(nil)
        }
    }

    private static func sample(_ page: [UInt8], url: String) -> JSON {
        let sample = BlockSample(page: page, url: url, today: today)
        return .members([("texts", .strings(sample.texts)), ("features", .string(hexadecimal(sample.features)))])
    }

    private static func article(_ page: [UInt8], url: String, _ model: BlockModel?) -> JSON {
        let article = Article(page: page, url: url, today: today, model: model)
        return .members([
            ("title", article.title.map(JSON.string)),
            ("author", article.authors.isEmpty ? nil : .strings(article.authors)),
            ("date", article.published.map { .string($0) }), ("text", .string(article.text)),
        ])
    }

    /// 32-bit floats, low byte first, as hexadecimal digits.
    private static func hexadecimal(_ values: [Float]) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(values.count * 8)
        let digits = Array("0123456789abcdef".utf8)
        for value in values {
            for byte in 0..<4 {
                let part = UInt8(truncatingIfNeeded: value.bitPattern >> UInt32(8 * byte))
                text.append(digits[Int(part >> 4)])
                text.append(digits[Int(part & 15)])
            }
        }
        return String(decoding: text, as: UTF8.self)
    }
}
