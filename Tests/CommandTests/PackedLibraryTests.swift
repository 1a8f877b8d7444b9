import Foundation
import Testing

/// `sbfs export --full` and `sbfs import` in each format, and with files that other programs packed.
struct PackedLibraryTests {
    /// - Parameter isDecomposed: whether a name is spelt with a combining mark.
    private func filled(isDecomposed: Bool = true) throws -> Sandbox {
        let sandbox = try Sandbox()
        try sandbox.file("a.txt", "first soup\n")
        try sandbox.sbfs("add", "a.txt", "--tag", "grün")
        try sandbox.file("b.txt", "second soup\n")
        try sandbox.sbfs("add", "--title", "Größe 😀", "b.txt")
        let folder = "cd \"$(ls -d '\(sandbox.library)'/items/*/* | head -1)\"; "
        if isDecomposed { try sandbox.shell(folder + #"echo 1 > "$(printf 'e\314\201.txt')""#) }
        let long = String(repeating: "n", count: 200)
        try sandbox.shell(folder + "echo x > '\(long).txt'; touch -d 2001-02-03T04:05:06.789 '\(long).txt'")
        return sandbox
    }

    private func listing(_ sandbox: Sandbox, _ time: String) throws -> String {
        try sandbox.shell(
            "cd '\(sandbox.library)' && find items -type f -printf '%p %m %\(time)\\n' | sort && cat items/*/*/item.json items/*/*/*.txt"
        ).out
    }

    @Test(arguments: ["tar.gz", "tar.zst"]) func `a packed file that is damaged is not taken for another one`(
        _ ending: String
    ) throws {
        let sandbox = try Sandbox()
        try sandbox.snippet("words of the house", title: "Bread")
        try sandbox.sbfs("export", "--full", "x." + ending)
        try sandbox.shell("printf '\\377\\377\\377\\377\\377\\377' | dd of=x.\(ending) bs=1 seek=40 conv=notrunc 2>&1")
        let run = try sandbox.sbfs("--library", "other", "init", exits: nil)
        #expect(run.status == 0)
        let told = try sandbox.sbfs("--library", "other", "import", "x." + ending, exits: nil).err
        #expect(told.contains("the file is damaged") && !told.contains("unpack it first"), "\(told)")
    }

    @Test func `the extension says the format also below dev`() throws {
        let sandbox = try Sandbox()
        try sandbox.snippet("words", title: "Bread")
        let name = "/dev/shm/\(UUID().uuidString).zip"
        defer { try? FileManager.default.removeItem(atPath: name) }
        try sandbox.sbfs("export", "--full", name)
        #expect(try Array(Data(contentsOf: URL(fileURLWithPath: name)).prefix(2)) == Array("PK".utf8))
        let bytes = try sandbox.shell(
            "'\(Sbfs.binary)' --library '\(sandbox.library)' export --full /dev/stdout | tar -tf - | head -1")
        #expect(!bytes.out.isEmpty)
        try sandbox.sbfs("export", "--full", "/dev/shm/x.rar", exits: 2)
    }

    @Test(arguments: ["tar", "tar.gz", "tgz", "tar.zst", "tzst", "zip"])
    func `a library comes back in each format, and is packed the same twice`(_ name: String) throws {
        // libarchive gives the names in zip files in NFC.
        let sandbox = try filled(isDecomposed: name != "zip")
        try sandbox.sbfs("export", "--full", "a." + name)
        try sandbox.sbfs("export", "--full", "b." + name)
        try sandbox.shell("cmp a.\(name) b.\(name)")
        let other = try Sandbox()
        try other.sbfs("import", sandbox.desk + "/a." + name)
        // A zip file holds whole seconds.
        let time = name == "zip" ? "Ts" : "T@"
        let wanted = try listing(sandbox, time == "Ts" ? "TY-%Tm-%Td %TH:%TM" : time)
        #expect(try listing(other, time == "Ts" ? "TY-%Tm-%Td %TH:%TM" : time) == wanted)
        #expect(try other.ids() == sandbox.ids())
    }

    @Test func `other programs read what was written`() throws {
        let sandbox = try filled()
        for name in ["tar", "tar.gz", "tar.zst"] {
            try sandbox.sbfs("export", "--full", "a." + name)
            try sandbox.shell(
                "rm -rf out && mkdir out && tar -C out -xf a.\(name) && diff -r -x .sbfs out '\(sandbox.library)'")
        }
        try sandbox.sbfs("export", "--full", "a.zip")
        try sandbox.shell(
            "rm -rf out && python3 -m zipfile -e a.zip out && diff -r -x .sbfs out '\(sandbox.library)'")
    }

    @Test(arguments: ["gzip", "xz", "bzip2", "zstd"]) func `what other programs packed is read`(_ program: String)
        throws
    {
        let sandbox = try filled()
        try sandbox.sbfs("export", "--full", "a.tar")
        try sandbox.shell("\(program) -c a.tar > packed")
        for words in ["import packed", "import - < packed"] {
            let other = try Sandbox()
            try other.shell("cp '\(sandbox.desk)/packed' . && sbfs \(words)")
            #expect(try other.ids() == sandbox.ids())
        }
        // Two packed parts are one stream.
        try sandbox.shell("{ head -c 3000 a.tar | \(program) -c; tail -c +3001 a.tar | \(program) -c; } > parts")
        let other = try Sandbox()
        try other.sbfs("import", sandbox.desk + "/parts")
        #expect(try other.ids() == sandbox.ids())
    }

    @Test func `a zip file of another program is read, also from a pipe`() throws {
        let sandbox = try filled()
        try sandbox.shell("cd '\(sandbox.library)' && python3 -m zipfile -c '\(sandbox.desk)/a.zip' items library.json")
        for words in ["import a.zip", "import - < a.zip"] {
            let other = try Sandbox()
            try other.shell("cp '\(sandbox.desk)/a.zip' . && sbfs \(words)")
            #expect(try other.ids() == sandbox.ids())
        }
    }

    @Test(arguments: ["tar", "tar.gz", "tar.zst", "tar.xz", "zip"])
    func `a file that ends too early is named, wherever it ends`(_ name: String) throws {
        let sandbox = try filled()
        if name == "tar.xz" {
            try sandbox.sbfs("export", "--full", "a.tar")
            try sandbox.shell("xz -c a.tar > a.tar.xz")
        } else {
            try sandbox.sbfs("export", "--full", "a." + name)
        }
        for part in 1...7 {
            try sandbox.shell("head -c $(($(wc -c < a.\(name)) * \(part) / 8)) a.\(name) > cut")
            let other = try Sandbox()
            let run = try other.sbfs("import", sandbox.desk + "/cut", exits: nil)
            #expect([1, 3, 4].contains(run.status) && !run.err.contains("()"), "\(part): \(run)")
            try other.sbfs("check")
        }
    }

    @Test func `a second tar file behind the first is read too, and other bytes there are named`() throws {
        let sandbox = try filled()
        try sandbox.sbfs("export", "--full", "a.tar")
        let second = try filled()
        try second.sbfs("export", "--full", "b.tar")
        try sandbox.shell("cat a.tar '\(second.desk)/b.tar' > both.tar; { cat a.tar; yes | head -c 5000; } > more.tar")
        let other = try Sandbox()
        _ = try other.sbfs("import", sandbox.desk + "/both.tar", exits: nil)
        #expect(try other.ids() == sandbox.ids().union(second.ids()))
        let third = try Sandbox()
        let run = try third.sbfs("import", sandbox.desk + "/more.tar", exits: 4)
        #expect(run.err.contains("the tar file ends here, and what follows is none"), "\(run)")
        #expect(try third.ids() == sandbox.ids())
    }

    @Test func `a packed file that holds no library is refused as what it is`() throws {
        let sandbox = try Sandbox()
        try sandbox.shell(
            """
            echo hello > note.txt; gzip -c note.txt > note.gz; python3 -m zipfile -c x.zip note.txt; mkdir word
            echo '<a/>' > 'word/[Content_Types].xml'; cd word; python3 -m zipfile -c ../word.docx '[Content_Types].xml'
            """)
        for (file, what) in [("note.gz", "gzip"), ("x.zip", "ZIP"), ("word.docx", "ZIP")] {
            let run = try sandbox.sbfs("import", file, exits: 1)
            #expect(run.err.contains(what) && run.err.contains("sbfs add \(file)"), "\(run)")
            #expect(!run.err.contains("left out"))
        }
    }

    @Test func `a small file that unpacks to gigabytes is stopped, and nothing of the item stays`() throws {
        let sandbox = try Sandbox()
        try sandbox.shell(
            """
            i=x/items/c4/01a19b7c-a680-7000-8f3e-5d2c9b7a61c4; mkdir -p $i/document
            echo '{"id":"01a19b7c-a680-7000-8f3e-5d2c9b7a61c4","type":"document"}' > $i/item.json
            truncate -s 3G $i/document/zeros; tar -C x --zstd -cf bomb.tar.zst items; rm -r x
            """)
        let run = try sandbox.sbfs("import", "bomb.tar.zst", exits: nil)
        #expect(run.status != 0 && run.err.contains("it unpacks to more than"), "\(run)")
        #expect(try sandbox.ids().isEmpty)
        #expect(try sandbox.shell("du -sm '\(sandbox.library)' | cut -f1").out.trimmingNumber < 20)
    }

    @Test func `a name without a known extension is refused before anything is written`() throws {
        let sandbox = try Sandbox()
        for name in ["backup", "backup.rar", "backup.gz"] {
            let run = try sandbox.sbfs("export", "--full", name, exits: 2)
            #expect(run.err.contains(".tar, .tar.gz, .tar.zst, .zip"), "\(run)")
            #expect(!sandbox.scratch.exists("desk/" + name))
        }
    }
}

extension String {
    fileprivate var trimmingNumber: Int { Int(filter(\.isNumber)) ?? -1 }
}
