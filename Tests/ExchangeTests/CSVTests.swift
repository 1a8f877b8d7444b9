import TestSupport
import Testing
import Time

@testable import Exchange

struct CSVTests {
    private func records(_ text: String) -> [[String]] {
        var all: [[[String]]] = []
        // With any size of pieces in memory.
        for count in [1, 2, 5, 1 << 20] {
            guard var reader = try? CSVReader(ImportInput(Array(text.utf8), pieceByteCount: count)) else { continue }
            var records: [[String]] = []
            while let record = try? reader.next() { records.append(record.fields) }
            all.append(records)
        }
        #expect(all.allSatisfy { $0 == all[0] })
        return all[0]
    }

    static let texts: [(String, [[String]])] = [
        ("a,b\nc,d\n", [["a", "b"], ["c", "d"]]), ("a,b\r\nc,d", [["a", "b"], ["c", "d"]]),
        ("a\rb", [["a"], ["b"]]), ("\"a,b\",\"c\"\"d\"\n", [["a,b", "c\"d"]]), ("\"a\nb\"\n", [["a\nb"]]),
        ("a,,\n", [["a", "", ""]]), ("\"\"\n", [[""]]), ("a\"b,c\n", [["a\"b", "c"]]), ("\"a\"x,b\n", [["ax", "b"]]),
        ("\n\n\na\n\n", [["a"]]), ("", []),
    ]

    @Test(arguments: texts)
    func `records are cut as RFC 4180 says`(text: String, fields: [[String]]) {
        #expect(records(text) == fields)
    }

    @Test func `a quote that is not closed loses one line`() throws {
        let reading = try Reading("#BOOKMARKS\nurl,name\nhttps://example.org/1,\"open\nhttps://example.org/2,b\n")
        #expect(reading.entries.map(\.url) == ["https://example.org/1", "https://example.org/2"])
        #expect(reading.faults.map(\.place) == [.line(3)])
    }

    static let cells = [
        "=1+1", "+1", "-1", "@SUM(A1)", "\tx", "\rx", "'", "'=", "''=1", "'plain", "a\"b", "a,b", "a\nb", "", " =1",
        "'\t",
        "=\"'", "Größe",
    ]

    @Test(arguments: cells)
    func `a cell that a spreadsheet would run is disarmed, and comes back as it was`(text: String) {
        let written = CSVField.written(text)
        let bare = written.utf8.first == 0x22 ? String(written.dropFirst()) : written
        #expect(!(bare.utf8.first.map { "=+-@\t\r".utf8.contains($0) } ?? false), "\(written)")
        let fields = records(written + ",x\n")
        #expect(fields.first.map { CSVField.read($0[0]) } == text)
    }

    static let bookmarks = #"""
        #FOLDERS
        name,sortOrder,parentPath,colorName,iconName
        Work,0,,blue,briefcase.fill
        Projects,1,Work,green,folder.fill
        Personal,2,,purple,heart.fill

