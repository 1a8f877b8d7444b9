import Exchange
import TestSupport
import Testing

struct FolderOfFilesTests {
    private func read(_ scratch: ScratchDirectory) throws -> (
        entries: [ImportedEntry], faults: [ImportFault], folders: [ImportedFolder]
    ) {
        var found: (entries: [ImportedEntry], faults: [ImportFault], folders: [ImportedFolder]) = ([], [], [])
        try ImportFile.readFolder(scratch.path) { event in
            switch event {
            case .entry(let entry): found.entries.append(entry)
            case .untaken: break
            case .fault(let fault): found.faults.append(fault)
            case .folder(let folder): found.folders.append(folder)
            }
        }
        return found
    }

    @Test func `sub-folders are collections, texts are notes, shortcuts are links, the rest are documents`() throws {
        let scratch = try ScratchDirectory()
        try scratch.write("Papers/a.pdf", "%PDF-1.4\n")
        try scratch.write("Papers/deep/note.md", "# Heading\n\ntext\n")
        try scratch.write("plain.txt", "words\n")
        try scratch.write("page.url", "[InternetShortcut]\r\nURL=https://example.org/\r\n")
        try scratch.write(
            "page.webloc",
            "<?xml version=\"1.0\"?><plist><dict><key>URL</key><string>https://example.org/w</string></dict></plist>")
        try scratch.write("binary.txt", [1, 0, 2])
        try scratch.write(".hidden", "x")
        try scratch.makeDirectory("Empty")
        let found = try read(scratch)
        let shown = found.entries.map {
            "\($0.place) \($0.folder.joined(separator: "/")) \($0.url ?? ($0.text != nil ? "text" : "file")) \($0.title ?? "-")"
        }
        #expect(
            shown == [
                "Papers/a.pdf Papers file -", "Papers/deep/note.md Papers/deep text -", "binary.txt  file -",
                "page.url  https://example.org/ page", "page.webloc  https://example.org/w page",
                "plain.txt  text plain",
            ])
        #expect(found.folders == [ImportedFolder(["Empty"])])
        #expect(found.faults.isEmpty)
    }

    @Test func `loops of symbolic links are not entered, and only links to files in the folder are read`() throws {
        let scratch = try ScratchDirectory()
        try scratch.write("a/file.pdf", "x")
        try scratch.link("a/loop", to: "..")
        try scratch.link("a/self", to: "self")
        try scratch.link("linked.pdf", to: "a/file.pdf")
        try scratch.link("gone", to: "nowhere")
        try scratch.link("out.md", to: "/etc/hostname")
        try scratch.makeFIFO("pipe")
        let found = try read(scratch)
        #expect(found.entries.map(\.place) == [.file("a/file.pdf"), .file("linked.pdf")])
        #expect(found.faults.map(\.place) == ["a/loop", "a/self", "gone", "out.md", "pipe"].map { .file($0) })
    }
}
