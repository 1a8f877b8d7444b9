import Foundation
import Testing

struct EditTests {
    let sandbox: Sandbox
    let id: String

    init() throws {
        sandbox = try Sandbox()
        id = try sandbox.snippet("# Soup\n\nwith salt\n", title: "Dinner", tags: "food")
    }

    @Test func `changes in the editor change the item`() throws {
        try sandbox.useEditor(#"sed -i 's/"Dinner"/"Supper", "mood": "calm"/' "$1""#)
        let run = try sandbox.sbfs("edit", "Dinner")
        #expect(run.err == "sbfs: changed 1 item\n")
        #expect(try sandbox.title(id) == "Supper")
        #expect(try sandbox.item(id)["mood"] as? String == "calm")
        #expect(try !sandbox.scratch.exists(sandbox.draft(id, "item.json")))
    }

    @Test func `an edit that changes nothing writes nothing`() throws {
        try sandbox.useEditor("touch \"$1\"")
        let before = try sandbox.snapshot()
        #expect(try sandbox.sbfs("edit", id).err == "sbfs: nothing to change\n")
        #expect(try sandbox.changes(since: before, in: "library/items").isEmpty)
    }

    @Test func `the text is edited with --text`() throws {
        try sandbox.useEditor(#"sed -i s/salt/pepper/ "$1""#)
        try sandbox.sbfs("edit", id, "--text")
        #expect(try sandbox.text(id) == "# Soup\n\nwith pepper\n")
    }

    @Test func `an item without a text gets one`() throws {
        let link = try sandbox.link("https://example.org")
        try sandbox.useEditor("echo new > \"$1\"")
        try sandbox.sbfs("edit", link, "--text")
        #expect(try sandbox.text(link) == "new\n")
    }

    @Test func `a bad file is shown with its place, kept, and taken up by the next edit`() throws {
        try sandbox.useEditor(#"printf '{\n  "title": "Supper",\n  oops\n}\n' > "$1""#)
        let before = try sandbox.itemText(id)
        let run = try sandbox.sbfs("edit", id, exits: 1)
        let draft = try sandbox.draft(id, "item.json")
        #expect(run.err.contains("\(sandbox.scratch.full(draft)):3:3: expected a key in double quotes"))
        #expect(run.err.contains("the item was not changed; your version is kept in \(sandbox.scratch.full(draft))"))
        #expect(run.err.contains("\"sbfs edit \(id.suffix(8))\" goes on with it"))
        #expect(try sandbox.itemText(id) == before)
        try sandbox.useEditor(#"sed -i -e '/oops/d' -e 's/",$/"/' "$1""#)
        #expect(try sandbox.sbfs("edit", id).err.contains("continuing the unfinished edit in"))
        #expect(try sandbox.title(id) == "Supper")
        #expect(!sandbox.scratch.exists(draft))
    }

    @Test func `at a terminal a bad file is opened again at once`() throws {
        try sandbox.useEditor(
            #"""
            if grep -q oops "$1"; then sed -i 's/oops/"Supper"/' "$1"; else sed -i 's/"Dinner"/oops/' "$1"; fi
            """#)
        let run = try sandbox.ask("edit", id, typing: "\n")
        #expect(run.terminal.contains("Edit it again? [Y/n]"))
        #expect(run.err.contains("item.json:4:12: expected a value"))
        #expect(try sandbox.title(id) == "Supper")
    }

    @Test func `a value that does not fit its field is no edit`() throws {
        try sandbox.useEditor(#"sed -i 's/"Dinner"/5/' "$1""#)
        let run = try sandbox.ask("edit", id, typing: "n\n", exits: 1)
        #expect(run.err.contains("item.json:4:12: title: expected a string, found a number"))
        #expect(try sandbox.title(id) == "Dinner")
    }

    @Test func `another id is no edit`() throws {
        try sandbox.useEditor(#"sed -i 's/"id": "./"id": "f/' "$1""#)
        #expect(try sandbox.sbfs("edit", id, exits: 1).err.contains("id: expected the folder's name \(id)"))
    }

    @Test func `an edit of the text leaves an unfinished edit of the item alone`() throws {
        try sandbox.useEditor("echo oops > \"$1\"")
        try sandbox.sbfs("edit", id, exits: 1)
        try sandbox.useEditor("echo new > \"$1\"")
        try sandbox.sbfs("edit", id, "--text")
        #expect(try sandbox.text(id) == "new\n")
        #expect(try sandbox.scratch.text(sandbox.draft(id, "item.json")) == "oops\n")
    }

    @Test func `an editor that fails leaves the item and keeps the text`() throws {
        try sandbox.useEditor("echo oops > \"$1\"; exit 3")
        let run = try sandbox.sbfs("edit", id, exits: 1)
        #expect(run.err.contains("editor\" ended with status 3; the text is kept in "))
        #expect(try sandbox.title(id) == "Dinner")
    }

    @Test(arguments: ["--yes", "--text"])
    func `an unfinished edit that is closed without a save is not applied`(_ option: String) throws {
        try sandbox.useEditor(#"sed -i -e s/Dinner/Supper/ -e s/salt/pepper/ "$1"; exit 1"#)
        try sandbox.sbfs("edit", id, option, exits: 1)
        try sandbox.useEditor("true")
        let before = try sandbox.snapshot()
        let run = try sandbox.sbfs("edit", id, option, exits: 1)
        #expect(run.err.contains("nothing was changed; the unfinished edit is kept in "))
        #expect(run.err.contains("with --discard it begins from the start"))
        #expect(try sandbox.changes(since: before, in: "library/items").isEmpty)
        let asked = try sandbox.ask("edit", id, option, typing: "n\n", exits: 1)
        #expect(asked.terminal.contains("Apply it as it is? [y/N]"))
        #expect(try sandbox.changes(since: before, in: "library/items").isEmpty)
        try sandbox.sbfs("edit", id, option, "--discard", "--dry-run", exits: 2)
        #expect(try sandbox.scratch.exists(draft(option)))
        _ = try sandbox.ask("edit", id, option, typing: "y\n")
        #expect(try option == "--yes" ? sandbox.title(id) == "Supper" : sandbox.text(id).contains("pepper"))
    }

    @Test(arguments: ["--yes", "--text"])
    func `an unfinished edit is applied when it is saved, and goes with --discard`(_ option: String) throws {
        try sandbox.useEditor(#"sed -i -e s/Dinner/Supper/ -e s/salt/pepper/ "$1"; exit 1"#)
        try sandbox.sbfs("edit", id, option, exits: 1)
        try sandbox.useEditor(#"touch "$1""#)
        let before = try sandbox.snapshot()
        let run = try sandbox.sbfs("edit", id, option, "--discard")
        #expect(run.err == "sbfs: nothing to change\n")
        #expect(try sandbox.changes(since: before, in: "library/items").isEmpty)
        #expect(try !sandbox.scratch.exists(draft(option)))
        try sandbox.useEditor(#"sed -i -e s/Dinner/Supper/ -e s/salt/pepper/ "$1"; exit 1"#)
        try sandbox.sbfs("edit", id, option, exits: 1)
        try sandbox.useEditor(#"touch "$1""#)
        try sandbox.sbfs("edit", id, option)
        #expect(try option == "--yes" ? sandbox.title(id) == "Supper" : sandbox.text(id).contains("pepper"))
    }

    /// As an editor with a window of its own that its command does not wait for.
    @Test(arguments: ["--yes", "--text"])
    func `what an editor saves after its command ended is not lost`(_ option: String) throws {
        try sandbox.useEditor("true")
        let run = try sandbox.sbfs("edit", id, option)
        #expect(run.err.contains("the editor ended at once. If it is still open, set EDITOR"), "\(run)")
        #expect(run.err.contains("nothing to change"), "\(run)")
        let path = try sandbox.scratch.full(draft(option))
        try sandbox.shell("rm '\(path).base'; sed -i -e s/Dinner/Supper/ -e s/salt/pepper/ '\(path)'")
        #expect(try sandbox.sbfs("edit", id, option, exits: 1).err.contains("continuing the unfinished edit in"))
        _ = try sandbox.ask("edit", id, option, typing: "y\n")
        #expect(try option == "--yes" ? sandbox.title(id) == "Supper" : sandbox.text(id).contains("pepper"))
    }

    private func draft(_ option: String) throws -> String {
        try option == "--text" ? sandbox.draft(id + "-text", "text.md") : sandbox.draft(id, "item.json")
    }

    @Test(arguments: ["", " --text"])
    func `the text of an item that is purged meanwhile is kept and named`(_ option: String) throws {
        try sandbox.useEditor(
            "sed -i 's/Dinner/Supper/; s/salt/pepper/' \"$1\"; sbfs trash \(id) && sbfs purge \(id) --now --yes")
        let run = try sandbox.shell("sbfs edit \(id)\(option)", exits: nil)
        #expect(run.status != 0 && run.err.contains("your version is kept in \(sandbox.home)/state/"), "\(run)")
        let path = try #require(run.err.split(separator: "\n").last?.components(separatedBy: "is kept in ").last)
        let draft = try String(contentsOfFile: path, encoding: .utf8)
        #expect(draft.contains(option.isEmpty ? "Supper" : "pepper"), "\(draft)")
    }

    @Test func `an editor that is not there is named`() throws {
        sandbox.environment["EDITOR"] = "no-such-editor"
        #expect(
            try sandbox.sbfs("edit", id, exits: 1).err.contains("the editor \"no-such-editor\" ended with status 127"))
    }

    @Test func `the editor is the setting, else VISUAL, else EDITOR, with arguments`() throws {
        try sandbox.file("name with space", "")
        for (index, name) in ["EDITOR", "VISUAL", "setting"].enumerated() {
            let editor = "sed -i 's/\"title\": \".*\"/\"title\": \"by \(name)\"/'"
            if name == "setting" {
                try sandbox.sbfs("config", "editor", editor)
            } else {
                sandbox.environment[name] = editor
            }
            try sandbox.sbfs("edit", id)
            #expect(try sandbox.title(id) == "by \(name)", "\(index)")
        }
    }

    @Test func `several items are edited one after another`() throws {
        let other = try sandbox.snippet("x", title: "Dinner too")
        try sandbox.useEditor(#"sed -i s/Dinner/Supper/ "$1""#)
        #expect(try sandbox.sbfs("edit", "-q", "dinner").err == "sbfs: changed 2 items\n")
        #expect(try sandbox.title(id) == "Supper")
        #expect(try sandbox.title(other) == "Supper too")
    }

    @Test func `an unknown name beside a known one is reported, and nothing is edited`() throws {
        try sandbox.useEditor(#"sed -i s/Dinner/Supper/ "$1""#)
        #expect(
            try sandbox.sbfs("edit", "Dinner", "Breakfast", exits: 3).err.contains("nothing is named \"Breakfast\""))
        #expect(try sandbox.title(id) == "Dinner")
    }

    @Test func `a dry run opens the editor and writes nothing`() throws {
        try sandbox.useEditor(#"sed -i s/Dinner/Supper/ "$1""#)
        let before = try sandbox.snapshot()
        #expect(try sandbox.sbfs("edit", "Dinner", "--dry-run").err.contains("would change"))
        #expect(try sandbox.changes(since: before, in: "library/items").isEmpty)
    }
}
