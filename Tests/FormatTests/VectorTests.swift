import Items
import JSONFormat
import Search
import Testing
import Time
import URLs

/// The test vectors of FORMAT.md, annex B, and of SearchIndex.md.
struct VectorTests {
    private let document: FormatDocument

    init() throws { document = try FormatDocument() }

    private func first(_ cell: String) -> String { FormatDocument.code(cell).first ?? "" }

    @Test func `equal links have the normal form of the table`() throws {
        let rows = document.table(behind: "### B.1")
        #expect(rows.count >= 15)
        for row in rows {
            #expect(LinkIdentity(first(row[0]))?.normalized == first(row[2]), "\(row[0])")
            #expect(LinkIdentity(first(row[1]))?.normalized == first(row[2]), "\(row[1])")
        }
    }

    @Test func `unequal links stay unequal`() throws {
        let rows = document.table(behind: "### B.1", skipping: 1)
        #expect(rows.count >= 15)
        for row in rows {
            let a = try #require(LinkIdentity(first(row[0])), "\(row[0])")
            let b = try #require(LinkIdentity(first(row[1])), "\(row[1])")
            #expect(a != b, "\(row[0]) \(row[1])")
        }
    }

    @Test func `text that is no link has no normal form`() throws {
        let line = try #require(document.lines.first { $0.hasPrefix("No links") })
        let examples = FormatDocument.code(line)
        #expect(examples.count >= 10)
        for example in examples { #expect(LinkIdentity(example) == nil, "\(example)") }
    }

    @Test func `settings files are named as the table says`() {
        let rows = document.table(behind: "### B.2")
        #expect(rows.count >= 10)
        for row in rows { #expect(Layout.settingsFile(named: first(row[0])) == first(row[1])) }
    }

    @Test func `conflict copies are told from other names as the table says`() {
        let rows = document.table(behind: "### 3.6", skipping: 1)
        #expect(rows.count >= 20)
        for row in rows {
            for original in ["item.json", "text.md", "plan"] {
                let isCopy = FormatDocument.code(row[1]).first == original
                let copy = CopyName(first(row[0]), of: original)
                #expect(copy?.isCertain == (isCopy ? row[2] == "yes" : nil), "\(row[0]) of \(original)")
            }
        }
    }

    @Test func `tags read as collections with the levels of the table`() {
        let rows = document.table(behind: "### B.3")
        #expect(rows.count >= 8)
        for row in rows {
            #expect(TagList([first(row[0])]).tags == [first(row[1])])
            let collection = CollectionName(tag: first(row[0]))
            #expect(collection?.name == FormatDocument.code(row[2]).first)
            let levels = row[3].split(separator: " then ").map { $0 == "empty" ? "" : first(String($0)) }
            #expect(collection?.levels ?? [] == levels)
        }
    }

    @Test func `times are read and written as the table says`() {
        let rows = document.table(behind: "### B.5").filter { !$0[1].hasPrefix("local") }
        #expect(rows.count >= 10)
        for row in rows {
            let time = Timestamp(first(row[0]))
            #expect(time.map { String($0.milliseconds) } == row[1], "\(row[0])")
            #expect(time?.rfc3339 == first(row[2]))
        }
    }

    @Test func `faulty times are refused`() throws {
        let start = try #require(document.lines.firstIndex { $0.hasPrefix("### B.5") })
        let line = try #require(document.lines[start...].first { $0.hasPrefix("Faults:") })
        for example in FormatDocument.code(line) { #expect(Timestamp(example) == nil, "\(example)") }
    }

    @Test func `JSON strings are written as the table says`() throws {
        let rows = document.table(behind: "### B.6")
        #expect(rows.count >= 4)
        for row in rows {
            let json = try JSONDocument(parsing: Array(first(row[0]).utf8))
            var writer = JSONWriter(.canonical)
            writer.write(json.root, of: json)
            #expect(String(decoding: writer.bytes, as: UTF8.self) == first(row[1]))
        }
    }

    @Test func `texts are analysed as the table says`() throws {
        let rows = try FormatDocument(.searchIndex).table(behind: "### Text analysis")
        #expect(rows.count >= 20)
        for row in rows {
            let tokens = TokenList(Self.text(row[0]).utf8)
            #expect(tokens.plain == FormatDocument.code(row[1]).map { Array($0.utf8) }, "\(row[0])")
            #expect(tokens.parts == FormatDocument.code(row[2]).map { Array($0.utf8) }, "\(row[0])")
            #expect(tokens.bigrams.map(\.bytes) == FormatDocument.code(row[3]).map { Array($0.utf8) }, "\(row[0])")
            let numbers = row[3].split(separator: " ").compactMap { Int($0) }
            #expect(tokens.bigrams.map(\.index) == numbers)
        }
    }

    @Test func `the unspaced ranges are those of § I1.4`() throws {
        let rows = try FormatDocument(.searchIndex).table(behind: "### I1.4")
        let ranges = rows.flatMap { $0[1].split(separator: ", ") }.compactMap { range in
            let ends = range.split(separator: "–").compactMap { UInt32($0, radix: 16) }
            return ends.count == 2 ? ends[0]...ends[1] : nil
        }
        #expect(ranges.count >= 15)
        for value in UInt32(0x80)...0x3FFFF {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let tokens = TokenList(String(scalar).utf8)
            guard tokens.plain == [Array(String(scalar).utf8)] else { continue }
            #expect(tokens.bigrams.isEmpty == !ranges.contains { $0.contains(value) }, "\(value)")
        }
    }

    /// The meaning of a cell: code, and scalars such as U+00AD.
    private static func text(_ cell: String) -> String {
        cell.split(separator: ", U").enumerated().map { index, piece in
            index == 0 && !piece.hasPrefix("U+") ? Self.scalars(String(piece)) : Self.scalars("U" + piece)
        }.joined()
    }

    private static func scalars(_ cell: String) -> String {
        let code = FormatDocument.code(cell).first ?? ""
        guard cell.hasPrefix("U+"),
            let scalar = UInt32(cell.dropFirst(2).prefix(4), radix: 16).flatMap(Unicode.Scalar.init)
        else { return code }
        return String(scalar) + code
    }
}
