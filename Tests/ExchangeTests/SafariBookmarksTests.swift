import Exchange
import Testing
import Time

struct SafariBookmarksTests {
    static let list = """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0"><dict>
        <key>Children</key><array>
          <dict><key>Title</key><string>History</string><key>WebBookmarkType</key><string>WebBookmarkTypeProxy</string></dict>
          <dict><key>Title</key><string>BookmarksBar</string><key>WebBookmarkType</key><string>WebBookmarkTypeList</string>
            <key>Children</key><array>
              <dict><key>WebBookmarkType</key><string>WebBookmarkTypeLeaf</string>
                <key>URLString</key><string>https://example.org/?a=1&amp;b=2</string>
                <key>URIDictionary</key><dict><key>title</key><string>Example</string></dict>
                <key>WebBookmarkUUID</key><string>7A6F1F5B-0001-4000-8000-000000000001</string></dict>
              <dict><key>Title</key><string>Cooking</string><key>WebBookmarkType</key><string>WebBookmarkTypeList</string>
                <key>Children</key><array/></dict>
              <dict><key>WebBookmarkType</key><string>Unknown</string></dict>
            </array></dict>
          <dict><key>Title</key><string>BookmarksMenu</string><key>WebBookmarkType</key><string>WebBookmarkTypeList</string></dict>
          <dict><key>Title</key><string>com.apple.ReadingList</string><key>WebBookmarkType</key><string>WebBookmarkTypeList</string>
            <key>Children</key><array>
              <dict><key>WebBookmarkType</key><string>WebBookmarkTypeLeaf</string>
                <key>URLString</key><string>https://example.org/later</string>
                <key>URIDictionary</key><dict><key>title</key><string>Later</string></dict>
                <key>ReadingList</key><dict><key>DateAdded</key><date>2023-11-14T22:13:20Z</date>
                  <key>PreviewText</key><string>How it begins</string></dict></dict>
            </array></dict>
        </array></dict></plist>
        """

    @Test func `folders, the reading list and Safari's ids are read`() throws {
        let reading = try Reading(Self.list)
        #expect(reading.format == .safari)
        #expect(reading.outline == ["Favorites: Example", "Reading List: Later"])
        #expect(reading.entries[0].url == "https://example.org/?a=1&b=2")
        #expect(reading.entries[0].externalID == "safari:7A6F1F5B-0001-4000-8000-000000000001")
        #expect(reading.entries[1].createdAt == Timestamp(milliseconds: 1_700_000_000_000))
        #expect(reading.entries[1].description == "How it begins")
        #expect(reading.folders == [ImportedFolder(["Favorites", "Cooking"])])
        #expect(reading.faults.map(\.place) == [.entry(2)])
    }

    @Test func `what has no place is named, and what only a leaf says is kept`() throws {
        let reading = try Reading(
            """
            <?xml version="1.0"?><plist version="1.0"><dict><key>WebBookmarkFileVersion</key><integer>1</integer>
            <key>Sync</key><dict><key>ServerID</key><string>s</string></dict>
            <key>Children</key><array><dict><key>WebBookmarkType</key><string>WebBookmarkTypeList</string><key>Title</key><string>F</string>
            <key>ShouldOmitFromUI</key><true/><key>WebBookmarkUUID</key><string>u</string>
            <key>Children</key><array><dict><key>WebBookmarkType</key><string>WebBookmarkTypeLeaf</string>
            <key>URLString</key><string>https://example.org/</string><key>previewText</key><string>Older words</string>
            <key>URIDictionary</key><dict><key></key><string>https://example.org/</string><key>title</key><string>T</string><key>lang</key><string>en</string></dict>
            <key>ReadingList</key><dict><key>PreviewText</key><string>Newer words</string></dict>
            </dict></array></dict></array></dict></plist>
            """)
        #expect(reading.untaken == ["Sync", "folder ShouldOmitFromUI", "folder WebBookmarkUUID"])
        #expect(reading.entries[0].description == "Newer words")
        #expect(reading.entries[0].fields.map(\.key) == ["previewText", "lang"])
    }

    @Test func `ids and titles of Safari's own folders are named`() throws {
        func list(_ title: String, _ id: String, _ children: String = "") -> String {
            "<dict><key>WebBookmarkType</key><string>WebBookmarkTypeList</string><key>Title</key><string>\(title)</string>"
                + "<key>WebBookmarkUUID</key><string>\(id)</string><key>Children</key><array>\(children)</array></dict>"
        }
        let proxy =
            "<dict><key>WebBookmarkType</key><string>WebBookmarkTypeProxy</string><key>Title</key><string>History</string></dict>"
        let leaf =
            "<dict><key>WebBookmarkType</key><string>WebBookmarkTypeLeaf</string><key>URLString</key><string>https://example.org/</string>"
            + "<key>URIDictionary</key><dict><key></key><string>https://example.org/other</string></dict></dict>"
        let root = list(
            "Everything", "r", proxy + list("com.apple.ReadingList", "a", leaf) + list("Mine", "b", list("C", "c")))
        let reading = try Reading("<?xml version=\"1.0\"?><plist version=\"1.0\">\(root)</plist>")
        #expect(
            reading.untaken.sorted() == [
                "Title", "WebBookmarkUUID", "folder Title com.apple.ReadingList", "folder WebBookmarkUUID",
                "folder WebBookmarkUUID", "folder WebBookmarkUUID", "proxy History",
            ])
        #expect(reading.outline == ["Reading List: -"])
        #expect(reading.entries[0].fields.map(\.key) == ["URIDictionary"])
    }

    @Test func `a damaged list is reported with its offset`() throws {
        let reading = try Reading(String(Self.list.prefix(900)))
        #expect(reading.entries.isEmpty)
        #expect(reading.faults.count == 1)
        if case .offset(let offset) = reading.faults[0].place { #expect(offset > 0) } else { Issue.record("no offset") }
        #expect(throws: ImportError.self) { try Reading("<?xml version=\"1.0\"?><plist><string>a</string></plist>") }
    }
}
