import Exchange
import Testing

/// An export in the format of a program, and the values that must not be lost.
struct ServiceSample: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let format: ImportFormat
    let count: Int
    let values: [String]
    let untaken: [String]
    let text: String

    init(
        _ name: String, _ format: ImportFormat, count: Int = 1, _ values: [String], untaken: [String] = [],
        _ text: String
    ) {
        testDescription = name
        self.format = format
        self.count = count
        self.values = values
        self.untaken = untaken
        self.text = text
    }
}

enum ServiceSamples {
    static let all = html + json + csv + xml + texts + FieldSamples.all

    private static func page(_ head: String, _ body: String) -> String {
        "<!DOCTYPE NETSCAPE-Bookmark-file-1>\n\(head)\n<DL><p>\n\(body)\n</DL><p>\n"
    }

    private static let date = "2023-11-14T22:13:20.000Z"

    // MARK: HTML

    static let html = [
        ServiceSample(
            "Shaarli", .shaarliHTML, count: 3,
            ["A note", "# Words of it", "tag:idea", "tag:private", "?AbC-_1", "/shaare/xyz123", "Title alone", date],
            untaken: ["title", "heading", "comment"],
            page(
                "<!-- This is an automatically generated file.\n     It will be read and overwritten.\n     Do NOT EDIT! -->\n"
                    + "<!-- Shaarli all bookmarks export on 2023/11/14 -->\n<TITLE>Links</TITLE>\n<H1>Shaarli export of all bookmarks</H1>",
                """
                <DT><A HREF="?AbC-_1" ADD_DATE="1700000000" PRIVATE="1" TAGS="idea,b">A note</A>
                <DD># Words of it
                more
                <DT><A HREF="/shaare/xyz123" ADD_DATE="1700000001" PRIVATE="0" TAGS="">Title alone</A>
                <DT><A HREF="https://example.org/" ADD_DATE="1700000000" PRIVATE="0" TAGS="a">Link</A>
                """)),
        ServiceSample(
            "SemanticScuttle", .html, ["About it", "94897de3", "tag:cast_iron", date],
            page(
                "<TITLE>Bookmarks</TITLE>",
                "<DT><A HREF=\"https://example.org/\" hash=\"94897de3\" tags=\"cookware,cast_iron\" description=\"About it\" "
                    + "ADD_DATE=\"1700000000\">How To</a>")),
        ServiceSample(
            "Delicious", .html, ["Long words", "tag:TylerVigen", "tag:private", date],
            page(
                "<!-- This is an automatically generated file.\nIt will be read and overwritten.\nDo Not Edit! -->\n"
                    + "<TITLE>Bookmarks</TITLE>\n<H1>Bookmarks</H1>",
                "<DT><A HREF=\"https://example.org/\" ADD_DATE=\"1700000000\" PRIVATE=\"1\" TAGS=\"science,TylerVigen\">T</A>\n"
                    + "<DD>Long words")),
        ServiceSample(
            "old Firefox", .firefoxHTML, ["UTF-8", "rdf:#$abc", "https://example.org/feed", "tag:keyword-k", date],
            untaken: ["icon", "folder add_date", "folder id", "folder description"],
            page(
                "<!-- This is an automatically generated file.\n     It will be read and overwritten.\n     DO NOT EDIT! -->\n"
                    + "<TITLE>Bookmarks</TITLE>\n<H1>Bookmarks</H1>",
                """
                <DT><H3 ADD_DATE="1100000000" ID="rdf:#$def">Folder</H3>
                <DD>Words on the folder
                <DL><p><DT><A HREF="https://example.org/" ADD_DATE="1700000000" LAST_CHARSET="UTF-8" SHORTCUTURL="k" \
                ICON="data:image/x-icon;base64,AAAA" FEEDURL="https://example.org/feed" ID="rdf:#$abc">T</A></DL><p>
                """)),
        ServiceSample(
            "Internet Explorer", .explorerHTML, ["1650000000", "in:Links", date],
            untaken: ["folder add_date", "folder folded"],
            page(
                "<!-- This is an automatically generated file.\nIt will be read and overwritten.\nDo Not Edit! -->\n"
                    + "<TITLE>Bookmarks</TITLE>\n<H1>Bookmarks</H1>",
                """
                <DT><H3 FOLDED ADD_DATE="1100000000">Links</H3>
                <DL><p><DT><A HREF="https://example.org/" ADD_DATE="1700000000" LAST_VISIT="1650000000" \
                LAST_MODIFIED="1700000001">T</A></DL><p>
                """)),
        ServiceSample(
            "Chrome", .chromeHTML, ["in:Bookmarks bar", date],
            untaken: ["icon", "folder add_date", "folder last_modified", "folder personal_toolbar_folder"],
            page(
                "<!-- This is an automatically generated file.\n     It will be read and overwritten.\n     DO NOT EDIT! -->\n"
                    + "<META HTTP-EQUIV=\"Content-Type\" CONTENT=\"text/html; charset=UTF-8\">\n<TITLE>Bookmarks</TITLE>\n<H1>Bookmarks</H1>",
                """
                    <DT><H3 ADD_DATE="1" LAST_MODIFIED="2" PERSONAL_TOOLBAR_FOLDER="true">Bookmarks bar</H3>
                    <DL><p><DT><A HREF="https://example.org/" ADD_DATE="1700000000" ICON="data:image/png;base64,AA">T</A></DL><p>
                """)),
        ServiceSample(
            "sbfs", .sbfsHTML, ["tag:a", "About", date],
            page(
                "<!-- This is an automatically generated file.\n     It will be read and overwritten.\n     DO NOT EDIT! -->\n"
                    + "<META NAME=\"generator\" CONTENT=\"sbfs\">\n<TITLE>Bookmarks</TITLE>\n<H1>Bookmarks</H1>",
                "<DT><A HREF=\"https://example.org/\" ADD_DATE=\"1700000000\" LAST_MODIFIED=\"1700000000\" TAGS=\"a\">T</A>\n<DD>About"
            )),
        ServiceSample(
            "Pocket", .pocketHTML, count: 2, ["New\n", "tag:toread", "Old", "tag:a", date],
            """
            <!DOCTYPE html><html><head><title>Pocket Export</title></head><body>
            <h1>Unread</h1><ul><li><a href="https://example.org/1" time_added="1700000000" tags="a,b">New</a></li></ul>
            <h1>Read Archive</h1><ul><li><a href="https://example.org/2" time_added="1700000000" tags="">Old</a></li></ul>
            </body></html>
            """),
        ServiceSample(
            "linkding", .linkdingHTML, ["Short.", "# Notes", "tag:x", "tag:toread", date],
            page(
                "<TITLE>Bookmarks</TITLE>\n<H1>Bookmarks</H1>",
                "<DT><A HREF=\"https://example.org\" ADD_DATE=\"1700000000\" LAST_MODIFIED=\"1700000000\" PRIVATE=\"0\" "
                    + "TOREAD=\"1\" TAGS=\"x\">Example</A>\n<DD>Short.[linkding-notes]# Notes[/linkding-notes]")),
        ServiceSample(
            "a date of a server's log", .html, ["2000-10-10T10:55:36.000Z"], untaken: ["title"],
            page(
                "<TITLE>x</TITLE>",
                "<DT><A HREF=\"https://example.org\" ADD_DATE=\"10/Oct/2000:13:55:36 +0300\">Example</A>")),
        ServiceSample(
            "a date of no form", .html, ["the day before", "in no form that import knows"],
            untaken: ["title"],
            page("<TITLE>x</TITLE>", "<DT><A HREF=\"https://example.org\" ADD_DATE=\"the day before\">Example</A>")),
    ]

