import Exchange
import Files
import Glibc

/// Measures how fast bookmarks of other programs are parsed, and whole processes of `sbfs import`.
enum ImportBenchmark {
    static func run(_ words: [String]) throws {
        let options = try BenchmarkOptions(words)
        let count = options.number("items", 50_000)
        let sbfs = options.text("sbfs", LibraryBenchmark.besideThis())
        let folder = try options.folder()
        setenv("XDG_STATE_HOME", folder + "/state", 1)
        setenv("XDG_CONFIG_HOME", folder + "/config", 1)
        let files = [
            ("HTML", html(count)), ("CSV", csv(count)), ("Chromium", chromium(count)), ("NDJSON", ndjson(count)),
        ]
        print("parsing \(count) bookmarks:")
        for (name, bytes) in files {
            var times: [Double] = []
            var found = 0
            for _ in 0..<max(3, options.number("runs", 5)) {
                found = 0
                let time = try ContinuousClock().measure {
                    try ImportFile.read(bytes, format: { _ in }) { if case .entry = $0 { found += 1 } }
                }
                times.append(Double(time.components.seconds) + Double(time.components.attoseconds) / 1e18)
            }
            guard found == count else { throw BenchmarkError(description: "\(name): \(found) of \(count) were read") }
            let median = times.sorted()[times.count / 2]
            print("  \(name): \(Int(Double(bytes.count) / median / 1e6)) MB/s (\(bytes.count / 1000) kB)")
        }
        let path = folder + "/library"
        let file = folder + "/bookmarks.html"
        try Directory(path: folder).writeFile("bookmarks.html", files[0].1)
        if try ProcessRun([sbfs, "init", path]).status != 0 { throw BenchmarkError(description: "init failed") }
        for what in ["imported", "imported again"] {
            let run = try ProcessRun([sbfs, "--library", path, "import", file])
            if run.status != 0 { throw BenchmarkError(description: "the import ended with status \(run.status)") }
            print("\(count) bookmarks \(what): \(Int(run.seconds * 1000)) ms, \(run.residentKiB / 1024) MB resident")
        }
        let out = try ProcessRun([sbfs, "--library", path, "export", "--full", folder + "/all.tar"])
        print("export --full: \(Int(out.seconds * 1000)) ms, \(out.residentKiB / 1024) MB resident")
        print("left in \(folder); remove it when you like")
    }

    private static func url(_ number: Int) -> String {
        "https://site\(number % 977).example.org/path/\(number)/article?number=\(number * 7919)"
    }

    private static func html(_ count: Int) -> [UInt8] {
        var text = "<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<TITLE>Bookmarks</TITLE>\n<H1>Bookmarks</H1>\n<DL><p>\n"
        for number in 0..<count {
            if number % 100 == 0 { text += "<DT><H3>Folder \(number / 100)</H3>\n<DL><p>\n" }
            text += "<DT><A HREF=\"\(url(number))\" ADD_DATE=\"\(1_500_000_000 + number)\" TAGS=\"tag\(number % 50)\">"
            text += "Title of article \(number) &amp; more</A>\n"
            if number % 100 == 99 || number == count - 1 { text += "</DL><p>\n" }
        }
        return Array((text + "</DL><p>\n").utf8)
    }

    private static func csv(_ count: Int) -> [UInt8] {
        var text = "#BOOKMARKS\nurl,name,descriptionText,createdDate,isFavorite,sortOrder,folderPath\n"
        for number in 0..<count {
            text +=
                "\(url(number)),Title \(number),\"A site, \"\"\(number)\"\"\",2024-02-14T10:00:00Z,false,\(number),Work\n"
        }
        return Array(text.utf8)
    }

    private static func chromium(_ count: Int) -> [UInt8] {
        let children = (0..<count).map { number in
            "{\"date_added\":\"13344473600000000\",\"guid\":\"g-\(number)\",\"id\":\"\(number)\",\"name\":\"Title \(number)\","
                + "\"type\":\"url\",\"url\":\"\(url(number))\"}"
        }
        return Array(
            ("{\"roots\":{\"bookmark_bar\":{\"children\":[" + children.joined(separator: ",\n")
                + "],\"name\":\"Bar\",\"type\":\"folder\"}},\"version\":1}").utf8)
    }

    private static func ndjson(_ count: Int) -> [UInt8] {
        let lines = (0..<count).map { number in
            let digits = String(number, radix: 16)
            let id = "0198aaaa-bbbb-7ccc-8ddd-" + String(repeating: "0", count: 11 - digits.count) + digits + "f"
            return "{\"id\":\"\(id)\",\"type\":\"link\",\"title\":\"Title \(number)\",\"linkURL\":\"\(url(number))\"}\n"
        }
        return Array(lines.joined().utf8)
    }
}
