import Exchange
import JSONFormat
import Testing
import Time

@testable import sbfs

/// Nothing in an export is dropped: each value is in the entry, or its name is among those left out.
struct WholeEntriesTests {
    @Test(arguments: ServiceSamples.all)
    func `each value of an export is taken or named`(sample: ServiceSample) throws {
        let reading = try Reading(sample.text)
        #expect(reading.format == sample.format)
        #expect(reading.faults.isEmpty, "\(reading.faults)")
        #expect(reading.entries.count == sample.count)
        let taken = reading.entries.map(Self.everything).joined(separator: "\n")
        for value in sample.values { #expect(taken.contains(value), "\(value)") }
        let untaken = Set(reading.untaken + reading.entries.flatMap(\.untaken))
        #expect(untaken == Set(sample.untaken))
    }

    /// All values of an entry, as text.
    private static func everything(_ entry: ImportedEntry) -> String {
        var parts = [
            entry.url, entry.title, entry.description, entry.author, entry.site, entry.language, entry.published,
        ]
        parts += [entry.externalID, entry.createdAt?.rfc3339, entry.updatedAt?.rfc3339]
        parts += [entry.text.map { String(decoding: $0, as: UTF8.self) }]
        parts += entry.tags.map { "tag:" + $0 } + entry.collections.map { "in:" + $0 }
        parts += ["in:" + FolderPath.joined(entry.folder)] + entry.remarks.map(\.wording)
        if entry.isFavorite { parts.append("favourite") }
        var writer = JSONWriter(.oneLine)
        writer.write(.array(entry.annotations + [.object(entry.fields)]))
        parts.append(String(decoding: writer.bytes, as: UTF8.self))
        return parts.compactMap { $0 }.joined(separator: "\n")
    }

    @Test(arguments: ServiceSamples.all)
    func `the same is read in pieces of any size`(sample: ServiceSample) throws {
        let bytes = Array(sample.text.utf8)
        let whole = try Reading(bytes)
        for count in [1, 3, 64, 1000] {
            let parts = try Reading(bytes, pieceByteCount: count)
            #expect(parts.entries == whole.entries, "\(count)")
            #expect(parts.folders == whole.folders, "\(count)")
            #expect(parts.untaken == whole.untaken, "\(count)")
            #expect(parts.format == whole.format)
        }
    }

    /// Byte order marks have a meaning only there.
    @Test(arguments: ServiceSamples.all)
    func `a mark of UTF-8 at the beginning changes nothing`(sample: ServiceSample) throws {
        let whole = try Reading(sample.text)
        let marked = try Reading([0xEF, 0xBB, 0xBF] + Array(sample.text.utf8))
        #expect(marked.entries.map(\.title) == whole.entries.map(\.title))
        #expect(marked.format == whole.format)
    }

    @Test func `a folder whose list does not follow is an empty folder`() throws {
        let text =
            "<!DOCTYPE NETSCAPE-Bookmark-file-1><DL><DT><H3>A</H3><DT><H3>B</H3><DL><DT><H3>C</H3></DL><DT><H3>D</H3>"
        let reading = try Reading(text + "</DL>")
        #expect(reading.folders == [["A"], ["B", "C"], ["D"]].map { ImportedFolder($0) })
    }

    @Test func `the icons of lists are taken`() throws {
        let text = #"{"bookmarks":[],"lists":[{"id":"l1","name":"Reading","icon":"🚀","type":"manual"}]}"#
        #expect(try Reading(text).folders == [ImportedFolder(["Reading"], icon: "🚀")])
    }

    @Test(.timeLimit(.minutes(1))) func `elements without end take linear time`() throws {
        let elements = [
            String(repeating: "<x y='1'>", count: 100_000),
            String(repeating: "<enclosure url='https://e.org/x'/>", count: 100_000),
            (0..<100_000).map { "<n\($0)>v</n\($0)>" }.joined(), String(repeating: "<author>A<b>", count: 100_000),
        ]
        for element in elements {
            let text = "<rss><channel><item><link>https://e.org/</link>\(element)</item></channel></rss>"
            let entry = try #require(try Reading(text).entries.first).bounded().entry
            #expect(entry.url == "https://e.org/")
            #expect(entry.fields.allSatisfy { $0.value.depth <= ImportedEntry.depthLimit })
        }
    }

    @Test func `what does not fit is cut or left out by name`() {
        var entry = ImportedEntry(at: .entry(1))
        entry.tags = ["a", String(repeating: "t", count: 501)]
        entry.externalID = String(repeating: "i", count: 1001)
        entry.collections = (0...ImportedEntry.tagCountLimit).map { "c\($0)" }
        entry.collections[0] = String(repeating: "c", count: 5001)
        let (bounded, cut) = entry.bounded()
        #expect(bounded.externalID == nil)
        #expect(bounded.untaken == ["id", "collection"])
        #expect(
            cut == [
                .cutField(.tag, byteCount: 501, limit: 500), .cutField(.collection, byteCount: 5001, limit: 5000),
            ])
    }

