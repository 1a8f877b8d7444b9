import Foundation
import Testing

/// Full exports in which the names of files were damaged: FORMAT.md § 16.1.
struct ExportedPathsTests {
    private static let says = "holds as many files as were exported, but some have other names"

    /// A library with a note whose document has a long name that is not ASCII, and its export.
    private func exported(_ sandbox: Sandbox, as name: String) throws -> [UInt8] {
        let id = try sandbox.snippet("words", title: "Note")
        let document = String(repeating: "Übergröße ", count: 9) + "e\u{301}.txt"
        try sandbox.file(document, "bytes")
        try sandbox.sbfs(words: ["attach", id, document])
        try sandbox.sbfs("export", "--full", name)
        try sandbox.sbfs("--library", "other", "init")
        return try sandbox.scratch.bytes("desk/" + name)
    }

    /// The places of some bytes.
    private func places(of text: String, in bytes: [UInt8]) -> [Int] {
        let wanted = Array(text.utf8)
        return bytes.indices.dropLast(wanted.count).filter { bytes[$0..<$0 + wanted.count].elementsEqual(wanted) }
    }

    @Test(arguments: ["full.tar", "full.tar.gz", "full.tar.zst", "full.zip"])
    func `an export that nobody damaged is whole, and leaves nothing behind`(_ name: String) throws {
        let sandbox = try Sandbox()
        _ = try exported(sandbox, as: name)
        let run = try sandbox.sbfs("--library", "other", "import", name)
        #expect(run.err.contains("1 item added") && !run.err.contains("left out"), "\(run.err)")
        #expect(try sandbox.shell("ls other/.sbfs/export.json", exits: 2).out.isEmpty)
        // So is one that a person unpacked and packed again, with one file more.
        let unpack = name.hasSuffix("zip") ? "python3 -m zipfile -e \(name) u" : "mkdir u && tar -xf \(name) -C u"
        try sandbox.shell("\(unpack) && touch u/more && tar -cf again.tar -C u .")
        try sandbox.sbfs("--library", "third", "init")
        let again = try sandbox.sbfs("--library", "third", "import", "again.tar", exits: 4)
        #expect(!again.err.contains(Self.says) && again.err.contains("more: "), "\(again.err)")
    }

    @Test func `a damaged name in a tar file is found`() throws {
        let sandbox = try Sandbox()
        var bytes = try exported(sandbox, as: "full.tar")
        let records = places(of: "path=items/", in: bytes)
        let place = try #require(
            places(of: "e Überg", in: bytes).first { place in records.contains { place > $0 && place < $0 + 300 } })
        bytes[place] = UInt8(ascii: "a")
        try sandbox.scratch.write("desk/damaged.tar", bytes)
        for flags in [["--dry-run"], []] {
            let run = try sandbox.sbfs(words: ["--library", "other", "import", "damaged.tar"] + flags, exits: 4)
            #expect(run.err.contains(Self.says), "\(run.err)")
        }
    }

    @Test func `a damaged name in a zip file is found`() throws {
        let sandbox = try Sandbox()
        var bytes = try exported(sandbox, as: "full.zip")
        for place in places(of: "/text.md", in: bytes) { bytes[place + 5] = UInt8(ascii: "x") }
        try sandbox.scratch.write("desk/damaged.zip", bytes)
        let run = try sandbox.sbfs("--library", "other", "import", "damaged.zip", exits: 4)
        #expect(run.err.contains(Self.says), "\(run.err)")
    }

    @Test func `an export without the sum, and one whose sum is no object, are read`() throws {
        let sandbox = try Sandbox()
        _ = try exported(sandbox, as: "full.tar")
        try sandbox.shell(
            "tar --delete -f full.tar .sbfs/export.json && mkdir -p .sbfs && echo '[]' > .sbfs/export.json")
        try sandbox.sbfs("--library", "other", "import", "full.tar")
        try sandbox.shell("tar -rf full.tar .sbfs/export.json")
        try sandbox.sbfs("--library", "other", "import", "full.tar")
    }
}
