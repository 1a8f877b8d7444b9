import Exchange

/// Exports with name spaces, comments, and elements and attributes of other vocabularies. See `ServiceSamples`.
enum NamespaceSamples {
    static let all = [
        ServiceSample(
            "OPML with another vocabulary", .outline, ["T", "\"x:rating\":\"5\"", "Words of it"],
            untaken: ["xmlns:x", "head x:owner", "x:owner id", "x:note", "x:note by", "xmlns:y", "x:empty"],
            """
            <opml version="2.0" xmlns:x="urn:x"><head><x:owner id="1">Ann</x:owner></head><body>
            <outline text="T" url="https://example.org/" x:rating="5"><x:note by="Ann">Words of it</x:note></outline>
            <x:empty xmlns:y="urn:y"/></body></opml>
            """),
        ServiceSample(
            "XBEL with another vocabulary", .xbel,
            [
                "T", "\"x:rating\":\"5\"", "\"x:note\"", "Words of it", "\"title lang\":\"en\"", "\"desc lang\":\"de\"",
                "\"info by\":\"me\"",
            ],
            untaken: [
                "xmlns", "xmlns:x", "folder title lang", "folder desc", "folder desc lang", "separator",
                "separator x:at", "alias",
                "alias ref", "folder metadata", "folder info x:by", "folder x:flag", "x:mark", "x:mark a",
            ],
            """
            <?xml version="1.0"?><xbel version="1.0" xmlns="urn:xbel" xmlns:x="urn:x"><folder x:flag="1"><title lang="en">Work</title>
            <desc lang="de">Words</desc><info x:by="me"><metadata owner="o">w</metadata></info>
            <bookmark href="https://example.org/" x:rating="5"><title lang="en">T</title><desc lang="de">D</desc><info by="me"/>
            <x:note by="Ann">Words of it</x:note></bookmark>
            <separator x:at="1"/><alias ref="b"/><x:mark a="1"/></folder></xbel>
            """),
        ServiceSample(
            "RSS with name spaces", .feed,
            ["T", "\"media:title\":\"M\"", "\"pubdate x:zone\":\"local\"", "\"link\":\"beside\""],
            untaken: ["xmlns:media", "xmlns:x", "feed title", "feed atom:link", "xmlns:z"],
            """
            <rss version="2.0" xmlns:media="urn:m" xmlns:x="urn:x"><channel><title>C</title><atom:link href="https://example.org/f"/>
            <item xmlns:z="urn:z"><title>T</title><link href="https://example.org/">beside</link><media:title>M</media:title>
            <pubDate x:zone="local">Tue, 14 Nov 2023 22:13:20 GMT</pubDate></item></channel></rss>
            """),
        ServiceSample(
            "Atom with a prefix", .feed, ["T", "https://example.org/1", "feed:urn:1", "Words", "Ann"],
            untaken: ["xmlns:a", "feed title"],
            """
            <?xml version="1.0"?><a:feed xmlns:a="http://www.w3.org/2005/Atom"><a:title>F</a:title><a:entry><a:title>T</a:title>
            <a:link href="https://example.org/1"/><a:id>urn:1</a:id><a:author><a:name>Ann</a:name></a:author>
            <a:summary>Words</a:summary></a:entry></a:feed>
            """),
        ServiceSample(
            "posts with a comment element", .posts, ["T", "Words"],
            untaken: ["xmlns:x", "x:flag", "x:flag a", "comment"],
            """
            <?xml version="1.0"?><posts xmlns:x="urn:x"><!-- by hand --><post href="https://example.org/" description="T"><x:flag a="1"/><p>Words</p></post></posts>
            """),
        ServiceSample(
            "bookmark HTML with comments", .html, ["T", "in:Work", "About", "tag:toread"],
            untaken: [
                "comment", "meta name", "meta content", "style", "dl class", "dt id", "dd class", "img src",
                "heading id", "folder open", "link href", "p align",
            ],
            """
            <!DOCTYPE NETSCAPE-Bookmark-file-1><!-- This is an automatically generated file. It will be read and overwritten. DO NOT EDIT! -->
            <META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=UTF-8"><META NAME="author" CONTENT="Ann"><LINK HREF="x.css">
            <STYLE>p { color: red }</STYLE><TITLE>Bookmarks</TITLE><H1 ID="h">Bookmarks</H1><!-- sorted by hand --><DL CLASS="c"><p align="left">
            <DT ID="d"><H3 OPEN>Work</H3><DL><p><DT><A HREF="https://example.org/" TOREAD>T <IMG SRC="i.png"></A><DD CLASS="x">About<!-- and more -->
            </DL><p></DL>
            """),
    ]
}
