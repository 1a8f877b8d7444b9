import Foundation
import Glibc
import TestSupport
import Testing

/// A saved page that comes to another device later than its item does: Documentation/Exchange.md § 7.
struct LatePageTests {
    private let a: Sandbox
    private let exchange: String
    private let id: String

    init() throws {
        a = try Sandbox()
        exchange = a.scratch.full("exchange")
        id = try a.sbfs("add", "https://example.org/x", "--no-archive").out.trimmingCharacters(in: .newlines)
        try save("one")
        try a.sbfs("remote", "add", "box", exchange)
        try a.sbfs("sync")
    }

    private func save(_ word: String) throws {
        try a.file("page.html", "<html><body><p>The page \(word) of the mill.</p></body></html>")
        try a.sbfs("archive", id, "--from", "page.html")
    }

    private func device() throws -> Sandbox {
        let one = try Sandbox(isLibraryMade: false)
        try one.sbfs("init", "--from", exchange)
        try one.sbfs("sync")
        return one
    }

    private func objects() throws -> Set<String> {
        Set(try a.shell("find '\(exchange)/objects' -name '*.tar.zst'").out.split(separator: "\n").map(String.init))
    }

    /// The device that waits for the page writes the item, too. Its state follows that of the first one.
    @Test func `a new device has the last page, though another one wrote the item before it had that`() throws {
        let b = try device()
        // A backup that is put back has the device write the item.
        let folder = b.scratch.full(b.folder(id)), kept = b.scratch.full("kept")
        try b.shell("cp -a '\(folder)' '\(kept)' && rm -r '\(folder)' && cp -a '\(kept)' '\(folder)'")
        let before = try objects()
        usleep(1_100_000)
        try save("two")
        try save("three")
        try a.sbfs("sync")
        for object in try objects().subtracting(before)
        where try a.shell("zstd -dqc '\(object)' | grep -ac 'page three' || true").out != "0\n" {
            try FileManager.default.removeItem(atPath: object)
        }
        #expect(try b.sbfs("sync", exits: 4).err.contains("has not arrived"))
        for one in [a, b, a, b] { try one.sbfs("sync") }
        let c = try device()
        for one in [a, b, c] { try one.sbfs("sync") }
        for one in [a, b, c] {
            #expect(try one.scratch.text(one.folder(id) + "/page.html").contains("page three"))
        }
    }
}
