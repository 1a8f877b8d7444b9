import Files
import Glibc
import Items
import TestSupport
import Testing

@testable import StuffBucket

/// What cannot become an item goes to inbox/rejected/, with the reason.
struct InboxRejectionTests {
    private let inbox: InboxSample

    init() throws { inbox = try InboxSample() }

    private func reason(_ name: String) throws -> InboxRejection? {
        InboxRejection(file: try inbox.scratch.bytes("library/inbox/rejected/\(name).reason.json"))
    }

    private func rejected(_ name: String) throws -> InboxRejection? {
        let report = try inbox.take()
        #expect(report.lines == ["rejected \(name)"])
        #expect(try inbox.names().isEmpty && inbox.items().isEmpty)
        let given = report.entries.first?.outcome.reason
        #expect(try reason(name) == given)
        let listed = try inbox.library.rejectedInboxFiles()
        #expect(listed.map(\.path) == ["rejected/" + name])
        guard case .rejected(let why)? = listed.first?.state, why == given else {
            Issue.record("\(listed)")
            return nil
        }
        // Nothing there is taken in again.
        #expect(try inbox.take().entries.isEmpty)
        #expect(try inbox.scratch.names("library/inbox/rejected") == [name, name + ".reason.json"])
        return given
    }

    @Test func `an empty file`() throws {
        try inbox.drop("a.txt", "")
        #expect(try rejected("a.txt") == .empty)
    }

    @Test func `a link to a file is moved and not followed`() throws {
        try inbox.scratch.link("library/inbox/passwd.txt", to: "/etc/passwd")
        #expect(try rejected("passwd.txt") == .notRegular(.symbolicLink))
        #expect(readlinkTarget("library/inbox/rejected/passwd.txt") == "/etc/passwd")
    }

    @Test func `a link to a folder is not followed either`() throws {
        try inbox.scratch.write("outside/secret.txt", "secret")
        try inbox.scratch.link("library/inbox/folder", to: inbox.scratch.full("outside"))
        #expect(try rejected("folder") == .notRegular(.symbolicLink))
        #expect(try inbox.scratch.text("outside/secret.txt") == "secret")
    }

    private func readlinkTarget(_ path: String) -> String {
        var buffer = [CChar](repeating: 0, count: 4096)
        let count = readlink(inbox.scratch.full(path), &buffer, buffer.count)
        return String(decoding: buffer[..<max(0, count)].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    @Test func `a FIFO is neither opened nor waited for`() throws {
        try inbox.scratch.makeFIFO("library/inbox/pipe")
        #expect(try rejected("pipe") == .notRegular(.fifo))
    }

    @Test func `a socket`() throws {
        let number = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(number) }
        // The path of a socket has at most 107 bytes.
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let folder = open(inbox.scratch.full("library/inbox"), O_RDONLY | O_DIRECTORY)
        defer { close(folder) }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array("/proc/self/fd/\(folder)/door".utf8)) }
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(number, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        try #require(result == 0)
        #expect(try rejected("door") == .notRegular(.socket))
    }

    @Test func `a file above the limit`() throws {
        try inbox.sample.set(.maxFileSizeMB, .number("50"))
        let path = inbox.scratch.full("library/inbox/big.bin")
        let file = open(path, O_WRONLY | O_CREAT, 0o600)
        // A sparse file.
        #expect(ftruncate(file, (50 << 20) + 1) == 0)
        close(file)
        #expect(try rejected("big.bin") == .tooLarge(byteCount: (50 << 20) + 1, limit: 50 << 20))
    }

    @Test(arguments: ["javascript:alert(1)", "file:///etc/passwd", "ftp://example.org/", "https://"])
    func `a shortcut to something else than a web address`(url: String) throws {
        try inbox.drop("a.url", "[InternetShortcut]\nURL=\(url)\n")
        #expect(try rejected("a.url") == .noWebAddress(url))
    }

    @Test func `a folder that is too deep, as a whole`() throws {
        let levels = (1...33).map { "\($0)" }.joined(separator: "/")
        try inbox.drop(levels + "/deep.txt", "deep")
        try inbox.drop((1...32).map { "\($0)" }.joined(separator: "/") + "/fits.txt", "fits")
        let report = try inbox.take()
        #expect(
            report.lines == ["rejected \(levels)", "added \(levels.dropLast(3))/fits.txt"]
                || Set(report.lines) == ["rejected \(levels)", "added \(levels.dropLast(3))/fits.txt"])
        #expect(try reason("33") == .tooDeep(limit: 32))
        #expect(try inbox.scratch.text("library/inbox/rejected/33/deep.txt") == "deep")
        #expect(try inbox.item().item.collections.count == 1)
    }

    @Test func `equal names stay apart, and a reason names its path`() throws {
        for folder in ["", "a/", "b/"] { try inbox.drop(folder + "x.txt", "") }
        try inbox.take()
        try inbox.drop("x.txt", "")
        try inbox.take()
        let names = try inbox.scratch.names("library/inbox/rejected")
        #expect(names.count == 8 && names.contains("x.txt") && names.contains("x.txt.reason.json"))
        let reasons = try names.filter { $0.hasSuffix(".reason.json") }.map {
            try inbox.scratch.text("library/inbox/rejected/" + $0)
        }
        #expect(reasons.count { $0.contains("\"path\": \"x.txt\"") } == 2)
        #expect(reasons.count { $0.contains("\"path\": \"a/x.txt\"") } == 1)
        #expect(try inbox.library.rejectedInboxFiles().count == 4)
    }

    @Test func `a reason that an interrupted run left is used again`() throws {
        try inbox.drop("x.txt", "")
        try inbox.scratch.write(
            "library/inbox/rejected/x.txt.reason.json", InboxRejection.empty.file(path: "x.txt"))
        try inbox.take()
        #expect(try inbox.scratch.names("library/inbox/rejected") == ["x.txt", "x.txt.reason.json"])
    }

    @Test func `a comment that is too long is rejected, and its file taken in`() throws {
        try inbox.drop("a.txt", "text")
        try inbox.drop("a.txt.comment", [UInt8](repeating: 0x61, count: (64 << 10) + 1))
        #expect(try Set(inbox.take().lines) == ["added a.txt", "rejected a.txt.comment"])
    }

    @Test func `a file that a person moves back is looked at again`() throws {
        try inbox.drop("a.txt", "")
        try inbox.take()
        try inbox.scratch.removeFile("library/inbox/rejected/a.txt")
        try inbox.drop("a.txt", "text")
        #expect(try inbox.take().lines == ["added a.txt"])
    }
}
