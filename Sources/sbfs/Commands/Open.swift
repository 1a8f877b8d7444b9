import Glibc
import Items
import StuffBucket

extension Commands {
    static let open = Command(
        "open", .find, "Open items in the browser or their program", arguments: "ITEM…",
        details: """
            Opens the saved page, or the document; a link whose page was not saved opens where it lives. Pages and links \
            go to the desktop's own programs (xdg-open), a text to the editor.
            """,
        options: [
            Option("page", "the saved page"), Option("reader", "the saved article"),
            Option("original", "the link, where it lives"), Option("document", "the document"), Option.query,
            Option("print", "print what would be opened"),
        ],
        examples: [
            .init("sbfs open @1", "what the item has"), .init("sbfs open @1 --reader", "the article alone"),
            .init("sbfs open @1 --original", "the live page"),
        ]
    ) { invocation in
        let selection = try invocation.items(invocation.positionals)
        var status = selection.status
        for row in selection.rows {
            let stored = try selection.library.item(row)
            guard let target = try target(of: stored, selection.library, invocation) else {
                invocation.talk.warn("\(row.id.short) has nothing of that kind to open")
                status = selection.rows.count == 1 ? .nothingFound : .partlyDone
                continue
            }
            if invocation.has("print") {
                try invocation.output.line(isatty(1) == 1 ? Printable.line(target) : target)
            } else {
                try open(target)
            }
        }
        return status
    }

    /// A URL or the whole path of a file.
    private static func target(
        of stored: StoredItem, _ library: Library, _ invocation: Invocation
    ) throws -> String? {
        let files = try library.store.archiveFiles(of: stored)
        let folder = FileOfPerson.absolute(library.path) + "/" + stored.folder + "/"
        let page = files.page != nil ? folder + Layout.pageFile : nil
        let reader = files.reader != nil ? folder + Layout.readerFile : nil
        let document = stored.document.map { folder + Layout.document + "/" + $0.name }
        if invocation.has("page") { return page }
        if invocation.has("reader") { return reader }
        if invocation.has("original") { return stored.item.linkURL }
        if invocation.has("document") { return document }
        return page ?? document ?? stored.item.linkURL ?? (stored.text != nil ? folder + Layout.textFile : nil)
    }

    private static func open(_ target: String) throws {
        let opener = Environment["SBFS_OPENER"].flatMap { $0.isEmpty ? nil : $0 } ?? "xdg-open"
        guard let status = Program.run([opener, target]) else {
            throw CommandFailure(
                .failed, "\(opener) is not installed (package xdg-utils); open it yourself: \(target)")
        }
        if status != 0 { throw CommandFailure(.failed, "\(opener) could not open \(target) (exit \(status))") }
    }
}
