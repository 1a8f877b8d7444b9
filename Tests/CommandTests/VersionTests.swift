import Files
import Foundation
import JSONFormat
import Testing

/// The versions in an item's history/: `history`, `restore-version`, and what `check` says of them.
struct VersionTests {
    let sandbox: Sandbox
    let id: String

    init() throws {
        sandbox = try Sandbox()
        id = try sandbox.snippet("Feed the starter.", title: "Bread", tags: "dough")
    }

    /// Writes a version as another program would, and returns its name.
    private func note(
        _ item: String, parents: [String] = [], text: String? = nil, hasText: Bool = true, files: String? = nil
    ) throws -> String {
        var members = [
            "\"parents\": [" + parents.map { "\"\($0)\"" }.joined(separator: ", ") + "]", "\"item\": \(item)",
        ]
        if let text {
            let hash = SHA256.hex(Array(text.utf8))
            members.append("\"text\": \"\(hash)\"")
            if hasText { try sandbox.scratch.write(sandbox.folder(id) + "/history/\(hash).md", text) }
        }
        if let files { members.append("\"files\": \(files)") }
        let bytes = "{\(members.joined(separator: ", "))}\n"
        let name = SHA256.hex(Array(bytes.utf8))
        try sandbox.scratch.write(sandbox.folder(id) + "/history/\(name).json", bytes)
        return name
    }

    private func item(_ title: String, minute: Int, _ more: String = "") -> String {
        #"{"id": "\#(id)", "title": "\#(title)"\#(more), "updatedAt": "2026-11-21T10:\#(minute):00.000Z"}"#
    }

    @Test func `an item without versions has none to list`() throws {
        #expect(try sandbox.sbfs("history", id, exits: 3).err.contains("no versions in history/"))
        #expect(try sandbox.sbfs("history", id, "--json", exits: 3).out == "[]\n")
    }

