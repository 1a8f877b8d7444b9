import Exchange

/// Exports with rarer parts: repeated elements, attributes, other languages. See `ServiceSamples`.
enum FieldSamples {
    static let all = markup + strays + NamespaceSamples.all + json + csv + passages

    private static let date = "2023-11-14T22:13:20.000Z"

    // MARK: XML and HTML

    static let markup = [
        ServiceSample(
            "RSS with repeated elements", .feed,
            [
                "Ann, Bob", "https://example.org/1.mp3", "https://example.org/2.mp3", "\"length\":\"12\"", "audio/mpeg",
                "https://example.org/source.xml", "The source", "https://example.org/m.jpg", "A photographer",
                "\"dc:date\":\"2022-02-02\"", "scheme words", "tag:c1", "tag:c2", "https://example.org/raw",
                "https://example.org/tag/one", "https://example.org/tag/two", date,
            ],
            untaken: ["feed title", "feed image", "feed language"],
            """
            <?xml version="1.0"?><rss version="2.0"><channel><title>Ch</title><language>en</language><image><url>https://example.org/i</url></image>
            <item><title>T</title><link>https://example.org/1</link><guid isPermaLink="false">g1</guid>
            <pubDate>Tue, 14 Nov 2023 22:13:20 GMT</pubDate><dc:date>2022-02-02</dc:date><dc:creator>Ann</dc:creator><dc:creator>Bob</dc:creator>
            <category domain="scheme words">c1</category><category>c2</category><description><p>Raw <a href="https://example.org/raw">markup</a></p></description>
            <enclosure url="https://example.org/1.mp3" length="12" type="audio/mpeg"/><enclosure url="https://example.org/2.mp3" length="1" type="audio/mpeg"/>
            <source url="https://example.org/source.xml">The source</source><media:group><media:content url="https://example.org/m.jpg"><media:credit>A photographer</media:credit></media:content></media:group>
            <taxo:topics><rdf:Bag><rdf:li resource="https://example.org/tag/one"/><rdf:li resource="https://example.org/tag/two"/></rdf:Bag></taxo:topics></item></channel></rss>
            """),
        ServiceSample(
            "Atom with repeated elements", .feed,
            [
                "Ann, Bob", "a@example.org", "b@example.org", "https://example.org/r1", "https://example.org/r2",
                "its title", "label words", "scheme words", "tag:c1", "[words](https://example.org/in)", "Second line",
                date,
            ],
            untaken: ["feed title", "feed id", "feed author", "xmlns"],
            """
            <feed xmlns="http://www.w3.org/2005/Atom"><title>F</title><id>f1</id><author><name>Feed's own</name></author>
            <entry><title>T</title><link rel="alternate" type="text/html" href="https://example.org/1"/><link rel="related" href="https://example.org/r1" title="its title"/>
            <link rel="related" href="https://example.org/r2"/><id>urn:1</id><updated>2023-11-14T22:13:20Z</updated><author><name>Ann</name><email>a@example.org</email></author>
            <author><name>Bob</name><email>b@example.org</email></author><category term="c1" label="label words" scheme="scheme words"/>
            <content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><p>First <a href="https://example.org/in">words</a></p><p>Second line</p></div></content></entry></feed>
            """),
        ServiceSample(
            "OPML with notes on folders", .outline, count: 4,
            ["Words on the folder", "in:Work", "in:Work/A link", "A child", "tag:t"],
            untaken: ["folder type"],
            """
            <opml version="2.0"><body><outline text="Work" type="x" _note="Words on the folder" category="t" created="Tue, 14 Nov 2023 22:13:20 GMT">
            <outline text="A link" type="link" url="https://example.org/"><outline text="A child"/></outline></outline>
            <outline text="Plain" type="y"><outline text="Leaf" _note="n"/></outline></body></opml>
            """),
        ServiceSample(
            "XBEL with a title", .xbel, ["in:Work", date],
            untaken: ["title", "desc", "separator", "folder id"],
            """
            <?xml version="1.0"?><xbel version="1.0"><title>All of them</title><desc>Words</desc><folder id="f1"><title>Work</title>
            <bookmark href="https://example.org/" added="2023-11-14T22:13:20Z"><title>T</title></bookmark><separator/></folder></xbel>
            """),
        ServiceSample(
            "Internet Explorer, with the title as its documentation writes it", .explorerHTML, ["in:Links", date],
            untaken: ["folder add_date", "folder folded", "separator"],
            """
            <!DOCTYPE NETSCAPE-Bookmark-file-1>
                <!--This is an automatically generated file.
                It will be read and overwritten.
                Do Not Edit! -->
                <Title>Bookmarks</Title>
                <H1>Bookmarks</H1>
            <DL><p>
                <DT><H3 FOLDED ADD_DATE="1100000000">Links</H3>
                <DL><p><DT><A HREF="https://example.org/" ADD_DATE="1700000000" LAST_VISIT="1650000000" LAST_MODIFIED="1700000001">T</A><HR></DL><p>
            </DL><p>
            """),
    ]

