import Foundation
import Synchronization
import TestSupport
import Testing

/// Pages that have been saved before.
extension ArchiveTests {
    @Test func `a login page does not replace an article, and --keep-all keeps it as a snapshot`() throws {
        let turn = Turn()
        let server = try TestServer { request in
            request.path == "/" ? (turn.next() == 1 ? Self.page() : Self.login) : Self.html("", status: 404)
        }
        defer { server.close() }
        let (id, _) = try add(server.address("/"))
        let run = try sandbox.sbfs("archive", id)
        #expect(
            run.err.contains("was kept as it is: the new capture was not used, because it is a login or block page"))
        #expect(try field(id, "archiveStatus") == "full")
        #expect(!sandbox.scratch.exists(sandbox.folder(id) + "/snapshots"))
        try sandbox.sbfs("archive", id, "--keep-all")
        let snapshots = try sandbox.sbfs("snapshots", id, "--json").array()
        #expect(snapshots.count == 1)
        #expect(snapshots.first?["archiveStatus"] as? String == "partial")
        #expect(try sandbox.scratch.text(sandbox.folder(id) + "/page.html").contains("About stones"))
    }

    @Test func `a page that lost most of its text does not replace the archive`() throws {
        let turn = Turn()
        let server = try TestServer { request in
            request.path == "/"
                ? (turn.next() == 1
                    ? Self.page() : Self.html("<title>Stones</title><p>Only a few words are left here."))
                : Self.html("", status: 404)
        }
        defer { server.close() }
        let (id, _) = try add(server.address("/"))
        #expect(try sandbox.sbfs("archive", id).err.contains("was kept as it is"))
    }

    @Test func `the earlier archive becomes a snapshot, which can be restored`() throws {
        let turn = Turn()
        let server = try TestServer { request in
            request.path == "/" ? Self.page("<p>Version \(turn.next()).") : Self.html("", status: 404)
        }
        defer { server.close() }
        let (id, _) = try add(server.address("/"))
        let page = sandbox.folder(id) + "/page.html"
        let first = try sandbox.scratch.text(page)
        try sandbox.sbfs("archive", id)
        #expect(try sandbox.scratch.text(page).contains("Version 2."))
        let name = try #require(try sandbox.sbfs("snapshots", id, "--json").array().first?["name"] as? String)
        #expect(try sandbox.scratch.text(sandbox.folder(id) + "/snapshots/\(name)/page.html") == first)
        try sandbox.sbfs("restore-snapshot", id, "latest", "--dry-run")
        #expect(try sandbox.scratch.text(page).contains("Version 2."))
        try sandbox.sbfs("restore-snapshot", id, String(name.prefix(20)))
        #expect(try sandbox.scratch.text(page) == first)
        #expect(try sandbox.sbfs("snapshots", id).lines.count == 2)
        #expect(try sandbox.sbfs("restore-snapshot", id, "2001", exits: 3).err.contains("has no snapshot 2001"))
        #expect(try sandbox.sbfs("check").out.isEmpty)
    }

    @Test func `a state without its page is not called full, as a snapshot or when it is restored`() throws {
        let turn = Turn()
        let server = try TestServer { request in
            request.path == "/" ? Self.page("<p>Version \(turn.next()).") : Self.html("", status: 404)
        }
        defer { server.close() }
        let (id, _) = try add(server.address("/"))
        try sandbox.shell("rm \"$SBFS_LIBRARY\"/items/*/*/page.html")
        try sandbox.sbfs("archive", id)
        let snapshot = try #require(try sandbox.sbfs("snapshots", id, "--json").array().first)
        #expect(snapshot["archiveStatus"] as? String == "partial")
        let name = try #require(snapshot["name"] as? String)
        let path = sandbox.folder(id) + "/snapshots/\(name)/snapshot.json"
        let note = try sandbox.scratch.text(path)
        #expect(note.contains("\"partial\"") && !note.contains("\"full\""), "\(note)")
        // Records of an earlier version are not trusted either.
        try sandbox.shell("sed -i s/partial/full/ \"$SBFS_LIBRARY\"/items/*/*/snapshots/*/snapshot.json")
        let run = try sandbox.sbfs("restore-snapshot", id, name)
        #expect(run.err.contains("holds no page.html"), "\(run)")
        let item = try sandbox.scratch.text(sandbox.folder(id) + "/item.json")
        #expect(item.contains("\"archiveStatus\": \"partial\""), "\(item)")
        #expect(item.contains("\"htmlRelativePath\": \"reader.html\""), "\(item)")
    }

    @Test func `a page that the server calls unchanged stays without a snapshot`() throws {
        let server = try TestServer { request in
            guard request.path == "/" else { return Self.html("", status: 404) }
            return request.fields["if-none-match"] == "\"v1\""
                ? .whole(status: 304)
                : Self.html("<title>Stones</title>" + Self.article, fields: ["ETag: \"v1\""])
        }
        defer { server.close() }
        let (id, _) = try add(server.address("/"))
        let run = try sandbox.sbfs("archive", id, "--json")
        #expect(try run.stream().first?["result"] as? String == "unchanged", "\(run)")
        #expect(try sandbox.sbfs("snapshots", id, exits: 3).out.isEmpty)
    }

    @Test func `a page that is the same again is unchanged, also where the server cannot say so`() throws {
        let text = Mutex("<title>Stones</title>" + Self.article)
        let server = try TestServer { request in
            request.path == "/" ? Self.html(text.withLock { $0 }) : Self.html("", status: 404)
        }
        defer { server.close() }
        let (id, _) = try add(server.address("/"))
        let same = try sandbox.sbfs("archive", id, "--json")
        #expect(try same.stream().first?["result"] as? String == "unchanged", "\(same)")
        #expect(try sandbox.sbfs("snapshots", id, exits: 3).out.isEmpty)
        text.withLock { $0 += "<p>One more paragraph of text." }
        let other = try sandbox.sbfs("archive", id, "--json")
        #expect(try other.stream().first?["result"] as? String == "saved", "\(other)")
        #expect(try sandbox.sbfs("snapshots", id).lines.count == 1)
    }

    @Test func `an imported address is not typed, even if a person names its item`() throws {
        let server = try Self.site()
        defer { server.close() }
        let (id, _) = try add(server.address("/"))
        #expect(try sandbox.sbfs("archive", id).err.contains("unchanged"))
        try sandbox.sbfs("set", id, "source=import")
        let run = try sandbox.sbfs("archive", id, exits: 8)
        let advice =
            "allow 127.0.0.1:\(server.port) (CAPTURE_ALLOW=HOST:PORT, or --allow-private for all private addresses)"
        #expect(run.err.contains(advice), "\(run)")
        try sandbox.sbfs("archive", id, "--allow-private")
    }

    @Test func `user name and password of a URL are not saved`() throws {
        let server = try TestServer { request in
            request.path == "/"
                ? Self.html("<title>Stones</title><a href=more>more</a>" + Self.article) : Self.html("", status: 404)
        }
        defer { server.close() }
        let url = server.address("/").replacing("http://", with: "http://ada:secret@")
        let (id, _) = try add(url)
        for file in ["--page", "--reader"] {
            let path = try sandbox.sbfs("path", id, file).lines[0]
            #expect(try !String(contentsOfFile: path, encoding: .utf8).contains("secret"))
        }
    }

    @Test func `--pending selects waiting pages, and the JSON has a line for each`() throws {
        let server = try Self.site()
        defer { server.close() }
        sandbox.environment["SBFS_OFFLINE"] = "1"
        let id = try sandbox.link(server.address("/"))
        sandbox.environment["SBFS_OFFLINE"] = nil
        #expect(try sandbox.ids("status:pending") == [id])
        let lines = try sandbox.sbfs("archive", "--pending", "--allow-private", "--json").stream()
        #expect(lines.count == 1)
        #expect(lines.first?["id"] as? String == id)
        #expect(lines.first?["status"] as? String == "full")
        #expect(try sandbox.sbfs("archive", "--pending", exits: 3).err.hasSuffix("no page is pending\n"))
        try sandbox.sbfs("add", "--no-archive", "https://b.example/")
        let told = try sandbox.sbfs("archive", "--pending", exits: 3).err
        #expect(
            told.contains("1 link has no saved page") && told.contains("sbfs archive -q 'has:link -has:archive"),
            "\(told)")
        #expect(try sandbox.sbfs("archive", "--pending", "--all", exits: 2).out.isEmpty)
    }
}
