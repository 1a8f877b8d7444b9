import Exchange
import TestSupport
import Testing
import Time

@testable import sbfs

struct NetscapeBookmarksTests {
    static let firefox = """
        <!DOCTYPE NETSCAPE-Bookmark-file-1>
        <!-- This is an automatically generated file.
             It will be read and overwritten.
             DO NOT EDIT! -->
        <META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=UTF-8">
        <meta http-equiv="Content-Security-Policy"
              content="default-src 'self'; script-src 'none'; img-src data: *; object-src 'none'"></meta>
        <TITLE>Bookmarks</TITLE>
        <H1>Bookmarks Menu</H1>

        <DL><p>
            <DT><A HREF="https://example.org/a?x=1&y=2" ADD_DATE="1700000000" LAST_MODIFIED="1700000100" ICON="data:image/png;base64,AAAA" TAGS="soup,winter" SHORTCUTURL="so">Soup &amp; bread</A>
            <DD>A long evening
            <HR>
            <DT><H3 ADD_DATE="1700000000" LAST_MODIFIED="1700000000">Work</H3>
            <DL><p>
                <DT><A HREF="place:sort=8" ADD_DATE="1700000000">Most Visited</A>
                <DT><H3>AI/ML</H3>
                <DD>described folder
                <DL><p>
                    <DT><A HREF="https://example.org/ml">Papers</A>
                </DL><p>
                <DT><H3>Empty</H3>
                <DL><p>
                </DL><p>
            </DL><p>
            <DT><H3 PERSONAL_TOOLBAR_FOLDER="true">Bookmarks Toolbar</H3>
            <DL><p>
                <DT><A HREF="javascript:alert(1)">Click</A>
            </DL><p>
        </DL>
        """