    /// Files in which words and attributes are where their formats have none.
    static let strays = [
        ServiceSample(
            "bookmark HTML with words between entries", .firefoxHTML, count: 1, ["in:Work"],
            untaken: [
                "title", "heading", "separator", "separator name", "separator id", "text between entries",
                "folder feedurl",
            ],
            """
            <!DOCTYPE NETSCAPE-Bookmark-file-1>
            <TITLE>My reading of 2023</TITLE><H1>A heading of my own</H1>
            <DL><p><DT><H3>Work</H3><DL><p>
            <DT><A HREF="https://example.org/">T</A>
            <HR NAME="Later" ID="rdf:#$1">
            <P>A paragraph</P> <DT>No link
            <DT><H3 FEEDURL="https://example.org/feed">Empty</H3>
            </DL><p>Words below<DT><H3>Last</H3>
            </DL>
            """),
        ServiceSample(
            "Scuttle's posts with words in them", .posts, count: 2,
            ["Title", "Inner words\nA heading\nA paragraph", "Second"],
            untaken: ["posts tag", "text between entries", "note", "note x", "h1 class"],
            """
            <?xml version="1.0"?><posts tag="t">Words around <note x="1">a note</note>
            <post href="https://example.org/" description="Title">Inner words<h1 class="c">A heading</h1><p>A paragraph</p></post>
            <post href="https://example.org/2" description="Second">
            </posts>
            """),
        ServiceSample(
            "XBEL with attributes of the root", .xbel,
            ["T", "\"desc\":\"Second words\"", "\"text\":\"Loose\"", "\"rating\"", "five", "in:Work"],
            untaken: [
                "xbel id", "xbel added", "xmlns:b", "text between entries", "mark", "mark a", "folder title", "alias",
                "alias ref",
            ],
            """
            <?xml version="1.0"?><xbel version="1.0" id="x1" added="2023-11-14T22:13:20Z" xmlns:b="urn:b">Loose <mark a="1">words</mark>
            <folder><title>Work</title><title>Twice</title>
            <bookmark href="https://example.org/"><title>T</title><desc>About</desc><desc>Second words</desc>Loose<rating by="me">five</rating></bookmark>
            <alias ref="b"/></folder></xbel>
            """),
        ServiceSample(
            "OPML with words in outlines", .outline, ["T", "Words in the outline"],
            untaken: [
                "opml id", "head x", "head title", "body y", "text between entries", "other", "other z", "head foot",
            ],
            """
            <opml version="2.0" id="o"><head x="1"><title>S</title></head><body y="1">Loose
            <outline text="T" url="https://example.org/">Words in the outline</outline><other z="1"/></body><foot/></opml>
            """),
        ServiceSample(
            "RSS with words around entries", .feed, ["\"text\":\"Loose in the entry\""],
            untaken: ["feed base", "feed about", "feed text", "feed title"],
            """
            <?xml version="1.0"?><rss version="2.0" base="b"><channel about="x"><title>C</title>Loose
            <item>Loose in the entry<title>T</title><link>https://example.org/</link></item></channel></rss>
            """),
    ]

    // MARK: JSON

