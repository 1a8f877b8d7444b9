import Files
import Items
import JSONFormat
import StuffBucket
import TestSupport
import Testing

/// The complete library of FORMAT.md, annex A, read from FORMAT.md itself.
struct ExampleLibraryTests {
    private let scratch: ScratchDirectory
    private let document: FormatDocument

    init() throws {
        scratch = try ScratchDirectory()
        document = try FormatDocument()
        for file in document.exampleFiles() {
            let parts = file.path.split(separator: "/").map(String.init)
            let folder = ([scratch.path] + parts.dropLast()).joined(separator: "/")
            try Directory.make(path: folder)
            try Directory(path: folder).writeFile(parts[parts.count - 1], file.bytes)
        }
    }

    @Test func `check finds nothing wrong with the example`() throws {
        let report = try Check(Library(path: scratch.path).store, readsData: true, isPortable: true).run()
        #expect(report.itemCount == 3)
        #expect(report.findings.map(\.path) == [])
    }

    @Test func `every JSON file of the example is canonical`() throws {
        let files = document.exampleFiles().filter { $0.path.hasSuffix(".json") }
        #expect(files.count == 6)
        for file in files {
            let json = try JSONDocument(parsing: file.bytes)
            #expect(try json.rewriting([]) { _ in nil } == file.bytes, "\(file.path)")
        }
    }

    @Test func `the items read as the table below the example says`() throws {
        let rows = document.table(behind: "File: .stignore")
        #expect(rows.count == 3)
        let library = try Library(path: scratch.path)
        for row in rows {
            let id = try #require(FormatDocument.code(row[0]).first.flatMap(ItemID.init))
            let stored = try #require(try library.store.item(id))
            #expect(stored.kind.rawValue == row[1].filter { $0 != "`" })
            #expect(library.store.displayTitle(of: stored) == row[2].filter { $0 != "`" })
            #expect(stored.item.plainTags == FormatDocument.code(row[3]))
            #expect(stored.item.collections == FormatDocument.code(row[4]))
            #expect(stored.createdAt.rfc3339 == row[5].filter { $0 != "`" })
            #expect(stored.item.updatedAt?.rfc3339 == row[6].filter { $0 != "`" })
        }
    }

    @Test func `a change keeps the unknown key and the number's spelling`() throws {
        let library = try Library(path: scratch.path)
        let file = try #require(
            document.exampleFiles().first { String(decoding: $0.bytes, as: UTF8.self).contains("1.50e1") })
        let id = try #require(file.path.split(separator: "/").dropLast().last.flatMap { ItemID(String($0)) })
        let stored = try #require(try library.store.item(id))
        var edit = ItemEdit(base: stored.json)
        edit.set(.title, .string("Sourdough"))
        #expect(try library.session.update(stored, edit))
        let text = String(decoding: try #require(try library.store.item(id)).json.bytes, as: UTF8.self)
        #expect(text.contains("\n  \"servings\": 1.50e1,\n"))
        #expect(text.contains("\n  \"mood\": \"calm\",\n"))
    }
}