    // MARK: What is not read

    static let foreign: [(String, String)] = [
        (
            "<?xml version=\"1.0\"?><!DOCTYPE en-export SYSTEM \"http://x/y.dtd\"><en-export><note/></en-export>",
            "Evernote"
        ),
        ("@article{doe2020,\n  title = {T},\n  year = 2020\n}\n", "BibTeX"), ("TY  - JOUR\nTI  - T\nER  - \n", "RIS"),
        ("SQLite format 3\u{0}\u{1}\u{2}", "SQLite"), ("%PDF-1.7\n%", "PDF"), ("PK\u{3}\u{4}abc", "ZIP"),
        ("<!DOCTYPE html><html><body><p>words <a href=\"https://e.org\">x</a></p></body></html>", "web page"),
        ("Name,Age,City\nA,1,X\nB,2,Y\n", "without a column of addresses"),
        ("BEGIN:VCARD\nVERSION:3.0\nEND:VCARD\n", "vCard"),
        ("<?xml version=\"1.0\"?>\n<recipes><r/></recipes>", "<recipes>"),
        ("{\"servings\":4,\"steps\":[]}", "servings, steps"), ("\u{0}\u{1}\u{2}\u{0}", "binary"),
    ]

    @Test(arguments: foreign.indices)
    func `unknown formats are refused by name, with advice`(index: Int) throws {
        let (text, name) = Self.foreign[index]
        let error = #expect(throws: ImportError.self) { try Reading(text) }
        #expect(error?.wording().contains(name) ?? false, "\(error?.wording() ?? "")")
        #expect(error?.wording().contains("sbfs add") ?? false)
    }

    static let notes = [
        "Dear Ann,\nthank you, for all.\n", "# Heading\n\nwords, more words\n", "a, b\n",
        "https://e.org is good\nis it?\n",
        "From here on\nwe walk\n", "<3 this\n", "@ann wrote {so}\n",
    ]

    @Test(arguments: notes)
    func `a text of a person's is a note`(text: String) throws {
        let reading = try Reading(text)
        #expect(reading.format == .markdown)
        #expect(reading.entries[0].text == Array(text.utf8))
    }

    // MARK: XML

    /// Declarations of a document type have no effect, so nothing grows and nothing else is read.
    @Test func `a hostile document type is harmless`() throws {
        let laughs = (1..<12).map { "<!ENTITY l\($0) \"" + String(repeating: "&l\($0 - 1);", count: 10) + "\">" }
            .joined()
        let text =
            "<?xml version=\"1.0\"?><!DOCTYPE opml [<!ENTITY l0 \"ha\">\(laughs)<!ENTITY f SYSTEM \"file:///etc/passwd\">]>"
            + "<opml><body><outline text=\"&l11;&f;\" url=\"https://e.org/\"/></body></opml>"
        let reading = try Reading(text)
        #expect(reading.entries.map(\.title) == ["&l11;&f;"])
        #expect(reading.entries.map(\.url) == ["https://e.org/"])
    }

    @Test func `an encoding that the file declares is read`() throws {
        let text = "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><xbel><bookmark href=\"https://e.org/\"><title>Gr"
        let bytes = Array(text.utf8) + [0xF6, 0xDF] + Array("e</title></bookmark></xbel>".utf8)
        #expect(try Reading(bytes).entries.map(\.title) == ["Größe"])
    }

    @Test func `nesting without end is read, with folders up to the limit of levels`() throws {
        for (open, close) in [("<outline text=\"a\">", "</outline>"), ("<folder><title>a</title>", "</folder>")] {
            let root = open.hasPrefix("<o") ? "opml" : "xbel"
            let text =
                "<\(root)><body>" + String(repeating: open, count: 30_000)
                + (root == "opml"
                    ? "<outline text=\"x\" url=\"https://e.org/\"/>" : "<bookmark href=\"https://e.org/\"/>")
                + String(repeating: close, count: 30_000)
            let entry = try #require(try Reading(text).entries.first)
            #expect(entry.folder.count <= ImportedEntry.folderDepthLimit)
        }
    }
}
