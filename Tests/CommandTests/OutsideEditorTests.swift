import Testing

/// Items that other programs really change: both their changes and those of sbfs stay.
struct OutsideEditorTests {
    struct Editor: CustomTestStringConvertible, Sendable {
        let testDescription: String
        /// Changes `calm` into `wild` in `$1`.
        let script: String
        var programs: [String] = []
    }

    static let editors: [Editor] = [
        Editor(testDescription: "vim", script: #"vim -u NONE -es -c '%s/calm/wild/' -c 'wq' "$1""#, programs: ["vim"]),
        Editor(
            testDescription: "vim with a backup",
            script: #"vim -u NONE -es -c 'set backup writebackup bkc=no' -c '%s/calm/wild/' -c 'wq' "$1""#,
            programs: ["vim"]),
        Editor(testDescription: "ed", script: #"printf '%s\n' ',s/calm/wild/' w q | ed -s "$1""#, programs: ["ed"]),
        Editor(
            testDescription: "nano", script: #"python3 "$FAULTS/nano.py" "$1" calm wild"#,
            programs: ["nano", "python3"]),
        Editor(testDescription: "sed -i", script: #"sed -i s/calm/wild/ "$1""#),
        Editor(testDescription: "redirection", script: #"text=$(sed s/calm/wild/ "$1"); printf '%s\n' "$text" > "$1""#),
        Editor(testDescription: "renaming over", script: #"sed s/calm/wild/ "$1" > "$1.new" && mv "$1.new" "$1""#),
        Editor(testDescription: "cp", script: #"sed s/calm/wild/ "$1" > ../copy && cp ../copy "$1""#),
        Editor(
            testDescription: "removing and creating",
            script: #"sed s/calm/wild/ "$1" > ../copy; rm "$1"; cat ../copy > "$1""#),
        Editor(
            testDescription: "git checkout",
            script: #"""
                cd "$LIBRARY" && git init -q -b main . && git config user.email a@b.c && git config user.name A &&
                git add -A && git commit -qm calm && sed -i s/calm/wild/ "$1" && git commit -qam wild &&
                git checkout -q HEAD~1 && git checkout -q main
                """#, programs: ["git"]),
        // Within one second a change of equal length escapes rsync's quick check of size and time.
        Editor(
            testDescription: "rsync", script: rsync(options: "--checksum"), programs: ["rsync"]),
        Editor(
            testDescription: "rsync in place", script: rsync(options: "--checksum --inplace"), programs: ["rsync"]),
        Editor(
            testDescription: "rsync of an older file",
            script: #"older() { touch -d "1 hour ago" "$1"; }; "# + rsync(change: "older"), programs: ["rsync"]),
    ]

    /// Edits a copy of the library and brings it back by rsync.
    ///
    /// - Parameter change: a shell command through which the edited file of the copy is piped.
    private static func rsync(options: String = "", change: String = "true") -> String {
        """
        cp -a "$LIBRARY" ../other && edited="../other${1#$LIBRARY}" && sed -i s/calm/wild/ "$edited" &&
        \(change) "$edited" && rsync -a \(options) --exclude=.sbfs ../other/ "$LIBRARY"
        """
    }

    let sandbox: Sandbox
    let id: String

    init() throws {
        sandbox = try Sandbox()
        id = try sandbox.snippet("The sea is calm.\n", title: "Weather")
        try sandbox.sbfs("title", id, "Weather")
        let text = try sandbox.itemText(id)
        try sandbox.scratch.write(
            sandbox.folder(id) + "/item.json",
            text.replacing("\"source\"", with: "\"description\": \"calm\",\n  \"source\""))
        sandbox.environment["LIBRARY"] = sandbox.library
        let tests = #filePath.split(separator: "/").dropLast(2).joined(separator: "/")
        sandbox.environment["FAULTS"] = "/\(tests)/Faults"
    }

    private func edit(_ name: String, with editor: Editor) throws {
        try skipWithout(editor.programs)
        let run = try sandbox.shell("set -- '\(sandbox.path(id, name))'; \(editor.script)", exits: nil)
        #expect(run.status == 0, "\(run)")
        #expect(try sandbox.scratch.text(sandbox.folder(id) + "/" + name).contains("wild"), "nothing was changed")
    }

    @Test(arguments: editors)
    func `an item edited from outside is seen, and a title set afterwards keeps it`(editor: Editor) throws {
        try edit("item.json", with: editor)
        #expect(try sandbox.ids("wild") == [id])
        try sandbox.sbfs("title", "Weather", "Storm")
        #expect(try sandbox.title(id) == "Storm")
        #expect(try sandbox.item(id)["description"] as? String == "wild")
        #expect(try sandbox.sbfs("list").out.contains("Storm"))
        #expect(try sandbox.conflicts(id).isEmpty)
        #expect(try sandbox.scratch.names("library/.sbfs/staging").isEmpty)
    }

    @Test(arguments: editors)
    func `a text edited from outside is seen, and a paragraph appended afterwards keeps it`(editor: Editor) throws {
        try edit("text.md", with: editor)
        #expect(try sandbox.ids("\"sea is wild\"") == [id])
        try sandbox.sbfs("append", id, "Later it rains.")
        #expect(try sandbox.text(id) == "The sea is wild.\n\nLater it rains.\n")
    }

    @Test func `a title set while the editor is open is not lost when the editor saves another field`() throws {
        try sandbox.useEditor("sbfs title \(id) Storm; sed -i s/calm/wild/ \"$1\"")
        try sandbox.sbfs("edit", id)
        #expect(try sandbox.title(id) == "Storm")
        #expect(try sandbox.item(id)["description"] as? String == "wild")
    }

    @Test func `an item that is copied in by hand is an item`() throws {
        let other = try Sandbox()
        let foreign = try other.snippet("from elsewhere", title: "Guest")
        try sandbox.shell(
            "cd '\(sandbox.library)/items' && mkdir -p \(foreign.suffix(2)) && cp -a '\(other.scratch.full(other.folder(foreign)))' \(foreign.suffix(2))/"
        )
        #expect(try sandbox.ids("Guest") == [foreign])
        try sandbox.sbfs("tag", "add", "Guest", "kept")
        #expect(try sandbox.text(foreign) == "from elsewhere")
    }

    @Test func `a saved file that does not parse is left alone`() throws {
        try sandbox.shell("sed -i '3s/,$//' '\(sandbox.path(id, "item.json"))'")
        let broken = try sandbox.itemText(id)
        let run = try sandbox.sbfs("title", id, "Storm", exits: nil)
        #expect(run.status == 1 || run.status == 3)
        #expect(run.err.contains("item.json:4:3: expected \",\" or \"}\""), "\(run)")
        #expect(try sandbox.itemText(id) == broken)
    }
}