    @Test func `versions are listed the latest first with what they changed`() throws {
        let root = try note(item("Flour", minute: 15), text: "Feed.")
        let page = #"[{"path": "page.html", "sha256": "\#(root)", "size": 3}]"#
        let left = try note(item("Dough", minute: 16), parents: [root], text: "Feed.\n\nBake.", files: page)
        let right = try note(item("Flour", minute: 17, #", "mood": "calm""#), parents: [root], text: "Feed.")
        let joined = try note(
            item("Dough", minute: 18, #", "mood": "calm""#), parents: [left, right].sorted(), text: "Feed.\n\nBake.",
            files: page)
        let list = try sandbox.sbfs("history", id, "--json").array()
        #expect(list.map { $0["version"] as? String } == [joined, right, left, root])
        #expect(list.map { $0["isLatest"] as? Bool } == [true, false, false, false])
        #expect(list.allSatisfy { $0["isCurrent"] as? Bool == false && $0["isWaiting"] as? Bool == false })
        #expect((list[0]["parents"] as? [String])?.count == 2)
        let field = try #require((list[2]["fields"] as? [[String: Any]])?.first)
        #expect(field["old"] as? String == "Flour" && field["new"] as? String == "Dough")
        #expect(list.map { $0["isTextChanged"] as? Bool } == [false, false, true, false])
        #expect((list[2]["files"] as? [[String: Any]])?.first?["change"] as? String == "new")
        let rows = try sandbox.sbfs("history", id).lines.map {
            $0.split(separator: "\t", omittingEmptySubsequences: false)
        }
        #expect(rows.map { $0[0] }.map(String.init) == [joined, right, left, root])
        #expect(rows[0][2] == "latest")
        #expect(rows[1][4] == "mood")
        #expect(rows[2][4] == "title text page.html")
        #expect(try sandbox.sbfs("history", id, "--limit", "2").lines.count == 2)
    }

    @Test func `a version stands above those it came from whatever the clocks said`() throws {
        let root = try note(item("In the future", minute: 59))
        let child = try note(item("Now", minute: 10), parents: [root])
        #expect(try sandbox.sbfs("history", id, "--json").array().map { $0["version"] as? String } == [child, root])
    }

    @Test func `the version that the item shows is marked`() throws {
        let now = try note(try sandbox.itemText(id), text: try sandbox.text(id))
        let other = try note(item("Other", minute: 30), parents: [now], text: "x")
        let list = try sandbox.sbfs("history", id, "--json").array()
        #expect(list.first { $0["version"] as? String == now }?["isCurrent"] as? Bool == true)
        #expect(list.first { $0["version"] as? String == other }?["isCurrent"] as? Bool == false)
    }

    @Test func `a version without its text or its parent waits`() throws {
        let orphan = try note(item("Orphan", minute: 20), parents: [String(repeating: "a", count: 64)])
        let textless = try note(item("Textless", minute: 21), text: "not here", hasText: false)
        let list = try sandbox.sbfs("history", id, "--json").array()
        #expect(
            Set(list.filter { $0["isWaiting"] as? Bool == true }.compactMap { $0["version"] as? String }) == [
                orphan, textless,
            ])
        let notes = try sandbox.sbfs("check", "--read-data", "--notes").out
        #expect(notes.contains("\(orphan).json: waits for a version that it came from: not here yet"))
        #expect(notes.contains("\(textless).json: waits for its text, which is not here yet"))
        let refused = try sandbox.sbfs("restore-version", id, textless, exits: nil)
        #expect(refused.status == 1)
        #expect(refused.err.contains("the text of version \(textless.prefix(8))"))
    }

    @Test func `a file that a version names and that is not here does not come back, and that is said`() throws {
        let file = #"[{"path": "document/plan.txt", "sha256": "\#(String(repeating: "b", count: 64))", "size": 3}]"#
        let root = try note(item("Flour", minute: 15), text: "Feed.", files: file)
        let error = try sandbox.sbfs("restore-version", id, root).err
        #expect(error.contains("document/plan.txt of that version does not come back"), "\(error)")
    }

    @Test(arguments: [false, true])
    func `status names an item whose item.json is gone or no JSON, and repair brings it back`(_ isGone: Bool) throws {
        try sandbox.sbfs("title", id, "Loaf")
        let file = sandbox.folder(id) + "/item.json"
        if isGone { try sandbox.scratch.removeFile(file) } else { try sandbox.scratch.write(file, "<<<<<<< HEAD\n") }
        try sandbox.sbfs("list", exits: nil)
        let status = try sandbox.sbfs("status", exits: nil).out
        #expect(status.contains("broken      1 item has no item.json that can be read"), "\(status)")
        #expect(!status.contains("changed "), "\(status)")
        #expect(try sandbox.sbfs("status", "--json", exits: nil).object()["brokenItems"] as? Int == 1)
        try sandbox.sbfs("repair")
        #expect(try sandbox.title(id) == "Loaf")
        #expect(try !sandbox.sbfs("status", exits: nil).out.contains("broken"))
    }

    @Test func `a version is taken back, and undo takes that back`() throws {
        let root = try note(
            item("Flour", minute: 15, #", "tags": ["old", "to read"], "isPinned": true, "mood": 1.50e1"#), text: "Feed."
        )
        let before = try sandbox.itemText(id)
        try sandbox.sbfs("restore-version", id, root, "--dry-run")
        #expect(try sandbox.itemText(id) == before)
        #expect(try sandbox.sbfs("restore-version", id, String(root.prefix(8))).err.contains("as in version"))
        #expect(try sandbox.title(id) == "Flour")
        #expect(try sandbox.tags(id) == ["old", "to read"])
        #expect(try sandbox.itemText(id).contains(#""mood": 1.50e1"#))
        #expect(try sandbox.text(id) == "Feed.")
        #expect(try sandbox.sbfs("restore-version", id, root).err.contains("already"))
        try sandbox.sbfs("undo")
        #expect(try sandbox.title(id) == "Bread")
        #expect(try sandbox.tags(id) == ["dough"])
        #expect(try sandbox.item(id)["mood"] == nil)
        #expect(try sandbox.text(id) == "Feed the starter.")
    }

    @Test func `the trash, the page, the document and the time of making stay`() throws {
        let version = try note(
            item("Flour", minute: 15, #", "createdAt": "1990-01-01T00:00:00Z", "archiveStatus": "full""#), text: "Feed."
        )
        // It came from elsewhere, and is joined.
        try sandbox.sbfs("conflicts", exits: nil)
        var fields = try sandbox.item(id)
        fields["createdAt"] = "2001-01-01T00:00:00Z"
        fields["archiveStatus"] = "partial"
        try sandbox.plant(id, String(decoding: JSONSerialization.data(withJSONObject: fields), as: UTF8.self))
        try sandbox.file("plan.pdf", "%PDF")
        try sandbox.sbfs("attach", id, "plan.pdf")
        try sandbox.sbfs("trash", id, "--yes")
        let before = try sandbox.item(id)
        #expect(before["archiveStatus"] as? String == "partial")
        try sandbox.sbfs("restore-version", id, version)
        let after = try sandbox.item(id)
        #expect(after["title"] as? String == "Flour")
        #expect(try sandbox.tags(id) == ["trashcan"])
        for key in ["trashedAt", "createdAt", "documentRelativePath", "archiveStatus"] {
            #expect(after[key] as? String == before[key] as? String, "\(key)")
        }
        #expect(sandbox.scratch.exists(sandbox.folder(id) + "/document/plan.pdf"))
        try sandbox.sbfs("detach", id, "text", "--yes")
        let trashed = String(try sandbox.sbfs("history", id).lines[0].prefix(64))
        try sandbox.sbfs("restore", id)
        try sandbox.sbfs("append", id, "More.")
        try sandbox.sbfs("restore-version", id, trashed)
        #expect(try sandbox.tags(id) == [])
        #expect(try sandbox.item(id)["trashedAt"] == nil)
        #expect(!sandbox.scratch.exists(sandbox.folder(id) + "/text.md"))
    }

    @Test func `a text that was in item json goes with the rest`() throws {
        try sandbox.plant(id, #"{"title": "Bread", "textContent": "In item.json."}"#)
        try sandbox.shell("rm \"$SBFS_LIBRARY\"/items/*/*/text.md")
        let without = try note(item("Flour", minute: 15))
        try sandbox.sbfs("restore-version", id, without)
        #expect(try sandbox.title(id) == "Flour")
        #expect(try sandbox.item(id)["textContent"] == nil)
        #expect(!sandbox.scratch.exists(sandbox.folder(id) + "/text.md"))
        let with = try note(item("Dough", minute: 16, #", "textContent": "Again.""#))
        try sandbox.sbfs("restore-version", id, with)
        #expect(try sandbox.text(id) == "Again.")
    }

    @Test func `an unknown or ambiguous name changes nothing`() throws {
        var starts: [Character: Int] = [:]
        for minute in 10..<30 {
            starts[try #require(try note(item("v\(minute)", minute: minute)).first), default: 0] += 1
        }
        let double = try #require(starts.first { $0.value > 1 }?.key)
        let before = try sandbox.itemText(id)
        #expect(try sandbox.sbfs("restore-version", id, String(double), exits: 1).err.contains("give more of its name"))
        #expect(try sandbox.sbfs("restore-version", id, "xyz", exits: 3).err.contains("has no version xyz"))
        #expect(try sandbox.itemText(id) == before)
    }

    @Test func `what is no version is named with the reason and left alone`() throws {
        let good = try note(item("Good", minute: 15))
        func plant(_ text: String) throws -> String {
            let name = SHA256.hex(Array(text.utf8))
            try sandbox.scratch.write(sandbox.folder(id) + "/history/\(name).json", text)
            return name
        }
        let broken = try plant("{\"parents\": [],\n  \"item\": }")
        let without = try plant(#"{"parents": []}"#)
        let wrong = String(repeating: "0", count: 64)
        try sandbox.scratch.write(sandbox.folder(id) + "/history/\(wrong).json", #"{"parents": [], "item": {}}"#)
        try sandbox.scratch.write(sandbox.folder(id) + "/history/\(wrong).md", "x")
        try sandbox.scratch.write(
            sandbox.folder(id) + "/history/\(wrong).sync-conflict-20261121-101500-ABCDEFG.json", "{")
        let run = try sandbox.sbfs("history", id)
        #expect(run.lines.map { $0.prefix(64) } == [good[...]])
        #expect(run.err.contains("\(wrong).json does not match the hash in its name: passed over"))
        let says = try sandbox.sbfs("check", "--read-data", exits: nil)
        #expect(says.status == 1)
        #expect(says.out.contains("\(broken).json:2:11: expected"))
        #expect(says.out.contains("\(without).json: is no version: item is absent or has a wrong value"))
        #expect(says.out.contains("\(wrong).json: does not match the hash in its name"))
        #expect(says.out.contains("\(wrong).md: does not match the hash in its name"))
        #expect(!says.out.contains("sync-conflict"))
        #expect(try sandbox.scratch.names(sandbox.folder(id) + "/history").count == 6)
    }
}
