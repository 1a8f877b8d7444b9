import Foundation
import Items
import StuffBucket
import TestSupport
import Testing

/// Objects that unpack to more than the state of their item says.
struct SyncBombTests {
    /// Makes the tar file `b.tar.zst` in an empty folder.
    private static let bundles = [
        "truncate -s 64M page.html && tar --zstd -cf b.tar.zst page.html",
        "truncate -s 64M page.html && printf x >> page.html && tar -S --zstd -cf b.tar.zst page.html",
        "for n in $(seq 500); do truncate -s 100K $n; done && tar -S --zstd -cf b.tar.zst $(seq 500)",
        "printf 1234567890 > page.html && truncate -s 8M rest && tar --zstd -cf b.tar.zst page.html rest",
    ]

    private func shell(_ line: String, in folder: String) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", "mkdir -p '\(folder)' && cd '\(folder)' && " + line]
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
    }

    /// An exchange with one item.
    private func fleet(_ name: String, _ text: String) throws -> (fleet: Fleet, id: ItemID) {
        let fleet = try Fleet(1)
        let id = try fleet[0].library.change("add") { try $0.addSnippet("Text.") }
        try fleet[0].save(id, name, text)
        try fleet[0].sync()
        return (fleet, id)
    }

    @Test(arguments: bundles) func `a bundle that is larger than its files is ended and named`(_ line: String) throws {
        let (fleet, id) = try fleet("page.html", "<p>Bread</p>")
        let b = try SyncDevice(from: fleet.path)
        let packs = try #require(try JSONSerialization.jsonObject(with: head(fleet)) as? [String: Any])["packs"]
        let names = try #require(packs as? [String])
        let bundle = try #require(
            try fleet.objects(".tar.zst").first { path in !names.contains { path.contains($0) } })
        let whole = try fleet.scratch.bytes("exchange/" + bundle)
        try shell(line, in: fleet.scratch.full("bomb"))
        try fleet.scratch.write("exchange/" + bundle, fleet.scratch.bytes("bomb/b.tar.zst"))
        for _ in 0..<2 {
            let report = try b.sync()
            #expect(report.left.map(\.path) == [bundle] && report.left.map(\.reason) == [.largerThanNamed])
            #expect(!b.scratch.exists(b.path(id, "page.html")))
        }
        try fleet.scratch.write("exchange/" + bundle, whole)
        #expect(try b.sync().left.isEmpty)
        #expect(try b.scratch.text(b.path(id, "page.html")) == "<p>Bread</p>")
    }

    private func head(_ fleet: Fleet) throws -> Data {
        let name = try #require(
            try FileManager.default.contentsOfDirectory(atPath: fleet.path + "/heads").first { $0.hasSuffix(".json") })
        return Data(try fleet.scratch.bytes("exchange/heads/" + name))
    }

    @Test func `a document in a zip file that is larger than the document is ended and named`() throws {
        let (fleet, id) = try fleet("document/a.txt", "A document.")
        let b = try SyncDevice(from: fleet.path)
        let object = try #require(try fleet.objects().first { !$0.hasSuffix(".zst") })
        try fleet.scratch.removeFile("exchange/" + object)
        let line =
            "import zipfile; zipfile.ZipFile('b.zip', 'w', zipfile.ZIP_DEFLATED).writestr('a.txt', bytes(1 << 24))"
        try shell("python3 -c \"\(line)\"", in: fleet.scratch.full("bomb"))
        try fleet.scratch.write("exchange/" + object + ".zip", fleet.scratch.bytes("bomb/b.zip"))
        let report = try b.sync()
        #expect(report.left.map(\.reason) == [.largerThanNamed], "\(report.left)")
        #expect(!b.scratch.exists(b.path(id, "document/a.txt")))
    }

    @Test func `many files with long names are not larger than they say`() throws {
        let fleet = try Fleet(1)
        let id = try fleet[0].library.change("add") { try $0.addSnippet("Text.") }
        try fleet[0].save(id, "page.html", "<p>Bread</p>")
        let name = String(repeating: "\u{e9}", count: 120)
        for number in 0..<300 { try fleet[0].save(id, "assets/0123456789abcdef.\(name.dropLast(9))\(number)", "") }
        try fleet[0].save(id, "assets/0123456789abcdef.large", String(repeating: "Bread. ", count: 400_000))
        try fleet[0].sync()
        let b = try SyncDevice(from: fleet.path)
        #expect(try b.sync().left.isEmpty)
        try fleet.add()
        try fleet.expectEqual()
    }
}
