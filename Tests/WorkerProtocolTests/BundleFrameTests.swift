import TestSupport
import Testing

@testable import WorkerProtocol

struct BundleFrameTests {
    private static let frames: [BundleFrame] = [
        .entry(PackedEntry(.file, Array("Größe".utf8), byteCount: 3, permissions: 0o644, modified: 0)),
        .piece([1, 2, 3]), .piece([]), .end(nil),
        .end(.init(sha256: String(repeating: "a", count: 64), byteCount: 2048)),
        .fault(PackedFault(.cut, offset: 7, "truncated")),
    ]

    @Test(arguments: [1, 3, 64, 10_000]) func `parts come back as they were, however they are cut`(_ size: Int) throws {
        let bytes = Self.frames.flatMap(\.bytes)
        var buffer = BundleFrameBuffer()
        var found: [BundleFrame] = []
        for start in stride(from: 0, to: bytes.count, by: size) {
            buffer.append(Array(bytes[start..<min(bytes.count, start + size)]))
            while let frame = try buffer.next() { found.append(frame) }
        }
        #expect(found == Self.frames && !buffer.isWithinFrame)
    }

    @Test func `a part of an unknown kind, or one that is too long, is an error`() throws {
        for bytes: [UInt8] in [[0x41, 0, 0, 0, 0], [0x50, 0xFF, 0xFF, 0xFF, 0x7F]] {
            var buffer = BundleFrameBuffer()
            buffer.append(bytes)
            #expect(throws: WireFault.self) { try buffer.next() }
        }
    }

    @Test func `an end without a number is an error`() throws {
        var buffer = BundleFrameBuffer()
        buffer.append([0x5A, 64, 0, 0, 0] + [UInt8](repeating: 0x61, count: 64))
        #expect(throws: WireFault.self) { try buffer.next() }
    }
}
