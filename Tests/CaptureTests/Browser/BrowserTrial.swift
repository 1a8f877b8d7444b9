import Glibc
import TestSupport
import Testing
import URLs

@testable import Capture

/// Renders the pages of a test's own server in the installed browser.
struct BrowserTrial {
    static let installed = (try? BrowserLocation.find(setting: .auto)) ?? nil

    let folder: ScratchDirectory
    let browser: Browser
    let server: TestServer

    /// - Parameter pages: HTML by path; other paths are answered with 404.
    init(_ pages: [String: String], _ handler: TestServer.Handler? = nil) throws {
        folder = try ScratchDirectory()
        // As root, the browser runs as another user, who must reach its profile.
        try folder.makeDirectory("profiles")
        chmod(folder.path, 0o711)
        let location = try #require(Self.installed)
        server = try TestServer { request in
            if let page = pages[request.path] { return .text(page, fields: ["Content-Type: text/html"]) }
            return handler?(request) ?? .text("nothing here", status: 404, fields: ["Content-Type: text/plain"])
        }
        browser = try Browser.start(location, profilesIn: folder.full("profiles"), patience: .seconds(60))
    }

    func request(_ path: String, within time: Duration = .seconds(60)) throws -> RenderRequest {
        var request = RenderRequest(
            url: try #require(WebURL(server.address(path))),
            addressRule: AddressRule(allowed: [HostPort(host: "127.0.0.1", port: server.port)]), deadline: .now + time)
        // The pages of tests are short. Those that are about this wait set it.
        request.limits.scantPatience = .zero
        return request
    }

    func render(_ path: String, within time: Duration = .seconds(60)) throws -> RenderedPage {
        try browser.render(try request(path, within: time))
    }

    func html(_ path: String) throws -> String { try render(path).text }

    func end() throws {
        browser.close()
        server.close()
        #expect(try folder.names("profiles") == ["browsers.lock"])
    }
}

extension RenderedPage {
    var text: String { String(decoding: document?.html ?? [], as: UTF8.self) }
}

/// A program instead of a browser: a shell script with commands on descriptor 3 and answers on 4.
struct FakeBrowser {
    let folder: ScratchDirectory
    let location: BrowserLocation

    /// Answers the first command, so that the browser counts as started.
    static let greeting = #"printf '{"id":1,"result":{"product":"Fake/1.0","userAgent":"Fake"}}\0' >&4"#

    init(_ script: String) throws {
        folder = try ScratchDirectory()
        try folder.write("browser", "#!/bin/sh\n\(script)\n")
        chmod(folder.full("browser"), 0o700)
        location = BrowserLocation(path: folder.full("browser"))
    }

    func start(patience: Duration = .seconds(120)) throws -> Browser {
        try Browser.start(location, profilesIn: folder.full("profiles"), patience: patience, as: .own)
    }

    /// Leftovers: profiles, and processes whose command line names its folder. A killed process may be visible until
    /// the kernel has ended it, so this looks several times.
    var leftovers: [String] {
        get throws {
            var found: [String] = []
            for _ in 0..<100 {
                let profiles = try folder.names("profiles").filter { $0 != "browsers.lock" }
                found = profiles + Self.processes(naming: folder.path)
                if found.isEmpty { break }
                usleep(20_000)
            }
            return found
        }
    }

    static func processes(naming word: String) -> [String] {
        var found: [String] = []
        guard let stream = opendir("/proc") else { return [] }
        defer { closedir(stream) }
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            guard Int(name) != nil, let file = fopen("/proc/\(name)/cmdline", "r") else { continue }
            defer { fclose(file) }
            var buffer = [UInt8](repeating: 0, count: 1 << 16)
            let count = fread(&buffer, 1, buffer.count, file)
            if String(decoding: buffer[..<count], as: UTF8.self).contains(word) { found.append("process " + name) }
        }
        return found
    }
}