    static let json = [
        ServiceSample(
            "Chromium with fields of folders and of the file", .chromium, ["in:Bar/F"],
            untaken: [
                "checksum", "sync_metadata", "folder guid", "folder meta_info", "folder id", "folder date_added",
            ],
            #"""
            {"checksum":"c","sync_metadata":"s","version":1,"roots":{"bookmark_bar":{"name":"Bar","type":"folder","id":"1","children":[
            {"type":"folder","name":"F","guid":"g","id":"2","date_added":"1","meta_info":{"k":"v"},"children":[{"type":"url","name":"T","url":"https://example.org/"}]}]}}}
            """#),
        ServiceSample(
            "Firefox with fields of folders and separators", .firefox, ["in:F"],
            untaken: ["separator", "separator title", "folder guid", "folder annos", "folder dateAdded"],
            #"""
            {"guid":"root________","title":"","root":"placesRoot","type":"text/x-moz-place-container","children":[{"guid":"menu________","title":"menu","dateAdded":1,"root":"bookmarksMenuFolder","type":"text/x-moz-place-container","children":[
            {"type":"text/x-moz-place-separator","title":"Below"},{"guid":"g","title":"F","typeCode":2,"dateAdded":1,"annos":[{"name":"a","value":"b"}],"type":"text/x-moz-place-container","children":[
            {"title":"T","type":"text/x-moz-place","uri":"https://example.org/"}]}]}]}
            """#),
        ServiceSample(
            "Karakeep with lists and tags as objects", .service, ["in:Reading", "tag:rust", "mine", date],
            untaken: ["list description", "list type", "list query", "tags id", "tags attachedBy", "highlights"],
            #"""
            {"bookmarks":[{"createdAt":1700000000,"title":"T","tags":[{"id":"t1","name":"rust","attachedBy":"ai"}],"lists":["l1"],
            "highlights":[{"id":"h1","color":"red"}],"content":{"type":"link","url":"https://example.org/"},"note":"mine"}],
            "lists":[{"id":"l1","name":"Reading","icon":"🚀","description":"About","type":"smart","query":"rust","parentId":null}]}
            """#),
        ServiceSample(
            "tags as keys, and without a name", .service, ["tag:winter soup", "tag:2024", date], untaken: ["labels"],
            #"[{"url":"https://example.org/","title":"T","tags":{"winter soup":{"tag":"winter soup"}},"labels":[2024,[]],"time_added":"1700000000"}]"#
        ),
        ServiceSample(
            "ArchiveBox, when it was saved", .service, [date, "2024-01-03"],
            #"[{"url":"https://example.org/","title":"T","created_at":"2024-01-03T04:05:06+00:00","bookmarked_at":"2023-11-14T22:13:20+00:00","modified_at":"2024-05-03T04:05:06+00:00"}]"#
        ),
        ServiceSample(
            "notes with further keys", .notes,
            [
                "Words", "\"id\":\"n1\"", "\"colour\":\"blue\"", "\"isLocked\":true", "in:Home",
                "some day", "in no form that import knows", "tag:a",
            ],
            #"""
            [{"id":"n1","title":"T","content":"Words","createdAt":700000000,"modifiedAt":"some day","tags":["a"],"folder":{"name":"Home","colour":"red"},
            "colour":"blue","isLocked":true}]
            """#),
    ]

    // MARK: CSV

    static let csv = [
        ServiceSample(
            "Raindrop's tags with signs", .serviceCSV, ["tag:rock'n'roll", "tag:[draft]", "tag:5\" disks"],
            "id,title,note,excerpt,url,folder,tags,created,cover,highlights,favorite\n"
                + "7,T,,,https://example.org/,Unsorted,\"rock'n'roll, [draft], 5\"\" disks\",2023-11-14T22:13:20.000Z,,,false\n"
        ),
        ServiceSample(
            "Zotero's tags with signs", .serviceCSV, ["tag:children's literature", "tag:[unread]"],
            "\"Key\",\"Item Type\",\"Title\",\"Url\",\"Manual Tags\",\"Automatic Tags\"\n"
                + "\"K\",\"book\",\"T\",\"https://example.org/\",\"children's literature\",\"[unread]\"\n"),
        ServiceSample(
            "Instapaper's tags with signs", .serviceCSV, ["tag:it's, a list", "tag:say \"x\"", "tag:b"],
            "URL,Title,Selection,Folder,Timestamp,Tags\n"
                + "https://example.org/,T,,Archive,1700000000,\"[\"\"it's, a list\"\",\"\"say \\\"\"x\\\"\"\"\",\"\"b\"\"]\"\n"
        ),
        ServiceSample(
            "Readwise Reader's tags with signs", .serviceCSV, ["tag:it's", "tag:b"],
            "Title,URL,ID,Document tags,Saved date\nT,https://example.org/,01abc,\"[\"\"it's\"\", 'b']\",2023-11-14 22:13:20+00:00\n"
        ),
    ]

    // MARK: Passages

    private static func clippings(_ blocks: [(place: String, text: String)]) -> String {
        blocks.map { "Ein Buch (Ann Writer)\r\n- \($0.place)\r\n\r\n\($0.text)\r\n==========\r\n" }.joined()
    }

    static let passages = [
        ServiceSample(
            "clippings in German", .clippings, ["> Das Zitat", "\n\nEin Gedanke\n", "2024-03-05T21:12:45.000Z"],
            clippings([
                ("Ihre Markierung bei Position 233-235 | Hinzugefügt am Dienstag, 5. März 2024 21:12:45", "Das Zitat"),
                ("Ihre Notiz bei Position 235 | Hinzugefügt am Dienstag, 5. März 2024 um 21:12:50 Uhr", "Ein Gedanke"),
            ])),
        ServiceSample(
            "clippings in Spanish", .clippings, ["> La cita", "\n\nUna idea\n", "2022-07-06T14:30:30.000Z"],
            clippings([
                (
                    "La subrayado en la página 4 | posición 60-60 | Añadido el miércoles, 6 de julio de 2022 2:30:30 p. m.",
                    "La cita"
                ),
                (
                    "Tu nota en la página 4 | posición 60 | Añadido el miércoles, 6 de julio de 2022 23:54:57",
                    "Una idea"
                ),
            ])),
        ServiceSample(
            "clippings in French", .clippings, ["> La citation", "\n\nUne idée\n", "2021-08-03T21:12:45.000Z"],
            clippings([
                (
                    "Votre surlignement sur la page 3 | emplacement 1-2 | Ajouté le mardi 3 août 2021 21:12:45",
                    "La citation"
                ),
                ("Votre note sur la page 3 | emplacement 2 | Ajouté le mardi 3 août 2021 21:13:45", "Une idée"),
            ])),
        ServiceSample(
            "clippings in Italian", .clippings, ["> La frase", "\n\nUn'idea\n", "2021-05-04T21:12:45.000Z"],
            clippings([
                (
                    "La tua evidenziazione a pagina 3 | posizione 1-2 | Aggiunto in data martedì 4 maggio 2021 21:12:45",
                    "La frase"
                ),
                ("La tua nota a pagina 3 | posizione 2 | Aggiunto in data martedì 4 maggio 2021 21:13:45", "Un'idea"),
            ])),
        ServiceSample(
            "clippings in Portuguese", .clippings, ["> A frase", "\n\nUma ideia\n", "2021-02-02T21:12:45.000Z"],
            clippings([
                (
                    "Seu destaque na página 3 | posição 1-2 | Adicionado: terça-feira, 2 de fevereiro de 2021 21:12:45",
                    "A frase"
                ),
                (
                    "Sua nota na página 3 | posição 2 | Adicionado: terça-feira, 2 de fevereiro de 2021 21:13:45",
                    "Uma ideia"
                ),
            ])),
        ServiceSample(
            "clippings in Dutch", .clippings, ["> De zin", "\n\nEen idee\n", "2021-03-02T21:12:45.000Z"],
            clippings([
                ("Uw markering op pagina 3 | locatie 1-2 | Toegevoegd op dinsdag 2 maart 2021 21:12:45", "De zin"),
                ("Uw notitie op pagina 3 | locatie 2 | Toegevoegd op dinsdag 2 maart 2021 21:13:45", "Een idee"),
            ])),
        ServiceSample(
            "clippings in Japanese", .clippings, ["> 引用", "\n\n考え\n", "2024-03-05T21:12:45.000Z"],
            clippings([
                ("3ページ|位置No. 45-46のハイライト |作成日: 2024年3月5日火曜日 21:12:45", "引用"),
                ("3ページ|位置No. 46のメモ |作成日: 2024年3月5日火曜日 21:12:50", "考え"),
            ])),
        ServiceSample(
            "clippings in Chinese", .clippings, ["> 引文", "\n\n想法\n", "2024-03-05T21:12:45.000Z"],
            clippings([
                ("您在第 3 页（位置 #45-46）的标注 | 添加于 2024年3月5日星期二 下午9:12:45", "引文"),
                ("您在第 3 页（位置 #46）的笔记 | 添加于 2024年3月5日星期二 下午9:12:50", "想法"),
            ])),
        ServiceSample(
            "clippings with a date of no form", .clippings, ["> Mot", "in no form that import knows"],
            clippings([("Din markering på sida 3 | Plats 45-46 | Tillagd en dag i går", "Mot")])),
        ServiceSample(
            "passages of Readwise with a date of no form", .highlights, ["> First", "in no form that import knows"],
            "Highlight,Book Title,Book Author,Note,Highlighted at\nFirst,Book,Ann,,the day before\n"),
    ]
}