        #BOOKMARKS
        url,name,descriptionText,createdDate,isFavorite,sortOrder,folderPath
        https://example.com,Example,A site,2026-02-14T10:00:00Z,true,0,Work/Projects
        https://example.com/2,"Two, ""quoted""","lines
        two",2026-02-14T10:00:00Z,false,1,
        javascript:alert(1),'=cmd,,,false,0,
        """#

    @Test func `sections, folders with colour, icon and order, and bookmarks are read`() throws {
        let reading = try Reading(Self.bookmarks)
        #expect(reading.format == .csv)
        #expect(
            reading.folders == [
                ImportedFolder(["Work"], colour: "blue", icon: "briefcase.fill", order: 0),
                ImportedFolder(["Work", "Projects"], colour: "green", icon: "folder.fill", order: 1),
                ImportedFolder(["Personal"], colour: "purple", icon: "heart.fill", order: 2),
            ])
        #expect(reading.outline == ["Work/Projects: Example", "Two, \"quoted\"", "=cmd"])
        #expect(reading.entries[0].isFavorite)
        #expect(reading.entries[0].sortOrder == 0)
        #expect(reading.entries[0].createdAt == Timestamp("2026-02-14T10:00:00Z"))
        #expect(reading.entries[1].description == "lines\ntwo")
        #expect(reading.entries[2].place == .line(12))
    }

    @Test func `an order that is nowhere but 0 is none`() throws {
        let reading = try Reading("#BOOKMARKS\nurl,sortOrder\nhttps://example.org,0\n")
        #expect(reading.entries[0].sortOrder == nil)
    }

    @Test func `written values are read unchanged`() throws {
        var row = BookmarkCSV.Row(
            url: "https://example.org/?a=1,2", name: "=HYPERLINK(\"x\")",
            createdAt: Timestamp(milliseconds: 1_700_000_000_000))
        row.description = "a\r\nb \"c\""
        row.isFavorite = true
        row.order = 3
        row.folder = ["Work", "AI/ML"]
        let folders = [
            ImportedFolder(["Work"], colour: "blue", icon: "x", order: 0), ImportedFolder(["Work", "AI/ML"], order: 1),
        ]
        let reading = try Reading(BookmarkCSV.head(folders) + BookmarkCSV.line(row))
        let entry = reading.entries[0]
        #expect(entry.url == row.url)
        #expect(entry.title == row.name)
        #expect(entry.description == row.description)
        #expect(entry.folder == row.folder)
        #expect(entry.sortOrder == 3)
        #expect(entry.createdAt == row.createdAt)
        #expect(reading.folders.map(\.path) == folders.map(\.path))
    }

    static let services: [(String, String)] = [
        (
            "Raindrop",
            "id,title,note,excerpt,url,folder,tags,created,cover,highlights,favorite\n1,Title,n,e,https://example.org/,F,\"a, b\",2023-11-14T22:13:20.000Z,,,true\n"
        ),
        ("Pocket", "title,url,time_added,tags,status\nTitle,https://example.org/,1700000000,a|b,unread\n"),
        (
            "Instapaper",
            "URL,Title,Selection,Folder,Timestamp,Tags\nhttps://example.org/,Title,,Unread,1700000000,\"[\"\"a\"\",\"\"b\"\"]\"\n"
        ),
        (
            "Readwise",
            "Title,URL,ID,Document tags,Saved date,Reading progress,Location,Seen\nTitle,https://example.org/,1,\"['a', 'b']\",2023-11-14 22:13:20+00:00,0,new,True\n"
        ),
    ]

    @Test(arguments: services)
    func `services' CSV is known by its columns`(name: String, text: String) throws {
        let reading = try Reading(text)
        #expect(reading.format == .serviceCSV, "\(name)")
        let entry = try #require(reading.entries.first)
        #expect(entry.url == "https://example.org/", "\(name)")
        #expect(entry.title == "Title", "\(name)")
        let tags = ["Pocket", "Instapaper"].contains(name) ? ["a", "b", "toread"] : ["a", "b"]
        #expect(Set(entry.tags) == Set(tags), "\(name)")
        #expect(entry.createdAt == Timestamp(milliseconds: 1_700_000_000_000), "\(name)")
    }

    @Test func `of fifty thousand open quotes, each is closed by the next one, and the last is named`() throws {
        let reading = try Reading("#BOOKMARKS\nurl,name\n" + String(repeating: "x,\"\"\"\n", count: 50_001))
        #expect(reading.entries.count == 25_001)
        #expect(reading.faults.map(\.place) == [.line(50_003)])
    }

    @Test func `reading ends with any bytes`() throws {
        var random = SeededGenerator.forFuzzing
        let whole = Array(Self.bookmarks.utf8)
        for _ in 0..<FuzzSetting.cases(1000) {
            var bytes = whole
            for _ in 0...Int.random(in: 0...6, using: &random) {
                bytes[Int.random(in: 11..<bytes.count, using: &random)] = "\",\n\r'#=".utf8.randomElement(
                    using: &random)!
            }
            _ = try? Reading(bytes)
        }
    }
}
