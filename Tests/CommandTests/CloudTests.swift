import Foundation
import TestSupport
import Testing

/// Exchanges in a cloud: the real rclone and a WebDAV server of its own on loopback, encrypted by a remote of the type crypt.
final class CloudTests {
    private let cloud: Cloud
    private let a: Sandbox

    init() throws {
        cloud = try Cloud()
        a = try Sandbox()
        cloud.configure(a)
    }

    /// A second device, whose library comes from the cloud.
    private func second(_ options: String...) throws -> Sandbox {
        let b = try Sandbox(isLibraryMade: false)
        cloud.configure(b)
        try b.sbfs(words: ["init", "--from", Cloud.exchange] + options)
        return b
    }

    private func add(_ name: String, _ text: String) throws -> String {
        try a.file(name, text)
        return try #require(try a.sbfs("add", name).lines.first)
    }

    private func same(_ b: Sandbox) throws {
        try a.shell("diff -r -x .sbfs '\(a.library)' '\(b.library)'")
    }

    @Test func `two devices sync through a cloud that sees neither names nor texts`() throws {
        let id = try a.snippet("The secret word is quince.", title: "Bread")
        _ = try add("plan.txt", "quince too\n")
        #expect(try a.sbfs("remote", "add", "box", Cloud.exchange).err.contains("made the exchange"))
        for path in [Cloud.exchange + "/", Cloud.exchange + "//"] {
            #expect(try a.sbfs("remote", "add", "again", path, exits: 1).err.contains("the remote \"box\" is"))
        }
        try a.sbfs("sync")
        let b = try second()
        #expect(try b.sbfs("sync").out.contains("2 added (1 other device)"))
        try same(b)
        try b.sbfs("title", id, "Rye")
        try a.sbfs("append", id, "With seeds.")
        for device in [b, a, b] { try device.sbfs("sync") }
        #expect(try a.sbfs("show", id).lines.first == "Rye")
        try same(b)
        try a.shell("! grep -rl quince '\(cloud.folder)' && ! find '\(cloud.folder)' | grep -e objects -e heads")
        // Nothing of the cloud's files stays here but heads.
        try a.shell("! find '\(a.library)/.sbfs/sync' -path '*cloud/objects*' | grep .")
    }

    @Test func `a copy here of a file of the cloud that a loss of power damaged is copied again`() throws {
        let id = try a.snippet("Text.", title: "Bread")
        try a.sbfs("remote", "add", "box", Cloud.exchange)
        try a.sbfs("sync")
        let b = try second()
        try b.sbfs("sync")
        let copies = "find '\(b.library)/.sbfs/sync' -path '*/cloud/*' -name '*.json' -type f"
        try b.shell(copies + " | grep heads")
        // They are cut.
        try b.shell(copies + " -exec truncate -s 10 {} +")
        #expect(try b.sbfs("sync").out.contains("nothing to do"))
        // They have their size, and other bytes.
        try b.shell(
            copies + " -path '*/heads/*' -exec sh -c 'tr \"{\" \"[\" <\"$1\" >\"$1.x\"; mv \"$1.x\" \"$1\"' - {} \\;")
        try b.sbfs("sync", exits: 4)
        #expect(try b.sbfs("sync").out.contains("nothing to do"))
        try a.sbfs("title", id, "Rye")
        try a.sbfs("sync")
        // An object that a killed sync copied has no bytes.
        let copy = try b.shell("find '\(b.library)/.sbfs/sync' -name cloud").out.split(separator: "\n")[0]
        try b.shell(
            "rclone lsf -R secret:sbfs/objects --files-only | while read f; do mkdir -p '\(copy)/objects/'${f%/*}; "
                + ": >'\(copy)/objects/'$f; done")
        #expect(try b.sbfs("sync").out.contains("1 joined"))
        try same(b)
    }

