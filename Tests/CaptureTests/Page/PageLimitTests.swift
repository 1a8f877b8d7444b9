import Glibc
import TestSupport
import Testing
import WorkerProtocol

@testable import Capture

/// Pages above the limits: parts within the limits are kept, the others reported, and a page that must fail leaves
/// nothing.
struct PageLimitTests {
    @Test func `of a hundred thousand files as many are fetched as one page may have`() throws {
        let server = try TestServer { request in
            if request.path == "/" {
                var body = ""
                for number in 0..<100_000 { body += "<img src=/\(number)>" }
                return .html(SampleFile.page("", body))
            }
            return .whole(status: 404)
        }
        defer { server.close() }
        let trial = try PageTrial(server, seconds: 60)
        #expect(trial.report.status == .partial)
        #expect(
            trial.report.diagnostic?.description.contains("the page has more than 5000 files") == true,
            "\(trial.report)")
        #expect(server.targets.count <= 5010)
        #expect(trial.hasPage)
    }

    @Test func `a sheet that unpacks to far too much is left out and said`() throws {
        let bomb = PackedBody.zeros(packedByteCount: 400_000)
        let server = try TestServer { request in
            switch request.path {
            case "/": .html(SampleFile.page("<link rel=stylesheet href=a.css>"))
            case "/a.css": .whole(fields: ["Content-Type: text/css", "Content-Encoding: gzip"], body: bomb)
            default: .missing
            }
        }
        defer { server.close() }
        let trial = try PageTrial(server)
        #expect(trial.report.status == .partial)
        #expect(trial.report.diagnostic?.description.hasPrefix("1 file is missing: ") == true, "\(trial.report)")
        #expect(trial.hasPage)
    }

    @Test func `a page that unpacks to far too much fails`() throws {
        let bomb = PackedBody.zeros(packedByteCount: 400_000)
        let server = try TestServer { _ in
            .whole(fields: ["Content-Type: text/html", "Content-Encoding: gzip"], body: bomb)
        }
        defer { server.close() }
        let trial = try PageTrial(server)
        #expect(trial.report.status == .failed)
        #expect(try trial.names.isEmpty)
    }

    @Test func `a page without end fails`() throws {
        let chunk = [UInt8](repeating: UInt8(ascii: "x"), count: 1 << 20)
        let server = try TestServer { _ in
            .stream { connection in
                _ = connection.send("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n")
                while connection.send(chunk) {}
            }
        }
        defer { server.close() }
        let trial = try PageTrial(server)
        #expect(trial.report.status == .failed)
        #expect(try trial.names.isEmpty)
    }

    @Test func `a page that drips is given up at the deadline`() throws {
        let server = try TestServer { _ in
            .stream { connection in
                _ = connection.send("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 100000\r\n\r\n")
                while connection.send("drip "), !connection.waitForClose(milliseconds: 20) {}
            }
        }
        defer { server.close() }
        let trial = try PageTrial(server, seconds: 1)
        #expect(trial.report.status == .failed)
        #expect(try trial.names.isEmpty)
    }

    @Test func `a file that drips is left out at the deadline, and the page is kept`() throws {
        let server = try TestServer { request in
            switch request.path {
            case "/": .html(SampleFile.page("", "<img src=slow><img src=quick>"))
            case "/quick": .gif()
            case "/slow":
                .stream { connection in
                    _ = connection.send("HTTP/1.1 200 OK\r\nContent-Type: image/gif\r\nContent-Length: 100000\r\n\r\n")
                    while connection.send("drip "), !connection.waitForClose(milliseconds: 20) {}
                }
            default: .missing
            }
        }
        defer { server.close() }
        let trial = try PageTrial(server, seconds: 2)
        #expect(trial.report.status == .partial, "\(trial.report)")
        #expect(try trial.assets.count == 1)
        #expect(trial.hasPage)
    }

    @Test(.enabled(if: Machine.runsAsRoot, "only root can mount a small file system"))
    func `a disk that is full fails the page with its reason`() throws {
        let server = try TestServer { request in
            request.path == "/" ? .html(SampleFile.page("", "<img src=i.gif>")) : .gif()
        }
        defer { server.close() }
        let scratch = try ScratchDirectory()
        let folder = scratch.full("small")
        try scratch.makeDirectory("small")
        try #require(mount("tmpfs", folder, "tmpfs", 0, "size=4096") == 0)
        defer { umount2(folder, 2) }
        var order = CaptureOrder(url: server.address("/"), folder: folder)
        order.access.allowed = ["127.0.0.1:\(server.port)"]
        order.browser = "never"
        let report = try #require(PageCapture(order).run(BrowserPool(profilesIn: scratch.full("browsers"))))
        #expect(report.status == .failed, "\(report)")
        #expect(
            report.diagnostic?.description.contains("No space left") == true
                || report.diagnostic?.description.contains("full") == true,
            "\(report)")
        #expect(!report.isNetworkFailure)
    }
}