    // MARK: JSON

    static let json = [
        ServiceSample(
            "Karakeep", .service, count: 4,
            [
                "in:Reading/Deep", "tag:a", "mine", "Only words", "Asset", "shot.png", "its file is not in this export",
                "Nothing",
                "\"archived\":true", date,
            ],
            #"""
            {"bookmarks":[
            {"createdAt":1700000000,"title":"Title","tags":["a"],"lists":["l2"],"content":{"type":"link","url":"https://example.org/"},"note":"mine","archived":true},
            {"createdAt":1700000000,"title":null,"tags":[],"content":{"type":"text","text":"Only words"},"note":null,"archived":false},
            {"createdAt":1700000000,"title":"Asset","tags":["b"],"content":{"type":"asset","assetType":"image","assetId":"1","fileName":"shot.png"},"note":null},
            {"createdAt":1700000000,"title":"Nothing","tags":["c"],"content":null,"note":null}],
            "lists":[{"id":"l1","name":"Reading","icon":"x","type":"manual","parentId":null},{"id":"l2","name":"Deep","icon":"y","type":"manual","parentId":"l1"}]}
            """#),
        ServiceSample(
            "wallabag", .service,
            [
                "The article", "a thought", "the passage", "tag:toread", "Ann, Bob", "2023-11-13",
                "\"reading_time\":5",
                "https://example.org/pic.png", "favourite", "\"hashed_url\":\"abc\"", "tag:b c", "de\n", date,
            ],
            #"""
            [{"is_archived":0,"is_starred":1,"tags":["a","b c"],"is_public":false,"id":7,"title":"Title","url":"https://example.org/",
            "hashed_url":"abc","content":"<p>The article</p>","created_at":"2023-11-14T22:13:20+0000","updated_at":"2023-11-14T22:13:21+0000",
            "published_at":"2023-11-13","published_by":["Ann","Bob"],"annotations":[{"text":"a thought","quote":"the passage","ranges":[{"start":"/p[1]"}],"created_at":"2023-11-14T22:13:20+0000"}],
            "mimetype":"text/html","language":"de","reading_time":5,"domain_name":"example.org","preview_picture":"https://example.org/pic.png"}]
            """#),
        ServiceSample(
            "Omnivore", .service,
            [
                "Archived", "Tillmann Weidinger", "\"readingProgress\":42", "https://example.org/og.png",
                "omnivore:b37319fd",
                "tauri-2-0", "tag:rust", "2024-10-08", "2024-10-18T20:44:54.069Z", "2024-10-26T21:50:01.259Z", "About",
            ],
            #"""
            [{"id":"b37319fd","slug":"tauri-2-0","title":"Tauri","description":"About","author":"Tillmann Weidinger","url":"https://example.org/","state":"Archived",
            "readingProgress":42,"thumbnail":"https://example.org/og.png","labels":["rust"],"savedAt":"2024-10-18T20:44:54.069Z","updatedAt":"2024-10-26T21:50:01.259Z","publishedAt":"2024-10-08T19:19:56.000Z"}]
            """#),
        ServiceSample(
            "ArchiveBox", .service,
            ["T\n", "tag:a", "tag:b", "\"archive_path\":\"archive/1700000000\"", "index.html", date],
            #"""
            [{"timestamp":"1700000000.0","url":"https://example.org/","title":"T","tags":"a,b","sources":["stdin"],"archive_path":"archive/1700000000","history":{"wget":["index.html"]}}]
            """#),
        ServiceSample(
            "Pinboard", .service,
            ["Title", "More", "tag:a", "tag:toread", "tag:private", "\"hash\":\"h1\"", "\"meta\":\"m1\"", date],
            #"[{"href":"https://example.org/","description":"Title","extended":"More","meta":"m1","hash":"h1","time":"2023-11-14T22:13:20Z","shared":"no","toread":"yes","tags":"a b"}]"#
        ),
        ServiceSample(
            "Shaarli's API", .service, ["tag:private", "\"shorturl\":\"xyz\"", "Words", date],
            #"[{"id":1,"url":"https://example.org/","shorturl":"xyz","title":"T","description":"Words","tags":["a"],"private":true,"created":"2023-11-14T22:13:20+00:00","updated":""}]"#
        ),
        ServiceSample(
            "Pocket's passages", .service, ["\"quote\":\"the words\"", "2023-11-14T22:13:20.000Z"],
            #"[{"title":"T","url":"https://example.org/","highlights":[{"quote":"the words","created_at":1700000000}]}]"#
        ),
        ServiceSample(
            "Firefox", .firefox,
            ["tag:x", "tag:keyword-k", "UTF-8", "https://example.org/i.png", "About", "firefox:g1", date],
            untaken: ["id", "index"],
            #"""
            {"guid":"root________","title":"","root":"placesRoot","type":"text/x-moz-place-container","children":[{"guid":"menu________","title":"menu","root":"bookmarksMenuFolder","type":"text/x-moz-place-container","children":[
            {"guid":"g1","title":"T","index":0,"dateAdded":1700000000000000,"lastModified":1700000000000000,"id":5,"typeCode":1,"charset":"UTF-8","iconUri":"https://example.org/i.png","tags":"x","keyword":"k","annos":[{"name":"bookmarkProperties/description","value":"About"}],"type":"text/x-moz-place","uri":"https://example.org/"}]}]}
            """#),
        ServiceSample(
            "Chromium", .chromium, ["chromium:g1", "\"k\":\"v\"", "13344473600000001", date], untaken: ["id"],
            #"""
            {"roots":{"bookmark_bar":{"name":"Bar","type":"folder","children":[{"type":"url","name":"T","url":"https://example.org/","guid":"g1","id":"9","date_added":"13344473600000000","date_last_used":"13344473600000001","meta_info":{"k":"v"}}]}}}
            """#),
    ]

    // MARK: CSV

    static let csv = [
        ServiceSample(
            "Raindrop", .serviceCSV,
            [
                "mine", "About", "in:Work/Deep", "tag:b", "https://example.org/c.png", "the passage", "favourite",
                "raindrop:77", date,
            ],
            """
            id,title,note,excerpt,url,folder,tags,created,cover,highlights,favorite
            77,T,mine,About,https://example.org/,Work/Deep,"a, b",2023-11-14T22:13:20.000Z,https://example.org/c.png,"Highlight:the passage
            Color:yellow",true

            """),
        ServiceSample(
            "Pocket", .serviceCSV, count: 2, ["tag:toread", "\"status\":\"archive\"", "tag:b", date],
            "title,url,time_added,tags,status\nT,https://example.org/1,1700000000,a|b,unread\nU,https://example.org/2,1700000000,,archive\n"
        ),
        ServiceSample(
            "Instapaper", .serviceCSV, count: 2, ["tag:toread", "favourite", "tag:b", "chosen", date],
            "URL,Title,Selection,Folder,Timestamp,Tags\nhttps://example.org/,T,chosen,Unread,1700000000,\"[\"\"a\"\",\"\"b\"\"]\"\n"
                + "https://example.org/2,U,,Starred,1700000000,[]\n"),
        ServiceSample(
            "Readwise Reader", .serviceCSV,
            ["\"Reading progress\":\"0.42\"", "\"Location\":\"archive\"", "\"Seen\":\"True\"", "tag:b", date],
            "Title,URL,ID,Document tags,Saved date,Reading progress,Location,Seen\nT,https://example.org/,01abc,\"['a', 'b']\",2023-11-14 22:13:20+00:00,0.42,archive,True\n"
        ),
        ServiceSample(
            "wallabag", .serviceCSV,
            ["The article", "tag:b", "text/html", "de", "2016-02-10T02:07:12.000Z"],
            "Title;URL;Content;Tags;\"MIME Type\";Language;\"Creation date\"\nT;https://example.org/;\"The article\";\"a, b\";text/html;de;\"10/02/2016 02:07:12\"\n"
        ),
        ServiceSample(
            "Zotero", .serviceCSV, count: 2,
            [
                "zotero:ABCD2345", "Doe, Jane; Roe, Rick", "Abstract words", "2019-05-06", "2023-11-14T22:13:20.000Z",
                "tag:x y", "tag:auto",
                "journalArticle", "10.1000/1", "Without a page", "/home/u/p.pdf", "My note", "2020",
            ],
            """
            "Key","Item Type","Publication Year","Author","Title","DOI","Url","Abstract Note","Date","Date Added","Date Modified","Notes","File Attachments","Manual Tags","Automatic Tags"
            "ABCD2345","journalArticle","2019","Doe, Jane; Roe, Rick","T","10.1000/1","https://example.org/","Abstract words","2019-05-06","2023-11-14 22:13:20","2023-11-14 22:13:21","My note","/home/u/p.pdf","x y; z","auto"
            "EFGH2345","book","2020","","Without a page","","","","2020","2023-11-14 22:13:20","","","","",""

            """),
        ServiceSample(
            "passages of Readwise", .highlights, count: 2,
            ["> First", "> Second", "thought", "Ann", "(Amazon Book ID: B00", "tag:t", "Color: yellow", date, "Other"],
            """
            Highlight,Book Title,Book Author,Amazon Book ID,Note,Color,Tags,Location Type,Location,Highlighted at,Document tags
            First,Book,Ann,B00,thought,yellow,t,location,12,2023-11-14 22:13:20+00:00,
            Second,Book,Ann,B00,,,,location,13,2023-11-14 22:13:21+00:00,d
            x,Other,Bob,,,,,,,,

            """),
    ]

    // MARK: XML

    static let xml = [
        ServiceSample(
            "OPML", .outline, count: 3,
            [
                "in:News/Tech", "https://example.org/feed.xml", "https://example.org/only.xml", "About", "tag:/a/b",
                "rss", "Bare words",
                "and a note",
            ],
            untaken: ["head title", "head dateCreated", "folder type"].map {
                $0 == "head dateCreated" ? "head datecreated" : $0
            },
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <opml version="2.0"><head><title>Subs</title><dateCreated>x</dateCreated></head><body>
            <outline text="News"><outline text="Tech" type="folder">
            <outline text="T" title="T" type="rss" xmlUrl="https://example.org/feed.xml" htmlUrl="https://example.org/" description="About" category="/a/b"/>
            </outline></outline>
            <outline text="Feed alone" type="rss" xmlUrl="https://example.org/only.xml"/>
            <outline text="Bare words" _note="and a note"/>
            </body></opml>
            """),
        ServiceSample(
            "RSS", .feed,
            [
                "About &", "All", "https://example.org/e.mp3", "Ann", "tag:c1", "feed:g1", "2000-10-10",
                "https://example.org/c",
            ],
            untaken: ["feed title", "feed link"],
            """
            <?xml version="1.0"?><rss version="2.0"><channel><title>Ch</title><link>https://example.org/</link>
            <item><title>T &amp; U</title><link>https://example.org/1</link><description>About &amp;amp;</description><content:encoded><![CDATA[<p>All</p>]]></content:encoded>
            <pubDate>Tue, 10 Oct 2000 13:55:36 GMT</pubDate><dc:creator>Ann</dc:creator><category>c1</category><guid isPermaLink="false">g1</guid>
            <comments>https://example.org/c</comments><enclosure url="https://example.org/e.mp3" length="1"/></item></channel></rss>
            """),
        ServiceSample(
            "Atom", .feed,
            [
                "https://example.org/1", "Ann", "tag:c1", "feed:urn:1", "Sum", "Words", "2023-11-13", date,
                "https://example.org/r",
            ],
            untaken: ["feed title", "xmlns"],
            """
            <feed xmlns="http://www.w3.org/2005/Atom"><title>F</title><entry><title>T</title><link rel="alternate" href="https://example.org/1"/>
            <link rel="replies" href="https://example.org/r"/><id>urn:1</id><published>2023-11-13T00:00:00Z</published><updated>2023-11-14T22:13:20Z</updated><author><name>Ann</name><email>a@example.org</email></author>
            <category term="c1"/><summary>Sum</summary><content type="html">Words</content></entry></feed>
            """),
        ServiceSample(
            "XBEL", .xbel, ["in:Work/Deep", "About", "2020-01-01T00:00:00", "icon words", date],
            untaken: ["folder folded", "folder desc", "folder id"],
            """
            <?xml version="1.0"?><!DOCTYPE xbel PUBLIC "+//IDN python.org//DTD XML Bookmark Exchange Language 1.0//EN//XML" "x.dtd">
            <xbel version="1.0"><folder id="f1" folded="no"><title>Work</title><desc>folder words</desc><folder><title>Deep</title>
            <bookmark id="b" href="https://example.org/" added="2023-11-14T22:13:20Z" visited="2020-01-01T00:00:00"><title>T</title><desc>About</desc>
            <info><metadata owner="http://kde.org">icon words</metadata></info></bookmark></folder></folder></xbel>
            """),
        ServiceSample(
            "Scuttle's posts", .posts, ["Title", "More", "tag:krieg", "tag:drohne", "f1bbe0c2", "tag:private", date],
            untaken: ["posts update", "posts user"],
            """
            <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
            <posts update="2015-01-18T12:19:44Z" user="u"><post href="https://example.org/?a=1&amp;b=2" description="Title" extended="More" hash="f1bbe0c2" tag="krieg drohne" shared="no" time="2023-11-14T22:13:20Z"/></posts>
            """),
    ]

    // MARK: Texts

    static let texts = [
        ServiceSample(
            "links", .links, count: 3,
            ["https://example.org/1", "https://example.org/2", "A title", "HTTPS://EXAMPLE.org/3"],
            untaken: ["lines that begin with #"],
            "# My links\nhttps://example.org/1\n\n  https://example.org/2\tA title\r\nHTTPS://EXAMPLE.org/3\n"),
        ServiceSample(
            "clippings", .clippings, count: 2,
            [
                "> The passage", "My thought", "Ann Writer", "page 3", "Location 45-46", "2022-07-04T10:11:12.000Z",
                "Other",
            ],
            """
            A Book (Ann Writer)\r
            - Your Highlight on page 3 | Location 45-46 | Added on Monday, 4 July 2022 10:11:12\r
            \r
            The passage\r
            ==========\r
            A Book (Ann Writer)\r
            - Your Note on page 3 | Location 46 | Added on Monday, 4 July 2022 10:12:12\r
            \r
            My thought\r
            ==========\r
            Other\r
            - Your Bookmark on page 9 | Added on Monday, 4 July 2022 10:13:12\r
            \r
            \r
            ==========\r

            """),
    ]
}