    @Test func `Firefox's export has tags, keyword, description and nested folders`() throws {
        let reading = try Reading(Self.firefox)
        #expect(reading.format == .firefoxHTML)
        #expect(reading.faults.isEmpty)
        #expect(
            reading.outline == [
                "Soup & bread", "Work: Most Visited", "Work/AI\\/ML: Papers", "Bookmarks Toolbar: Click",
            ])
        let first = reading.entries[0]
        #expect(first.url == "https://example.org/a?x=1&y=2")
        #expect(first.tags == ["soup", "winter", "keyword-so"])
        #expect(first.description == "A long evening")
        #expect(first.createdAt == Timestamp(milliseconds: 1_700_000_000_000))
        #expect(first.updatedAt == Timestamp(milliseconds: 1_700_000_100_000))
        #expect(first.place == .line(12))
        #expect(reading.folders == [ImportedFolder(["Work", "Empty"])])
    }

    @Test func `Safari's export is known by its spelling`() throws {
        let reading = try Reading(
            """
            <!DOCTYPE NETSCAPE-Bookmark-file-1>
            <HTML>
            <META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=UTF-8">
            <Title>Bookmarks</Title>
            <H1>Bookmarks</H1>
            <DT><H3 FOLDED>Favourites</H3>
            <DL><p>
            <DT><A HREF="https://example.org/">Example</A>
            </DL><p>
            <DT><H3 FOLDED id="com.apple.ReadingList">Reading List</H3>
            <DL><p>
            <DT><A HREF="https://example.org/later">Later</A>
            </DL><p>
            </HTML>
            """)
        #expect(reading.format == .safariHTML)
        #expect(reading.format?.defaultTag == "Safari")
        #expect(reading.format?.source == "safari_bookmarks")
        #expect(reading.outline == ["Favourites: Example", "Reading List: Later"])
    }

    @Test func `Pinboard's export has marks and tags`() throws {
        let reading = try Reading(
            """
            <!DOCTYPE NETSCAPE-Bookmark-file-1>
            <META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=UTF-8">
            <TITLE>Pinboard Bookmarks</TITLE>
            <H1>Bookmarks</H1>
            <DL><p><DT><A HREF="https://example.org" ADD_DATE="1700000000" PRIVATE="1" TOREAD="1" TAGS="a,b c">Example</A>
            <DD>with "quotes"
            </DL></p>
            """)
        #expect(reading.format == .pinboardHTML)
        #expect(reading.entries[0].tags == ["a", "b c", "toread", "private"] || reading.entries[0].tags.count == 4)
        #expect(reading.entries[0].description == "with \"quotes\"")
    }

    @Test func `linkding's notes become the text`() throws {
        let reading = try Reading(
            """
            <!DOCTYPE NETSCAPE-Bookmark-file-1>
            <TITLE>Bookmarks</TITLE>
            <DL><p>
            <DT><A HREF="https://example.org" ADD_DATE="1700000000" LAST_MODIFIED="1700000000" PRIVATE="0" TOREAD="0" TAGS="x">Example</A>
            <DD>Short.[linkding-notes]# Notes
            &lt;b&gt; and more[/linkding-notes]
            </DL><p>
            """)
        #expect(reading.format == .linkdingHTML)
        #expect(reading.entries[0].description == "Short.")
        #expect(reading.entries[0].text.map { String(decoding: $0, as: UTF8.self) } == "# Notes\n<b> and more")
    }

    static let misnested: [(String, [String])] = [
        ("<DL><DT><H3>A</H3><DL><DT><A HREF=x>1</A></DL></DL></DL></DL><DT><A HREF=y>2</A>", ["A: 1", "2"]),
        ("<DT><A HREF=x>1<DT><A HREF=y>2</A>", ["1", "2"]),
        ("<DL><DT><H3>A<DL><DT><A HREF=x>1</A>", ["A: 1"]),
        ("<H3>A</H3><H3>B</H3><DL><A HREF=x>1</A></DL><A HREF=y>2</A>", ["B: 1", "2"]),
        ("<A HREF='x'>a<b>c</b> &amp d</A>", ["ac & d"]), ("<a href=x></a>", ["-"]),
        ("<DT><A HREF=x>1</A><DD>one<DD>two<DT><A HREF=y>2</A>", ["1", "2"]),
    ]

    @Test(arguments: misnested)
    func `wrong nesting loses no bookmark`(text: String, outline: [String]) throws {
        #expect(try Reading("<!DOCTYPE NETSCAPE-Bookmark-file-1>" + text).outline == outline)
    }

    @Test func `a cut is reported, and the part before it is read`() throws {
        let whole = Array(Self.firefox.utf8)
        for count in stride(from: 200, to: whole.count, by: 7) {
            let reading = try Reading(Array(whole.prefix(count)))
            #expect(reading.entries.count <= 4)
        }
        let cut = try Reading(Self.firefox.prefix(1500) + "<DT><A HREF=\"https://example.org/")
        #expect(cut.entries.count > 1)
        #expect(cut.faults.contains { $0.kind.wording.contains("within a tag") })
    }

    @Test func `deep folders are bounded`() throws {
        let deep = String(repeating: "<DT><H3>x</H3><DL>", count: 5000) + "<DT><A HREF=\"https://example.org\">1</A>"
        let reading = try Reading("<!DOCTYPE NETSCAPE-Bookmark-file-1>" + deep)
        #expect(reading.entries[0].folder.count == ImportedEntry.folderDepthLimit)
        #expect(reading.faults.contains { $0.kind.wording.contains("nested deeper") })
    }

    @Test func `written values are read back`() throws {
        var writer = NetscapeWriter()
        var bookmark = NetscapeWriter.Bookmark(
            url: "https://example.org/?a=1&b=\"2\"", title: "A <b> & \"c\" = 1",
            createdAt: Timestamp(milliseconds: 1_700_000_000_000),
            updatedAt: Timestamp(milliseconds: 1_700_000_001_000))
        bookmark.description = "first\nsecond <i>"
        bookmark.notes = "# Notes"
        bookmark.tags = ["x", "y z"]
        writer.add(bookmark, to: ["Work", "AI/ML"])
        writer.addFolder(["Empty"])
        var bytes: [UInt8] = []
        try writer.write { bytes += $0 }
        #expect(bytes.starts(with: "<!DOCTYPE NETSCAPE-Bookmark-file-1>\n".utf8))
        let reading = try Reading(bytes)
        #expect(reading.faults.isEmpty)
        let entry = reading.entries[0]
        #expect(entry.url == bookmark.url)
        #expect(entry.title == bookmark.title)
        #expect(entry.description == bookmark.description)
        #expect(entry.text == Array("# Notes".utf8))
        #expect(entry.tags == bookmark.tags)
        #expect(entry.folder == ["Work", "AI/ML"])
        #expect(entry.createdAt == bookmark.createdAt)
        #expect(reading.folders == [ImportedFolder(["Empty"])])
    }

    @Test func `text of other encodings is read, even with a wrong label`() throws {
        let text =
            "<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<META HTTP-EQUIV=\"Content-Type\" CONTENT=\"text/html; charset=UTF-8\">\n"
            + "<DT><A HREF=\"https://example.org/\">Größe</A>\n<DT><A HREF=\"https://example.org/2\">plain</A>\n"
        let units = Array(text.utf16)
        let little = units.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
        let big = units.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
        // windows-1252 under the label UTF-8, the last line in UTF-8.
        let mixed =
            Array(text.utf8).replacing([0xC3, 0xB6], with: [0xF6]).replacing([0xC3, 0x9F], with: [0xDF])
            + Array("<DT><A HREF=\"https://example.org/3\">Maß</A>\n".utf8)
        for bytes in [
            Array(text.utf8), [0xEF, 0xBB, 0xBF] + Array(text.utf8), [0xFF, 0xFE] + little, [0xFE, 0xFF] + big, little,
            big, mixed,
        ] {
            let reading = try Reading(bytes)
            #expect(reading.entries.first?.title == "Größe")
            #expect(reading.entries.dropFirst(2).first?.title ?? "Maß" == "Maß")
        }
        #expect(
            try Reading(mixed).faults.contains {
                $0.kind.wording == "not UTF-8: 1 text read as windows-1252" && $0.place == .line(3)
            })
        // Each text is decoded separately, whatever else is in its line; with references too.
        let line: [UInt8] =
            Array("<DT><A HREF=\"https://example.org/ä\" TAGS=\"Stra".utf8) + [0xDF]
            + Array("e &amp; Weg\">Größe</A><DD>caf".utf8) + [0xE9]
        let entry = try Reading(Array("<!DOCTYPE NETSCAPE-Bookmark-file-1>\n".utf8) + line).entries[0]
        #expect(entry.url == "https://example.org/ä")
        #expect(entry.tags == ["Straße & Weg"])
        #expect(entry.title == "Größe")
        #expect(entry.description == "café")
    }

    @Test func `reading ends with any bytes`() throws {
        var random = SeededGenerator.forFuzzing
        let whole = Array(Self.firefox.utf8)
        for _ in 0..<FuzzSetting.cases(1000) {
            var bytes = whole
            for _ in 0...Int.random(in: 0...8, using: &random) {
                let place = Int.random(in: 40..<bytes.count, using: &random)
                switch Int.random(in: 0...3, using: &random) {
                case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
                case 1: bytes.remove(at: place)
                case 2:
                    bytes.insert(
                        contentsOf: ["<DL>", "</DL>", "<DT>", "<A HREF=\"", "<DD>", "<H3>", "&#x", "<!--"]
                            .randomElement(using: &random)!.utf8, at: place)
                default: bytes.removeSubrange(place..<min(bytes.count, place + Int.random(in: 1...200, using: &random)))
                }
                if bytes.count < 60 { bytes = whole }
            }
            _ = try? Reading(bytes)
        }
    }
}
