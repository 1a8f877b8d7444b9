import Foundation
import TestSupport
import Testing

/// `sbfs repair --from`, `sbfs check --read-data` and `sbfs reset`.
struct RepairFromTests {
    private let a: Sandbox
    private let exchange: String
    private let backup: String
    private let document: String
    private let link: String

    /// A library with a document and a page with files, a backup of it, and an exchange that it synced with.
    init() throws {
        a = try Sandbox()
        exchange = a.scratch.full("exchange")
        backup = a.scratch.full("backup")
        try a.file("plan.txt", "Sow in May.\n")
        document = try #require(try a.sbfs("add", "plan.txt").lines.first)
        link = try #require(try a.sbfs("add", "https://example.org/x", "--no-archive").lines.first)
        try a.shell("mkdir x_files && echo 'p { color: red }' > x_files/s.css")
        try a.file(
            "x.html",
            "<html><head><title>T</title><link rel=stylesheet href=x_files/s.css></head><body><p>Hello there</body></html>"
        )
        try a.sbfs("archive", link, "--from", "x.html")
        // A version records the page.
        try a.sbfs("title", link, "Bread")
        try a.shell("cp -a '\(a.library)' '\(backup)'")
        try a.sbfs("remote", "add", "box", exchange)
        try a.sbfs("sync")
    }

    private func folder(_ id: String) throws -> String {
        try #require(try a.shell("ls -d '\(a.library)'/items/*/\(id)").lines.first)
    }

    /// Turns one bit of a file, and changes neither size nor time.
    private func damage(_ path: String) throws {
        try a.shell(
            """
            touch -r '\(path)' time && printf '\\377' | dd of='\(path)' bs=1 seek=3 conv=notrunc 2> /dev/null
            touch -r time '\(path)'
            # Nobody saves it, so no time of it is later than that of item.json.
            find '\(a.library)/items' -name item.json -exec chmod 644 {} +
            """)
    }

    private func asset() throws -> String {
        try folder(link) + "/assets/" + #require(try a.shell("ls '\(folder(link))/assets'").lines.first)
    }

    private func same() throws { try a.shell("diff -r -x .sbfs '\(a.library)' '\(backup)'") }

    @Test(arguments: [false, true])
    func `check records no hash of a document that is damaged`(isAnotherRepaired: Bool) throws {
        let path = try folder(document) + "/document/plan.txt"
        let before = try a.shell("grep documentSHA256 '\(folder(document))/item.json'").out
        try damage(path)
        // After the repair of another item, all is looked at again.
        if isAnotherRepaired {
            try a.scratch.write("library/items/00/01a19b7c-a680-7000-8f3e-5d2c9b7a61c4/item.json", "{}")
        }
        let check = try a.sbfs("check", "--read-data", "--repair", "--yes", exits: 1)
        #expect(check.out.contains("document/plan.txt: ") && !check.out.contains("documentSHA256"), "\(check)")
        #expect(check.err.contains("moved items/00/") == isAnotherRepaired, "\(check)")
        #expect(try a.shell("grep documentSHA256 '\(folder(document))/item.json'").out == before)
        try a.sbfs("repair", "--from", "box")
        if !isAnotherRepaired { try same() }
        // What an editor saved is recorded.
        try a.shell("sleep 1.1; echo 'Sow in April.' > '\(path)'")
        #expect(try a.sbfs("check", "--read-data", "--repair", "--yes").err.contains("recorded the document"))
    }

