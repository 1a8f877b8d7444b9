internal import Characters

/// Highlights of books and articles, one a line, as Readwise exports them: one item for each publication, with its
/// highlights as text.
enum HighlightsCSV {
    private static let works = ["book title", "title", "document title"]

    static func isOne(_ bytes: ArraySlice<UInt8>) -> Bool { columns(Array(bytes)) != nil }

    private static func columns(_ head: [UInt8]) -> [String]? {
        guard let fields = CSVHeader.fields(head, separator: UInt8(ascii: ",")) else { return nil }
        let names = fields.map { $0.word.lowercased() }
        return names.contains("highlight") && works.contains(where: names.contains) ? fields : nil
    }

    static func read(_ input: ImportInput, _ sink: ImportSink) throws {
        guard let titles = columns(try input.bytes(at: 0, count: 65_536)) else {
            throw ImportError(.noHighlightsColumn)
        }
        let names = titles.map { $0.word.lowercased() }
        var passages = Passages(prefix: "readwise")
        var reader = try CSVReader(input)
        _ = try reader.next()
        while let record = try reader.next() {
            if let fault = record.fault { try sink(.fault(ImportFault(.line(record.line), fault))) }
            if record.fields.allSatisfy({ $0.isEmpty }) { continue }
            var passage = Passages.Passage(at: .line(record.line))
            for (place, field) in record.fields.enumerated() {
                let text = CSVField.read(field)
                if text.isEmpty { continue }
                let title = place < titles.count ? titles[place] : "column \(place + 1)"
                switch place < names.count ? names[place] : "" {
                case "highlight": passage.quote = text
                case let name where works.contains(name): passage.work = text
                case "book author", "author", "document author": passage.author = text
                case "note": passage.note = text
                case "tags", "document tags": passage.tags += TagField.read(text, separator: ",")
                case "url", "source url": passage.url = text
                case "highlighted at", "date": passage.setTime(text)
                default: passage.details.append((title, text))
                }
            }
            passages.add(passage)
        }
        try passages.tell(sink)
    }
}
