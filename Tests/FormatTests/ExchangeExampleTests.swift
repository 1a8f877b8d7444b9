import Files
import Items
import JSONFormat
import TestSupport
import Testing

@testable import StuffBucket

/// The example of Documentation/Exchange.md: a head, a pack and a bundle, byte for byte.
struct ExchangeExampleTests {
    private static let id = "01a19b7c-a680-7000-8f3e-5d2c9b7a61c4"
    private let library = ItemID("01a1961f-5c00-7000-9d41-3b7e60a2f25a")
    private let lines: [String]

    init() throws { lines = try FormatDocument(.exchange).lines }

    /// The block below a line.
    private func block(_ line: String) throws -> [UInt8] {
        let place = try #require(lines.firstIndex(of: line))
        let body = lines[(place + 1)...].drop { $0 != "```text" }.dropFirst().prefix { $0 != "```" }
        return Array((body.joined(separator: "\n") + "\n").utf8)
    }

    private func packed(_ files: [(String, [UInt8])]) throws -> (name: String, byteCount: Int) {
        let packer = try BundlePacker(WorkerProgram(path: BuiltProgram.path("sbfs-worker")), Monitor())
        packer.begin { _ in }
        for (path, bytes) in files { try packer.file(path, bytes) }
        let sum = try packer.end()
        return (sum.sha256, sum.byteCount)
    }

    private func state() throws -> (bytes: [UInt8], state: PackedState) {
        let bytes = try block("`states/c4/\(Self.id).json`")
        return (bytes, try #require(JSONReading(bytes).flatMap { PackedState($0) }))
    }

    @Test func `exchange.json and the head are read, and written with the same bytes`() throws {
        let library = try #require(library)
        let exchange = try #require(JSONReading(try block("`exchange.json`")))
        #expect(exchange.count("format") == ExchangeLayout.format && exchange.id("library") == library)
        let device = try #require(ItemID("2dfbb4d4-a6f8-4ce6-8e1f-5189540dc3ed"))
        let bytes = try block("`heads/\(device).json`")
        let head = try ExchangeHead(bytes, of: device, in: library)
        #expect(head.packs.count == 1 && head.bytes(of: library) == bytes)
    }

    @Test func `the pack has the name that the document says`() throws {
        let (bytes, state) = try state()
        #expect(state.json.file == bytes)
        let header = try block("`pack.json`")
        #expect(try PackHeader(header, of: #require(library)).bytes == header)
        let item = try block("With the item.json")
        #expect(state.item.sha256.hex == SHA256.hex(item))
        let text = Array("Feed the starter.\n".utf8)
        #expect(state.text?.sha256.hex == SHA256.hex(text))
        let folder = "items/c4/\(Self.id)/"
        let pack = try packed([
            ("pack.json", header), ("states/c4/\(Self.id).json", bytes), (folder + "item.json", item),
            (folder + "text.md", text),
        ])
        #expect(lines.contains { $0.contains("the name `\(pack.name)` (\(pack.byteCount) bytes unpacked)") }, "\(pack)")
        #expect(lines.contains("    \"\(pack.name)\""))
    }

    @Test func `the bundle has the bytes that the table says`() throws {
        let (_, state) = try state()
        let page = Array("<p>Bread</p>\n".utf8)
        let bundle = try packed([("page.html", page)])
        #expect(state.bundles == [.init(folder: "", sha256: try #require(ContentHash(hex: bundle.name.utf8)))])
        var tar = [UInt8](repeating: 0, count: bundle.byteCount)
        for row in try FormatDocument(.exchange).table(behind: "The page `<p>Bread</p>`") {
            let start = try #require(Int(row[0]))
            let bytes = FormatDocument.code(row[1])[0].split(separator: " ").compactMap { UInt8($0, radix: 16) }
            tar.replaceSubrange(start..<start + bytes.count, with: bytes)
        }
        #expect(SHA256.hex(tar) == bundle.name && lines.contains("Its name is `\(bundle.name)`."))
    }
}