    @Test(arguments: ["backup", "box"]) func `damaged files come back from a copy and from an exchange`(_ kind: String)
        throws
    {
        let files = try [folder(document) + "/document/plan.txt", folder(link) + "/page.html", asset()]
        for file in files { try damage(file) }
        let check = try a.sbfs("check", "--read-data", exits: 1)
        for file in files { #expect(check.out.contains(file.dropFirst(a.library.count + 1)), "\(file): \(check)") }
        #expect(check.err.contains("sbfs repair --from"))
        let from = kind == "box" ? "box" : backup
        let before = try a.snapshot()
        #expect(try a.sbfs("repair", "--from", from, "--dry-run").out.contains("would bring back"))
        #expect(try a.changes(since: before, in: "library/items").isEmpty)
        let run = try a.sbfs("repair", "--from", from)
        #expect(run.lines.count == 3 && run.out.contains("it was damaged"), "\(run)")
        try same()
        #expect(try a.sbfs("repair", "--from", from).err.contains("nothing is damaged or missing"))
        try a.sbfs("check", "--read-data")
        // The damaged bytes are kept with the step.
        try a.shell("[ $(find '\(a.library)'/.sbfs/log-*/*.files -type f | wc -l) = 3 ]")
        let undo = try a.sbfs("undo", exits: 1).err
        #expect(undo.contains("a repair is not undone") && undo.contains("are in \(a.library)/.sbfs/log-"), "\(undo)")
    }

    @Test func `a missing page of which a sync left no record comes from a copy with the same capture`() throws {
        let page = try folder(link) + "/page.html"
        try a.shell("rm -r \"$(dirname '\(page)')\"/history; cp '\(page)' whole; rm -rf '\(a.library)/.sbfs' '\(page)'")
        let run = try a.sbfs("repair", "--from", backup, exits: nil)
        #expect(run.out.contains("page.html (it was missing)"), "\(run)")
        try a.shell("cmp whole '\(page)'")
        // Of another capture, no byte is known to be right.
        try a.shell(
            "rm '\(page)'; sed -i 's/\"archivedAt\": \"20/\"archivedAt\": \"19/' '\(backup)'/items/*/\(link)/item.json")
        #expect(try a.sbfs("repair", "--from", backup, exits: 4).err.contains("page.html is missing"))
    }

    @Test func `a missing page of which nothing records the bytes is named`() throws {
        let other = try #require(try a.sbfs("add", "https://example.org/y", "--no-archive").lines.first)
        try a.sbfs("archive", other, "--from", "x.html")
        try a.shell("cp -a '\(a.library)' other && rm '\(folder(other))/page.html'")
        try a.shell("rm -r '\(a.library)'/.sbfs/known")
        let run = try a.sbfs("repair", other, "--from", backup, exits: 4)
        #expect(run.err.contains("page.html is missing") && !run.err.contains("nothing is damaged"), "\(run)")
        // The copy has the page of the same capture.
        #expect(try a.sbfs("repair", other, "--from", "other").out.contains("page.html (it was missing)"))
        try a.shell("cmp '\(folder(other))/page.html' other/items/*/\(other)/page.html")
    }

    @Test(arguments: ["backup", "box"]) func `missing files come back`(_ kind: String) throws {
        let files = try [folder(document) + "/document/plan.txt", folder(link) + "/page.html", asset()]
        for file in files { try a.shell("rm '\(file)'") }
        #expect(try a.sbfs("repair", "--from", kind == "box" ? "box" : backup).lines.count == 3)
        try same()
    }

    @Test func `an edited file is not damaged, and stays`() throws {
        let path = try folder(document) + "/document/plan.txt"
        try a.shell("sleep 2.1; echo 'Sow in June.' > '\(path)'")
        #expect(try a.sbfs("repair", "--from", backup).err.contains("nothing is damaged"))
        try a.shell("grep -q June '\(path)'")
    }

    @Test func `what no copy has is named, and the others are mended`() throws {
        let path = try folder(document) + "/document/plan.txt"
        for file in try [path, asset()] { try damage(file) }
        try a.shell("rm -r '\(backup)/items/'*/\(document)")
        let run = try a.sbfs("repair", "--from", backup, exits: 4)
        #expect(run.lines.count == 1 && run.err.contains("no copy has the right bytes"), "\(run)")
        // Neither is a copy whose bytes are damaged, too.
        try a.shell("cp -a '\(a.library)' '\(a.desk)/other'")
        try a.sbfs("repair", "--from", "other", exits: 4)
        #expect(try a.sbfs("repair", "--from", "other", "--from", "box").out.contains("plan.txt"))
        try a.shell("grep -q 'Sow in May' '\(path)'")
    }

    @Test func `a version that was damaged comes back, and an item that is gone is named`() throws {
        let version = try #require(try a.shell("ls '\(folder(link))'/history/*.json").lines.first)
        try damage(version)
        try a.shell("rm -r '\(folder(document))'")
        let run = try a.sbfs("repair", "--from", backup)
        #expect(run.out.contains("history/") && run.err.contains("1 item of a copy"), "\(run)")
        try a.sbfs("merge", backup)
        #expect(try a.ids().count == 2)
    }

    @Test(arguments: ["", "{", "[]", "\0\0\0\0"])
    func `an item json that cannot be read comes back from the last version, without another copy`(_ text: String)
        throws
    {
        let path = try folder(link) + "/item.json"
        try a.shell("cp '\(path)' whole")
        try a.file("broken", text)
        try a.shell("cp broken '\(path)'")
        #expect(try a.sbfs("repair", "--dry-run").out.contains("item.json"))
        #expect(try a.sbfs("repair").out.contains("item.json (it was damaged)"))
        try a.shell("cmp whole '\(path)'")
        #expect(try a.sbfs("repair").err.contains("nothing is damaged or missing"))
    }

    @Test func `a document that may be damaged comes back if the copy has one of its size`() throws {
        let path = try folder(document) + "/document/plan.txt"
        try a.shell("rm -rf '\(a.library)/items/'*/\(document)/history '\(a.library)/.sbfs'")
        // Nobody can tell this from damage but by the size: the program that wrote it kept an old time.
        try a.shell(
            "touch -r '\(path)' time && printf '\\377' | dd of='\(path)' bs=1 seek=3 conv=notrunc 2> /dev/null; touch -r time '\(path)'"
        )
        let alone = try a.sbfs("repair")
        #expect(alone.err.contains("/document/plan.txt is not what sbfs stored: edited since, or damaged"))
        #expect(!alone.err.contains("nothing is damaged"))
        try a.shell("cp -p '\(path)' rotten")
        let run = try a.sbfs("repair", "--from", backup)
        #expect(run.out.contains("/document/plan.txt (it was damaged)"), "\(run)")
        #expect(try a.scratch.text("library/" + String(path.dropFirst(a.library.utf8.count + 1))) == "Sow in May.\n")
        // A file of another size was put there.
        try a.shell("echo 'Sow in June or July.' > '\(path)' && touch -r time '\(path)'")
        let other = try a.sbfs("repair", "--from", backup)
        #expect(other.out.isEmpty && other.err.contains("no copy has the stored bytes in the same size"), "\(other)")
        #expect(try a.shell("cat '\(path)'").out == "Sow in June or July.\n")
    }

    @Test func `without another copy, a damaged document is named with what to do`() throws {
        try damage(folder(document) + "/document/plan.txt")
        let run = try a.sbfs("repair", exits: 4)
        #expect(run.err.contains("plan.txt is damaged") && run.err.contains("sbfs repair --from"), "\(run)")
    }

    @Test func `all that a remote holds is read, and damage is named and mended`() throws {
        #expect(try a.sbfs("remote", "check").err.contains("all are whole"))
        let object = try #require(
            try a.shell("find '\(exchange)/objects' -type f ! -name '*.zst' | sort").lines.first)
        try damage(object)
        let run = try a.sbfs("remote", "check", "box", exits: 4)
        #expect(
            run.err.contains(String(object.dropFirst(exchange.count + 1))) && run.err.contains("sbfs sync box"),
            "\(run)")
        #expect(try a.sbfs("remote", "check", "--json", exits: 4).out.contains("\"faults\""))
        try a.sbfs("sync")
        #expect(try a.sbfs("remote", "check").err.contains("all are whole"))
        #expect(try a.sbfs("remote", "check", "nobox", exits: 3).err.contains("nobox"))
    }

    @Test func `wrong places are named, and nothing is read`() throws {
        #expect(try a.sbfs("repair", "--from", "nowhere", exits: 3).err.contains("neither a folder nor a remote"))
        #expect(try a.sbfs("repair", "--from", a.library, exits: 1).err.contains("this library"))
        let other = try Sandbox()
        try a.sbfs("repair", "--from", other.library, exits: 1)
        try a.sbfs("repair", "--from", a.desk, exits: 1)
    }

    // MARK: Reset

    @Test func `reset --local asks, removes what can be made again, and no item`() throws {
        try a.sbfs("search", "bread")
        let before = try a.snapshot()
        try a.sbfs("reset", "--local", exits: 1)
        #expect(try a.sbfs("reset", "--local", "--dry-run").err.contains("would remove the index"))
        #expect(try a.changes(since: before, in: "library/items").isEmpty)
        #expect(try a.ask("reset", "--local", typing: "n\n", exits: 1).terminal.contains("Remove the index"))
        try a.sbfs("reset", "--local", "--yes")
        #expect(try a.sbfs("log").lines.isEmpty)
        #expect(try a.sbfs("search", "bread", "--ids").lines == [link])
        try same()
        #expect(try a.sbfs("sync").out.contains("nothing to do"))
        try a.sbfs("reset", exits: 2)
        try a.sbfs("reset", "--local", "--remote", "box", exits: 2)
    }

    @Test func `reset --remote empties an exchange that holds nothing else, and devices write again`() throws {
        let b = try Sandbox(isLibraryMade: false)
        try b.sbfs("init", "--from", exchange)
        try b.sbfs("sync")
        try b.sbfs("title", document, "Garden")
        try b.sbfs("sync")
        // What the other device wrote is not here.
        let refused = try a.sbfs("reset", "--remote", "box", "--yes", exits: 1)
        #expect(refused.err.contains("nothing is removed"), "\(refused)")
        try a.sbfs("sync")
        #expect(try a.sbfs("reset", "--remote", "box", "--dry-run").err.contains("1 other device"))
        try a.sbfs("reset", "--remote", "box", "--yes")
        try a.shell("[ \"$(find '\(exchange)' -type f)\" = '\(exchange)/exchange.json' ]")
        for device in [b, a, b, a] { try device.sbfs("sync") }
        try a.shell("diff -r -x .sbfs '\(a.library)' '\(b.library)'")
        #expect(try a.sbfs("sync").out.contains("nothing to do (1 other device)"))
    }

    @Test func `an exchange that alone holds files is not emptied`() throws {
        try a.sbfs("drop", document)
        let run = try a.sbfs("reset", "--remote", "box", "--yes", exits: 1)
        #expect(run.err.contains("in an exchange only"), "\(run)")
        #expect(try a.sbfs("reset", "--local", "--yes").err.contains("1 item"))
        try a.sbfs("keep", document)
        try same()
    }

    @Test(arguments: [false, true])
    func `one run brings item json back and looks at the other files of its item`(isMissing: Bool) throws {
        let item = try folder(link) + "/item.json", page = try folder(link) + "/page.html"
        try damage(page)
        try a.shell(isMissing ? "rm '\(item)'" : "echo '{' > '\(item)'")
        let trial = try a.sbfs("repair", "--from", backup, "--dry-run")
        #expect(trial.err.contains("its other files are looked at when item.json is back"), "\(trial)")
        let run = try a.sbfs("repair", "--from", backup)
        #expect(run.out.contains("page.html (it was damaged)"), "\(run)")
        try a.shell("cmp '\(page)' '\(backup)'/items/*/\(link)/page.html")
        #expect(try a.sbfs("repair", "--from", backup).err.contains("nothing is damaged or missing"))
    }

    @Test func `one run names what no source has of an item whose item json comes back`() throws {
        let path = try folder(document)
        try damage(path + "/document/plan.txt")
        try a.shell(
            "cp '\(path)/item.json' whole; echo '{' > '\(path)/item.json'; rm '\(backup)'/items/*/\(document)/document/*"
        )
        let run = try a.sbfs("repair", "--from", backup, exits: 4)
        #expect(run.out.contains("item.json") && run.err.contains("document/plan.txt is damaged"), "\(run)")
    }

    @Test func `a full export names a damaged file, and writes it as it is`() throws {
        #expect(try !a.sbfs("export", "--full", "whole.tar").err.contains("damaged"))
        let files = try [folder(document) + "/document/plan.txt", folder(link) + "/page.html", asset()]
        for file in files { try damage(file) }
        let run = try a.sbfs("export", "--full", "full.tar", exits: 4)
        for file in files {
            let path = file.dropFirst(a.library.count + 1)
            #expect(run.err.contains("\(path): it is damaged, and was written as it is"), "\(run)")
            try a.shell("tar -xOf full.tar '\(path)' | cmp - '\(file)'")
        }
        // What a program saved is no damage.
        try a.sbfs("repair", "--from", "box")
        try a.shell("sleep 1.1; echo 'Sow in April.' > '\(files[0])'")
        #expect(try !a.sbfs("export", "--full", "edited.tar").err.contains("damaged"))
    }

    @Test func `sync names a damaged file and what brings it back, and writes nothing of it`() throws {
        let path = try folder(document) + "/document/plan.txt"
        try damage(path)
        let run = try a.sbfs("sync", exits: 4)
        #expect(run.out.contains("nothing to do"))
        #expect(run.err.contains("/document/plan.txt: it is damaged, so it was not written"), "\(run.err)")
        #expect(run.err.contains("\"sbfs repair --from box\" brings it back"), "\(run.err)")
        let object = try #require(try a.sbfs("sync", "--json", exits: 4).array().first)
        #expect((object["damaged"] as? [String])?.count == 1)
        try a.sbfs("repair", "--from", "box")
        #expect(try a.shell("cat '\(path)'").out == "Sow in May.\n")
        #expect(try a.sbfs("sync").out == "box: nothing to do (0 other devices)\n")
    }

    @Test func `sync names a collection that is no JSON, and what brings back one that was written`() throws {
        let path = a.library + "/collections"
        try a.shell("mkdir -p '\(path)' && printf '{garbage' > '\(path)/new.json'")
        let run = try a.sbfs("sync", exits: 4)
        #expect(run.err.contains("collections/new.json: it is no JSON object"), "\(run.err)")
        #expect(run.err.contains("\"sbfs check\" tells the line"), "\(run.err)")
        #expect(!run.err.contains("no program saved it"), "\(run.err)")
        try a.shell("printf '{\"name\": \"New\"}' > '\(path)/new.json'")
        try a.sbfs("sync")
        try a.shell("printf '{' > '\(path)/new.json'")
        #expect(try a.sbfs("sync", exits: 4).err.contains("\"sbfs repair --from box\" brings it back"))
        try a.sbfs("repair", "--from", "box")
        #expect(try a.shell("cat '\(path)/new.json'").out.contains("New"))
    }

    @Test func `sync says that it forgot what it synced`() throws {
        let id = try a.shell(
            "cat '\(a.library)'/.sbfs/sync/*/memory.json | grep -o '\"device\": *\"[^\"]*' | head -n 1"
        ).out
        try a.shell("for file in '\(a.library)'/.sbfs/sync/*/memory.json; do printf garbage > \"$file\"; done")
        let run = try a.sbfs("sync")
        #expect(run.err.contains("as a new device"), "\(run.err)")
        #expect(run.err.contains("\"sbfs remote prune box\""), "\(run.err)")
        let new = try a.shell(
            "cat '\(a.library)'/.sbfs/sync/*/memory.json | grep -o '\"device\": *\"[^\"]*' | head -n 1"
        ).out
        #expect(!id.isEmpty && !new.isEmpty && id != new)
        #expect(!(try a.sbfs("sync").err.contains("as a new device")))
    }

    @Test func `a note without versions that was synced, and that the disk damaged, is found and comes back`() throws {
        try a.sbfs("add", "-", input: "Sow the beans in May.\n")
        try a.sbfs("sync")
        let path = try a.shell("grep -rl 'Sow the beans' '\(a.library)/items' --include=text.md").out.dropLast()
        try a.shell(
            "touch -r '\(path)' time && printf X | dd of='\(path)' bs=1 conv=notrunc 2> /dev/null && touch -r time '\(path)'"
        )
        let check = try a.sbfs("check", "--read-data", exits: 1)
        #expect(check.out.contains("text.md"), "\(check)")
        let run = try a.sbfs("repair", "--from", "box")
        #expect(run.out.contains("text.md") || run.err.contains("text.md"), "\(run)")
        #expect(try a.shell("cat '\(path)'").out == "Sow the beans in May.\n")
        try a.sbfs("check", "--read-data")
    }

    @Test func `a version that was set aside as damaged comes back`() throws {
        let history = try folder(link) + "/history"
        let root = try #require(try a.shell("grep -L Bread '\(history)'/*.json").lines.first)
        // As a sweep does that reads it.
        try a.shell(
            "printf X | dd of='\(root)' bs=1 seek=3 conv=notrunc 2> /dev/null; mv '\(root)' '\(root).damaged'")
        try a.sbfs("check", "--read-data", exits: 1)
        try a.sbfs("repair", "--from", "box", "--dry-run")
        try a.shell("[ ! -e '\(root)' ] && [ -e '\(root).damaged' ]")
        try a.sbfs("repair", "--from", "box")
        try a.shell("[ -e '\(root)' ] && [ ! -e '\(root).damaged' ]")
        try a.sbfs("check", "--read-data")
    }

    @Test func `show says what of an item is not in the exchange, and why`() throws {
        try a.shell("ln -s /dev/null '\(folder(document))/document/link'")
        try a.sbfs("sync", exits: nil)
        let shown = try a.sbfs("show", document).out
        #expect(shown.contains("not synced") && shown.contains("document/link: it is no file but a link"), "\(shown)")
        try a.shell("rm '\(folder(document))/document/link'")
        try a.sbfs("sync")
        #expect(try !a.sbfs("show", document).out.contains("not synced"))
    }
}