    @Test func `another password of an encrypted cloud is named`() throws {
        _ = try a.snippet("Text.")
        let first = try a.sbfs("remote", "add", "box", Cloud.exchange)
        #expect(!first.err.contains("decrypt"), "\(first)")
        try a.sbfs("sync")
        let other = try a.sbfs("remote", "add", "wrong", "rclone:misspelt:sbfs")
        #expect(
            other.err.contains("rclone cannot decrypt") && other.err.contains("sbfs remote remove wrong"), "\(other)")
        let b = try Sandbox(isLibraryMade: false)
        cloud.configure(b)
        #expect(try b.sbfs("init", "--from", "rclone:misspelt:other", exits: 1).err.contains("password"))
    }

    @Test func `files of an encrypted cloud that lost their bytes are named, and the others come`() throws {
        let id = try a.snippet("Text.")
        try a.sbfs("remote", "add", "box", Cloud.exchange)
        try a.sbfs("sync")
        let old = Set(try a.shell("find '\(cloud.folder)' -type f").lines)
        _ = try add("plan.txt", "quince")
        try a.sbfs("sync")
        let new = try a.shell("find '\(cloud.folder)' -type f").lines.filter { !old.contains($0) }
        #expect(new.count == 2)
        for file in new { try a.shell("printf garbage > '\(file)'") }
        let b = try second()
        let told = try b.sbfs("sync", exits: 4).err
        #expect(
            told.contains("objects/")
                && told.contains("damaged or still arriving (rclone: failed to open source object: file is too short"),
            "\(told)")
        #expect(try b.sbfs("list", "--ids").lines == [id])
        #expect(try a.sbfs("remote", "check", "box", exits: 4).err.contains("missing or damaged"))
        try a.sbfs("sync")
        try b.sbfs("sync")
        try same(b)
    }

    @Test func `a flipped bit in an encrypted cloud is no object that has not arrived yet`() throws {
        _ = try add("plan.txt", String(repeating: "quince ", count: 50_000))
        try a.sbfs("remote", "add", "box", Cloud.exchange)
        try a.sbfs("sync")
        try a.shell(
            "printf XX | dd of=\"$(find '\(cloud.folder)' -type f -size +200k | head -1)\" bs=1 seek=1000 conv=notrunc 2>&1"
        )
        let told = try a.sbfs("remote", "check", "box", exits: 4).err
        // rclone names a flipped bit of a short file "unexpected EOF".
        #expect(told.contains("still arriving (rclone: failed to authenticate decrypted block"), "\(told)")
        try a.sbfs("sync")
        try a.sbfs("remote", "check", "box")
    }

    @Test func `a damaged exchange json of an encrypted cloud is written again by what the message says`() throws {
        try a.sbfs("remote", "add", "box", Cloud.exchange)
        try a.shell("find '\(cloud.folder)' -type f -exec truncate -s 20 {} +")
        let told = try a.sbfs("sync", exits: 1).err
        #expect(
            told.contains("rclone deletefile secret:sbfs/exchange.json")
                && told.contains("sbfs remote add NAME \(Cloud.exchange)"), "\(told)")
        try a.shell("find '\(cloud.folder)' -type f -delete")
        try a.sbfs("remote", "remove", "box")
        try a.sbfs("remote", "add", "box", Cloud.exchange)
        _ = try a.snippet("Text.")
        #expect(try a.sbfs("sync").out.contains("1 written"))
        try a.shell("rclone deletefile secret:sbfs/exchange.json")
        try a.sbfs("remote", "remove", "box")
        // The folders of an exchange are there.
        #expect(try a.sbfs("remote", "add", "box", Cloud.exchange).err.contains("made the exchange"))
        #expect(try a.sbfs("sync").out.contains("nothing to do"))
    }

    @Test(arguments: [false, true])
    func `a sync with nothing to do makes at most five requests`(_ isAfterHead: Bool) throws {
        _ = try a.snippet("Text.")
        try a.sbfs("remote", "add", "box", Cloud.exchange)
        try a.sbfs("sync")
        let b = try second()
        for device in [b, a, b, a] { try device.sbfs("sync") }
        if isAfterHead {
            _ = try a.snippet("More.")
            try a.sbfs("sync")
        }
        a.environment["RCLONE_VERBOSE"] = "2"
        a.environment["RCLONE_DUMP"] = "headers"
        a.environment["RCLONE_LOG_FILE"] = a.desk + "/requests"
        #expect(try a.sbfs("sync").out == "box: nothing to do (1 other device)\n")
        let log = try a.scratch.text("desk/requests")
        let count = log.components(separatedBy: "HTTP REQUEST").count - 1
        #expect((1...5).contains(count), "\(count)")
    }

    @Test func `what rclone did not write, though it said so, is written by the next sync`() throws {
        _ = try a.snippet("Text.")
        try a.sbfs("remote", "add", "box", Cloud.exchange)
        try a.sbfs("sync")
        _ = try add("plan.txt", "Sow in May.\n")
        let path = try #require(a.environment["PATH"] ?? ProcessInfo.processInfo.environment["PATH"])
        try a.shell(
            """
            mkdir -p '\(a.desk)/bin'
            printf '#!/bin/sh\\ncase " $* " in *" copyto "*|*" copy "*) exit 0;; esac\\nexec %s "$@"\\n' \
                "$(command -v rclone)" >'\(a.desk)/bin/rclone'
            chmod +x '\(a.desk)/bin/rclone'
            """)
        a.environment["PATH"] = "\(a.desk)/bin:\(path)"
        #expect(try a.sbfs("sync", exits: 4).err.contains("heads/"))
        a.environment["PATH"] = path
        try a.sbfs("sync", exits: nil)
        #expect(try a.sbfs("sync").out.contains("nothing to do"))
        try a.sbfs("remote", "check", "box")
        let b = try second()
        try b.sbfs("sync")
        try same(b)
    }

    @Test func `no word of an rclone that does nothing makes a document lost`() throws {
        let id = try add("plan.txt", "Sow in May.\n")
        try a.sbfs("remote", "add", "box", Cloud.exchange)
        try a.sbfs("sync")
        try a.sbfs("drop", id)
        let path = try #require(a.environment["PATH"] ?? ProcessInfo.processInfo.environment["PATH"])
        let rclone = try a.shell("command -v rclone").lines[0]
        // The first does nothing at all; the second lists and brings nothing.
        for script in ["exit 0", "case $1 in copy) exit 0;; esac\nexec \(rclone) \"$@\""] {
            try a.scratch.write("desk/bin/rclone", "#!/bin/sh\n" + script + "\n")
            try a.shell("chmod +x '\(a.desk)/bin/rclone'")
            a.environment["PATH"] = "\(a.desk)/bin:\(path)"
            let run = try a.sbfs("detach", id, "document", "--lost", "--yes", exits: 1)
            #expect(run.err.contains("cannot be read now and may have its document"), "\(run)")
        }
        a.environment["PATH"] = path
        try a.sbfs("keep", id)
    }

    @Test func `a thin device reads one file of the cloud when it is opened`() throws {
        let id = try add("plan.txt", "Sow in May.\n")
        try a.sbfs("remote", "add", "box", Cloud.exchange)
        try a.sbfs("sync")
        let b = try second("--thin")
        try b.sbfs("sync")
        try b.shell("! find '\(b.library)/items' -name plan.txt | grep .")
        #expect(try b.sbfs("open", "--print", id, exits: nil).out.contains("plan.txt"))
        try b.sbfs("keep", id)
        try b.shell("grep -q 'Sow in May' '\(b.library)'/items/*/\(id)/document/plan.txt")
        try b.sbfs("drop", id)
        try b.shell("! find '\(b.library)/items' -name plan.txt | grep .")
    }

    @Test func `a cloud that does not answer is named, what is here is shown, and --offline asks no cloud`() throws {
        let id = try a.snippet("Of bread.", title: "Bread")
        let page = try a.sbfs("path", id).lines[0] + "/page.html"
        try Data("<title>T</title><p>Knead the sourdough.</p>".utf8).write(to: URL(fileURLWithPath: page))
        let plan = try add("plan.txt", "Sow in May.\n")
        try a.sbfs("remote", "add", "box", Cloud.exchange)
        try a.sbfs("sync")
        let b = try second("--thin")
        try b.sbfs("sync")
        let file = b.scratch.full("all.tar")
        func cannot(_ because: String, exits status: Int32) throws {
            let opened = try b.sbfs("open", plan, "--print", exits: 3)
            #expect(
                opened.err.contains("it is in an exchange that cannot give it now (sbfs: ")
                    && opened.err.contains(because), "\(opened)")
            let read = try b.sbfs("read", id)
            #expect(read.out.contains("Knead the sourdough.") && read.err.contains(because), "\(read)")
            #expect(try b.sbfs("keep", plan, exits: status).err.contains(because))
            #expect(try b.sbfs("remote", "prune", "sbfs", exits: status).err.contains(because))
            #expect(try b.sbfs("export", "--full", file, exits: 4).err.contains("plan.txt: "))
        }
        b.environment["SBFS_OFFLINE"] = "1"
        try cannot("the network must not be used", exits: 1)
        b.environment["SBFS_OFFLINE"] = "0"
        #expect(try b.sbfs("--offline", "open", plan, "--print", exits: 3).err.contains("the network must not be used"))
        for words in [["keep", plan], ["remote", "prune", "sbfs"], ["sync"], ["repair", "--from", "sbfs"]] {
            #expect(try b.sbfs(words: words + ["--offline"], exits: 1).err.contains("forbids it"), "\(words)")
        }
        #expect(try a.sbfs("drop", plan, "--offline", exits: 1).err.contains("forbids it"))
        cloud.stop()
        try cannot("rclone failed", exits: 8)
        #expect(try !b.sbfs("open", plan, "--print", exits: 3).err.contains("/20"), "no time of rclone's log")
        try cloud.start()
        #expect(try b.sbfs("export", "--full", file).out.isEmpty)
        #expect(try b.shell("tar -tf '\(file)'").out.contains("document/plan.txt"))
        #expect(try b.sbfs("check", "--read-data").err.contains("0 errors, 0 warnings"))
        #expect(try b.sbfs("keep", plan).err.contains("brought files of 1 item"))
    }

    @Test
    func `a cloud that is not there, has no such remote, or holds other files is named, and a later sync goes on`()
        throws
    {
        let id = try a.snippet("Text.")
        #expect(try a.sbfs("remote", "add", "x", "rclone:nowhere:sbfs", exits: 1).err.contains("rclone listremotes"))
        // Also where rclone has no configuration at all.
        let c = try Sandbox(isLibraryMade: false)
        c.environment["SBFS_OFFLINE"] = "0"
        let told = try c.sbfs("init", "--from", "rclone:nowhere:sbfs", exits: 1).err
        #expect(told.contains("rclone listremotes") && !told.contains("mounted"), "\(told)")
        try a.sbfs("remote", "add", "box", Cloud.exchange)
        cloud.stop()
        let run = try a.sbfs("sync", exits: 8)
        #expect(run.err.contains("rclone failed") && run.err.contains("rclone lsf secret:sbfs"), "\(run)")
        #expect(try a.sbfs("remote", "status", exits: 4).out.contains("failed 1 time"))
        try cloud.start()
        #expect(try a.sbfs("sync").out.contains("1 written"))
        #expect(try a.ids() == [id])
        // A folder of other things is no exchange, and nothing is written there.
        try a.shell("mkdir -p '\(cloud.folder)/other' && echo a > '\(cloud.folder)/other/letter.txt'")
        #expect(try a.sbfs("remote", "add", "y", "rclone:dav:other", exits: 1).err.contains("letter.txt"))
        try a.shell("[ $(find '\(cloud.folder)/other' -type f | wc -l) = 1 ]")
        a.environment["SBFS_OFFLINE"] = "1"
        #expect(try a.sbfs("sync", exits: 1).err.contains("forbids it"))
    }

    @Test func `an emptied cloud is written no more, until it is made an exchange again`() throws {
        _ = try a.snippet("Text.")
        try a.sbfs("remote", "add", "box", Cloud.exchange)
        try a.sbfs("sync")
        try a.shell("rm -rf '\(cloud.folder)'/*")
        #expect(try a.sbfs("sync", exits: 1).err.contains("no exchange"))
        try a.shell("[ -z \"$(find '\(cloud.folder)' -type f)\" ]")
    }

    @Test func `another library's exchange in the same place is not written`() throws {
        _ = try a.snippet("Text.")
        try a.sbfs("remote", "add", "box", Cloud.exchange)
        try a.sbfs("sync")
        let other = try Sandbox()
        cloud.configure(other)
        _ = try other.snippet("Other.")
        try a.shell("rclone purge secret:sbfs")
        try other.sbfs("remote", "add", "box", Cloud.exchange)
        try other.sbfs("sync")
        let before = try a.shell("rclone lsf -R secret:sbfs | sort").out
        #expect(try a.sbfs("sync", exits: 1).err.contains("another library"))
        #expect(try a.shell("rclone lsf -R secret:sbfs | sort").out == before)
    }

    // MARK: rclone itself

    /// Puts a program with the name rclone before the real one.
    private func replace(_ script: String) throws {
        try a.shell("mkdir -p bin")
        try a.file("bin/rclone", "#!/bin/sh\n" + script)
        try a.shell("chmod +x bin/rclone")
        a.environment["PATH"] = a.desk + "/bin:" + (a.environment["PATH"] ?? "")
    }

    @Test func `without rclone, the error says what to install`() throws {
        let path = a.environment["PATH"]
        try a.shell(
            "mkdir -p none && ln -s \"$(command -v sbfs)\" none/sbfs && ln -s \"$(dirname \"$(command -v sbfs)\")/sbfs-worker\" none/"
        )
        a.environment["PATH"] = a.desk + "/none"
        #expect(try a.sbfs("remote", "add", "box", Cloud.exchange, exits: 1).err.contains("install the package rclone"))
        a.environment["PATH"] = path
    }

    @Test func `an rclone that hangs is ended`() throws {
        try a.sbfs("remote", "add", "box", Cloud.exchange)
        try replace("sleep 1000\n")
        a.environment["SBFS_RCLONE_PATIENCE"] = "1"
        #expect(try a.sbfs("sync", exits: 8).err.contains("silent for 1 second"))
    }

    @Test func `an answer that is no list is an error, and nothing is written`() throws {
        _ = try a.snippet("Text.")
        try a.sbfs("remote", "add", "box", Cloud.exchange)
        try replace("echo 'all is well'\n")
        #expect(try a.sbfs("sync", exits: 8).err.contains("answer cannot be read"))
    }

    @Test func `what an rclone only says to have copied is missed by others, and written again`() throws {
        let id = try add("plan.txt", "Sow in May.\n")
        try a.sbfs("remote", "add", "box", Cloud.exchange)
        let path = a.environment["PATH"]
        // Objects do not arrive; heads and packs do.
        try replace(
            """
            if [ "$1" = copy ] && [ "$4" = --no-traverse ] && [ "${5#/}" != "$5" ]; then
                grep tar.zst "$3" > "$3.some"
                exec /usr/bin/rclone copy --files-from-raw "$3.some" "$5" "$6"
            fi
            exec /usr/bin/rclone "$@"

            """)
        try a.sbfs("sync")
        a.environment["PATH"] = path
        let b = try second()
        #expect(try b.sbfs("sync", exits: 4).err.contains("has not arrived yet"))
        #expect(try b.ids() == [id])
        for device in [a, b, a] { try device.sbfs("sync") }
        try same(b)
        try b.shell("grep -q 'Sow in May' '\(b.library)'/items/*/\(id)/document/plan.txt")
        #expect(try b.sbfs("sync").out.contains("nothing to do"))
        #expect(try a.sbfs("sync").out.contains("nothing to do"))
    }

    @Test(arguments: [false, true])
    func `an rclone that only says that it wrote is found out, and all is written again`(isLater: Bool) throws {
        try a.sbfs("remote", "add", "box", Cloud.exchange)
        if isLater {
            _ = try add("first.txt", "Buy seed.\n")
            try a.sbfs("sync")
        }
        _ = try add("plan.txt", "Sow in May.\n")
        let path = a.environment["PATH"]
        // It lists and reads, and writes nothing.
        try replace(
            "case $1 in copyto) exit 0 ;; copy) case $5 in /*) exit 0 ;; esac ;; esac\nexec /usr/bin/rclone \"$@\"\n")
        for _ in 0..<2 { #expect(try a.sbfs("sync", exits: 4).err.contains("heads/")) }
        if !isLater { #expect(try a.sbfs("sync", "--status").out.contains("last complete sync: never")) }
        a.environment["PATH"] = path
        try a.sbfs("sync")
        let b = try second()
        // Only what it asks for tells that a pack is not there.
        for device in isLater ? [b, a, b] : [b] { try device.sbfs("sync", exits: nil) }
        #expect(try Set(b.ids()) == Set(a.ids()))
        try same(b)
        for device in [a, b] { #expect(try device.sbfs("sync").out.contains("nothing to do")) }
    }

    @Test func `an rclone that is killed in the middle loses nothing`() throws {
        for number in 0..<3 { _ = try add("\(number).txt", "Text \(number).\n") }
        try a.sbfs("remote", "add", "box", Cloud.exchange)
        let path = a.environment["PATH"]
        for count in 1...4 {
            // The first calls work.
            try? a.scratch.removeFile("desk/calls")
            try replace(
                """
                echo x >> '\(a.desk)/calls'
                if [ $(wc -l < '\(a.desk)/calls') -ge \(count) ]; then kill -9 $$; fi
                exec /usr/bin/rclone "$@"

                """)
            try a.sbfs("sync", exits: nil)
            a.environment["PATH"] = path
        }
        try a.sbfs("sync")
        let b = try second()
        try b.sbfs("sync")
        try same(b)
        try a.sbfs("check")
    }

    @Test func `prune finds what a killed sync left in the cloud, and forgets a device`() throws {
        let id = try add("plan.txt", "Sow in May.\n")
        try a.sbfs("remote", "add", "box", Cloud.exchange)
        try a.sbfs("sync")
        let b = try second()
        try b.sbfs("sync")
        try a.sbfs("sync")
        #expect(try a.sbfs("remote", "prune", "box").err.contains("nothing is unused"))
        let name = String(repeating: "ab", count: 32)
        try a.file(name, "unused")
        try a.shell("rclone copyto \(name) secret:sbfs/objects/ab/\(name)")
        let report = try a.sbfs("remote", "prune", "box").out
        #expect(report.contains("1 unused"), "\(report)")
        let devices = try #require(try a.sbfs("remote", "prune", "box", "--json").array().first)["devices"]
        let other = (devices as? [[String: Any]])?.first { $0["own"] as? Bool == false }?["id"] as? String
        try a.sbfs("remote", "prune", "box", "--forget", try #require(other), "--yes")
        #expect(try a.sbfs("sync").out.contains("0 other devices"))
        // It comes back, and nothing is lost.
        try b.sbfs("title", id, "Garden")
        try b.sbfs("sync")
        try a.sbfs("sync")
        #expect(try a.sbfs("show", id).lines.first == "Garden")
    }
}
