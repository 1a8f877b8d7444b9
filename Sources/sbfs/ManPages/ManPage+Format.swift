import StuffBucket

extension ManPage {
    /// The files of a library, for people who open them in an editor.
    static var format: ManPage {
        var text = Troff.title("sbfs-format", section: 5)
        text += Troff.section("NAME") + "sbfs\\-format \\- the files of a StuffBucket library\n"
        text += Troff.section("DESCRIPTION")
        text += Troff.paragraphs(about)
        text += Troff.section("FILES")
        for (name, meaning) in files { text += Troff.entry(name, meaning + ".") }
        text += Troff.section("KEYS OF ITEM.JSON")
        text += Troff.escape("An object; every key may be missing, and unknown keys are kept.") + "\n"
        for field in ItemField.allCases { text += Troff.entry(field.key, field.summary + " " + kind(field.kind)) }
        text += Troff.section("KEYS OF LIBRARY.JSON")
        for setting in LibraryFile.Setting.allCases { text += Troff.entry(setting.rawValue, setting.summary + ".") }
        text += Troff.section("CHANGING FILES") + Troff.paragraphs(changing)
        text += Troff.seeAlso([("sbfs", 1), ("sbfs-check", 1), ("sbfs-edit", 1)])
        return ManPage(name: "sbfs-format", section: 5, text: text)
    }

    private static let about = """
        A library is a folder with a file library.json. Each item has a folder of its own, named by its id, below \
        items/ and a shard: the last two digits of the id. The files are the truth; the search index in .sbfs is derived \
        from them and may be deleted at any time.

        This page is for reading and editing by hand. FORMAT.md, which comes with the program's source, defines each byte.
        """

    private static let files = [
        ("library.json", "name, id and settings of the library"),
        ("items/<shard>/<id>/item.json", "the fields of an item: title, tags, link, times and so on"),
        (".../text.md", "its text, in Markdown"),
        (".../document/", "its document, under the original name"),
        (".../page.html, reader.html, assets/", "the saved page of a link, the article alone, and what both show"),
        (".../snapshots/", "earlier captures of the page"),
        (".../conflicts/", "versions of files that could not be merged with the live ones"),
        ("collections/, tags/, smart/", "a file for each collection, tag or saved query that has more than its name"),
        ("tombstones/", "says which items were purged"),
        ("schema/item-1.json", "a JSON Schema for editors"),
        (".sbfs/", "the search index and what else belongs to this device; do not replicate it"),
    ]

    private static let changing = """
        Any editor may change any of these files at any time, also while sbfs runs: sbfs merges a save that comes between \
        its reading and its writing, or keeps it in conflicts/. To add an item by hand, make its folder with an item.json. To \
        add a document, put it into the item's folder. To remove an item, give it the tag trashcan.

        A JSON file that does not parse is left alone; "sbfs check" names its line and column.
        """

    private static func kind(_ kind: ItemField.Kind) -> String {
        switch kind {
        case .uuid: "A UUID."
        case .string: "A string."
        case .word(let words): "One of \(words.joined(separator: ", "))."
        case .strings: "An array of strings."
        case .bool: "true or false."
        case .number: "A number."
        case .count: "A whole number."
        case .time: "RFC 3339, or a date."
        case .url: "An http or https URL."
        case .path: "A path below the item's folder."
        case .sha256: "64 hexadecimal digits."
        case .object: "An object."
        case .annotations: "An array of strings, or of objects with quote, note and createdAt."
        case .any: "Any value."
        }
    }
}
